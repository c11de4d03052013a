//! When a contest's own tester has to end: by what its stage says of the contestant.

use std::cell::Cell;
use std::time::Duration;

use crate::judge::usage::MoreTime;
use crate::judge::verdict::Limits;
use crate::process::{Heard, Meter, Metered};

/// How long a line may go on after the time limit if the contestant ended in time.
pub(super) const TESTER_TIME: Duration = Duration::from_secs(10);

/// How much time before the contestant's start is not its own. A line that takes longer loses the rest.
const START_TIME: Duration = Duration::from_secs(5);

/// How often we look whether a program was started.
const LOOK: Duration = Duration::from_millis(50);

/// Of how many programs the time is given that a line starts one after another. One that starts programs without end
/// loses the rest.
const PROGRAMS: u32 = 10;

/// The deadline of one case. It begins as the time limit of the whole line, and moves while the contestant has time left.
pub(super) struct Deadline<'a> {
    meter: Option<&'a Meter>,
    limits: &'a Limits,
    /// How much more time the contestant was given.
    given: Cell<Duration>,
    is_passed: Cell<bool>,
}

impl<'a> Deadline<'a> {
    /// Of a line that these limits hold for. Without a meter the deadline does not move.
    pub(super) fn new(meter: Option<&'a Meter>, limits: &'a Limits) -> Self {
        Self {
            meter,
            limits,
            given: Cell::default(),
            is_passed: Cell::default(),
        }
    }

    /// What is given when the time is up.
    pub(super) fn more_time(&self) -> MoreTime {
        // One moment: a program may end, and another one start, between two looks.
        let heard = self.meter.map(Meter::heard);
        let read = heard.and_then(|heard| heard.read());
        let ended = read.filter(|read| is_within(read, self.limits));
        let (time, most) = match (ended, heard) {
            // It may start another one.
            (Some(ended), _) => (LOOK, TESTER_TIME + time_of_others(&ended, self.limits)),
            (None, Some(heard)) => (
                time_left(&heard, self.limits),
                START_TIME + time_before(&heard, self.limits),
            ),
            (None, None) => (Duration::ZERO, START_TIME),
        };
        let given = self.given.get();
        let time = time.min(most.saturating_sub(given));
        self.given.set(given + time);
        self.is_passed.set(time.is_zero() && ended.is_none());
        MoreTime {
            time,
            is_last: time.is_zero(),
        }
    }

    /// Whether the time was up, and the contestant was not known to have ended in time.
    pub(super) fn is_passed(&self) -> bool {
        self.is_passed.get()
    }
}

/// The time of the programs that had ended before the one that runs.
fn time_before(heard: &Heard, limits: &Limits) -> Duration {
    let time = |ended: Metered| ended.time() + time_of_others(&ended, limits);
    heard.ended().map_or(Duration::ZERO, time)
}

/// What the contestant has left of its time: it started later than the line, or is not started yet.
fn time_left(heard: &Heard, limits: &Limits) -> Duration {
    match heard.running_for() {
        Some(time) => limits.time.saturating_sub(time),
        None if heard.has_started() => Duration::ZERO,
        None => LOOK,
    }
}

/// Whether a contestant's figures are within the limits on time.
pub(super) fn is_within(contestant: &Metered, limits: &Limits) -> bool {
    contestant.time() <= limits.time
}

/// The time that a line gets for the other programs that it has started.
pub(super) fn time_of_others(contestant: &Metered, limits: &Limits) -> Duration {
    contestant.others.min(limits.time * PROGRAMS)
}
