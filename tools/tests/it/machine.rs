//! A machine that fails us: never a wrong verdict, nothing finished is lost, no half file is left.
//!
//! What the kernel refuses is decided by a filter on system calls that the judge is started under, so that
//! a full disk or a machine out of memory can be had anywhere, without privilege.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{counter, kernel_has_filters, names, run_in, script};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};
use tempfile::{TempDir, tempdir};

const TESTER: &str = env!("CARGO_BIN_EXE_tester");
const CASES: usize = 30;
pub const BATCH: [&str; 9] = [
    "batch",
    "--seeds",
    "0..30",
    "--problem",
    "hitblow 1 10",
    "--jobs",
    "4",
    "--",
    "./c",
];

fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    dir
}

/// A system call that fails; `with`: only if these bits of an argument are set.
pub struct Refused {
    pub call: i64,
    pub with: Option<(u8, u64)>,
    pub error: i32,
}

impl Refused {
    pub fn always(call: i64, error: i32) -> Self {
        Self {
            call,
            with: None,
            error,
        }
    }

    fn filter(&self) -> BpfProgram {
        let rules = self.with.map(|(argument, bits)| {
            let set = SeccompCmpOp::MaskedEq(bits);
            let condition =
                SeccompCondition::new(argument, SeccompCmpArgLen::Qword, set, bits).unwrap();
            SeccompRule::new(vec![condition]).unwrap()
        });
        let filter = SeccompFilter::new(
            [(self.call, rules.into_iter().collect())].into(),
            SeccompAction::Allow,
            SeccompAction::Errno(self.error as u32),
            std::env::consts::ARCH.try_into().unwrap(),
        );
        filter.unwrap().try_into().unwrap()
    }

    /// The judge on a machine that refuses this.
    pub fn command(&self, tester: &Path, dir: &Path, args: &[&str]) -> Command {
        let filter = self.filter();
        let mut command = Command::new(tester);
        command.args(args).current_dir(dir);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        // SAFETY: between fork and exec it makes two system calls, and nothing else.
        unsafe {
            command.pre_exec(move || apply_filter(&filter).map_err(std::io::Error::other));
        }
        command
    }

