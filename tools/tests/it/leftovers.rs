//! What a program leaves without a process is gone when its case is over: files in `/dev/shm`, System V objects, POSIX
//! queues, and limits and priorities that it has set for the first process of its namespace.
//!
//! All of this is tested only where programs get a namespace. Objects are refused by Landlock's sandbox without one, too.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::{TempDir, tempdir};

use crate::common::nobody::{as_nobody, tester_for_nobody};
use crate::common::{CASE, Shown, kernel_has_filters, run_in, script};
use crate::expected::compiled_text;

/// Fails if it finds what it leaves; then it plays `hitblow 1 10`.
const LEAVER: &str = r#"#![allow(dropping_copy_types)]
use std::ffi::c_char;

unsafe extern "C" {
    fn getrlimit(what: i32, limit: *mut [u64; 2]) -> i32;
    fn prlimit(pid: i32, what: i32, limit: *const [u64; 2], old: *mut [u64; 2]) -> i32;
    fn getpriority(which: i32, who: u32) -> i32;
    fn setpriority(which: i32, who: u32, priority: i32) -> i32;
    fn sched_getscheduler(pid: i32) -> i32;
    fn sched_setscheduler(pid: i32, policy: i32, parameter: *const i32) -> i32;
    fn sched_getaffinity(pid: i32, size: usize, mask: *mut [u64; 128]) -> i32;
    fn sched_setaffinity(pid: i32, size: usize, mask: *const [u64; 128]) -> i32;
    fn shmget(key: i32, size: usize, flags: i32) -> i32;
    fn msgget(key: i32, flags: i32) -> i32;
    fn semget(key: i32, count: i32, flags: i32) -> i32;
    fn syscall(number: i64, ...) -> i64;
}

const MAKE: i32 = 0o1666;
const QUEUE: *const c_char = c"left".as_ptr();
const SCHED_IDLE: i32 = 5;

// In the order of their numbers: processor time, stack, memory. Not so little that the next program could not start.
const LIMITS: [(i32, u64); 3] = [(0, 7777), (3, 7 << 20), (9, 7 << 30)];

#[cfg(target_arch = "x86_64")]
const MQ_OPEN: i64 = 240;
#[cfg(not(target_arch = "x86_64"))]
const MQ_OPEN: i64 = 180;

/// The key of its System V objects, which each test has for itself.
fn key() -> i32 {
    std::env::var("KEY").unwrap().parse().unwrap()
}

fn find() -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut see = |is_there: bool, what| if is_there { found.push(what) };
    unsafe {
        see(std::path::Path::new("/dev/shm/left").exists(), "file");
        see(shmget(key(), 0, 0) >= 0, "segment");
        see(shmget(key() + 1, 0, 0) >= 0, "unreadable");
        see(msgget(key(), 0) >= 0, "messages");
        see(semget(key(), 0, 0) >= 0, "semaphores");
        see(syscall(MQ_OPEN, QUEUE, 2, 0, 0) >= 0, "queue");
        for (what, value) in LIMITS {
            let mut limit = [0, 0];
            getrlimit(what, &mut limit);
            see(limit[0] == value, "limits");
        }
        see(getpriority(0, 0) == 19, "priority");
        let group = std::fs::read_to_string("/proc/self/autogroup");
        see(group.is_ok_and(|group| group.contains("nice 19")), "group");
        see(sched_getscheduler(0) == SCHED_IDLE, "policy");
        let mut mask = [0; 128];
        sched_getaffinity(0, 1024, &mut mask);
        let processors: u32 = mask.iter().map(|part: &u64| part.count_ones()).sum();
        let all = std::env::var("PROCESSORS").unwrap();
        see(processors.to_string() != all, "affinity");
    }
    found
}

fn leave(what: &str) {
    // The first process of the namespace, whose limits and priorities its children inherit.
    let first = std::env::var("FIRST").unwrap().parse().unwrap();
    unsafe {
        match what {
            "file" => drop(std::fs::write("/dev/shm/left", [0; 70_000])),
            "segment" => drop(shmget(key(), 70_000, MAKE)),
            "unreadable" => drop(shmget(key() + 1, 70_000, 0o1000)),
            "messages" => drop(msgget(key(), MAKE)),
            "semaphores" => drop(semget(key(), 1, MAKE)),
            "queue" => drop(syscall(MQ_OPEN, QUEUE, 0o102, 0o666, 0)),
            "limits" => {
                for (what, value) in LIMITS {
                    prlimit(first, what, &[value, value], std::ptr::null_mut());
                }
            }
            "priority" => drop(setpriority(0, first as u32, 19)),
            "group" => drop(std::fs::write(format!("/proc/{first}/autogroup"), "19")),
            "policy" => drop(sched_setscheduler(first, SCHED_IDLE, &0)),
            "affinity" => {
                let mut mask = [0; 128];
                sched_getaffinity(0, 1024, &mut mask);
                let index = mask.iter().position(|part| *part != 0).unwrap();
                let lowest = 1 << mask[index].trailing_zeros();
                mask.fill(0);
                mask[index] = lowest;
                sched_setaffinity(first, 1024, &mask);
            }
            other => panic!("{other}"),
        }
    }
}

