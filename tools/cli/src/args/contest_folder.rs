//! The contest's folder: the nearest one, from the current folder upwards, that has a `tester.toml`.
//!
//! Where it is above the current folder, this process goes there, as cargo goes to its package: the paths of the file,
//! the history and the outputs are in one place, wherever a command is typed. Typed paths keep their meaning. To resolve
//! each path of the file by itself would leave the shell lines of the file, which find the contest's tools by relative
//! paths.

use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use tester_core::process::Command;
use tester_core::run::config::FILE;
use tester_core::util::tester_word::call_from_above;

use super::case_words::is_numbers;

/// A contest's folder above the current folder.
#[derive(Debug)]
pub(super) struct ContestFolder {
    path: PathBuf,
    /// The way back: from the contest's folder to the folder where the command was typed.
    way: PathBuf,
    /// Whether all users may write to it, as to each folder of a mount without modes.
    is_for_all: bool,
}

impl ContestFolder {
    /// The folder; `None` if it is the current one, or there is none.
    pub(super) fn find() -> Option<Self> {
        Self::above(&std::env::current_dir().ok()?)
    }

    fn above(here: &Path) -> Option<Self> {
        let owner = here.metadata().ok()?.uid();
        // What is there and is no file is an error of its reader; to look further up would hide it.
        let path = here.ancestors().find(|dir| is_there(&dir.join(FILE)))?;
        let way = here.strip_prefix(path).ok()?;
        if way.as_os_str().is_empty() {
            return None;
        }
        if let Some(why) = distrusted(path, owner).ok()? {
            let file = path.join(FILE);
            say!("{} is {why}, and is not read", file.display());
            return None;
        }
        Some(Self {
            path: path.to_owned(),
            way: way.to_owned(),
            is_for_all: path.metadata().is_ok_and(|dir| dir.mode() & 0o002 != 0),
        })
    }

    /// Goes there.
    ///
    /// # Errors
    /// If the folder may not be entered.
    pub(super) fn enter(&self) -> anyhow::Result<()> {
        let path = self.path.display();
        std::env::set_current_dir(&self.path).with_context(|| format!("failed to enter {path}"))?;
        call_from_above(self.rebased(Path::new("")));
        let caution = match self.is_for_all {
            true => " (all users may write to it)",
            false => "",
        };
        say!("{path}{caution} has {FILE}: paths and commands below are from there");
        Ok(())
    }

    /// A path that was typed, from the contest's folder.
    fn rebased(&self, typed: &Path) -> PathBuf {
        if typed.is_absolute() {
            return typed.to_owned();
        }
        let mut path = self.way.clone();
        let mut rest = typed.components().peekable();
        // The way has no links, so that each `..` is one step back on it.
        while let Some(step) =
            rest.next_if(|c| matches!(c, Component::ParentDir | Component::CurDir))
        {
            if step == Component::ParentDir && !path.pop() {
                path.push("..");
                path.extend(rest.by_ref());
            }
        }
        path.extend(rest);
        path
    }

    /// Rewrites a path that was typed.
    pub(super) fn path(&self, typed: &mut PathBuf) {
        *typed = self.rebased(typed);
    }

