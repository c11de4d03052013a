//! What the kernel says of processes under `/proc`.
//!
//! A process number alone identifies no process, because the kernel gives it away again. Together with the
//! start time it does ([`ProcessId`]), until the machine is booted again.

use std::fmt;
use std::fs::read_to_string;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

use super::program::{Command, StartError};

/// A process of this machine, since it was booted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessId {
    /// Its number.
    pub id: u32,
    /// When it was started, in the kernel's count since boot.
    pub started: u64,
}

impl ProcessId {
    /// This process.
    pub fn this() -> Self {
        let id = std::process::id();
        Self {
            id,
            started: started(id).unwrap_or(0),
        }
    }

    /// Whether it has not ended. A zombie has ended.
    pub fn lives(self) -> bool {
        started(self.id) == Some(self.started)
    }
}

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.id, self.started)
    }
}

/// What is found where a `/proc` that shows this process should be; `None` if it is there. Looked up at the first call,
/// because a `readlink` for each case would take time.
pub(super) fn what_is_missing() -> Option<&'static str> {
    static MISSING: OnceLock<Option<String>> = OnceLock::new();
    MISSING.get_or_init(find_missing).as_deref()
}

impl Command {
    /// Checks whether the limits of a contestant can be watched here.
    ///
    /// Cost: a microsecond, at the first call.
    ///
    /// # Errors
    /// If `/proc` is missing, or is of another PID namespace.
    pub(crate) fn check_proc(&self) -> Result<(), StartError> {
        what_is_missing().map_or(Ok(()), |found| {
            let (program, found) = (self.program.clone(), found.to_owned());
            Err(StartError::NoProc { program, found })
        })
    }
}

fn find_missing() -> Option<String> {
    let this = std::process::id().to_string();
    match std::fs::read_link("/proc/self") {
        Ok(found) if found.as_os_str() == this.as_str() => None,
        Ok(found) => Some(format!(
            "that of another PID namespace (process {this} is {} there)",
            found.display()
        )),
        Err(error) => Some(format!("no /proc/self ({error})")),
    }
}

/// What [`ProcessId`] shows.
impl FromStr for ProcessId {
    type Err = ProcessIdError;

    fn from_str(text: &str) -> Result<Self, ProcessIdError> {
        let parse = || {
            let (id, started) = text.split_once('-')?;
            Some(Self {
                id: id.parse().ok()?,
                started: started.parse().ok()?,
            })
        };
        parse().ok_or(ProcessIdError)
    }
}

/// A text that names no process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected two numbers with a hyphen in between")]
pub struct ProcessIdError;

/// What stands in `/proc/ID/stat` after the name, which may itself hold spaces and parentheses: the state
/// first; `None` if there is no such process.
pub(crate) fn stat_after_name(id: u32) -> Option<String> {
    let stat = read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(") ").map(|(_, rest)| rest.to_owned())
}

/// `/proc/ID/stat` of a process or a thread. Its fields have the numbers that `man 5 proc_pid_stat` gives them.
struct Fields(String);

impl Fields {
    /// `None` if there is no such process.
    fn from_pid(pid: i32) -> Option<Self> {
        stat_after_name(pid.try_into().ok()?).map(Self)
    }

    /// The fields from the state on, which is the third.
    fn after_name(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ')
    }

    fn number<T: FromStr>(&self, field: usize) -> Option<T> {
        self.after_name().nth(field - 3)?.parse().ok()
    }

    fn has_ended(&self) -> bool {
        matches!(self.after_name().next(), None | Some("" | "Z" | "X"))
    }
}

/// When a process was started; `None` if there is none, or it has ended.
fn started(id: u32) -> Option<u64> {
    let stat = stat_after_name(id).map(Fields)?;
    stat.number(22).filter(|_| !stat.has_ended())
}

/// The processor on which the first thread of a process ran last.
pub(super) fn last_processor(pid: i32) -> Option<usize> {
    Fields::from_pid(pid)?.number(39)
}

/// What stands in `/proc/PID/stat`.
pub(super) struct Stat {
    pub(super) zombie: bool,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
    pub(super) cpu: Duration,
    pub(super) cpu_of_waited: Duration,
    pub(super) resident_pages: u64,
    /// The thread through which its memory can be read: the first, or if that has ended, another.
    pub(super) thread: i32,
}

impl Stat {
    pub(super) fn from_pid(pid: i32) -> Option<Self> {
        let stat = Fields::from_pid(pid)?;
        let hertz = rustix::param::clock_ticks_per_second();
        let time = |a, b| {
            let ticks = stat.number::<u64>(a)? + stat.number::<u64>(b)?;
            Some(Duration::from_millis(ticks * 1000 / hertz))
        };
        let ended = stat.has_ended();
        // If its first thread has ended before the others, only they report the memory.
        let living = match ended && stat.number::<u64>(20)? > 1 {
            true => living_thread(pid),
            false => None,
        };
        let (thread, resident_pages) = match living {
            Some(thread) => thread,
            None => (pid, stat.number(24)?),
        };
        Some(Self {
            zombie: ended && living.is_none(),
            parent: stat.number(4)?,
            group: stat.number(5)?,
            session: stat.number(6)?,
            cpu: time(14, 15)?,
            cpu_of_waited: time(16, 17)?,
            resident_pages,
            thread,
        })
    }
}

/// The threads of a process.
pub(super) fn threads(pid: i32) -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir(format!("/proc/{pid}/task"));
    let entries = entries.into_iter().flatten().flatten();
    entries.filter_map(|thread| thread.file_name().to_str()?.parse().ok())
}

/// A thread of a process that has not ended, if there is one, and the process's resident pages.
fn living_thread(pid: i32) -> Option<(i32, u64)> {
    let living = threads(pid).filter_map(|thread| {
        let stat = Fields::from_pid(thread)?;
        let pages = stat.number(24).filter(|_| !stat.has_ended())?;
        Some((thread, pages))
    });
    living.max_by_key(|(_, pages)| *pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_until_it_ends() {
        let this = ProcessId::this();
        assert!(this.lives());
        assert_eq!(this.to_string().parse(), Ok(this));
        assert!(
            !ProcessId { started: 1, ..this }.lives(),
            "the same number, started at another time"
        );
        assert_eq!("12".parse::<ProcessId>(), Err(ProcessIdError));
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let id = child.id();
        let process = ProcessId {
            id,
            started: started(id).unwrap(),
        };
        child.kill().unwrap();
        while process.lives() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
    }
}