fn main() {
    let found = find();
    std::env::args().skip(1).for_each(|what| leave(&what));
    if !found.is_empty() {
        eprintln!("found: {found:?}");
        std::process::exit(1);
    }
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    for guess in 0..10 {
        println!("{guess}");
        line.clear();
        std::io::stdin().read_line(&mut line).unwrap();
        if line.starts_with('1') {
            return;
        }
    }
}
"#;

/// What it can leave.
const KINDS: [&str; 11] = [
    "file",
    "segment",
    "unreadable",
    "messages",
    "semaphores",
    "queue",
    "limits",
    "priority",
    "group",
    "policy",
    "affinity",
];

/// The kinds that are objects of the kernel: of System V, and a queue.
const OBJECTS: std::ops::Range<usize> = 1..6;

/// A folder with the program, for every user.
fn open_folder() -> TempDir {
    let dir = tempdir().unwrap();
    let leaver = compiled_text(dir.path(), "leaver", LEAVER);
    // Whatever our umask is.
    for path in [dir.path(), &leaver] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }
    dir
}

/// The same; `None` where programs get no namespace.
fn folder() -> Option<TempDir> {
    let dir = open_folder();
    let shown = run_in(dir.path(), &["readlink", "/proc/self/ns/pid"], CASE);
    let own = fs::read_link("/proc/self/ns/pid").unwrap();
    if shown.stdout.trim() == own.to_str().unwrap() || shown.stdout.is_empty() {
        eprintln!("not tested, because programs get no namespace here: {shown:?}");
        return None;
    }
    Some(dir)
}

/// Who judges, and in what.
#[derive(Clone, Debug)]
struct Place {
    /// What is in front of the tester.
    user: Vec<&'static str>,
    path: String,
    /// The tester's option.
    sandbox: Option<&'static str>,
    /// The program's key.
    key: u32,
}

/// A key that no other test has.
fn new_key() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    std::process::id() * 16 + 2 * NEXT.fetch_add(1, Ordering::Relaxed)
}

fn places() -> Vec<Place> {
    let path = std::env::var("PATH").unwrap();
    let (key, mut users) = (new_key(), vec![vec![]]);
    users.extend(as_nobody().map(Vec::from));
    // Landlock is taken where bubblewrap is not found.
    let sandboxes = [(path, None), ("/nowhere".to_owned(), Some("--sandbox"))];
    let of_user = |user: Vec<&'static str>| {
        sandboxes.clone().map(|(path, sandbox)| Place {
            user: user.clone(),
            path,
            sandbox,
            key,
        })
    };
    users.into_iter().flat_map(of_user).collect()
}

impl Place {
    /// Runs the tester with these words; its folder of outputs is new. `None` where there is no such sandbox.
    fn run(&self, dir: &Path, words: &[&str]) -> Option<Shown> {
        let _ = fs::remove_dir_all(dir.join("out"));
        let processors = std::thread::available_parallelism().unwrap();
        let variables = [
            format!("PATH={}", self.path),
            format!("PROCESSORS={processors}"),
            "FIRST=1".to_owned(),
            format!("KEY={}", self.key),
        ];
        let mut all = self.user.clone();
        all.push("env");
        all.extend(variables.iter().map(String::as_str));
        let tester = match self.user.is_empty() {
            true => PathBuf::from(env!("CARGO_BIN_EXE_tester")),
            false => tester_for_nobody(dir),
        };
        all.extend([tester.to_str().unwrap(), words[0]]);
        all.extend(self.sandbox);
        all.extend(&words[1..]);
        let mut command = Command::new(all[0]);
        let output = command.args(&all[1..]).current_dir(dir).output().unwrap();
        let shown = Shown::from(output);
        let is_missing = shown.stderr.contains("failed to make a sandbox");
        if is_missing && self.sandbox.is_some() {
            eprintln!("not tested, because there is no sandbox: {shown:?}");
            return None;
        }
        Some(shown)
    }
}

/// How many of the machine's own System V objects have this key or the next.
fn objects_left(kind: &str, key: u32) -> usize {
    let all = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
    let keys = all
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let ours = keys.filter(|word| [key, key + 1].contains(&word.parse().unwrap_or(0)));
    ours.count()
}

