//! bubblewrap: the words that stand in front of a program, and whether they work on this machine.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use super::call_filter::CallFilter;
use super::stage;

/// Files and folders of `/proc` that are not about a process. The kernel asks only who owns most of them, so root
/// can write them without any capability; `kernel.core_pattern` then names a program that runs outside. bubblewrap
/// covers some of them where the folder itself looks writable, and `/proc/sys` does not.
const READ_ONLY: [&str; 6] = [
    "/proc/sys",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/pressure",
    "/proc/sysrq-trigger",
];

/// What container runtimes hide: memory, keys and timers of the machine.
const HIDDEN: [&str; 10] = [
    "/proc/acpi",
    "/proc/asound",
    "/proc/scsi",
    "/proc/kcore",
    "/proc/keys",
    "/proc/kmsg",
    "/proc/latency_stats",
    "/proc/sched_debug",
    "/proc/timer_list",
    "/proc/timer_stats",
];

/// Docker's size of `/dev/shm`. Without one it is half of the machine's memory.
const SHARED_MEMORY_BYTES: &str = "67108864";

/// What newer versions can do.
#[derive(Clone, Copy)]
struct Version {
    /// `--disable-userns` (0.8): the program cannot make namespaces, where it could mount.
    no_namespaces: bool,
    /// `--size` (0.7); without it `/dev/shm` is read-only.
    sizes: bool,
}

const VERSIONS: [Version; 3] = [
    Version {
        no_namespaces: true,
        sizes: true,
    },
    Version {
        no_namespaces: false,
        sizes: true,
    },
    Version {
        no_namespaces: false,
        sizes: false,
    },
];

/// A way to call bubblewrap that works here.
#[derive(Clone, Debug)]
pub(super) struct Bubblewrap {
    /// What stands in front of the program's own words.
    pub(super) words: Vec<OsString>,
    /// Whether the program is kept from tracing bubblewrap's own process.
    pub(super) staged: bool,
    /// Whether it is kept from services of the machine.
    pub(super) refuses_sockets: bool,
}

impl Bubblewrap {
    /// Tries the best ways first.
    pub(super) fn find(hidden: &[PathBuf]) -> Result<Self, String> {
        let mut why = String::new();
        let stages = stage::words().map(|[own, _]| vec![own, stage::WITHOUT_SOCKETS.into()]);
        let stages = stages.into_iter();
        for stage in stages.chain([Vec::new()]) {
            for version in VERSIONS {
                let mut words = words(hidden, version);
                words.extend(stage.iter().cloned());
                match probe(&words) {
                    Ok(()) => {
                        let staged = !stage.is_empty();
                        return Ok(Self {
                            words,
                            staged,
                            refuses_sockets: staged
                                && CallFilter::of_sockets()
                                    .is_some_and(|f| f.works().unwrap_or(false)),
                        });
                    }
                    Err(Failure::NotInstalled) => return Err("not installed".to_owned()),
                    Err(Failure::Other(said)) => why = said,
                }
            }
        }
        Err(why)
    }
}

fn words(hidden: &[PathBuf], version: Version) -> Vec<OsString> {
    let mut words: Vec<OsString> = ["bwrap", "--die-with-parent", "--unshare-all"]
        .map(OsString::from)
        .into();
    let mut add = |more: &[&str]| words.extend(more.iter().map(OsString::from));
    if version.no_namespaces {
        add(&["--unshare-user", "--disable-userns"]);
    }
    // With a capability, root could take the mounts away again.
    add(&["--cap-drop", "ALL", "--ro-bind", "/", "/"]);
    add(&["--dev", "/dev", "--proc", "/proc"]);
    if version.sizes {
        add(&["--size", SHARED_MEMORY_BYTES, "--tmpfs", "/dev/shm"]);
    }
    for path in READ_ONLY
        .into_iter()
        .filter(|path| Path::new(path).exists())
    {
        add(&["--ro-bind", path, path]);
    }
    let of_machine = HIDDEN.map(PathBuf::from).into_iter();
    let of_machine = of_machine.filter(|path| path.exists());
    for path in of_machine.chain(hidden.iter().cloned()) {
        cover(&path, &mut words);
    }
    // A hidden folder may lie in `/dev/shm`, so this comes last.
    words.extend(["--remount-ro", "/dev", "--"].map(OsString::from));
    words
}

/// Puts an empty folder or file over `path`.
fn cover(path: &Path, words: &mut Vec<OsString>) {
    if path.is_dir() {
        words.extend(["--tmpfs".into(), path.into()]);
        words.extend(["--remount-ro".into(), path.into()]);
    } else {
        words.extend(["--ro-bind".into(), "/dev/null".into(), path.into()]);
    }
}

enum Failure {
    NotInstalled,
    Other(String),
}

fn probe(words: &[OsString]) -> Result<(), Failure> {
    let tried = Process::new(&words[0])
        .args(&words[1..])
        .arg("true")
        .stdin(Stdio::null())
        .output();
    match tried {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().next().unwrap_or("it failed");
            Err(Failure::Other(first.to_owned()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::NotInstalled),
        Err(error) => Err(Failure::Other(error.to_string())),
    }
}
