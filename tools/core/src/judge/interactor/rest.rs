//! Whether a program rests: it waits for us, or sleeps.
//!
//! It is looked at twice, with a pause. What was sent to it before the first look has woken it up by the second.

use std::time::Duration;

/// The pause between two looks; longer and longer while it does not rest.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// Looks at a program until it rests.
pub(super) struct RestWatch {
    /// When the next look is due.
    pub(super) due: Duration,
    pause: Duration,
    /// Whether it rested at the last look.
    rested: bool,
}

impl RestWatch {
    pub(super) fn new(due: Duration) -> Self {
        Self {
            due,
            pause: FIRST_PAUSE,
            rested: false,
        }
    }

    /// Begins anew after something was done about it, a long pause later.
    pub(super) fn restart(&mut self, now: Duration) {
        *self = Self::new(now + LONGEST_PAUSE);
    }

    /// Takes a look if it is due; whether the program rested at two looks in succession.
    pub(super) fn has_rested(&mut self, now: Duration, rests: impl FnOnce() -> bool) -> bool {
        if now < self.due {
            return false;
        }
        let before = self.rested;
        self.rested = rests();
        self.pause = match self.rested {
            true => FIRST_PAUSE,
            false => (self.pause * 2).min(LONGEST_PAUSE),
        };
        self.due = now + self.pause;
        before && self.rested
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_rests_after_two_looks_and_pauses_grow_while_it_does_not() {
        let ms = Duration::from_millis;
        let mut watch = RestWatch::new(ms(0));
        assert!(!watch.has_rested(ms(0), || true));
        assert!(!watch.has_rested(ms(0), || panic!("a look that is not due")));
        assert!(watch.has_rested(ms(1), || true));
        let mut watch = RestWatch::new(ms(0));
        let dues = [(); 6].map(|()| {
            assert!(!watch.has_rested(watch.due, || false));
            watch.due.as_millis()
        });
        assert_eq!(dues, [2, 6, 14, 30, 50, 70]);
        assert!(!watch.has_rested(ms(70), || true));
        assert!(!watch.has_rested(ms(71), || false));
        assert!(!watch.has_rested(watch.due, || true));
    }
}
