//! What a contestant may use in one case.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::problem::Problem;
use crate::process::sandbox::Sandbox;
use crate::process::{Confinement, Containment};

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
    /// How a contestant with these limits is held in a case of a built-in problem that others follow.
    pub fn confinement<'a>(
        &self,
        containment: Containment,
        sandbox: Option<&'a Sandbox>,
    ) -> Confinement<'a> {
        Confinement {
            containment,
            sandbox,
            processes: self.processes,
            memory_kib: self.memory_kib,
            nests: false,
            is_last: false,
            stdin: None,
            stdout: None,
        }
    }

    /// The limits of a contest with this problem; the default limits if it is not known.
    pub fn from_problem(problem: Option<&dyn Problem>) -> Self {
        let usual = Self::default();
        Self {
            time: problem.map_or(usual.time, Problem::time_limit),
            turns: problem.map_or(usual.turns, Problem::turn_limit),
            ..usual
        }
    }

    /// The options that set these limits, as you would type them where `usual` are the limits without options.
    pub(crate) fn typed(&self, usual: &Self) -> String {
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
