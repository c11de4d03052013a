//! Ways out of a sandbox that were found and closed, each with bubblewrap or with Landlock alone, as this user and as
//! another one.
//!
//! No test changes anything of the machine: files of the kernel are opened for writing, and nothing is written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::nobody::{NOBODY, as_nobody, tester_for_nobody};
use crate::common::{CASE, Shown, kernel_has_filters, names, script, words};
use tempfile::{TempDir, tempdir};

/// A folder with a case in `in/`, which every user can write, and `bin/` with the tools of contestants.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("in")).unwrap();
    fs::write(at("in/0000.txt"), CASE).unwrap();
    fs::create_dir(at("bin")).unwrap();
    for tool in [
        "sh", "tail", "cat", "sleep", "find", "head", "ls", "stat", "grep", "wc",
    ] {
        std::os::unix::fs::symlink(tool_path(tool), at("bin").join(tool)).unwrap();
    }
    dir
}

fn tool_path(tool: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let mut found = std::env::split_paths(&path).map(|dir| dir.join(tool));
    found.find(|file| file.exists()).expect(tool)
}

/// Who judges, and what is in front of the judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum User {
    Own,
    Nobody,
}

/// Judges with these options. `setup` runs before that, in a mount namespace of its own if it is not empty. `None`
/// where the machine has no such sandbox or user, and says so.
fn judged(
    dir: &Path,
    (user, sandbox): (User, &str),
    setup: &str,
    options: &[&str],
) -> Option<Shown> {
    let mut tester = PathBuf::from(env!("CARGO_BIN_EXE_tester"));
    let mut words: Vec<&str> = Vec::new();
    if !setup.is_empty() {
        words.extend(["unshare", "--mount"]);
        if !rustix::process::geteuid().is_root() {
            words.extend(["--user", "--map-root-user"]);
        }
    }
    let line = format!("{setup}\nexec \"$@\"");
    words.extend(["sh", "-ec", &line, "sh"]);
    if user == User::Nobody {
        give_away(dir);
        tester = tester_for_nobody(dir);
        words.extend(as_nobody().into_iter().flatten());
    }
    let path = match sandbox {
        "bubblewrap" => std::env::var_os("PATH").unwrap(),
        _ => dir.join("bin").into(),
    };
    let path = format!("PATH={}", path.to_str().unwrap());
    words.extend(["env", &path, tester.to_str().unwrap()]);
    words.extend(options);
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(dir);
    command.stdin(fs::File::open(dir.join("in/0000.txt")).unwrap());
    let output = command.output().unwrap();
    let shown = Shown::from(output);
    let begun = format!("sandbox: {sandbox}");
    let is_there = shown.stderr.starts_with(&begun);
    if !is_there {
        eprintln!("not tested with {sandbox} as {user:?}: {shown:?}");
    }
    is_there.then_some(shown)
}

/// Makes another user the owner of everything in the folder.
fn give_away(dir: &Path) {
    let give = |path: &Path| drop(chown(path, Some(NOBODY), Some(NOBODY)));
    give(dir);
    let all = fs::Permissions::from_mode(0o755);
    let _ = fs::set_permissions(dir, all);
    for entry in fs::read_dir(dir).unwrap().flatten() {
        give(&entry.path());
        for entry in fs::read_dir(entry.path()).into_iter().flatten().flatten() {
            give(&entry.path());
        }
    }
}

const SINGLE: [&str; 2] = ["--sandbox", "./contestant"];

/// What a contestant of one case writes on its standard error, for each user.
fn said(sandbox: &str, setup: &str, body: &str) -> Vec<String> {
    let users = [User::Own, User::Nobody].into_iter();
    let mut said = Vec::new();
    for user in users.filter(|user| *user == User::Own || rustix::process::geteuid().is_root()) {
        let dir = folder();
        script(
            dir.path(),
            "contestant",
            &format!("read -r game\n{body}\necho 8 2 5"),
        );
        if let Some(shown) = judged(dir.path(), (user, sandbox), setup, &SINGLE) {
            assert!(
                shown.stderr.ends_with("\nScore = 1\n"),
                "{user:?}: {shown:?}"
            );
            let lines = shown.stderr.lines().skip(1);
            let lines: Vec<&str> = lines.take_while(|line| *line != "Score = 1").collect();
            said.push(lines.join("\n"));
        }
    }
    said
}

