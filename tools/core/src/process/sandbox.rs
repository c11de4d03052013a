//! The sandbox: no network, no writing, no look at the cases, where the user asks for it and the machine has it.
//!
//! Two ways, neither of which needs privileges:
//!
//! - **bubblewrap**, where it is installed and may make namespaces: the contestant sees no process but its
//!   own, so that it can send the judge no signal; no network; a file system that is read-only; and where
//!   cases and outputs are, empty folders.
//! - **Landlock**, a part of the kernel: no file may be written, hidden folders may not be read, and on newer
//!   kernels no signal to a process outside. A filter of system calls adds what Landlock has no rules for: no
//!   sockets, no attributes of files. [`Sandbox::describe`] says what it leaves open.

use std::fs::Permissions;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::bubblewrap::Bubblewrap;
use super::call_filter::CallFilter;
use super::landlock::{NETWORK, SIGNALS, TRUNCATION, file_rules};
use super::mounts::other_names;
use super::program::Command;

/// A sandbox that contestants start in.
#[derive(Clone, Debug)]
pub struct Sandbox {
    way: Way,
    private: Option<PrivateFolder>,
}

/// An empty folder for files of the judge that no program may read. Only this user can enter it, and it is removed with
/// the last sandbox that hides it.
#[derive(Clone, Debug)]
pub struct PrivateFolder(Arc<TempDir>);

impl PrivateFolder {
    /// Makes one, in the usual place for temporary files.
    ///
    /// # Errors
    /// If that is not possible there.
    pub fn new() -> Result<Self, SandboxError> {
        let only_this_user = Permissions::from_mode(0o700);
        let mut folder = tempfile::Builder::new();
        let folder = folder.prefix("tester-").permissions(only_this_user);
        let made = folder.tempdir().map_err(SandboxError::Private)?;
        Ok(Self(Arc::new(made)))
    }
}

#[derive(Clone, Debug)]
enum Way {
    Bubblewrap(Bubblewrap),
    Landlock(Landlock),
}

/// A sandbox by Landlock.
#[derive(Clone, Debug)]
struct Landlock {
    /// The rules, as the kernel knows them.
    rules: Arc<OwnedFd>,
    /// What they hold.
    version: i32,
    /// The system calls that are refused besides, unless the machine cannot do that.
    filter: Option<CallFilter>,
}

/// Why there is no sandbox.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The program would be hidden from itself.
    #[error(
        "failed to make a sandbox: it would hide {}, which is in {}",
        .file.display(), .dir.display()
    )]
    Hidden {
        /// The program, or a file that its arguments name.
        file: PathBuf,
        /// The folder.
        dir: PathBuf,
    },
    /// There is no room for files of the judge.
    #[error("failed to make a folder for the files of the judge")]
    Private(#[source] io::Error),
    /// What a sandbox needs could not be tried.
    #[error("failed to start a thread that tries the sandbox")]
    Trial(#[source] io::Error),
    /// The machine offers none.
    #[error("failed to make a sandbox: bubblewrap: {bubblewrap}; Landlock: {landlock}")]
    None {
        /// What is wrong with bubblewrap.
        bubblewrap: String,
        /// What is wrong with Landlock.
        landlock: String,
    },
}

impl SandboxError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Hidden { .. } => {
                "folders of cases and outputs are invisible in a sandbox: move the program to another folder"
            }
            Self::Private(_) => "TMPDIR names the folder for temporary files",
            Self::Trial(_) => return None,
            Self::None { .. } => {
                "install bubblewrap (bwrap in PATH, allowed to make namespaces), or judge without --sandbox"
            }
        };
        Some(hint.to_owned())
    }
}

impl Sandbox {
    /// The best sandbox of this machine for `command`. It hides the folders and files in `hidden`; those
    /// that do not exist are ignored. It also hides the `private` folder of a judge.
    ///
    /// Cost: starts bubblewrap once, about 10 ms.
    ///
    /// # Errors
    /// If the machine has none, or the program itself would be hidden.
    pub fn find(
        command: &Command,
        hidden: &[PathBuf],
        private: Option<PrivateFolder>,
    ) -> Result<Self, SandboxError> {
        let hidden: Vec<PathBuf> = (hidden.iter().cloned())
            .chain(private.as_ref().map(|folder| folder.0.path().to_owned()))
            .collect();
        let way = Self::find_way(&real(command, &hidden)?)?;
        Ok(Self { way, private })
    }

