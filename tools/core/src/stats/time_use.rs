//! Programs that use all the time that they may: what they lose on a machine that is too busy for them.
//!
//! Such a program finds worse answers when it has less of a processor, and nothing else shows that.

use crate::judge::record::{Record, Verdict};
use crate::judge::verdict::Limits;

/// A program uses all of its time if it takes this part of its limit.
const NEAR: f64 = 0.8;
/// Or if its times differ by less than this part of their mean, and by less than its processor times, for it then looks
/// at a clock. The same work in each case is told from that by its processor times: they differ less, because what
/// others run delays the work and does not add to it. On two busy cores, 24 cases, 1 to 6 at once: times of a program
/// with a clock differed by 2 to 6 % of their mean and its processor times by 9 to 19 %; of Python with the same work,
/// by 4 to 20 % and 2 to 5 %.
const STEADY: f64 = 0.05;
/// and are at least this long, in milliseconds.
const LONG_MS: f64 = 300.0;
/// A machine is busy if programs had a processor for less than this part of their time.
const BUSY: f64 = 0.9;
/// Fewer cases say nothing.
const FEW: u64 = 3;

/// The times of a run's cases.
#[derive(Clone, Debug)]
pub struct TimeUse {
    limit_ms: f64,
    cases: u64,
    near: u64,
    wall_ms: f64,
    wall_squares: f64,
    cpu_ms: f64,
    cpu_squares: f64,
}

/// Why programs that use all of their time had less of it than they could have had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LostTime {
    /// More of them ran at once than there are cores.
    Crowded {
        /// How many ran at once.
        jobs: usize,
        /// How many cores there are.
        cores: usize,
        /// Which part of the time they had a processor.
        share: f64,
    },
    /// They had a processor for a part of the time only.
    Busy {
        /// Which part.
        share: f64,
    },
}

impl TimeUse {
    /// No case yet.
    pub fn new(limits: &Limits) -> Self {
        Self {
            limit_ms: limits.time.as_secs_f64() * 1e3,
            cases: 0,
            near: 0,
            wall_ms: 0.0,
            wall_squares: 0.0,
            cpu_ms: 0.0,
            cpu_squares: 0.0,
        }
    }

    /// One more case. Only accepted ones count: others may have stopped in the middle.
    pub fn add(&mut self, record: &Record) {
        if record.verdict != Verdict::Ac {
            return;
        }
        self.cases += 1;
        self.near += u64::from(record.wall_ms >= NEAR * self.limit_ms);
        self.wall_ms += record.wall_ms;
        self.wall_squares += record.wall_ms * record.wall_ms;
        self.cpu_ms += record.cpu_ms;
        self.cpu_squares += record.cpu_ms * record.cpu_ms;
    }

    /// Whether most cases took all of their time.
    fn is_all_used(&self) -> bool {
        let count = self.cases as f64;
        // The variance of a sum's parts, as a part of their squared mean.
        let variance = |sum: f64, squares: f64| (squares * count / (sum * sum) - 1.0).max(0.0);
        let wall = variance(self.wall_ms, self.wall_squares);
        let is_same_work = variance(self.cpu_ms, self.cpu_squares) < wall;
        let is_long = self.wall_ms >= LONG_MS * count;
        let is_steady = is_long && wall <= STEADY * STEADY && !is_same_work;
        self.cases >= FEW && (is_steady || 2 * self.near > self.cases)
    }

    /// What cost the programs time, if they use all of it. `jobs` programs ran at once on `cores` cores.
    pub fn lost(&self, jobs: usize, cores: usize) -> Option<LostTime> {
        let share = self.cpu_ms / self.wall_ms;
        let jobs = jobs.min(usize::try_from(self.cases).unwrap_or(usize::MAX));
        match self.is_all_used() {
            true if jobs > cores => Some(LostTime::Crowded { jobs, cores, share }),
            true if share < BUSY => Some(LostTime::Busy { share }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::record::JudgedCase;

    fn lost(times: &[(f64, f64)], jobs: usize) -> Option<LostTime> {
        let mut used = TimeUse::new(&Limits::default());
        for &(wall_ms, cpu_ms) in times {
            let judged = JudgedCase::sample(0, Verdict::Ac, 0, |record| {
                (record.wall_ms, record.cpu_ms) = (wall_ms, cpu_ms);
            });
            used.add(&judged.record);
        }
        used.add(&Record::internal_error(String::new(), String::new()));
        used.lost(jobs, 2)
    }

    #[test]
    fn programs_that_use_their_time_lose_it_to_others() {
        let all = [(1900.0, 1890.0); 4];
        assert_eq!(lost(&all, 2), None);
        let crowded = lost(&all, 3);
        assert!(
            matches!(
                crowded,
                Some(LostTime::Crowded {
                    jobs: 3,
                    cores: 2,
                    ..
                })
            ),
            "{crowded:?}"
        );
        let half = [(1900.0, 950.0); 4];
        assert_eq!(lost(&half, 2), Some(LostTime::Busy { share: 0.5 }));
        // By its own clock, far from the limit of 2 s.
        assert_eq!(
            lost(&[(500.0, 250.0), (510.0, 255.0), (505.0, 252.5)], 1),
            Some(LostTime::Busy { share: 0.5 })
        );
    }

    #[test]
    fn programs_that_end_when_they_are_done_lose_nothing() {
        assert_eq!(
            lost(&[(100.0, 50.0), (900.0, 450.0), (1900.0, 950.0)], 8),
            None
        );
        assert_eq!(lost(&[(3.0, 1.0); 9], 8), None);
        // The same work, delayed by others; and what ends by a clock.
        assert_eq!(
            lost(&[(520.0, 260.0), (545.0, 262.0), (530.0, 261.0)], 8),
            None
        );
        assert_ne!(
            lost(&[(520.0, 250.0), (523.0, 280.0), (521.0, 230.0)], 8),
            None
        );
        assert_eq!(
            lost(&[(1900.0, 950.0); 2], 8),
            None,
            "two cases say nothing"
        );
        assert_eq!(lost(&[], 8), None);
    }

    #[test]
    fn most_cases_near_the_limit_use_all_of_the_time() {
        // 0.8 of 2 s is 1600 ms. The times differ by more than those of a program with a clock.
        let near = [(1600.0, 800.0), (1800.0, 900.0), (1990.0, 995.0)];
        let busy = Some(LostTime::Busy { share: 0.5 });
        assert_eq!(lost(&near, 1), busy);
        let early = |count: usize| [&near[..3 - count], &vec![(1000.0, 500.0); count][..]].concat();
        assert_eq!(lost(&early(1), 1), busy);
        assert_eq!(lost(&early(2), 1), None);
        // Half of them are not most of them.
        assert_eq!(lost(&[early(1), early(2), vec![]].concat(), 1), None);
        // Three cases cannot run on more than three cores.
        let crowded = |jobs| matches!(lost(&near, jobs), Some(LostTime::Crowded { jobs: 3, .. }));
        assert!(crowded(3) && crowded(8));
        // Nine tenths of the time are enough.
        assert_eq!(lost(&near.map(|(wall, _)| (wall, 0.9 * wall)), 1), None);
    }

    #[test]
    fn steady_times_are_those_of_at_least_300_ms() {
        let times = |ms: f64| [(ms, 100.0), (ms, 120.0), (ms + 2.0, 90.0)];
        // Without a difference between the processor times, it may be the same work.
        assert_eq!(lost(&times(250.0), 8), None);
        assert_ne!(
            lost(&[(300.0, 90.0), (290.0, 120.0), (310.0, 110.0)], 8),
            None
        );
    }
}
