//! Progress of a batch: in a terminal, one line on standard error that is overwritten; in a log, a line
//! every ten seconds.
//!
//! The usual library (indicatif) is not used: it needs the C library's mathematics, which would be loaded at
//! every start of `tester` (see `libm` in Cargo.toml for the cost).

use std::io::{IsTerminal, stderr, stdout};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use super::output_queue::{Output, restart_terminal};
use crate::judge::record::{Record, Verdict};
use crate::report::duel;
use crate::stats::duel_state::DuelState;

/// Where the line goes, and how often.
pub(crate) struct Progress {
    line: Line,
    count: Count,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    cases: u64,
    /// How many of the done cases were done before this process began.
    earlier: u64,
    done: u64,
    accepted: u64,
    total_score: f64,
    /// How many decimals scores have.
    decimals: u8,
}

impl Progress {
    /// None of these cases is done yet.
    pub(crate) fn new(cases: usize) -> Self {
        Self {
            line: Line::new(),
            count: Count {
                cases: cases as u64,
                ..Count::default()
            },
        }
    }

    /// Counts a case that was done before this process began.
    pub(crate) fn add_earlier(&mut self, record: &Record) {
        self.count.earlier += 1;
        self.count.add(record);
    }

    /// Counts another case.
    pub(crate) fn add(&mut self, record: &Record) {
        self.count.add(record);
        self.line.show(|elapsed| self.count.line(elapsed));
    }

    /// How many cases are done.
    pub(crate) fn done(&self) -> usize {
        self.count.done as usize
    }

    /// Takes the line away again.
    pub(crate) fn clear(&mut self) {
        self.line.clear();
    }
}

/// Progress of a duel.
pub(crate) struct DuelProgress {
    line: Line,
}

impl DuelProgress {
    pub(crate) fn new() -> Self {
        Self { line: Line::new() }
    }

    /// Shows the state; `cases` is the most that will be played.
    pub(crate) fn show(&mut self, standing: &DuelState, cases: u64) {
        self.line.show(|_| duel::progress_line(standing, cases));
    }

    /// Takes the line away again.
    pub(crate) fn clear(&mut self) {
        self.line.clear();
    }
}

/// The line itself.
struct Line {
    terminal: bool,
    /// Does not wait: a program can stop the terminal.
    output: Option<Output>,
    started: Instant,
    shown: Duration,
}

impl Line {
    fn new() -> Self {
        let output = stderr().as_fd().try_clone_to_owned().ok();
        Self {
            terminal: stderr().is_terminal(),
            output: output.map(Output::new),
            started: Instant::now(),
            shown: Duration::ZERO,
        }
    }

    /// Shows `text` of the elapsed time, unless a line was shown just before.
    fn show(&mut self, text: impl FnOnce(Duration) -> String) {
        let (every, frame) = if self.terminal {
            (Duration::from_millis(100), ("\r\x1b[2K", ""))
        } else {
            (Duration::from_secs(10), ("", "\n"))
        };
        let elapsed = self.started.elapsed();
        if elapsed - self.shown >= every {
            self.shown = elapsed;
            let text = text(elapsed);
            // A line that wraps could not be overwritten.
            let width = if self.terminal { width() } else { usize::MAX };
            let text: String = text.chars().take(width).collect();
            self.write(&format!("{}{text}{}", frame.0, frame.1));
        }
    }

    /// Also lets a terminal go on that a program has stopped: what follows waits for it.
    fn clear(&mut self) {
        restart_terminal(stdout().as_fd());
        restart_terminal(stderr().as_fd());
        if self.terminal && !self.shown.is_zero() {
            self.write("\r\x1b[2K");
        }
    }

    /// A failure to show progress does not stop the run.
    fn write(&mut self, text: &str) {
        if let Some(output) = &mut self.output {
            let _ = output.write_some(text.as_bytes());
        }
    }
}

/// How many characters fit into a line of the terminal without touching its edge.
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(stderr());
    match size.map(|size| usize::from(size.ws_col)) {
        Ok(columns @ 1..) => columns - 1,
        _ => usize::MAX,
    }
}

impl Count {
    fn add(&mut self, record: &Record) {
        self.done += 1;
        if record.verdict == Verdict::Ac {
            self.accepted += 1;
            self.total_score += record.score.value();
            self.decimals = record.score.decimals();
        }
    }

    /// For example `[#########---------------------] 300/1000  512/s  1 s left  mean 4.987  2 failed`.
    fn line(self, elapsed: Duration) -> String {
        const BAR: u64 = 30;
        let full = (self.done * BAR / self.cases.max(1)).min(BAR) as usize;
        let rate = (self.done - self.earlier) as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = self.cases.saturating_sub(self.done) as f64 / rate;
        let mean = match self.accepted {
            0 => "-".to_owned(),
            accepted => {
                let places = usize::from(self.decimals + 1).max(3);
                format!("{:.places$}", self.total_score / accepted as f64)
            }
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
            total_score: 1486.0,
            decimals: 0,
            earlier: 0,
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
