//! The verdict: one pure function of facts that were gathered before.
//!
//! It is total (any combination of facts has a verdict), knows no process and no clock, and its
//! order is the order of the table in `tools/README.md`: what was seen first to be the
//! contestant's own mistake is named before what followed from it. That it exited without an answer
//! comes last, for what passes a limit may be killed, or may just so have exited by itself, and the
//! verdict must not depend on that.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::judge::record::Verdict;
use crate::judge::referee::Violation;
use crate::process::Ending;

/// What a contestant may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// For the wall clock and for processor time alike.
    #[serde(rename = "time_us", with = "microseconds")]
    pub time: Duration,
    /// Resident memory.
    pub memory_kib: u64,
    /// Turns that are answered; the next one is refused.
    pub turns: u64,
    /// Bytes on stdout, and as many on stderr.
    pub output_bytes: u64,
    /// Bytes in one line of stdout.
    pub line_bytes: usize,
    /// Processes that are alive at once, its own one included.
    pub processes: u64,
}

impl Limits {
    /// The options that set these limits, as they would be typed; none for the usual ones.
    pub fn typed(&self) -> String {
        let usual = Self::default();
        let mut options = String::new();
        if self.time != usual.time {
            options.push_str(&format!("--time-limit {} ", self.time.as_secs_f64()));
        }
        if self.memory_kib != usual.memory_kib {
            options.push_str(&format!("--memory-limit {} ", self.memory_kib >> 10));
        }
        if self.turns != usual.turns {
            options.push_str(&format!("--turn-limit {} ", self.turns));
        }
        if self.processes != usual.processes {
            options.push_str(&format!("--process-limit {} ", self.processes));
        }
        options
    }
}

impl Default for Limits {
    /// The contest's usual ones: 2 s, 1024 MiB, 1000 turns, 64 MiB of output, 1 MiB in a line; and 128
    /// processes.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(2),
            memory_kib: 1024 << 10,
            turns: 1000,
            output_bytes: 64 << 20,
            line_bytes: 1 << 20,
            processes: 128,
        }
    }
}

/// A time as a whole number of microseconds.
mod microseconds {
    use super::{Deserialize, Duration};

    pub(super) fn serialize<S: serde::Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(time.as_micros() as u64)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_micros)
    }
}

/// Where too much was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flood {
    /// On stdout altogether.
    Stdout,
    /// On stderr altogether.
    Stderr,
    /// In one line of stdout.
    Line,
}

/// What the contestant was doing when its time was up, as far as can be seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeoutState {
    /// Whether it had already exited by itself.
    pub exited: bool,
    /// The beginning of a line that it has not ended, quoted.
    pub unended_line: Option<String>,
    /// Whether it was running, and not waiting for anything.
    pub running: bool,
    /// Whether it has closed its stdin, or we have.
    pub stdin_closed: bool,
    /// Bytes that we sent and it has not read.
    pub unread_bytes: u64,
    /// Whether it has closed its stdout.
    pub stdout_closed: bool,
}

/// Everything the verdict depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The first line that broke the protocol, if it was read before any limit was passed.
    pub violation: Option<Violation>,
    /// Whether the answer was found.
    pub solved: bool,
    /// Turns that were answered.
    pub turns: u64,
    /// Whether nobody spoke with it: then there are no turns, and its end is all that is asked for.
    pub alone: bool,
    /// From the contestant's start to its end.
    pub wall: Duration,
    /// Its processor time.
    pub cpu: Duration,
    /// The most memory that was resident, of all its processes.
    pub memory_kib: u64,
    /// The most processes that were seen alive at once.
    pub processes: u64,
    /// Whether it wrote too much.
    pub flood: Option<Flood>,
    /// Its reaped status.
    pub ending: Ending,
    /// What it was doing when its time was up.
    pub standstill: TimeoutState,
}

/// The verdict with its reason, which is `None` for AC only.
pub fn verdict(facts: &Facts, limits: &Limits) -> (Verdict, Option<String>) {
    let (verdict, place, what) = if let Some(violation) = &facts.violation {
        let place = format!("turn {}", violation.turn);
        (Verdict::Wa, place, violation.error.to_string())
    } else if facts.wall.max(facts.cpu) > limits.time {
        (Verdict::Tle, facts.place(), facts.too_slow(limits))
    } else if facts.memory_kib > limits.memory_kib {
        (Verdict::Mle, facts.place(), facts.too_large(limits))
    } else if let Some(flood) = facts.flood {
        (Verdict::Ole, facts.place(), flood.too_much(limits))
    } else if facts.processes > limits.processes {
        let (found, limit) = (facts.processes, limits.processes);
        let what = format!("{found} processes existed at once (limit {limit})");
        (Verdict::Re, facts.place(), what)
    } else if facts.ending != Ending::Exited(0) {
        (Verdict::Re, facts.place(), facts.ending.sentence())
    } else if !facts.solved && !facts.alone {
        (Verdict::Wa, facts.place(), Facts::gave_up())
    } else {
        return (Verdict::Ac, None);
    };
    let reason = if facts.alone {
        what
    } else {
        format!("{place}: {what}")
    };
    (verdict, Some(reason))
}