    /// Rewrites paths that were typed, if any.
    pub(super) fn paths<'a>(&self, typed: impl IntoIterator<Item = &'a mut PathBuf>) {
        typed.into_iter().for_each(|path| self.path(path));
    }

    /// Rewrites a path unless it is the usual one, which is the contest's.
    pub(super) fn unless_usual(&self, path: &mut PathBuf, usual: &str) {
        if path != Path::new(usual) {
            self.path(path);
        }
    }

    /// Rewrites the file of a case, unless it is the number of one.
    pub(super) fn case(&self, typed: &mut PathBuf) {
        if typed.is_file() || !Self::is_number(typed) {
            self.path(typed);
        }
    }

    /// Whether what was typed may be the number of a case.
    pub(super) fn is_number(typed: &Path) -> bool {
        typed
            .to_str()
            .is_some_and(|word| word.parse::<u64>().is_ok())
    }

    /// Rewrites what was typed after `--cases`, except numbers.
    pub(super) fn cases(&self, words: &mut [PathBuf]) {
        for word in words.iter_mut().filter(|word| !is_numbers(word)) {
            // A pattern goes on as it is after the way, whose own name is no pattern.
            *word = match word.to_str() {
                Some(text) if !word.exists() && text.contains(['*', '?', '[']) => {
                    let way = tester_core::case::literally(&self.way.to_string_lossy());
                    Path::new(&way).join(text)
                }
                _ => self.rebased(word),
            };
        }
    }

    /// Rewrites a program by its path, and those of its arguments that name a file.
    pub(super) fn command(&self, words: &mut [OsString]) {
        let Some((program, args)) = words.split_first_mut() else {
            return;
        };
        if program.as_encoded_bytes().contains(&b'/') {
            let path = self.rebased(Path::new(program));
            *program = match path.components().count() {
                // A name without a slash would be looked up in `PATH`.
                1 => Path::new(".").join(path).into(),
                _ => path.into(),
            };
        }
        for arg in args.iter_mut().filter(|arg| Path::new(arg).is_file()) {
            *arg = self.rebased(Path::new(arg)).into();
        }
    }

    /// The same for a program with its arguments in one word.
    pub(super) fn line(&self, line: &mut String) {
        let Ok(command) = Command::from_line(line) else {
            return;
        };
        let before = [vec![command.program], command.args].concat();
        let mut words = before.clone();
        self.command(&mut words);
        if words != before {
            let mut words = words.into_iter();
            let program = words.next().expect("as many words as before");
            let args = words.collect();
            *line = Command { program, args }.to_string();
        }
    }
}

