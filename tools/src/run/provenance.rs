//! What was judged, and where: enough to see later whether two runs are of the same program.

use std::process::{Child, Command as Process, Stdio};

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What the history stores about the program and the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The SHA-256 of the program's file; where files are named among its arguments
    /// (`python3 my.py`), that of the list of all their SHA-256, in order.
    pub fingerprint: String,
    /// The commit that is checked out in the current folder, if it is in a git repository.
    pub git_commit: Option<String>,
    /// Whether anything there differs from the commit, new files included.
    pub git_dirty: Option<bool>,
    /// Host, processor and number of cores.
    pub machine: String,
    /// The version of this program.
    pub tester: String,
}

impl Provenance {
    /// The provenance of a program with this fingerprint, on this machine as it is now.
    ///
    /// Cost: reads the program while git runs, which takes about 3 ms.
    pub fn new(fingerprint: impl FnOnce() -> String) -> Self {
        let git = start_git();
        let (fingerprint, machine) = (fingerprint(), machine());
        let said = git.and_then(|git| git.wait_with_output().ok());
        let said = said.filter(|said| said.status.success());
        let state =
            said.and_then(|said| commit_and_changes(&String::from_utf8_lossy(&said.stdout)));
        Self {
            fingerprint,
            git_dirty: state.as_ref().map(|(_, dirty)| *dirty),
            git_commit: state.map(|(commit, _)| commit),
            machine,
            tester: env!("CARGO_PKG_VERSION").to_owned(),
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

/// Asks git for the commit and the changes at once; `None` if there is no git.
fn start_git() -> Option<Child> {
    Process::new("git")
        .args(["--no-optional-locks", "status", "--porcelain=v2"])
        // Counting how far a branch is from another one may take long.
        .args(["--branch", "--no-ahead-behind"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()
}

/// The commit, and whether anything differs from it, by what git says; `None` before the first commit.
fn commit_and_changes(said: &str) -> Option<(String, bool)> {
    let mut lines = said.lines();
    let commit = lines.find_map(|line| line.strip_prefix("# branch.oid "))?;
    let is_commit = commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_dirty = said.lines().any(|line| !line.starts_with('#'));
    is_commit.then(|| (commit.to_owned(), is_dirty))
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

    #[test]
    fn git_tells_commit_and_changes() {
        let commit = "a".repeat(40);
        let branch = format!("# branch.oid {commit}\n# branch.head main\n");
        let dirty = format!("{branch}? new.rs\n");
        assert_eq!(commit_and_changes(&branch), Some((commit.clone(), false)));
        assert_eq!(commit_and_changes(&dirty), Some((commit, true)));
        let first = "# branch.oid (initial)\n# branch.head main\n";
        assert_eq!(commit_and_changes(first), None);
        assert_eq!(commit_and_changes(""), None);
    }

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