impl Facts {
    /// The turn that was due, or the last one where the answer was found.
    fn place(&self) -> String {
        if self.solved {
            format!("after the right answer at turn {}", self.turns)
        } else {
            format!("turn {}", self.turns + 1)
        }
    }

    fn gave_up() -> String {
        "expected a guess, found the end of the output: the program exited with status 0 before it \
         had found the secret"
            .to_owned()
    }

    fn too_slow(&self, limits: &Limits) -> String {
        let used = format!(
            "{:.2} s passed, {:.2} s of them computing (limit {} s)",
            self.wall.as_secs_f64(),
            self.cpu.as_secs_f64(),
            limits.time.as_secs_f64()
        );
        let TimeoutState {
            exited,
            unended_line,
            running,
            stdin_closed,
            unread_bytes,
            stdout_closed,
        } = &self.standstill;
        let why = if *exited {
            "the program had exited by then, but too late".to_owned()
        } else if self.alone && (*running || self.cpu * 2 > self.wall) {
            "it was still computing".to_owned()
        } else if self.alone {
            "it slept, or waited for something".to_owned()
        } else if self.solved {
            "the program had not exited: exit after the winning reply".to_owned()
        } else if let Some(line) = unended_line {
            format!(
                "the judge waited for the end of the line {line}: print a newline after each guess, \
                 then flush"
            )
        } else if *stdout_closed {
            "the program had closed its output but not exited".to_owned()
        } else if *running || self.cpu * 2 > self.wall {
            "the program was still computing its guess".to_owned()
        } else if *stdin_closed {
            "the program had closed its input, and slept or waited for something else".to_owned()
        } else if *unread_bytes > 0 {
            format!("the program had not read the judge's last {unread_bytes} bytes")
        } else {
            "the judge waited for a guess while the program, which had read everything, waited for \
             more (or slept): was the guess printed with a newline and flushed?"
                .to_owned()
        };
        format!("{used}; {why}")
    }

    fn too_large(&self, limits: &Limits) -> String {
        format!(
            "{} MiB of memory were resident (limit {} MiB)",
            self.memory_kib.div_ceil(1024),
            limits.memory_kib / 1024
        )
    }
}

impl Flood {
    fn too_much(self, limits: &Limits) -> String {
        match self {
            Self::Stdout => format!("stdout passed its limit of {} bytes", limits.output_bytes),
            Self::Stderr => format!("stderr passed its limit of {} bytes", limits.output_bytes),
            Self::Line => format!(
                "a line of stdout passed its limit of {} bytes",
                limits.line_bytes
            ),
        }
    }
}

impl Ending {
    fn sentence(self) -> String {
        match self {
            Self::Exited(101) => {
                "exit status 101, as after a Rust panic; its stderr says more".into()
            }
            Self::Exited(127) => {
                "exit status 127, as of a shell that finds no such program; its stderr says more"
                    .into()
            }
            // Where a shell stands in between (another judge's line), it can only say so.
            Self::Exited(status @ 129..=192) => {
                let signal = status - 128;
                let name = signal_name(signal).map_or(String::new(), |name| format!(" ({name})"));
                format!(
                    "exit status {status}, expected 0; a shell says so of signal {signal}{name}"
                )
            }
            Self::Exited(status) => format!("exit status {status}, expected 0"),
            Self::Signaled(signal) => match signal_name(signal) {
                Some(name) => format!("killed by signal {signal} ({name})"),
                None => format!("killed by signal {signal}"),
            },
        }
    }
}