    fn find_way(hidden: &[PathBuf]) -> Result<Way, SandboxError> {
        let bubblewrap = match Bubblewrap::find(hidden) {
            Ok(found) => return Ok(Way::Bubblewrap(found)),
            Err(why) => why,
        };
        match file_rules(hidden) {
            Ok((rules, version)) => {
                let filter = CallFilter::new();
                let works = filter.as_ref().map_or(Ok(false), CallFilter::works);
                let works = works.map_err(SandboxError::Trial)?;
                Ok(Way::Landlock(Landlock {
                    rules: Arc::new(rules),
                    version,
                    filter: filter.filter(|_| works),
                }))
            }
            Err(landlock) => Err(SandboxError::None {
                bubblewrap,
                landlock,
            }),
        }
    }

    /// The folder for files that the program must not read, if there is one.
    pub(crate) fn private(&self) -> Option<&Path> {
        self.private.as_ref().map(|folder| folder.0.path())
    }

    /// What it is made with.
    pub(crate) fn name(&self) -> String {
        match &self.way {
            Way::Bubblewrap(_) => "bubblewrap".to_owned(),
            Way::Landlock(landlock) => format!("Landlock {}", landlock.version),
        }
    }

    /// What it forbids and what it cannot forbid, in one line.
    pub fn describe(&self) -> String {
        match &self.way {
            Way::Bubblewrap(found) => {
                let missing = [
                    (found.staged, "bubblewrap's own process can be traced"),
                    (
                        found.refuses_sockets,
                        "services of this machine can be reached",
                    ),
                ];
                let missing = missing.iter().filter(|(is_added, _)| !is_added);
                let missing: Vec<&str> = missing.map(|(_, what)| *what).collect();
                let missing = match missing.is_empty() {
                    true => String::new(),
                    false => format!("; could not be added: {}", missing.join(", ")),
                };
                format!(
                    "sandbox: bubblewrap: file system read-only, cases and outputs invisible, no network, no \
                     process but its own{missing}"
                )
            }
            Way::Landlock(landlock) => landlock.describe(),
        }
    }

    /// Whether the program can look at hidden files by their names, and so learn whether they are there, how long
    /// they are and when they were written, but not what is in them. It cannot list their folders.
    pub(crate) fn shows_names(&self) -> bool {
        matches!(self.way, Way::Landlock(..))
    }

    /// How many processes the sandbox itself adds to the contestant's.
    pub(crate) fn own_processes(&self) -> u64 {
        match self.way {
            Way::Bubblewrap(_) => 2,
            Way::Landlock(..) => 0,
        }
    }

    /// The command that starts `command` in the sandbox.
    pub(crate) fn wrap(&self, command: &Command) -> Command {
        match &self.way {
            Way::Landlock(..) => command.clone(),
            Way::Bubblewrap(found) => {
                let mut words = found.words.iter().cloned();
                let program = words.next().expect("bwrap itself");
                let own = std::iter::once(command.program.clone()).chain(command.args.clone());
                Command {
                    program,
                    args: words.chain(own).collect(),
                }
            }
        }
    }

    /// The rules that the contestant's process puts on itself before it executes the program.
    pub(crate) fn rules(&self) -> Option<BorrowedFd<'_>> {
        match &self.way {
            Way::Bubblewrap(_) => None,
            Way::Landlock(landlock) => Some(landlock.rules.as_fd()),
        }
    }

    /// The system calls that it may not make besides.
    pub(super) fn filter(&self) -> Option<&CallFilter> {
        match &self.way {
            Way::Bubblewrap(_) => None,
            Way::Landlock(landlock) => landlock.filter.as_ref(),
        }
    }

    /// The signal that an exit status stands for: bubblewrap reports signals as shells do.
    pub(crate) fn signal_of(&self, status: i32) -> Option<i32> {
        let is_signal = matches!(self.way, Way::Bubblewrap(_)) && (129..=192).contains(&status);
        is_signal.then(|| status - 128)
    }
}