    /// Runs it.
    pub fn run(&self, dir: &Path, args: &[&str], input: &str) -> Output {
        let mut child = self.command(Path::new(TESTER), dir, args).spawn().unwrap();
        use std::io::Write;
        // It may not even look at its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }
}

/// What was said on both streams.
pub fn said(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Verdicts of the last run that only a contestant could have earned, though none has.
fn wrong_verdicts(dir: &Path) -> Vec<String> {
    let lines = run_in(dir, &["show", "--csv"], "").stdout;
    let wrong = |line: &&str| !line.contains(",AC,") && !line.contains(",IE,");
    let lines = lines.lines().skip(1);
    lines.filter(wrong).map(str::to_owned).collect()
}

/// The batch is gone on with, now that the machine works, to the table of an undisturbed one.
fn is_mended(dir: &Path) {
    assert_eq!(wrong_verdicts(dir), [""; 0]);
    let resumed = run_in(dir, &["batch", "--resume"], "");
    assert_eq!(resumed.status, 0, "{resumed:?}");
    assert!(resumed.stdout.contains("verdicts   AC 30\n"), "{resumed:?}");
    // Outputs, the history, and the folders of runs.
    assert_eq!(names(&dir.join("out")).len(), CASES + 2);
}

/// Cases that could not be judged are IE, and judged when the machine can.
fn is_our_fault(refused: &Refused, expected: &str) {
    let dir = folder();
    let output = refused.run(dir.path(), &BATCH, "");
    let told = said(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(expected), "{told}");
    is_mended(dir.path());
    let output = refused.run(dir.path(), &["./c"], "hitblow 1 10\n3\n");
    let told = said(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(expected), "{told}");
    assert!(!told.contains("RE: ") && !told.contains("WA: "), "{told}");
}

#[test]
fn without_memory_for_a_process_it_is_the_machines_fault() {
    if !kernel_has_filters() {
        return;
    }
    let vfork = (0, (libc::CLONE_VM | libc::CLONE_VFORK) as u64);
    let refused = Refused {
        call: libc::SYS_clone,
        with: Some(vfork),
        error: libc::ENOMEM,
    };
    is_our_fault(&refused, "Cannot allocate memory");
}

#[test]
fn without_pipes_it_is_the_machines_fault() {
    if !kernel_has_filters() {
        return;
    }
    let dir = folder();
    let refused = Refused::always(libc::SYS_pipe2, libc::EMFILE);
    let output = refused.run(dir.path(), &["./c"], "hitblow 1 10\n3\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("Too many open files"),
        "{}",
        said(&output)
    );
    let output = refused.run(dir.path(), &BATCH, "");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("Too many open files"),
        "{}",
        said(&output)
    );
}

#[test]
fn without_descriptors_the_batch_ends_with_a_message_and_is_gone_on_with() {
    let dir = folder();
    // Enough to open the history, not enough for four contestants; the judge may not raise it.
    let limited = format!("ulimit -n 24; exec {TESTER} \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited, "sh"])
        .args(BATCH)
        .current_dir(dir.path())
        .output()
        .unwrap();
    let told = said(&output);
    assert!(told.contains("Too many open files"), "{told}");
    assert_ne!(output.status.code(), Some(0));
    is_mended(dir.path());
}

#[test]
fn a_folder_that_cannot_be_written_is_said_before_anything_runs() {
    if !kernel_has_filters() {
        return;
    }
    for (error, expected) in [
        (libc::EROFS, "Read-only file system"),
        (libc::ENOSPC, "No space left on device"),
    ] {
        let dir = folder();
        counter(dir.path(), "c", "echo ran > ran");
        let refused = Refused {
            call: libc::SYS_openat,
            with: Some((2, libc::O_CREAT as u64)),
            error,
        };
        let output = refused.run(dir.path(), &BATCH, "");
        let told = said(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(expected) && told.contains("out"), "{told}");
        assert!(!dir.path().join("ran").exists());
        let output = run_in(dir.path(), &BATCH, "");
        assert_eq!(output.status, 0, "{output:?}");
    }
}

#[test]
fn a_file_system_without_locks_does_as_well() {
    if !kernel_has_filters() {
        return;
    }
    let dir = folder();
    for error in [libc::EINVAL, libc::ENOSYS] {
        let refused = Refused::always(libc::SYS_flock, error);
        // The owner of a run is then known by its process alone.
        let refused_owner = Refused {
            call: libc::SYS_fcntl,
            with: Some((1, libc::F_OFD_SETLK as u64)),
            error,
        };
        let output = refused_owner.run(dir.path(), &BATCH, "");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let history = run_in(dir.path(), &["history"], "").stdout;
        assert!(!history.contains("running"), "{history}");
        // The second batch replaces the outputs of the first.
        for _ in 0..2 {
            let output = refused.run(dir.path(), &BATCH, "");
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        }
        assert_eq!(names(&dir.path().join("out")).len(), CASES + 2);
    }
}

/// Runs a script as root of a name space of its own, in which it may mount; says so where it may not.
pub(crate) fn with_mounts(dir: &Path, body: &str) -> Option<Output> {
    let script = script(dir, "steps", &format!("set -e; {body}"));
    let unshare = |script: &Path| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount"]);
        command.arg(script).current_dir(dir).output()
    };
    let may = unshare(Path::new("true")).is_ok_and(|output| output.status.success());
    if !may {
        eprintln!("not tested, for nothing can be mounted here");
        return None;
    }
    Some(unshare(&script).unwrap())
}

#[test]
fn missing_proc_is_told_before_anything_is_judged() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "touch started");
    let batch = BATCH.join(" ").replace("hitblow 1 10", "'hitblow 1 10'");
    let commands = [
        "--seed 1 ./c".to_owned(),
        batch.clone(),
        batch.replace("batch", "batch --shard 1/2 --to s.jsonl"),
        "duel --seeds 0..5 --problem 'hitblow 1 10' ./c ./c".to_owned(),
    ];
    let elsewhere = "unshare --pid --fork";
    for (before, wrapper, found) in [
        (
            "mount -t tmpfs none /proc",
            "",
            "no /proc/self (No such file or directory (os error 2))",
        ),
        ("true", elsewhere, "that of another PID namespace (process "),
    ] {
        for command in &commands {
            let steps = format!("{before}; {wrapper} {TESTER} {command} < /dev/null");
            let Some(output) = with_mounts(dir.path(), &steps) else {
                return;
            };
            let said = said(&output);
            assert_eq!(output.status.code(), Some(2), "{command}: {said}");
            let expected = format!(
                "tester: failed to start ./c: expected /proc, from which memory, processes and processor time are read, \
                 found {found}"
            );
            assert!(said.contains(&expected), "{command}: {said}");
            assert!(said.contains("hint: mount it"), "{command}: {said}");
            assert!(!dir.path().join("started").exists());
        }
    }
}

