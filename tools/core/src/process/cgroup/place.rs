//! The folder in which this process may make cgroups.
//!
//! The kernel's rules: a cgroup that hands controllers to those below it has no processes itself (but the machine's
//! first one may), and to start a process in another cgroup you must be allowed to write `cgroup.procs` of both and of
//! the one above both. systemd's rule: a scope or service with `Delegate=yes` is its processes' own to divide.
//! So there are three places, tried in this order:
//!
//! - below our own cgroup, where it hands out the controllers;
//! - below our own cgroup, if no other process is in it: this process moves to a leaf first, and back at the end;
//! - beside our own cgroup.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, FlockOperation, access, flock};

use crate::process::mounts::Mount;

/// Where cgroups are made.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) parent: PathBuf,
    leaf: Option<Leaf>,
}

/// Where this process is meanwhile.
#[derive(Debug)]
struct Leaf {
    path: PathBuf,
    /// Its lock.
    _lock: File,
}

/// The controllers that we need. Processor time is counted without one.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

const HANDED_OUT: &str = "cgroup.subtree_control";

/// Names of our cgroups begin with this.
const PREFIX: &str = "tester-";

impl Place {
    /// The place of this process.
    pub(super) fn find() -> io::Result<Self> {
        // What is mounted elsewhere may have a name that is no text.
        let mounts = fs::read("/proc/self/mountinfo")?;
        let own = fs::read_to_string("/proc/self/cgroup")?;
        let (mount, own) =
            own_folder(&String::from_utf8_lossy(&mounts), &own).ok_or_else(|| {
                io::Error::other(
                    "no cgroup file system of version 2 is mounted that has this process",
                )
            })?;
        Self::choose(&mount, &own, std::process::id())
    }

    /// The place of the process `id` whose cgroup has the folder `own`, in a file system that is mounted at `mount`.
    fn choose(mount: &Path, own: &Path, id: u32) -> io::Result<Self> {
        let missing = missing(own, "cgroup.controllers")?;
        if !missing.is_empty() {
            let missing = missing.join(" and ");
            return Err(io::Error::other(format!(
                "{} has no controller {missing}",
                own.display()
            )));
        }
        if hands_out(own) && may_make(own) {
            return Ok(Self::new(own.to_owned(), None));
        }
        let alone = lone(own, id) && may_make(own) && writable(&own.join(HANDED_OUT));
        if let Some(leaf) = alone.then(|| Leaf::enter(own, id)).and_then(Result::ok) {
            return Ok(Self::new(own.to_owned(), Some(leaf)));
        }
        let parent = own.parent().filter(|_| own != mount);
        match parent.filter(|parent| hands_out(parent) && may_make(parent)) {
            Some(parent) => Ok(Self::new(parent.to_owned(), None)),
            None => Err(io::Error::other(format!(
                "{} is not delegated to this user",
                own.display()
            ))),
        }
    }

    fn new(parent: PathBuf, leaf: Option<Leaf>) -> Self {
        remove_abandoned(&parent);
        Self { parent, leaf }
    }

    /// The path of a cgroup of ours.
    pub(super) fn path_of(&self, number: u64) -> PathBuf {
        named(&self.parent, std::process::id(), number)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(leaf) = &self.leaf {
            let _ = leaf.leave(&self.parent);
        }
    }
}

impl Leaf {
    /// Moves this process out of `own`, which then hands out the controllers.
    fn enter(own: &Path, id: u32) -> io::Result<Self> {
        let path = named(own, id, 0);
        fs::create_dir(&path)?;
        let leaf = lock(&path).map(|lock| Self {
            path: path.clone(),
            _lock: lock,
        });
        let leaf = leaf.inspect_err(|_| drop(fs::remove_dir(&path)))?;
        let entered = fs::write(path.join("cgroup.procs"), id.to_string());
        let all = CONTROLLERS.map(|name| format!("+{name}")).join(" ");
        let entered = entered.and_then(|()| fs::write(own.join(HANDED_OUT), all));
        match entered {
            Ok(()) => Ok(leaf),
            Err(error) => {
                let _ = leaf.leave(own);
                Err(error)
            }
        }
    }

    /// Undoes it.
    fn leave(&self, own: &Path) -> io::Result<()> {
        let all = CONTROLLERS.map(|name| format!("-{name}")).join(" ");
        // If a cgroup is left that cannot be removed, we stay where we are.
        fs::write(own.join(HANDED_OUT), all)?;
        fs::write(own.join("cgroup.procs"), std::process::id().to_string())?;
        fs::remove_dir(&self.path)
    }
}

fn named(parent: &Path, id: u32, number: u64) -> PathBuf {
    parent.join(format!("{PREFIX}{id}-{number}"))
}

