//! What git says of the current folder: the commit that is checked out, and whether anything differs from it.
//!
//! Git runs programs that a folder's own configuration names: a monitor of the file system, hooks, filters of contents,
//! what fetches objects that are missing. None of them is run here, for the folder may come from another user. Nor is git
//! waited for without end, whatever it finds there: a pipe that no program writes to, a network that does not answer.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, ChildStdout, Command as Process, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// How long git may take. A large repository on a cold disk takes a second.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a killed git may take to end. One that waits for a disk or a network does not end before that answers.
const PATIENCE_AFTER_KILL: Duration = Duration::from_secs(1);

/// What is kept of an answer. The commit stands in its first lines.
const KEPT: usize = 1 << 16;

/// A commit, and whether anything differs from it: new files count, changes within submodules do not.
pub(super) type GitState = (String, bool);

/// A question to git that a thread waits for.
pub(super) struct Asked(Option<JoinHandle<Option<GitState>>>);

impl Asked {
    /// Asks about the current folder.
    pub(super) fn begin() -> Self {
        let ask = || state_of(Path::new("."), PATIENCE);
        Self(std::thread::Builder::new().spawn(ask).ok())
    }

    /// The answer; `None` if there is no git, no repository, no commit yet, or no answer in time.
    pub(super) fn answer(self) -> Option<GitState> {
        self.0?.join().ok().flatten()
    }
}

/// The state of a folder.
fn state_of(folder: &Path, patience: Duration) -> Option<GitState> {
    let until = Instant::now() + patience;
    let mut status = git(folder);
    for name in filters(folder, until)? {
        status.arg("-c").arg(format!("{name}="));
    }
    status
        .args(["--no-optional-locks", "status", "--porcelain=v2"])
        // Counting how far a branch is from another one may take long.
        .args(["--branch", "--no-ahead-behind"])
        // A submodule has a configuration of its own, with filters of its own.
        .arg("--ignore-submodules=dirty");
    let (status, said) = answer(status, until)?;
    if status != 0 {
        return None;
    }
    commit_and_changes(&String::from_utf8_lossy(&said))
}

/// Git in a folder, without the programs that have one name for every repository.
fn git(folder: &Path) -> Process {
    let mut git = Process::new("git");
    git.current_dir(folder)
        .args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
        ])
        // Objects that are missing are not fetched, neither by git itself nor by a program for a protocol.
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_TERMINAL_PROMPT", "0");
    git
}

/// The keys of the filters that the repository itself configures; those of the user and the system stay. An empty value
/// stands for no filter. Where git needs one all the same (`required`), it fails, and the answer is unknown.
///
/// The list of attributes is no place to switch them off: git reads `.git/info/attributes` whatever it is told.
fn filters(folder: &Path, until: Instant) -> Option<Vec<String>> {
    let mut config = git(folder);
    config
        .args(["config", "--null", "--show-scope", "--name-only"])
        .args(["--includes", "--get-regexp", r"^filter\."]);
    let (status, said) = answer(config, until)?;
    match status {
        0 => filters_in(&said),
        // There is none.
        1 => Some(Vec::new()),
        _ => None,
    }
}

/// The keys in what git says: scope and name by turns, with a zero byte after each. `None` if there are more than are
/// kept, or one cannot be named on a command line.
fn filters_in(said: &[u8]) -> Option<Vec<String>> {
    let said = str::from_utf8(said).ok().filter(|_| said.len() < KEPT)?;
    let mut words = said.split_terminator('\0');
    let mut keys = Vec::new();
    while let (Some(scope), Some(name)) = (words.next(), words.next()) {
        let runs = name.ends_with(".clean") || name.ends_with(".process");
        if !runs || matches!(scope, "global" | "system") {
            continue;
        }
        if name.contains('=') {
            return None;
        }
        keys.push(name.to_owned());
    }
    Some(keys)
}

/// The exit status of a git, and the beginning of what it says. `None` if it cannot be started, does not end in time, or
/// ends by a signal.
fn answer(mut git: Process, until: Instant) -> Option<(i32, Vec<u8>)> {
    let git = git
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = git.spawn().ok()?;
    let said = child.stdout.take().map(|stdout| read_until(stdout, until));
    if !ends_until(&child, until) {
        let _ = child.kill();
        if !ends_until(&child, Instant::now() + PATIENCE_AFTER_KILL) {
            return None;
        }
    }
    let status = child.wait().ok()?.code()?;
    Some((status, said?.ok()?))
}

/// Reads a pipe to its end, or as long as there is time, and keeps the beginning.
fn read_until(mut pipe: ChildStdout, until: Instant) -> io::Result<Vec<u8>> {
    let (mut said, mut bytes) = (Vec::new(), [0; 1 << 13]);
    while waits_until(&pipe, until)? {
        let read = pipe.read(&mut bytes)?;
        if read == 0 {
            return Ok(said);
        }
        let room = KEPT - said.len();
        said.extend_from_slice(&bytes[..read.min(room)]);
    }
    Err(io::ErrorKind::TimedOut.into())
}