/// Opens files for writing and says which of them it could.
fn open(files: &str) -> String {
    format!(
        "for file in {files}; do ( : >> \"$file\" ) 2>/dev/null && echo \"opened $file\" >&2; done"
    )
}

#[test]
fn under_bubblewrap_nothing_of_the_kernel_can_be_written() {
    let files = "/proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/irq/default_smp_affinity \
                 /sys/kernel/mm/transparent_hugepage/enabled /dev/null";
    let walk = "find /proc/sys /proc/irq /proc/bus /proc/fs /proc/pressure -type f -writable 2>/dev/null | head -n 3 >&2";
    for said in said("bubblewrap", "", &format!("{}\n{walk}", open(files))) {
        assert_eq!(said, "opened /dev/null");
    }
}

#[test]
fn under_bubblewrap_keys_and_memory_of_the_machine_cannot_be_read() {
    let body = "for file in /proc/keys /proc/kcore /proc/timer_list /proc/kmsg; do \
                head -c 1 $file 2>/dev/null | grep -q . && echo \"read $file\" >&2; done; \
                head -c 1 /proc/version | grep -q L && echo control >&2";
    for said in said("bubblewrap", "", body) {
        assert_eq!(said, "control");
    }
}

#[test]
fn under_bubblewrap_the_memory_of_files_is_bounded() {
    let body = "( : > /dev/file ) 2>/dev/null && echo 'a file in /dev' >&2
        head -c 1000000 /dev/zero > /dev/shm/small && echo 'a small file in /dev/shm' >&2
        head -c 90000000 /dev/zero 2>/dev/null > /dev/shm/large || echo 'no large file in /dev/shm' >&2";
    for said in said("bubblewrap", "", body) {
        assert_eq!(said, "a small file in /dev/shm\nno large file in /dev/shm");
    }
}

#[test]
fn under_bubblewrap_a_program_cannot_make_namespaces() {
    let help = Command::new("bwrap").arg("--help").output();
    if !help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains("--disable-userns")) {
        eprintln!("not tested: bubblewrap is missing or older than 0.8");
        return;
    }
    let body = "unshare --user true 2>/dev/null && echo made >&2; unshare --version >/dev/null && echo control >&2";
    for said in said("bubblewrap", "", body) {
        assert_eq!(said, "control");
    }
}

#[test]
fn under_bubblewrap_a_program_cannot_trace_bubblewrap() {
    // It can trace its own children, as a debugger does.
    let body = format!(
        "sleep 9 </dev/null & {}; ( : < /proc/1/fd/0 ) 2>/dev/null && echo its descriptor >&2; ( : < /proc/$!/fd/0 ) && echo child >&2; \
         kill -9 1 2>/dev/null && echo killed >&2; kill $!",
        open("/proc/1/mem /proc/$!/mem").replace("opened $file", "opened ${file##*/}")
    );
    for said in said("bubblewrap", "", &body) {
        assert_eq!(said, "opened mem\nchild", "one memory is that of the child");
    }
}

#[test]
fn under_landlock_no_file_in_dev_can_be_written_except_plain_devices() {
    let shared = Path::new("/dev/shm");
    if !shared.is_dir() {
        eprintln!("not tested: there is no /dev/shm");
        return;
    }
    let file = tempfile::NamedTempFile::new_in(shared).unwrap();
    fs::set_permissions(file.path(), fs::Permissions::from_mode(0o666)).unwrap();
    let path = file.path().display();
    let body = format!(
        "{}\nhead -c 1 /dev/urandom >/dev/null && echo random >&2\ncat /dev/null && ls /dev >/dev/null && echo read >&2",
        open(&format!(
            "{path} /dev/shm/new /dev/ptmx /dev/tty /dev/null /dev/zero /dev/full"
        ))
    );
    for said in said("Landlock", "", &body) {
        let expected = "opened /dev/null\nopened /dev/zero\nopened /dev/full\nrandom\nread";
        assert_eq!(said, expected);
    }
}

#[test]
fn under_landlock_disks_cannot_be_read() {
    let body = "for disk in $(find /dev -type b); do head -c 1 $disk >/dev/null 2>&1 && echo $disk >&2; done";
    for said in said("Landlock", "", body) {
        assert_eq!(said, "");
    }
}

