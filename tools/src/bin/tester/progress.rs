//! How far a batch has come: one line on standard error that is written over in a terminal, and a
//! plain line now and then in a log.
//!
//! Written here, because the usual library for it brings in the C library's mathematics, which then
//! is loaded at every start of `tester`: 77 of the 1000 µs that judging one case may cost.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use tools::record::{Record, Verdict};

/// Where the line goes, and how often.
pub(crate) struct Progress {
    terminal: bool,
    started: Instant,
    shown: Duration,
    count: Count,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    cases: u64,
    done: u64,
    accepted: u64,
    total_score: u64,
}

impl Progress {
    /// Of so many cases, none is done yet.
    pub(crate) fn new(cases: usize) -> Self {
        Self {
            terminal: stderr().is_terminal(),
            started: Instant::now(),
            shown: Duration::ZERO,
            count: Count {
                cases: cases as u64,
                ..Count::default()
            },
        }
    }

    /// Another case is done.
    pub(crate) fn add(&mut self, record: &Record) {
        self.count.done += 1;
        if record.verdict == Verdict::Ac {
            self.count.accepted += 1;
            self.count.total_score += record.score;
        }
        let (every, frame) = if self.terminal {
            (Duration::from_millis(100), ("\r\x1b[2K", ""))
        } else {
            (Duration::from_secs(10), ("", "\n"))
        };
        let elapsed = self.started.elapsed();
        if elapsed - self.shown >= every {
            self.shown = elapsed;
            show(&format!(
                "{}{}{}",
                frame.0,
                self.count.line(elapsed),
                frame.1
            ));
        }
    }

    /// How many cases are done.
    pub(crate) fn done(&self) -> u64 {
        self.count.done
    }

    /// Takes the line away again.
    pub(crate) fn clear(&self) {
        if self.terminal && !self.shown.is_zero() {
            show("\r\x1b[2K");
        }
    }
}

/// Progress that cannot be shown is no reason to stop.
fn show(text: &str) {
    let _ = stderr().write_all(text.as_bytes());
}

impl Count {
    /// For example `[#########---------------------] 300/1000  512/s  1 s left  mean 4.987  2 failed`.
    fn line(self, elapsed: Duration) -> String {
        const BAR: u64 = 30;
        let full = (self.done * BAR / self.cases.max(1)) as usize;
        let rate = self.done as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = (self.cases - self.done) as f64 / rate;
        let mean = match self.accepted {
            0 => "-".to_owned(),
            accepted => format!("{:.3}", self.total_score as f64 / accepted as f64),
        };
        format!(
            "[{}{}] {}/{}  {rate:.0}/s  {left:.0} s left  mean {mean}  {} failed",
            "#".repeat(full),
            "-".repeat(BAR as usize - full),
            self.done,
            self.cases,
            self.done - self.accepted
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_tells_rate_time_left_mean_and_failures() {
        let count = Count {
            cases: 1000,
            done: 300,
            accepted: 298,
            total_score: 1486,
        };
        insta::assert_snapshot!(count.line(Duration::from_millis(600)), @"[#########---------------------] 300/1000  500/s  1 s left  mean 4.987  2 failed");
        let none = Count {
            cases: 10,
            done: 1,
            ..Count::default()
        };
        insta::assert_snapshot!(none.line(Duration::from_secs(2)), @"[###---------------------------] 1/10  0/s  18 s left  mean -  1 failed");
    }
}