/// Whether a child has ended, or ends in time; it is not reaped.
fn ends_until(child: &Child, until: Instant) -> bool {
    let pidfd = pidfd_open(Pid::from_child(child), PidfdFlags::empty());
    pidfd.is_ok_and(|pidfd| waits_until(&pidfd, until).unwrap_or(false))
}

/// Waits until there is something to read; `false` if there is nothing in time.
fn waits_until(fd: &impl AsFd, until: Instant) -> io::Result<bool> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&left)) {
            Err(Errno::INTR) => {}
            ready => return Ok(ready? > 0),
        }
    }
}

/// The commit, and whether anything differs from it, by what git says; `None` before the first commit.
fn commit_and_changes(said: &str) -> Option<GitState> {
    let mut lines = said.lines();
    let commit = lines.find_map(|line| line.strip_prefix("# branch.oid "))?;
    let is_commit = commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_dirty = said.lines().any(|line| !line.starts_with('#'));
    is_commit.then(|| (commit.to_owned(), is_dirty))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

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

    #[test]
    fn filters_of_the_repository_are_found_and_those_of_the_user_are_left() {
        let said =
            b"global\0filter.lfs.clean\0local\0filter.a b.clean\0local\0filter.a b.required\0\
                     worktree\0filter.c.process\0system\0filter.d.process\0";
        let found = filters_in(said).unwrap();
        assert_eq!(found, ["filter.a b.clean", "filter.c.process"]);
        assert_eq!(filters_in(b""), Some(Vec::new()));
        assert_eq!(filters_in(b"local\0filter.a=b.clean\0"), None);
    }

    /// A repository with one commit, which has the file `a`; `None` where there is no git.
    fn repository() -> Option<tempfile::TempDir> {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "1\n").unwrap();
        run(dir.path(), &["init", "-q"])?;
        run(dir.path(), &["add", "a"])?;
        run(dir.path(), &["commit", "-q", "-m", "first"])?;
        Some(dir)
    }

    fn run(dir: &Path, words: &[&str]) -> Option<()> {
        let who = ["-c", "user.name=n", "-c", "user.email=e"];
        let mut git = Process::new("git");
        // Of this folder alone, whatever surrounds the test.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            git.env_remove(variable);
        }
        let git = git.args(who).args(words).current_dir(dir).output();
        if git
            .as_ref()
            .is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
        {
            eprintln!("not tested, for there is no git: {words:?}");
            return None;
        }
        assert!(git.as_ref().unwrap().status.success(), "{git:?}");
        Some(())
    }

    #[test]
    fn nothing_that_a_repository_names_is_run() {
        let Some(repository) = repository() else {
            return;
        };
        let dir = repository.path();
        let state = || state_of(dir, Duration::from_secs(60));
        let dirty = || state().map(|(_, is_dirty)| is_dirty);
        assert_eq!(dirty(), Some(false));
        let hook = dir.join(".git/evil");
        let mark = dir.join(".git/mark");
        fs::write(
            &hook,
            format!("#!/bin/sh\ntouch '{}'\ncat\n", mark.display()),
        )
        .unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
        let evil = hook.to_str().unwrap();
        let included = dir.join(".git/more");
        fs::write(&included, format!("[filter \"b\"]\n\tprocess = {evil}\n")).unwrap();
        for (key, value) in [
            ("core.fsmonitor", evil),
            ("filter.a.clean", evil),
            ("include.path", included.to_str().unwrap()),
        ] {
            run(dir, &["config", key, value]).unwrap();
        }
        fs::create_dir_all(dir.join(".git/info")).unwrap();
        // Git looks into a file of the same length that was touched.
        for (attributes, text, is_dirty) in [
            ("a filter=a\n", "1\n", false),
            ("a filter=b\n", "2\n", true),
        ] {
            fs::write(dir.join(".git/info/attributes"), attributes).unwrap();
            fs::write(dir.join("a"), text).unwrap();
            assert_eq!(dirty(), Some(is_dirty), "{attributes}");
            assert!(!mark.exists(), "{attributes}");
        }
        // What git cannot know without the filter is unknown.
        run(dir, &["config", "filter.a.required", "true"]).unwrap();
        fs::write(dir.join(".git/info/attributes"), "a filter=a\n").unwrap();
        fs::write(dir.join("a"), "3\n").unwrap();
        assert_eq!(dirty(), None);
        assert!(!mark.exists());
    }

    #[test]
    fn git_that_does_not_answer_is_ended() {
        let Some(repository) = repository() else {
            return;
        };
        // Git waits until a program writes to it.
        let pipe = repository.path().join(".gitignore");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        let begun = Instant::now();
        assert_eq!(
            state_of(repository.path(), Duration::from_millis(300)),
            None
        );
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert!(
            begun.elapsed() >= Duration::from_millis(300),
            "it has not waited"
        );
    }
}
