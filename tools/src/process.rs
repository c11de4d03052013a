//! Processes by name: a number alone does not tell, for it is given away again. With the time at which
//! the process was started, it does, until the machine is booted again.

use std::fmt;
use std::fs::read_to_string;
use std::str::FromStr;

/// A process of this machine, since it was booted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub id: u32,
    /// When it was started, in the kernel's count since boot.
    pub started: u64,
}

impl Process {
    /// Ourselves.
    pub fn this() -> Self {
        let id = std::process::id();
        Self {
            id,
            started: started(id).unwrap_or(0),
        }
    }

    /// Whether it has not ended. One that has ended, and whose parent has not taken notice, has.
    pub fn lives(self) -> bool {
        started(self.id) == Some(self.started)
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.id, self.started)
    }
}

/// What [`Process`] shows.
impl FromStr for Process {
    type Err = NotAProcess;

    fn from_str(text: &str) -> Result<Self, NotAProcess> {
        let parse = || {
            let (id, started) = text.split_once('-')?;
            Some(Self {
                id: id.parse().ok()?,
                started: started.parse().ok()?,
            })
        };
        parse().ok_or(NotAProcess)
    }
}

/// A text that names no process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected two numbers with a hyphen in between")]
pub struct NotAProcess;

/// What stands in `/proc/ID/stat` behind the name, which may itself hold spaces and parentheses: the state
/// first; `None` if there is no such process.
pub(crate) fn stat_behind_name(id: u32) -> Option<String> {
    let stat = read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(") ").map(|(_, rest)| rest.to_owned())
}

/// When a process was started; `None` if there is none, or it has ended.
fn started(id: u32) -> Option<u64> {
    // The state, and 19 fields later this.
    let rest = stat_behind_name(id)?;
    let mut fields = rest.split(' ');
    let ended = matches!(fields.next(), Some("Z" | "X"));
    let started = fields.nth(18)?.parse().ok();
    started.filter(|_| !ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_until_it_ends() {
        let this = Process::this();
        assert!(this.lives());
        assert_eq!(this.to_string().parse(), Ok(this));
        assert!(
            !Process { started: 1, ..this }.lives(),
            "the same number, started at another time"
        );
        assert_eq!("12".parse::<Process>(), Err(NotAProcess));
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let id = child.id();
        let process = Process {
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
