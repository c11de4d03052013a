//! The line that shows progress: in a terminal, one line on standard error that is overwritten; in a log, a line
//! every ten seconds.
//!
//! The usual library (indicatif) is not used: it needs the C library's mathematics, which would be loaded at
//! every start of `tester` (see `libm` in Cargo.toml for the cost).

use std::io::{IsTerminal, stderr, stdout};
use std::os::fd::AsFd;
#[cfg(test)]
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use tester_core::util::terminal::columns;

use super::output_queue::{Output, restart_terminal};

/// How much of all is done, as a bar.
pub(super) fn bar(done: u64, all: u64) -> String {
    const CELLS: u64 = 30;
    let full = (done * CELLS / all.max(1)).min(CELLS) as usize;
    "#".repeat(full) + &"-".repeat(CELLS as usize - full)
}

/// The line itself.
pub(super) struct Line {
    pub(super) terminal: bool,
    /// Does not wait: a program can stop the terminal.
    output: Option<Output>,
    started: Instant,
    shown: Duration,
}

impl Line {
    pub(super) fn new() -> Self {
        let output = stderr().as_fd().try_clone_to_owned().ok();
        Self {
            terminal: stderr().is_terminal(),
            output: output.map(Output::new),
            started: Instant::now(),
            shown: Duration::ZERO,
        }
    }

    /// One whose first text is shown at once, on another output.
    #[cfg(test)]
    pub(super) fn started_before(ago: Duration, terminal: bool, output: OwnedFd) -> Self {
        Self {
            terminal,
            output: Some(Output::new(output)),
            started: Instant::now().checked_sub(ago).unwrap(),
            shown: Duration::ZERO,
        }
    }

    /// Shows `text` of the elapsed time, unless a line was shown just before.
    pub(super) fn show(&mut self, text: impl FnOnce(Duration) -> String) {
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
            let text = fitted(&text, width);
            self.write(&format!("{}{text}{}", frame.0, frame.1));
        }
    }

    /// Prints a line that stays, above the progress line.
    pub(super) fn print(&mut self, text: &str) {
        match self.terminal {
            true => {
                self.write(&format!("\r\x1b[2K{text}\n"));
                // The progress line comes again with the next case.
                self.shown = Duration::ZERO;
            }
            false => self.write(&format!("{text}\n")),
        }
    }

    /// Also lets a terminal go on that a program has stopped: what follows waits for it.
    pub(super) fn clear(&mut self) {
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

/// The text in a line of this width: its bar is shorter then, or is left out; what is still too long is cut.
fn fitted(text: &str, width: usize) -> String {
    const SHORTEST: usize = 5;
    let over = text.chars().count().saturating_sub(width);
    let bar = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] "));
    let text = match bar {
        Some((bar, rest)) if over > 0 => match bar.len().saturating_sub(over) {
            cells @ SHORTEST.. => {
                let full = bar.matches('#').count() * cells / bar.len();
                let (full, empty) = ("#".repeat(full), "-".repeat(cells - full));
                format!("[{full}{empty}] {rest}")
            }
            _ => rest.to_owned(),
        },
        _ => text.to_owned(),
    };
    text.chars().take(width).collect()
}

/// How many characters fit into a line of the terminal without touching its edge.
fn width() -> usize {
    columns(&stderr()).map_or(usize::MAX, |columns| usize::from(columns) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_has_a_shorter_bar_and_the_figures() {
        let line =
            "[#########---------------------] 300/1000  500/s  1 s left  mean 4.987  2 failed";
        assert_eq!(fitted(line, 80), line);
        insta::assert_snapshot!(fitted(line, 70), @"[######--------------] 300/1000  500/s  1 s left  mean 4.987  2 failed");
        insta::assert_snapshot!(fitted(line, 60), @"[###-------] 300/1000  500/s  1 s left  mean 4.987  2 failed");
        insta::assert_snapshot!(fitted(line, 50), @"300/1000  500/s  1 s left  mean 4.987  2 failed");
        insta::assert_snapshot!(fitted(line, 20), @"300/1000  500/s  1 s");
    }
}