#[test]
fn a_case_finds_nothing_of_the_case_before() {
    let Some(dir) = folder() else { return };
    for (what, place) in KINDS.iter().zip(places().iter().cycle()) {
        let words = ["batch", "--jobs", "1", "--seeds", "0..3"];
        let words = [
            &words[..],
            &["--problem", "hitblow 1 10", "--", "./leaver", *what],
        ];
        let Some(shown) = place.run(dir.path(), &words.concat()) else {
            continue;
        };
        let is_accepted = shown.stdout.contains("verdicts   AC 3\n");
        assert!(is_accepted, "{what} {place:?}: {shown:?}");
        assert!(!Path::new("/dev/shm/left").exists());
        for kind in ["shm", "msg", "sem"] {
            assert_eq!(objects_left(kind, place.key), 0, "{what} {place:?}");
        }
    }
}

#[test]
fn landlock_refuses_objects_also_without_a_namespace() {
    if !kernel_has_filters() {
        return;
    }
    let dir = open_folder();
    for place in places() {
        if place.sandbox.is_none() {
            continue;
        }
        let words = "batch --no-containment --jobs 1 --seeds 0..3 --problem";
        let words: Vec<&str> = words.split(' ').collect();
        let words = [&words[..], &["hitblow 1 10", "--", "./leaver"]].concat();
        let words = [&words[..], &KINDS[OBJECTS]].concat();
        let Some(shown) = place.run(dir.path(), &words) else {
            continue;
        };
        let is_accepted = shown.stdout.contains("verdicts   AC 3\n");
        assert!(is_accepted, "{place:?}: {shown:?}");
        for kind in ["shm", "msg", "sem"] {
            assert_eq!(objects_left(kind, place.key), 0, "{place:?}");
        }
    }
}

#[test]
fn a_single_case_leaves_no_memory() {
    let Some(dir) = folder() else { return };
    for place in places() {
        for what in ["file", "segment", "unreadable"] {
            let words = [
                "--seed=1",
                "--problem",
                "hitblow 1 10",
                "--",
                "./leaver",
                what,
            ];
            let Some(shown) = place.run(dir.path(), &words) else {
                continue;
            };
            assert!(
                shown.stderr.contains("Score = 9"),
                "{what} {place:?}: {shown:?}"
            );
            assert!(!Path::new("/dev/shm/left").exists());
            assert_eq!(objects_left("shm", place.key), 0, "{what} {place:?}");
        }
    }
}

#[test]
fn memory_in_files_is_limited_in_size_and_number() {
    let Some(dir) = folder() else { return };
    let body = "cd /dev/shm; head -c 90000000 /dev/zero > large 2>/dev/null; stat -c %s large >&2; rm large
                seq 20000 | xargs touch 2>/dev/null; ls | wc -l >&2; read -r game; echo 8 2 5";
    script(dir.path(), "filler", body);
    let shown = run_in(dir.path(), &["--memory-limit=64", "./filler"], CASE);
    let lines: Vec<&str> = shown.stderr.lines().collect();
    let [size, files, "Score = 1"] = lines[..] else {
        panic!("{shown:?}");
    };
    assert_eq!(size, (64 << 20).to_string());
    assert_eq!(files, "9999");
}

#[test]
fn a_program_of_a_duel_finds_nothing_of_its_rival() {
    let Some(dir) = folder() else { return };
    // Without those whose files are seen first.
    let leaver = format!("./leaver {}", KINDS[6..].join(" "));
    let words = ["duel", "--problem", "hitblow 1 10", "--max-cases", "4"];
    let words = [&words[..], &["--jobs", "1", &leaver, "./leaver"]].concat();
    for place in places() {
        let Some(shown) = place.run(dir.path(), &words) else {
            continue;
        };
        let all = format!("{}{}", shown.stdout, shown.stderr);
        assert!(all.contains("4 accepted from both"), "{place:?}: {all}");
        assert!(!all.contains("fail"), "{place:?}: {all}");
    }
}

#[test]
fn what_is_left_would_be_found() {
    let Some(dir) = folder() else { return };
    // The program does to its shell what it does to the first process elsewhere, and then finds all of it.
    let processors = std::thread::available_parallelism().unwrap().to_string();
    let twice = format!(
        "export PROCESSORS={processors} KEY={} FIRST=$$
        ./leaver {} < /dev/null > /dev/null 2>&1; ./leaver",
        new_key(),
        KINDS.join(" ")
    );
    // In a batch, as a single case has no IPC namespace.
    let words = ["batch", "--seeds", "0..1", "--problem", "hitblow 1 10"];
    let words = [&words[..], &["--", "sh", "-c", &twice]].concat();
    let shown = run_in(dir.path(), &words, "");
    let found = fs::read_to_string(dir.path().join("out/0000.err")).unwrap();
    let has_groups = fs::read_to_string("/proc/self/autogroup").is_ok_and(|text| !text.is_empty());
    for what in KINDS {
        let is_alone = what == "affinity" && processors == "1" || what == "group" && !has_groups;
        assert!(
            found.contains(what) || is_alone,
            "{what}: {found}: {shown:?}"
        );
    }
}