impl Landlock {
    fn describe(&self) -> String {
        let (version, has_filter) = (self.version, self.filter.is_some());
        let network = if has_filter { ", no network" } else { "" };
        let missing = [
            (has_filter, "other processes can be seen"),
            (
                !has_filter,
                "other processes can be seen, and their limits changed",
            ),
            (
                !has_filter,
                "modes, times and attributes of files can be changed",
            ),
            (
                !has_filter,
                "notes can be left in keyrings and System V objects",
            ),
            (!has_filter, "services of this machine can be reached"),
            (!has_filter && version < TRUNCATION, "files can be emptied"),
            (!has_filter && version < NETWORK, "the network can be used"),
            (!has_filter && version >= NETWORK, "UDP can be used"),
            (version < SIGNALS, "signals can be sent to the judge"),
        ];
        let missing = missing.iter().filter(|(is_missing, _)| *is_missing);
        let missing: Vec<&str> = missing.map(|(_, what)| *what).collect();
        format!(
            "sandbox: Landlock {version}: file system read-only, cases and outputs unreadable{network}; could \
             not be added: {} (install bubblewrap)",
            missing.join(", ")
        )
    }
}

/// The hidden paths that are there, by their real names.
fn real(command: &Command, hidden: &[PathBuf]) -> Result<Vec<PathBuf>, SandboxError> {
    let mut hidden: Vec<PathBuf> = hidden
        .iter()
        .filter_map(|p| p.canonicalize().ok())
        .collect();
    let mut histories: Vec<PathBuf> = hidden.iter().filter_map(|p| repository(p)).collect();
    histories.dedup();
    hidden.extend(histories);
    let others = other_names(&hidden);
    hidden.extend(others);
    // What is in a hidden folder is hidden with it.
    let folders = hidden.clone();
    let covered = |path: &PathBuf| {
        folders
            .iter()
            .any(|dir| dir != path && path.starts_with(dir))
    };
    hidden.retain(|path| !covered(path));
    hidden.sort();
    hidden.dedup();
    let program = command.find().ok();
    let words = command
        .args
        .iter()
        .map(PathBuf::from)
        .filter(|path| path.is_file());
    for file in program.into_iter().chain(words) {
        let Ok(real) = file.canonicalize() else {
            continue;
        };
        if let Some(dir) = hidden.iter().find(|dir| real.starts_with(dir)) {
            return Err(SandboxError::Hidden {
                file,
                dir: dir.clone(),
            });
        }
    }
    Ok(hidden)
}

/// What git keeps of the folder, in which the cases may be as well.
fn repository(path: &Path) -> Option<PathBuf> {
    let mut git = path.ancestors().map(|dir| dir.join(".git"));
    git.find(|git| git.exists())?.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_landlock_cannot_add_is_told_by_version_and_filter() {
        let told = |version, filter: Option<CallFilter>| {
            let rules = Arc::new(std::fs::File::open("/dev/null").unwrap().into());
            let landlock = Landlock {
                rules,
                version,
                filter,
            };
            landlock.describe()
        };
        insta::assert_snapshot!(told(7, None), @"sandbox: Landlock 7: file system read-only, cases and outputs unreadable; could not be added: other processes can be seen, and their limits changed, modes, times and attributes of files can be changed, notes can be left in keyrings and System V objects, services of this machine can be reached, UDP can be used (install bubblewrap)");
        insta::assert_snapshot!(told(1, None), @"sandbox: Landlock 1: file system read-only, cases and outputs unreadable; could not be added: other processes can be seen, and their limits changed, modes, times and attributes of files can be changed, notes can be left in keyrings and System V objects, services of this machine can be reached, files can be emptied, the network can be used, signals can be sent to the judge (install bubblewrap)");
        if let Some(filter) = CallFilter::new().filter(|filter| filter.works().unwrap()) {
            insta::assert_snapshot!(told(1, Some(filter)), @"sandbox: Landlock 1: file system read-only, cases and outputs unreadable, no network; could not be added: other processes can be seen, signals can be sent to the judge (install bubblewrap)");
        }
    }
}