/// Whether something has this name, if only a link that leads nowhere.
pub(super) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Why the file of a folder is not obeyed for a user who works in a folder of `owner`: its lines are run. Another user's
/// file in `/tmp` is not obeyed in a folder of yours, nor is another user's link there to a file of yours. The lines have
/// relative paths, so that all users who may write to the folder decide which programs they start. Owners decide, and
/// no other modes than that of `/tmp`: where a mount has no modes, each folder is for all users.
///
/// # Errors
/// If they cannot be looked at.
fn distrusted(folder: &Path, owner: u32) -> io::Result<Option<&'static str>> {
    /// All may write, and remove only what is theirs, as in `/tmp`.
    const FOR_ALL: u32 = 0o1002;
    const FOR_OTHERS: u32 = 0o022;
    let file = folder.join(FILE);
    let link = file.symlink_metadata()?;
    let target = file.metadata().unwrap_or_else(|_| link.clone());
    let folder = folder.metadata()?;
    let yours = [owner, rustix::process::geteuid().as_raw()];
    let is_yours = |found: &Metadata| yours.contains(&found.uid());
    let is_only_roots = folder.uid() == 0 && folder.mode() & FOR_OTHERS == 0;
    Ok(if !is_yours(&link) || !is_yours(&target) {
        Some("of another user")
    } else if folder.mode() & FOR_ALL == FOR_ALL {
        Some("in a folder of all users")
    } else if !is_yours(&folder) && !is_only_roots {
        Some("in a folder of another user")
    } else {
        None
    })
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};

    use super::*;

    fn from(way: &str) -> ContestFolder {
        ContestFolder {
            path: "/contest".into(),
            way: way.into(),
            is_for_all: false,
        }
    }

    #[test]
    fn typed_paths_keep_their_meaning() {
        let path = |typed: &str| {
            from("src/bin")
                .rebased(Path::new(typed))
                .display()
                .to_string()
        };
        assert_eq!(path("a"), "src/bin/a");
        assert_eq!(path("./a"), "src/bin/a");
        assert_eq!(path("../a"), "src/a");
        assert_eq!(path("../../a/../b"), "a/../b");
        assert_eq!(path("../../../a"), "../a");
        assert_eq!(path("../../../../a"), "../../a");
        assert_eq!(path("/a"), "/a");
        let cases = |typed: &str| {
            let mut words = [PathBuf::from(typed)];
            from("x[1]").cases(&mut words);
            words[0].display().to_string()
        };
        assert_eq!(cases("0..100"), "0..100");
        assert_eq!(cases("in"), "x[1]/in");
        assert_eq!(cases("in/*.txt"), "x[[]1[]]/in/*.txt");
    }

    #[test]
    fn programs_are_found_from_the_folder_of_the_contest() {
        let line = |typed: &str| {
            let mut line = typed.to_owned();
            from("sol").line(&mut line);
            line
        };
        assert_eq!(line("./a 3 'x y'"), "sol/a 3 'x y'");
        assert_eq!(line("../a"), "./a");
        assert_eq!(line("python3 none.py"), "python3 none.py");
        // This test's own manifest is such a file.
        assert_eq!(line("python3 -u Cargo.toml"), "python3 -u sol/Cargo.toml");
        assert_eq!(line("a 'b"), "a 'b");
    }

    #[test]
    fn the_nearest_folder_with_a_file_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        let found = |from: &str| ContestFolder::above(&top.join(from)).map(|folder| folder.way);
        assert_eq!(found("a/b"), None);
        std::fs::write(top.join(FILE), "version = 1\n").unwrap();
        assert_eq!(found(""), None);
        assert_eq!(found("a/b"), Some("a/b".into()));
        std::fs::write(top.join("a").join(FILE), "version = 1\n").unwrap();
        assert_eq!(found("a/b"), Some("b".into()));
        std::fs::create_dir_all(top.join("a/b/c")).unwrap();
        symlink("nowhere", top.join("a/b").join(FILE)).unwrap();
        assert_eq!(found("a/b/c"), Some("c".into()));
        std::fs::remove_file(top.join("a/b").join(FILE)).unwrap();
        // Only root can give a file away.
        match rustix::process::geteuid().is_root() {
            true => {
                chown(top.join("a").join(FILE), Some(65534), None).unwrap();
                assert_eq!(found("a/b"), None);
            }
            false => eprintln!("not tested, for only root can: a file of another user"),
        }
    }

    #[test]
    fn a_link_and_the_folder_that_has_it_must_be_yours_too() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let shared = top.join("shared");
        std::fs::create_dir_all(shared.join("mine")).unwrap();
        std::fs::write(top.join("kept.toml"), "version = 1\n").unwrap();
        symlink(top.join("kept.toml"), shared.join(FILE)).unwrap();
        let above = || ContestFolder::above(&shared.join("mine"));
        let found = || above().map(|folder| folder.way);
        let mode = |mode| set_permissions(&shared, Permissions::from_mode(mode)).unwrap();
        mode(0o775);
        assert_eq!(above().map(|folder| folder.is_for_all), Some(false));
        mode(0o777);
        assert_eq!(above().map(|folder| folder.is_for_all), Some(true));
        mode(0o1777);
        assert_eq!(found(), None);
        mode(0o755);
        // Only root can give a link or a folder away.
        if !rustix::process::geteuid().is_root() {
            eprintln!("not tested, for only root can: a link and a folder of another user");
            return;
        }
        lchown(shared.join(FILE), Some(65534), None).unwrap();
        assert_eq!(found(), None);
        // As where others may put a file of theirs in its place.
        mode(0o777);
        assert_eq!(found(), None);
        mode(0o755);
        lchown(shared.join(FILE), Some(0), None).unwrap();
        assert_eq!(found(), Some("mine".into()));
        chown(&shared, Some(65534), None).unwrap();
        assert_eq!(found(), None);
        // What is another's for root is the owner's for users who work in a folder of that owner.
        chown(shared.join("mine"), Some(65534), None).unwrap();
        assert_eq!(found(), Some("mine".into()));
    }
}