/// Locks a cgroup of ours; the kernel keeps the lock until this process ends, and others take it for living.
pub(super) fn lock(path: &Path) -> io::Result<File> {
    let folder = File::open(path)?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive)?;
    Ok(folder)
}

/// Removes cgroups of judges that were killed, and kills what is left in them.
fn remove_abandoned(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        let is_ours = is_our_name(&entry.file_name());
        if let Some(_lock) = is_ours.then(|| lock(&entry.path()).ok()).flatten() {
            let _ = write(&entry.path().join("cgroup.kill"), "1");
            let _ = remove(&entry.path());
        }
    }
}

fn is_our_name(name: &OsStr) -> bool {
    let numbers = name.as_bytes().strip_prefix(PREFIX.as_bytes());
    let mut parts = numbers.into_iter().flat_map(|n| n.split(|b| *b == b'-'));
    let mut number = || {
        parts
            .next()
            .is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
    };
    number() && number() && parts.next().is_none()
}

/// Writes to a file that the kernel has made.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).open(path)?;
    file.write_all(text.as_bytes())
}

/// Removes a cgroup without processes, and those that a contestant has made below it.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    if fs::remove_dir(path).is_ok() {
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            remove(&entry.path())?;
        }
    }
    fs::remove_dir(path)
}

/// The controllers that a cgroup's file does not name.
fn missing(folder: &Path, file: &str) -> io::Result<Vec<&'static str>> {
    let text = fs::read_to_string(folder.join(file))?;
    let has = |wanted: &&str| text.split_ascii_whitespace().any(|name| name == *wanted);
    Ok(CONTROLLERS.into_iter().filter(|name| !has(name)).collect())
}

fn hands_out(folder: &Path) -> bool {
    missing(folder, HANDED_OUT).is_ok_and(|missing| missing.is_empty())
}

fn may_make(folder: &Path) -> bool {
    writable(folder) && writable(&folder.join("cgroup.procs"))
}

fn writable(path: &Path) -> bool {
    access(path, Access::WRITE_OK).is_ok()
}

/// Whether a process is the only one in a cgroup.
fn lone(folder: &Path, id: u32) -> bool {
    fs::read_to_string(folder.join("cgroup.procs")).is_ok_and(|text| text.trim() == id.to_string())
}