/// The names that contestants meet.
fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGALRM => "SIGALRM",
        libc::SIGABRT => "SIGABRT, as after abort() or a failed assertion",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE, as after a division by zero",
        libc::SIGHUP => "SIGHUP",
        libc::SIGILL => "SIGILL",
        libc::SIGINT => "SIGINT",
        libc::SIGKILL => "SIGKILL, not by the judge; perhaps the machine ran out of memory",
        libc::SIGPIPE => "SIGPIPE, as after writing to an output that it had closed",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGSEGV => "SIGSEGV, as after a bad pointer or a stack overflow",
        libc::SIGSYS => "SIGSYS",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::TurnError;
    use proptest::prelude::*;

    fn solved() -> Facts {
        Facts {
            violation: None,
            solved: true,
            turns: 5,
            alone: false,
            wall: Duration::from_millis(3),
            cpu: Duration::from_millis(2),
            memory_kib: 2000,
            processes: 1,
            flood: None,
            ending: Ending::Exited(0),
            standstill: TimeoutState::default(),
        }
    }

    fn judge(facts: &Facts) -> Verdict {
        verdict(facts, &Limits::default()).0
    }

    #[test]
    fn order_is_that_of_the_documented_table() {
        // Everything at once; then the facts are taken back one by one, from the first row down.
        let mut facts = Facts {
            violation: Some(Violation {
                turn: 2,
                error: TurnError::Protocol("x".to_owned()),
            }),
            wall: Duration::from_secs(3),
            memory_kib: u64::MAX,
            flood: Some(Flood::Line),
            ending: Ending::Exited(7),
            ..solved()
        };
        assert_eq!(judge(&facts), Verdict::Wa);
        facts.violation = None;
        assert_eq!(judge(&facts), Verdict::Tle);
        facts.wall = Duration::from_secs(1);
        assert_eq!(judge(&facts), Verdict::Mle);
        facts.memory_kib = 1;
        assert_eq!(judge(&facts), Verdict::Ole);
        facts.flood = None;
        assert_eq!(judge(&facts), Verdict::Re);
        facts.ending = Ending::Exited(0);
        assert_eq!(judge(&facts), Verdict::Ac);
        facts.solved = false;
        assert_eq!(judge(&facts), Verdict::Wa);
        facts.ending = Ending::Signaled(11);
        assert_eq!(judge(&facts), Verdict::Re);
    }

    #[test]
    fn limits_are_passed_only_beyond_them() {
        let limits = Limits::default();
        let at = |cpu, memory_kib| Facts {
            cpu,
            memory_kib,
            ..solved()
        };
        assert_eq!(judge(&at(limits.time, limits.memory_kib)), Verdict::Ac);
        let more = limits.time + Duration::from_nanos(1);
        assert_eq!(judge(&at(more, limits.memory_kib)), Verdict::Tle);
        assert_eq!(judge(&at(limits.time, limits.memory_kib + 1)), Verdict::Mle);
    }

    #[test]
    fn reasons_say_what_to_mend() {
        let reason = |facts: &Facts| verdict(facts, &Limits::default()).1.unwrap();
        let late = Facts {
            solved: false,
            turns: 3,
            wall: Duration::from_millis(2004),
            ending: Ending::Signaled(9),
            ..solved()
        };
        insta::assert_snapshot!(reason(&late), @"turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the judge waited for a guess while the program, which had read everything, waited for more (or slept): was the guess printed with a newline and flushed?");
        let standing = |standstill| Facts {
            standstill,
            ..late.clone()
        };
        insta::assert_snapshot!(reason(&standing(TimeoutState {
            unended_line: Some("\"0 1 2\"".to_owned()), ..TimeoutState::default()
        })), @r#"turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the judge waited for the end of the line "0 1 2": print a newline after each guess, then flush"#);
        insta::assert_snapshot!(reason(&standing(TimeoutState {
            unread_bytes: 4, ..TimeoutState::default()
        })), @"turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program had not read the judge's last 4 bytes");
        insta::assert_snapshot!(reason(&Facts { cpu: late.wall, ..late.clone() }), @"turn 4: 2.00 s passed, 2.00 s of them computing (limit 2 s); the program was still computing its guess");
        insta::assert_snapshot!(reason(&Facts { solved: true, ..late.clone() }), @"after the right answer at turn 3: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program had not exited: exit after the winning reply");
        insta::assert_snapshot!(reason(&Facts { ending: Ending::Exited(101), ..solved() }), @"after the right answer at turn 5: exit status 101, as after a Rust panic; its stderr says more");
        insta::assert_snapshot!(reason(&Facts { ending: Ending::Signaled(11), ..solved() }), @"after the right answer at turn 5: killed by signal 11 (SIGSEGV, as after a bad pointer or a stack overflow)");
        insta::assert_snapshot!(reason(&Facts { flood: Some(Flood::Line), ..solved() }), @"after the right answer at turn 5: a line of stdout passed its limit of 1048576 bytes");
        insta::assert_snapshot!(reason(&Facts { memory_kib: 2 << 20, ..solved() }), @"after the right answer at turn 5: 2048 MiB of memory were resident (limit 1024 MiB)");
        insta::assert_snapshot!(reason(&Facts { processes: 129, ..solved() }), @"after the right answer at turn 5: 129 processes existed at once (limit 128)");
        insta::assert_snapshot!(reason(&Facts { solved: false, turns: 0, ..solved() }), @"turn 1: expected a guess, found the end of the output: the program exited with status 0 before it had found the secret");
    }

    proptest! {
        #[test]
        fn every_combination_has_a_verdict_and_all_but_ac_a_reason(
            violated: bool, solved: bool, turns: u64, wall_ms in 0_u64..5000, cpu_ms in 0_u64..5000,
            memory_kib in 0_u64..2 << 20, processes in 0_u64..200, flood in 0_usize..4, exited: bool, status in -1_i32..300,
        ) {
            let facts = Facts {
                violation: violated.then(|| Violation {
                    turn: 1,
                    error: TurnError::Protocol(String::new()),
                }),
                solved,
                alone: false,
                turns: turns >> 1,
                wall: Duration::from_millis(wall_ms),
                cpu: Duration::from_millis(cpu_ms),
                memory_kib,
                processes,
                flood: [None, Some(Flood::Stdout), Some(Flood::Stderr), Some(Flood::Line)][flood],
                ending: if exited { Ending::Exited(status) } else { Ending::Signaled(status) },
                standstill: TimeoutState::default(),
            };
            let (verdict, reason) = verdict(&facts, &Limits::default());
            prop_assert_eq!(verdict == Verdict::Ac, reason.is_none());
            prop_assert!(verdict != Verdict::Ac || solved && !violated);
        }
    }
}