#[test]
fn a_full_disk_costs_no_finished_case_and_leaves_no_half_file() {
    let dir = tempdir().unwrap();
    // Each output has 150 KB: seven of them fill the disk. A record is written up to 10 ms after its case; so that the disk
    // is not full before the first one, cases take longer.
    let long = "sleep 0.1; head -c 149000 /dev/zero | tr '\\000' '#'; echo";
    counter(dir.path(), "c", long);
    let batch = BATCH.join(" ").replace("hitblow 1 10", "'hitblow 1 10'");
    let steps = format!(
        "mkdir out; mount -t tmpfs -o size=1m none out
         {TESTER} {batch} > full 2>&1 && exit 9
         ls -A out > names
         for f in out/0*.txt; do [ $(wc -c < $f) -gt 149000 ] || exit 8; done
         mount -o remount,size=100m none out
         {TESTER} show --csv > kept
         {TESTER} batch --resume > resumed
         for f in out/0*.txt; do [ $(wc -c < $f) -gt 149000 ] || exit 7; done
         mount -o remount,ro none out
         {TESTER} {batch} > readonly 2>&1 && exit 6
         {TESTER} show --csv > shown"
    );
    let Some(output) = with_mounts(dir.path(), &steps) else {
        return;
    };
    let told = said(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    let full = read("full");
    assert!(
        full.contains("No space left on device") || full.contains("disk is full"),
        "{full}"
    );
    assert!(
        full.contains(" are judged and kept\nhint: ")
            && full.contains("and try again\nhint: to continue: "),
        "{full}"
    );
    assert!(!read("names").contains(".tester-"), "{}", read("names"));
    let kept = read("kept").lines().count() - 1;
    assert!((1..CASES).contains(&kept), "{kept}: {full}");
    assert!(
        read("resumed").contains("verdicts   AC 30\n"),
        "{}",
        read("resumed")
    );
    let readonly = read("readonly");
    assert!(readonly.contains("ead-only"), "{readonly}");
    assert_eq!(
        read("shown").lines().count(),
        CASES + 1,
        "it can still be read"
    );
}

/// A clock that every reader finds a day earlier or later than the one before.
const JUMPING_CLOCK: &str = r#"
use std::sync::atomic::{AtomicI64, Ordering};
#[repr(C)] pub struct Time { seconds: i64, nanoseconds: i64 }
unsafe extern "C" { fn syscall(number: i64, ...) -> i64; }
static READS: AtomicI64 = AtomicI64::new(0);
#[unsafe(no_mangle)] pub extern "C" fn clock_gettime(clock: i32, time: *mut Time) -> i32 {
    let status = unsafe { syscall(NUMBER, clock, time) };
    if clock == 0 && status == 0 {
        let sign = if READS.fetch_add(1, Ordering::Relaxed) % 2 == 0 { 1 } else { -1 };
        unsafe { (*time).seconds += sign * 86_400 };
    }
    status as i32
}
"#;

#[test]
fn a_clock_that_jumps_changes_no_record() {
    if !cfg!(debug_assertions) {
        return eprintln!("not tested: the optimised tester asks no library for the time");
    }
    let dir = folder();
    let library = dir.path().join("clock.so");
    let source = JUMPING_CLOCK.replace("NUMBER", &libc::SYS_clock_gettime.to_string());
    fs::write(dir.path().join("clock.rs"), source).unwrap();
    let made = crate::expected::rustc()
        .args(["--crate-type=cdylib", "-Cpanic=abort", "-o"])
        .arg(&library)
        .arg(dir.path().join("clock.rs"))
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", said(&made));
    let jumping = |args: &[&str]| {
        let mut command = Command::new(TESTER);
        command.args(args).current_dir(dir.path());
        // A relative path: the loader cuts a list of paths at each blank.
        command.env("LD_PRELOAD", "./clock.so").output().unwrap()
    };
    let judged = |output: Output| {
        let text = said(&output);
        assert_eq!(output.status.code(), Some(0), "{text}");
        let parts = |line: &str| line.split(',').take(4).collect::<Vec<_>>().join(",");
        text.lines()
            .filter(|l| l.ends_with(','))
            .map(parts)
            .collect::<Vec<_>>()
    };
    let csv = [&BATCH[..7], &["--csv"], &BATCH[7..]].concat();
    let expected = judged(
        Command::new(TESTER)
            .args(&csv)
            .current_dir(dir.path())
            .output()
            .unwrap(),
    );
    assert_eq!(expected.len(), CASES);
    for _ in 0..3 {
        assert_eq!(judged(jumping(&csv)), expected);
    }
    // It does jump: the newest run is not the one with the latest date.
    let history = said(&jumping(&["history"]));
    let mut dates: Vec<&str> = history
        .lines()
        .skip(1)
        .map(|line| {
            line.trim()
                .split_once(' ')
                .unwrap()
                .1
                .trim()
                .get(..10)
                .unwrap()
        })
        .collect();
    assert_eq!(dates.len(), 4, "{history}");
    dates.sort();
    dates.dedup();
    assert!(dates.len() > 1, "{history}");
    let compared = said(&jumping(&["compare", "1", "4"]));
    assert!(
        compared.contains("30 in both, 30 accepted in both"),
        "{compared}"
    );
    let slow = script(dir.path(), "slow", "read -r game; sleep 62.5");
    let output = jumping(&["--time-limit", "0.3", "--seed", "1", slow.to_str().unwrap()]);
    assert!(
        said(&output).contains("TLE: turn 1: 0.3"),
        "{}",
        said(&output)
    );
}
