//! What was judged, and where: enough to see later whether two runs are of the same program.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::git::Asked;

/// What the history stores about the program and the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The SHA-256 of the program's file; where files are named among its arguments
    /// (`python3 my.py`), that of the list of all their SHA-256, in order.
    pub fingerprint: String,
    /// The commit that is checked out in the current folder, if it is in a git repository.
    pub git_commit: Option<String>,
    /// Whether anything there differs from the commit, new files included; changes within submodules do not count.
    pub git_dirty: Option<bool>,
    /// Host, processor and number of cores.
    pub machine: String,
    /// The version of this program.
    pub tester: String,
    /// The SHA-256 of this program, where it judges by the rules of a problem of its own: they may change while the name of
    /// the problem and the version stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_rules: Option<String>,
    /// Of a run that was merged from shards: whether the command was typed here, and is not only in the shards.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub command_given: bool,
}

impl Provenance {
    /// The provenance of a program with this fingerprint, on this machine as it is now.
    ///
    /// Cost: reads the program while git runs, which takes about 5 ms.
    pub fn new(fingerprint: impl FnOnce() -> String) -> Self {
        let git = Asked::begin();
        let (fingerprint, machine) = (fingerprint(), machine());
        let state = git.answer();
        Self {
            fingerprint,
            git_dirty: state.as_ref().map(|(_, dirty)| *dirty),
            git_commit: state.map(|(commit, _)| commit),
            machine,
            tester: env!("CARGO_PKG_VERSION").to_owned(),
            own_rules: None,
            command_given: false,
        }
    }
}

/// A machine that judged a part of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Its host name.
    pub name: String,
    /// Host, processor and number of cores, as in [`Provenance::machine`].
    pub machine: String,
    /// How many threads may run at once.
    pub cpus: u64,
    /// See [`crate::run::calibrate::calibration_ms`].
    pub calibration_ms: f64,
    /// The time limit in force on this host, scaled to its speed if the run asks for it.
    pub time_limit_us: u64,
}

impl Host {
    /// This machine; the caller gives its calibration and its time limit.
    pub fn here(calibration_ms: f64, time_limit: Duration) -> Self {
        let cpus = std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64);
        Self {
            name: host_name(),
            machine: machine(),
            cpus,
            calibration_ms,
            time_limit_us: time_limit.as_micros() as u64,
        }
    }
}

fn host_name() -> String {
    let uname = rustix::system::uname();
    uname.nodename().to_string_lossy().into_owned()
}

/// `host, processor, 2 cores`.
fn machine() -> String {
    let host = host_name();
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "model name");
    let model = model.map_or("unknown processor", |(_, value)| value.trim());
    format!("{host}, {model}, {} cores", num_cpus::get_physical())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A host of a test: two processors, and the usual limit of time.
    pub(crate) fn host(name: &str, calibration_ms: f64) -> Host {
        Host {
            name: name.to_owned(),
            machine: format!("{name}, a processor, 2 cores"),
            cpus: 2,
            calibration_ms,
            time_limit_us: 2_000_000,
        }
    }
}