#[test]
fn under_landlock_nothing_can_be_mounted() {
    let [unshare, mount] = ["unshare", "mount"].map(|tool| tool_path(tool).display().to_string());
    let body = format!(
        "for more in '' --map-root-user --map-current-user; do
            {unshare} --user --mount $more {mount} -t tmpfs none /tmp 2>/dev/null && echo mounted >&2
        done; {unshare} --user sh -c : 2>/dev/null && echo namespace >&2"
    );
    for said in said("Landlock", "", &body) {
        // Some machines have no namespaces for users, and containment allows another user than root none.
        assert!(["", "namespace"].contains(&said.as_str()), "{said}");
    }
}

#[test]
fn under_landlock_no_note_can_be_left_with_a_file() {
    if !kernel_has_filters() {
        return;
    }
    let [touch, chmod] = ["touch", "chmod"].map(|tool| tool_path(tool).display().to_string());
    let body = format!("{touch} -m \"$0\" 2>/dev/null && echo time >&2; {chmod} 700 \"$0\"");
    for said in said("Landlock", "", &body) {
        assert!(said.ends_with("Operation not permitted"), "{said}");
    }
}

#[test]
fn cases_that_are_mounted_elsewhere_are_hidden_there_too() {
    let mounts = [
        ("mkdir m; mount --bind in m", "m/0000.txt"),
        ("mkdir m; mount --bind . m", "m/in/0000.txt"),
        (
            "mkdir m; mount --bind in m; mkdir m2; mount --bind m m2",
            "m2/0000.txt",
        ),
        ("touch m; mount --bind in/0000.txt m", "m"),
        // The cases are in `real`; `in` is where they are mounted.
        (
            "mkdir real; cp in/0000.txt real; mount --bind real in",
            "real/0000.txt",
        ),
        (
            "mkdir real; mkdir in/x; cp in/0000.txt real; mount --bind real in/x",
            "real/0000.txt",
        ),
    ];
    for sandbox in ["bubblewrap", "Landlock"] {
        for (setup, file) in mounts {
            let dir = folder();
            let body = format!("read -r game; cat in/0000.txt; tail -n 1 {file} || echo 1 2 3");
            script(dir.path(), "contestant", &body);
            let options = ["batch", "--sandbox", "--json", "--", "./contestant"];
            let Some(shown) = judged(dir.path(), (User::Own, sandbox), setup, &options) else {
                continue;
            };
            assert!(
                shown.stdout.contains(r#""verdict":"WA""#),
                "{sandbox}, {setup}: {shown:?}"
            );
        }
    }
}

/// Twenty cases whose secrets are their numbers, and programs that look for their number in the outputs.
fn numbered() -> TempDir {
    let dir = folder();
    for number in 0..20 {
        let case = format!("hitblow 1 20\n{number}\n");
        fs::write(dir.path().join(format!("in/{number:04}.txt")), case).unwrap();
    }
    let numbers: Vec<String> = (0..20).map(|number| format!("{number:04}")).collect();
    let numbers = numbers.join(" ");
    // The number of outputs is the number of cases that are done.
    let counts = format!(
        "read -r game; guess=0
        for name in {numbers}; do for folder in out out/runs/1 out/duel-a out/duel-b; do
            [ -e $folder/$name.txt ] && guess=$((guess + 1)) && break
        done; done; echo $guess"
    );
    // It writes so much that its output is no longer held back, and looks which file has just grown.
    let newest = format!(
        "read -r game; head -c 100000 /dev/zero >&2; guess=00 newest=
        for name in {numbers}; do for folder in out out/runs/1 out/duel-a out/duel-b; do
            file=$folder/$name.err; [ -s $file ] || continue
            if [ -z \"$newest\" ] || [ $file -nt $newest ]; then newest=$file guess=${{name#00}}; fi
        done; done; echo ${{guess#0}}"
    );
    for (name, body) in [("counts", counts), ("newest", newest)] {
        script(dir.path(), name, &body);
    }
    dir
}

/// How many cases were solved, and each was judged once.
fn solved(shown: &Shown) -> usize {
    let lines: Vec<&str> = shown
        .stdout
        .lines()
        .filter(|line| line.starts_with('{'))
        .collect();
    assert_eq!(lines.len(), 20, "{shown:?}");
    let is_solved = |line: &&&str| line.contains(r#""verdict":"AC""#);
    lines.iter().filter(is_solved).count()
}

#[test]
fn under_landlock_outputs_do_not_tell_the_number_of_the_case() {
    for program in ["./counts", "./newest"] {
        let dir = numbered();
        let run = |options: &[&str]| {
            let options = [&["batch"], options, &["--", program]].concat();
            judged(dir.path(), (User::Own, "Landlock"), "", &options)
        };
        let Some(shown) = run(&["--sandbox", "--json", "--jobs", "1"]) else {
            return;
        };
        // It says 0 where it finds nothing.
        assert_eq!(solved(&shown), 1, "{program}: {shown:?}");
        // Afterwards everything is where it always is.
        assert_eq!(names(&dir.path().join("out/runs")), ["1"]);
        for folder in ["out", "out/runs/1"] {
            for case in 0..20 {
                let file = dir.path().join(format!("{folder}/{case:04}.txt"));
                assert_eq!(fs::read_to_string(file).unwrap(), "0\n");
            }
        }
        let kinds = if program == "./newest" { 2 } else { 1 };
        let history = 2; // and the folder of runs
        assert_eq!(names(&dir.path().join("out")).len(), kinds * 20 + history);
    }
}

#[test]
fn under_landlock_the_outputs_of_a_shard_do_not_tell_either() {
    for (program, kinds) in [("./counts", 1), ("./newest", 2)] {
        let dir = numbered();
        let options = "batch --sandbox --jobs 1 --shard 1/1 --to shard --";
        let options: Vec<&str> = options.split(' ').chain([program]).collect();
        let Some(shown) = judged(dir.path(), (User::Own, "Landlock"), "", &options) else {
            return;
        };
        assert!(
            shown.stderr.contains("20 cases, 1 of them AC"),
            "{program}: {shown:?}"
        );
        let out = names(&dir.path().join("out"));
        assert_eq!(out.len(), kinds * 20, "{out:?}");
    }
}

#[test]
fn under_landlock_a_run_that_is_continued_does_not_tell_either() {
    let dir = numbered();
    let run = |options: &[&str]| {
        let options = [&["batch", "--json"], options].concat();
        judged(dir.path(), (User::Own, "Landlock"), "", &options)
    };
    let first = ["--sandbox", "--jobs", "1", "--fail-fast", "--", "./counts"];
    let Some(shown) = run(&first) else { return };
    assert!(
        shown.stderr.contains("cases are judged and kept"),
        "{shown:?}"
    );
    assert_eq!(names(&dir.path().join("out/runs")), ["1"]);
    // What the first part has left is a number of files, and not the case's.
    let done = names(&dir.path().join("out/runs/1")).len();
    assert!((1..=2).contains(&done), "{done}");
    let shown = run(&["--resume"]).unwrap();
    assert!(solved(&shown) <= 2, "{shown:?}");
    assert_eq!(names(&dir.path().join("out/runs/1")).len(), 20);
}

#[test]
fn under_landlock_the_outputs_of_a_duel_do_not_tell_either() {
    let dir = numbered();
    let options = words("duel --sandbox --jobs 1 --problem 'hitblow 1 20' --max-cases 20");
    let options = [&options[..], &["./counts", "./newest"]].concat();
    let Some(shown) = judged(dir.path(), (User::Own, "Landlock"), "", &options) else {
        return;
    };
    assert_eq!(names(&dir.path().join("out/runs")), ["1", "2"], "{shown:?}");
    for folder in ["out/duel-a", "out/duel-b", "out/runs/1", "out/runs/2"] {
        let said = fs::read_to_string(dir.path().join(folder).join("0001.txt"));
        assert_eq!(said.unwrap(), "0\n", "{folder}");
    }
}

#[test]
fn reading_a_case_leaves_no_trace() {
    let dir = numbered();
    let path = dir.path().join("in/0007.txt");
    // Most file systems note a reading only if it is the first since the file was written.
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let times = fs::FileTimes::new().set_accessed(long_ago);
    fs::File::options()
        .append(true)
        .open(&path)
        .unwrap()
        .set_times(times)
        .unwrap();
    let options = words("batch --cases in/0007.txt --json -- ./counts");
    let shown = crate::common::run_in(dir.path(), &options, "");
    assert!(shown.stdout.contains("verdict"), "{shown:?}");
    assert_eq!(fs::metadata(&path).unwrap().accessed().unwrap(), long_ago);
}
