//! What only a cgroup can do: memory in files, in sockets, and processor time that was never waited for.
//!
//! Each test needs a cgroup that is delegated to this user, as `tester doctor` says, and perl. Without, it says so and
//! tests nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::{Shown, names, run_in, script, tester};
use crate::doctor::is_ok;
use tempfile::{TempDir, tempdir};

/// A folder with a contestant in perl for `hitblow 1 K`, which runs `before` and then plays.
fn folder(before: &str) -> Option<TempDir> {
    let has_perl = Path::new("/usr/bin/perl").exists();
    if !has_perl || !is_ok("cgroup") {
        eprintln!("not tested, because there is no delegated cgroup here, or no perl");
        return None;
    }
    let dir = tempdir().unwrap();
    let play =
        "$| = 1; <STDIN>; for my $g (0 .. 99) { print \"$g\\n\"; exit if <STDIN> =~ /^1 /; }";
    fs::write(dir.path().join("c.pl"), format!("{before}\n{play}\n")).unwrap();
    script(dir.path(), "c", "exec perl c.pl");
    Some(dir)
}

const BATCH: [&str; 11] = [
    "batch",
    "--seeds",
    "0..3",
    "--problem",
    "hitblow 1 10",
    "--jobs",
    "2",
    "--memory-limit",
    "48",
    "--time-limit",
    "20",
];

fn batch(dir: &TempDir) -> Shown {
    let shown = run_in(dir.path(), &[&BATCH[..], &["--", "./c"]].concat(), "");
    // 1 unless all are accepted.
    assert!(shown.status < 2, "{shown:?}");
    shown
}

/// A column of the last run, a number for each case.
fn column(dir: &TempDir, name: &str) -> Vec<f64> {
    let csv = run_in(dir.path(), &["show", "--csv"], "").stdout;
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = head.iter().position(|column| *column == name).expect(name);
    lines.map(|line| line[at].parse().unwrap()).collect()
}

/// The cgroups of a judge.
fn cgroups(judge: u32) -> Vec<PathBuf> {
    let prefix = format!("tester-{judge}-");
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if entry.file_name().to_string_lossy().starts_with(&prefix) {
                    found.push(entry.path());
                }
                folders.push(entry.path());
            }
        }
    }
    found
}

/// 319 is `memfd_create`, and 72 MiB are written to the file.
#[cfg(target_arch = "x86_64")]
const MEMFD: &str = "my $name = 'x'; my $fd = syscall(319, $name, 0); open(my $f, '>&=', $fd) or die; \
                     my $b = 'a' x (1 << 20); syswrite($f, $b) for 1 .. 72;";

#[test]
#[cfg(target_arch = "x86_64")]
fn files_in_memory_count() {
    let Some(dir) = folder(&format!("{MEMFD} sleep 1;")) else {
        return;
    };
    let shown = batch(&dir);
    assert!(shown.stdout.contains("verdicts   MLE 3\n"), "{shown:?}");
}

#[test]
fn the_kernel_refuses_memory_in_sockets_and_the_verdict_is_mle() {
    // Up to 200 KiB stay in each.
    let Some(dir) = folder(
        "use Socket; use Fcntl; my @all; my $b = 'a' x 4096; \
         for (1 .. 480) { socketpair(my $a, my $c, AF_UNIX, SOCK_STREAM, 0) or last; \
         fcntl($a, F_SETFL, O_NONBLOCK); 1 while syswrite($a, $b); push @all, $a, $c; }",
    ) else {
        return;
    };
    let shown = batch(&dir);
    assert!(shown.stdout.contains("verdicts   MLE 3\n"), "{shown:?}");
    let reason =
        "the kernel killed the program when it wanted more than 67 MiB of memory (limit 48 MiB)";
    assert!(shown.stdout.contains(reason), "{shown:?}");
    assert_eq!(column(&dir, "memory_kib"), [f64::from(67 << 10); 3]);
}

#[test]
fn processor_time_counts_although_nothing_waits_for_it() {
    let Some(dir) = folder(
        "$SIG{CHLD} = 'IGNORE'; for (1 .. 25) { next if fork(); \
         1 while (times())[0] < 0.02; exit; } sleep 1;",
    ) else {
        return;
    };
    let shown = batch(&dir);
    assert!(shown.stdout.contains("verdicts   AC 3\n"), "{shown:?}");
    let cpu = column(&dir, "cpu_ms");
    assert!(cpu.iter().all(|ms| *ms >= 25.0 * 20.0 * 0.9), "{cpu:?}");
}

#[test]
fn a_program_in_a_namespace_cannot_raise_its_limits_or_leave_its_cgroup() {
    if !is_ok("namespace") {
        eprintln!("not tested, because there is no namespace here");
        return;
    }
    let Some(dir) = folder(
        "my ($own) = map { /^0::(.*)/ } `cat /proc/self/cgroup`; my $all = '/sys/fs/cgroup'; \
         for my $file ('pids.max', 'memory.max', 'cgroup.procs', '../cgroup.procs') { \
         die \"no $file\" unless -e \"$all$own/$file\"; \
         print STDERR open(my $f, '>', \"$all$own/$file\") ? 'opened ' : 'refused '; }",
    ) else {
        return;
    };
    let shown = batch(&dir);
    assert!(shown.stdout.contains("verdicts   AC 3\n"), "{shown:?}");
    let said = fs::read_to_string(dir.path().join("out/0000.err")).unwrap();
    assert_eq!(said, "refused refused refused refused ");
}

#[test]
fn no_cgroup_is_left_by_a_batch_or_by_a_judge_that_was_killed() {
    let Some(dir) = folder("open(my $f, '>', \"began-$$\"); close $f; sleep 1000;") else {
        return;
    };
    let mut judge = std::process::Command::new(tester(&[]).get_program())
        .args([&BATCH[..], &["--jobs", "1", "--", "./c"]].concat())
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !names(dir.path())
        .iter()
        .any(|name| name.starts_with("began"))
    {
        std::thread::yield_now();
    }
    assert!(!cgroups(judge.id()).is_empty());
    judge.kill().unwrap();
    judge.wait().unwrap();
    let left = cgroups(judge.id());
    assert!(!left.is_empty());
    // Nothing runs in them any more, and the next judge removes them.
    fs::write(dir.path().join("c.pl"), "exit 1").unwrap();
    batch(&dir);
    assert_eq!(cgroups(judge.id()), [""; 0].map(PathBuf::from));
    for cgroup in left {
        assert!(!cgroup.exists(), "{}", cgroup.display());
    }
}

#[test]
fn no_cgroup_is_left_by_a_command_that_fails() {
    let Some(dir) = folder("") else {
        return;
    };
    // A sandbox would hide the program from itself.
    fs::create_dir(dir.path().join("out")).unwrap();
    script(&dir.path().join("out"), "c", "exit 1");
    let mut judge = std::process::Command::new(tester(&[]).get_program())
        .args([&BATCH[..], &["--sandbox", "--", "out/c"]].concat())
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(judge.wait().unwrap().code(), Some(2));
    assert_eq!(cgroups(judge.id()), [""; 0].map(PathBuf::from));
}