/// Where cgroups of version 2 are mounted, and the folder of our own; from `/proc/self/mountinfo` and
/// `/proc/self/cgroup`.
fn own_folder(mounts: &str, own: &str) -> Option<(PathBuf, PathBuf)> {
    let own = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        // A hyphen stands before the kind.
        let (_, kind) = line.split_once(" - ")?;
        kind.starts_with("cgroup2 ").then_some(())?;
        let Mount { root, point, .. } = Mount::parse(line.as_bytes())?;
        let below = match root.to_str()? {
            "/" => own,
            root => (own.strip_prefix(root))
                .filter(|below| below.is_empty() || below.starts_with('/'))?,
        };
        let below = below.trim_start_matches('/');
        // A path that goes up is outside of what this process can see.
        (!below.starts_with("..")).then(|| {
            let own = match below {
                "" => point.clone(),
                below => point.join(below),
            };
            (point, own)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of folders with the files of cgroups. Files do not check what the kernel checks.
    struct Tree(tempfile::TempDir);

    impl Tree {
        /// Cgroups by path, with what each hands out and the processes in it.
        fn new(cgroups: &[(&str, &str, &str)]) -> Self {
            let dir = tempfile::tempdir().unwrap();
            for (path, handed_out, processes) in cgroups {
                let folder = dir.path().join(path);
                fs::create_dir_all(&folder).unwrap();
                let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
                write("cgroup.controllers", "cpu memory pids\n");
                write(HANDED_OUT, handed_out);
                write("cgroup.procs", processes);
            }
            Self(dir)
        }

        fn choose(&self, own: &str) -> io::Result<Place> {
            let own = match own {
                "" => self.0.path().to_owned(),
                own => self.0.path().join(own),
            };
            Place::choose(self.0.path(), &own, std::process::id())
        }

        fn read(&self, path: &str) -> String {
            fs::read_to_string(self.0.path().join(path)).unwrap()
        }
    }

    fn me() -> String {
        format!("{}\n", std::process::id())
    }

    #[test]
    fn the_machines_first_cgroup_has_ours_below_it() {
        let tree = Tree::new(&[("", "memory pids", "1\n2\n")]);
        assert_eq!(tree.choose("").unwrap().parent, tree.0.path());
    }

    #[test]
    fn a_process_with_others_has_cgroups_beside_its_own() {
        let others = format!("1\n{}", me());
        let tree = Tree::new(&[("app", "memory pids", ""), ("app/own", "", &others)]);
        let place = tree.choose("app/own").unwrap();
        assert_eq!(place.parent, tree.0.path().join("app"));
        assert!(place.leaf.is_none());
    }

    #[test]
    fn a_process_alone_moves_to_a_leaf_and_back() {
        let tree = Tree::new(&[("app", "memory pids", ""), ("app/own", "", &me())]);
        let leaf = format!("app/own/tester-{}-0", std::process::id());
        let place = tree.choose("app/own").unwrap();
        assert_eq!(place.parent, tree.0.path().join("app/own"));
        assert_eq!(tree.read(&format!("{leaf}/cgroup.procs")), me().trim());
        assert_eq!(tree.read("app/own/cgroup.subtree_control"), "+memory +pids");
        // The kernel removes a cgroup with its files.
        fs::remove_file(tree.0.path().join(&leaf).join("cgroup.procs")).unwrap();
        drop(place);
        assert_eq!(tree.read("app/own/cgroup.subtree_control"), "-memory -pids");
        assert_eq!(tree.read("app/own/cgroup.procs"), me().trim());
        assert!(!tree.0.path().join(&leaf).exists());
    }

    #[test]
    fn without_delegation_there_is_no_place() {
        let others = format!("1\n{}", me());
        let tree = Tree::new(&[("", "memory pids", ""), ("own", "cpu", &others)]);
        fs::write(tree.0.path().join("cgroup.subtree_control"), "pids\n").unwrap();
        let error = tree.choose("own").unwrap_err().to_string();
        assert!(
            error.ends_with("own is not delegated to this user"),
            "{error}"
        );
        fs::write(tree.0.path().join("own/cgroup.controllers"), "pids\n").unwrap();
        let error = tree.choose("own").unwrap_err().to_string();
        assert!(error.ends_with("own has no controller memory"), "{error}");
        assert!(tree.choose("none").is_err());
    }

    #[test]
    fn only_cgroups_of_judges_that_have_ended_are_removed() {
        let tree = Tree::new(&[("", "memory pids", "1\n")]);
        let ours = ["tester-1-1", "tester-2-0", "tester-3-x", "tester.service"];
        for name in ours {
            fs::create_dir(tree.0.path().join(name)).unwrap();
        }
        let _living = lock(&tree.0.path().join("tester-2-0")).unwrap();
        // As a contestant can make.
        fs::create_dir(tree.0.path().join("tester-1-1/below")).unwrap();
        drop(tree.choose("").unwrap());
        let left = ours.map(|name| tree.0.path().join(name).exists());
        assert_eq!(left, [false, true, true, true]);
    }

    #[test]
    fn folders_are_read_of_all_layouts() {
        let folder = |mounts: &str, own: &str| {
            own_folder(mounts, own).map(|(mount, own)| {
                let text = |path: PathBuf| path.to_str().unwrap().to_owned();
                (text(mount), text(own))
            })
        };
        let found = |mount: &str, own: &str| Some((mount.to_owned(), own.to_owned()));
        let unified = "25 30 0:23 / /sys rw shared:7 - sysfs sysfs rw\n\
            30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        let own = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-5.scope\n";
        assert_eq!(
            folder(unified, own),
            found(
                "/sys/fs/cgroup",
                "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/run-5.scope"
            )
        );
        assert_eq!(
            folder(unified, "0::/\n"),
            found("/sys/fs/cgroup", "/sys/fs/cgroup")
        );
        // Beside controllers of version 1.
        let hybrid = "31 30 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
            33 30 0:29 / /sys/fs/cgroup/unified rw shared:2 - cgroup2 cgroup2 rw\n";
        assert_eq!(
            folder(hybrid, "4:memory:/a\n0::/b\n"),
            found("/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified/b")
        );
        // A part of the tree, as in a container.
        let part = "30 25 0:26 /docker/7 /sys/fs/cgroup ro - cgroup2 cgroup ro\n";
        assert_eq!(
            folder(part, "0::/docker/7\n"),
            found("/sys/fs/cgroup", "/sys/fs/cgroup")
        );
        // With blanks in both paths.
        let blanks = r"30 25 0:26 /my\040app /run/my\040groups ro - cgroup2 cgroup ro";
        assert_eq!(
            folder(blanks, "0::/my app/own\n"),
            found("/run/my groups", "/run/my groups/own")
        );
        assert_eq!(folder(part, "0::/elsewhere\n"), None);
        assert_eq!(folder(unified, "0::/../other\n"), None);
        assert_eq!(folder(unified, "4:memory:/a\n"), None);
        assert_eq!(folder("", "0::/\n"), None);
    }
}
