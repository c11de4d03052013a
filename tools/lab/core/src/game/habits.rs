//! How people choose secrets: priors made by a rule.

use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Codes};

/// A rule that gives each code a weight.
pub struct Habit {
    /// As it is typed.
    pub name: &'static str,
    /// In one line.
    pub about: &'static str,
    /// Whether a code is one that is liked.
    is_liked: fn(&[u8], usize) -> bool,
    /// What liked codes weigh, one by one or together.
    liking: Liking,
}

enum Liking {
    /// A liked code weighs that many times as much as another one.
    Times(f64),
    /// Liked codes have this probability together, and all codes share the rest.
    Share(f64),
}

/// A digit that many people like; the largest one in games without it.
const FAVOURITE: usize = 7;

/// Every habit, in the order in which tables list them.
pub static HABITS: [Habit; 5] = [
    Habit {
        name: "uniform",
        about: "every code as often as any other",
        is_liked: |_, _| true,
        liking: Liking::Times(1.0),
    },
    Habit {
        name: "digit",
        about: "codes with a 7 five times as often as others",
        is_liked: |code, digits| {
            let favourite = FAVOURITE.min(digits - 1);
            code.iter().any(|&digit| usize::from(digit) == favourite)
        },
        liking: Liking::Times(5.0),
    },
    Habit {
        name: "stairs",
        about: "in 9 of 10 games digits that go up or down, such as 258; else any code",
        is_liked: |code, _| is_stairs(code),
        liking: Liking::Share(0.9),
    },
    Habit {
        name: "dates",
        about: "in 9 of 10 games a date, such as 714 for July 14; else any code",
        is_liked: |code, _| is_date(code),
        liking: Liking::Share(0.9),
    },
    Habit {
        name: "only-dates",
        about: "dates and nothing else",
        is_liked: |code, _| is_date(code),
        liking: Liking::Share(1.0),
    },
];

impl Habit {
    /// The prior; `None` if no code of this game is liked.
    pub fn prior(&self, codes: &Codes) -> Option<Posterior> {
        let all = (0..codes.len() as CodeId).map(|code| codes.digits(code));
        let liked: Vec<bool> = all
            .map(|code| (self.is_liked)(code, codes.game.digits))
            .collect();
        let count = liked.iter().filter(|&&liked| liked).count();
        if count == 0 {
            return None;
        }
        let (more, rest) = match self.liking {
            Liking::Times(times) => (times - 1.0, 1.0),
            Liking::Share(share) => (share / count as f64, (1.0 - share) / liked.len() as f64),
        };
        let weight = |&liked: &bool| rest + if liked { more } else { 0.0 };
        let weights: Vec<f64> = liked.iter().map(weight).collect();
        Some(Posterior::from_prior(&weights))
    }
}

fn is_stairs(code: &[u8]) -> bool {
    code.len() > 1 && (code.is_sorted_by(|a, b| a < b) || code.is_sorted_by(|a, b| a > b))
}

/// Month and day with one digit for the month, or two: 714 and 0714.
fn is_date(code: &[u8]) -> bool {
    const DAYS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if code.len() != 3 && code.len() != 4 || code.iter().any(|&digit| digit > 9) {
        return false;
    }
    let number = |digits: &[u8]| digits.iter().fold(0, |value, &d| value * 10 + u32::from(d));
    let (month, day) = code.split_at(code.len() - 2);
    let days = (number(month) as usize)
        .checked_sub(1)
        .and_then(|month| DAYS.get(month));
    days.is_some_and(|&days| (1..=days).contains(&number(day)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    #[test]
    fn habits_are_what_they_say() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let prior = |name: &str| {
            let habit = HABITS.iter().find(|habit| habit.name == name).unwrap();
            habit.prior(&codes).unwrap()
        };
        let of =
            |name: &str, code: &str| prior(name).probability(game::find(&codes, code).unwrap());
        assert!(prior("uniform").is_uniform() && prior("uniform").support().len() == 720);
        // 216 codes have a 7: 9 · 8 · 3.
        assert!((of("digit", "172") - 5.0 / (5.0 * 216.0 + 504.0)).abs() < 1e-12);
        // 120 sets of digits, up or down.
        assert!((of("stairs", "258") - (0.9 / 240.0 + 0.1 / 720.0)).abs() < 1e-12);
        assert!((of("stairs", "285") - 0.1 / 720.0).abs() < 1e-12);
        // No month 0, no day 32 or 00, no February 30, digits differ.
        for (code, possible) in [
            ("714", true),
            ("230", false),
            ("229", false),
            ("901", true),
            ("132", false),
            ("014", false),
            ("706", true),
            ("931", false),
        ] {
            if let Some(code) = game::find(&codes, code) {
                assert_eq!(
                    prior("only-dates").probability(code) > 0.0,
                    possible,
                    "{code}"
                );
            }
        }
        let by_hand = (1..=9)
            .flat_map(|m| (1..=31).map(move |d| (m, d)))
            .filter(|&(m, d)| {
                let days = match m {
                    2 => 29,
                    4 | 6 | 9 => 30,
                    _ => 31,
                };
                d <= days && m != d / 10 && m != d % 10 && d / 10 != d % 10
            });
        assert_eq!(prior("only-dates").support().len(), by_hand.count());
        let other = game::codes("mastermind 5 6").unwrap();
        assert!(HABITS[4].prior(&other).is_none() && HABITS[2].prior(&other).is_some());
    }
}
