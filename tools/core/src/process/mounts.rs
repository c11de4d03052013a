//! Where files can be reached under other names, because the same file system is mounted more than once.
//!
//! A sandbox hides paths. A bind mount shows the content of a hidden folder at a second path, and a folder above
//! it does so too. Hard links and copies cannot be found in this way.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// A line of `/proc/self/mountinfo`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mount {
    id: u64,
    /// The file system, as major and minor number.
    device: Vec<u8>,
    /// The folder or file of the file system that is mounted.
    pub(super) root: PathBuf,
    /// Where it is mounted.
    pub(super) point: PathBuf,
}

/// The other paths of these real paths and of everything mounted below them.
pub(super) fn other_names(paths: &[PathBuf]) -> Vec<PathBuf> {
    let table = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
    let lines = table.split(|&byte| byte == b'\n');
    let mounts: Vec<Mount> = lines.filter_map(Mount::parse).collect();
    let mut seen: BTreeSet<PathBuf> = paths.iter().cloned().collect();
    let mut left: Vec<PathBuf> = paths.to_vec();
    let mut found = Vec::new();
    while let Some(path) = left.pop() {
        let below = mounts.iter().map(|mount| &mount.point);
        let below = below.filter(|point| point.starts_with(&path));
        let names = names_of(&path, &mounts, mount_id);
        for name in names.iter().chain(below) {
            if seen.insert(name.clone()) {
                left.push(name.clone());
                found.push(name.clone());
            }
        }
    }
    found
}

/// All paths that show the content of `path` or a part of it. `mount_id` tells in which mount a path lies, because
/// one mount can cover another.
fn names_of(
    path: &Path,
    mounts: &[Mount],
    mount_id: impl Fn(&Path) -> Option<u64>,
) -> Vec<PathBuf> {
    let id = mount_id(path);
    let Some(own) = mounts.iter().find(|mount| Some(mount.id) == id) else {
        return Vec::new();
    };
    let Ok(rest) = path.strip_prefix(&own.point) else {
        return Vec::new();
    };
    let inside = joined(&own.root, rest);
    let names = mounts.iter().filter(|mount| mount.device == own.device);
    let names = names.filter_map(|mount| {
        let name = match inside.strip_prefix(&mount.root) {
            Ok(rest) => joined(&mount.point, rest),
            Err(_) if mount.root.starts_with(&inside) => mount.point.clone(),
            Err(_) => return None,
        };
        (mount_id(&name) == Some(mount.id)).then_some(name)
    });
    names.collect()
}

/// Without the slash that [`Path::join`] adds for an empty path.
fn joined(path: &Path, rest: &Path) -> PathBuf {
    match rest.as_os_str().is_empty() {
        true => path.to_owned(),
        false => path.join(rest),
    }
}

/// The mount in which a path lies.
fn mount_id(path: &Path) -> Option<u64> {
    let flags = libc::O_PATH | libc::O_NOFOLLOW;
    let file = File::options().read(true).custom_flags(flags).open(path);
    let fd = file.as_ref().ok()?.as_raw_fd();
    let about = std::fs::read_to_string(format!("/proc/self/fdinfo/{fd}")).ok()?;
    let id = about
        .lines()
        .find_map(|line| line.strip_prefix("mnt_id:"))?;
    id.trim().parse().ok()
}

impl Mount {
    /// Reads `36 35 98:0 /root /point rw,noatime …`.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let mut words = line.split(|&byte| byte == b' ');
        let id = str::from_utf8(words.next()?).ok()?.parse().ok()?;
        let device = words.nth(1)?.to_owned();
        let root = unescaped(words.next()?);
        let point = unescaped(words.next()?);
        Some(Self {
            id,
            device,
            root,
            point,
        })
    }
}

/// A path, in which the kernel writes spaces, tabs, line breaks and backslashes as `\040`.
fn unescaped(word: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after
            .get(..3)
            .and_then(|digits| str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code.filter(|_| byte == b'\\') {
            Some(code) => {
                bytes.push(code);
                rest = &after[3..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = r"1 0 8:1 / / rw - ext4 /dev/sda1 rw
2 1 8:1 /work/in /mnt/cases rw - ext4 /dev/sda1 rw
3 1 8:1 /work /mnt/the\040work rw - ext4 /dev/sda1 rw
4 1 8:1 /work/in/deep /deep rw - ext4 /dev/sda1 rw
5 1 0:30 / /work/other rw - tmpfs none rw
6 1 8:1 /work /covered rw - ext4 /dev/sda1 rw
7 1 0:31 / /covered rw - tmpfs none rw";

    #[test]
    fn a_folder_has_a_name_for_each_mount_that_shows_it() {
        let lines = TABLE.lines().map(str::as_bytes);
        let mounts: Vec<Mount> = lines.filter_map(Mount::parse).collect();
        assert_eq!(mounts.len(), 7);
        // The mount with the longest path, and of two the later one, as the kernel would say.
        let id = |path: &Path| {
            let above = mounts.iter().filter(|mount| path.starts_with(&mount.point));
            above
                .max_by_key(|mount| mount.point.components().count())
                .map(|mount| mount.id)
        };
        let names = |path: &str| {
            let names = names_of(Path::new(path), &mounts, id).into_iter();
            let mut names: Vec<_> = names.map(|name| name.display().to_string()).collect();
            names.sort();
            names
        };
        let all = ["/deep", "/mnt/cases", "/mnt/the work/in", "/work/in"];
        assert_eq!(names("/work/in"), all);
        assert_eq!(names("/mnt/the work/in"), all);
        let deep = [
            "/deep",
            "/mnt/cases/deep",
            "/mnt/the work/in/deep",
            "/work/in/deep",
        ];
        assert_eq!(names("/deep"), deep);
        assert_eq!(names("/work/other"), ["/work/other"]);
    }
}
