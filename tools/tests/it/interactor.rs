//! An interactor as the judge, with us between it and the contestant: one case, a batch, a duel, `tester.toml`.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use crate::common::{Shown, paste, run_in, script, write_cases};
use crate::external::{SEARCH, here, path, records};

/// Tells whether a guess is too low or too high, of a secret below the limit in the case: `LIMIT SECRET`. It allows as
/// many guesses as its second argument says.
pub(crate) const INTERACTOR: &str = r#"
read limit secret < "$1"; echo $limit; turn=0
while read guess; do
    turn=$((turn + 1))
    [ "$guess" = $secret ] && { echo found; echo "Score = $turn" >&2; exit 0; }
    [ $turn = ${2:-20} ] && { echo "no guess is left" >&2; exit 1; }
    [ "$guess" -lt $secret ] && echo higher || echo lower
done
echo "expected a guess, found the end" >&2; exit 1"#;

/// A folder with three cases, the interactor and the search.
fn folder() -> (tempfile::TempDir, String, String) {
    let dir = tempfile::tempdir().unwrap();
    write_cases(
        dir.path(),
        [50, 25, 99].map(|secret| format!("100 {secret}\n")),
    );
    let interactor = here(script(dir.path(), "interactor", INTERACTOR));
    let search = path(script(dir.path(), "search", SEARCH));
    (dir, format!("{interactor} {{case}}"), search)
}

fn single(dir: &Path, options: &[&str], program: &[&str]) -> Shown {
    let case = File::open(dir.join("in/0001.txt")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(options)
        .args(program)
        .current_dir(dir)
        .stdin(case)
        .output()
        .unwrap();
    Shown::from(output)
}

#[test]
fn one_case_is_carried_with_a_transcript_of_both_sides() {
    let (dir, line, search) = folder();
    let options = ["--interactor", &line, "--transcript", "t"];
    let shown = single(dir.path(), &options, &[&search]);
    assert_eq!(
        (shown.status, &*shown.stderr),
        (0, "Score = 6\n"),
        "{shown:?}"
    );
    assert_eq!(shown.stdout, "50\n24\n37\n30\n27\n25\n");
    let transcript = std::fs::read_to_string(dir.path().join("t")).unwrap();
    let said: Vec<&str> = transcript
        .lines()
        .map(|line| line.split_once("] ").unwrap().1)
        .collect();
    assert_eq!(said[..4], ["> 100", "< 50", "> lower", "< 24"]);
    assert_eq!(said[said.len() - 2..], ["> found", "= AC, score 6"]);
    // A case that is no file has no path.
    let shown = run_in(dir.path(), &["--interactor", &line, &search], "100 25\n");
    assert_eq!(shown.status, 2);
    assert!(
        shown.stderr.contains("standard input is not a case file"),
        "{shown:?}"
    );
}

#[test]
fn a_batch_keeps_outputs_and_transcripts_and_says_how_to_judge_one_case_again() {
    let (dir, line, search) = folder();
    let options = [
        "batch",
        "--interactor",
        &line,
        "--transcripts",
        "--json",
        "--",
        &search,
    ];
    let shown = run_in(dir.path(), &options, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    // By hand: 50; 50 24 37 30 27 25; 50 75 88 94 97 99.
    let scores: Vec<_> = records(&shown).into_iter().map(|record| record.1).collect();
    assert_eq!(scores, [1, 6, 6].map(Some));
    let read = |file: &str| std::fs::read_to_string(dir.path().join(file)).unwrap();
    assert_eq!(read("out/0002.txt"), "50\n75\n88\n94\n97\n99\n");
    assert!(read("out/runs/1/0002.transcript").contains("< 99\n"));
    // What the interactor says on stderr is kept, too.
    assert_eq!(read("out/runs/1/0002.log"), "Score = 6\n");
    // With too few guesses, two are refused, in the interactor's words.
    let few = format!("{line} 3");
    let shown = run_in(
        dir.path(),
        &["batch", "--interactor", &few, "--json", "--", &search],
        "",
    );
    assert_eq!(shown.status, 1);
    let reasons: Vec<_> = records(&shown).into_iter().map(|record| record.2).collect();
    let refused = "refused by the interactor: no guess is left; the interactor ended first";
    assert_eq!(reasons, ["", refused, refused]);
    let shown = run_in(dir.path(), &["show"], "").stdout;
    let failed = shown.split(refused).nth(1).unwrap_or(&shown);
    let command = failed
        .lines()
        .find_map(|line| Some(&line[line.find("tester --interactor")?..]));
    let again = paste(dir.path(), command.expect("a command to be pasted"));
    let stderr = String::from_utf8_lossy(&again.stderr);
    assert!(stderr.contains(refused), "{stderr}");
}

#[test]
fn command_of_a_case_has_what_decides_its_verdict() {
    let (dir, _, search) = folder();
    let body = "read limit secret < $1; echo $limit; read guess; echo points: 0.0 >&2";
    let line = format!("{} {{case}}", here(script(dir.path(), "zero", body)));
    let score = r"(?m)^points: (?P<score>\S+)$";
    let judge = ["--interactor", &line, "--contract", "atcoder"];
    let scores = [
        "--zero-counts",
        "--score-stream",
        "stderr",
        "--score-regex",
        score,
    ];
    let options = [&judge[..], &scores, &["--turn-limit", "9"]].concat();
    let words = [
        &["batch", "--tag", "zero"],
        &options[..6],
        &options[6..9],
        &["--", &search],
    ];
    let shown = run_in(dir.path(), &words.concat(), "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let worst = run_in(dir.path(), &["show"], "").stdout;
    let command = worst
        .lines()
        .find_map(|line| Some(&line[line.find("tester --interactor")?..]));
    let again = paste(dir.path(), command.expect("a command to be pasted"));
    let stderr = String::from_utf8_lossy(&again.stderr);
    assert!(stderr.contains("Score = 0"), "{command:?} {stderr}");
    assert!(!stderr.contains("WA"), "{command:?} {stderr}");
    let alone = run_in(dir.path(), &["--seed", "0", "--zero-counts", &search], "");
    insta::assert_snapshot!(alone.stderr.lines().next().unwrap(), @"tester: --zero-counts cannot be used without --interactor");
}

#[test]
fn a_configuration_file_and_a_duel_name_an_interactor() {
    let (dir, line, _) = folder();
    let search = "./search";
    let file = format!(
        "version = 1\n[judge]\ninteractor = {line:?}\ncontract = \"atcoder\"\nname = \"guess\"\n[batch]\ncommand = {search:?}\n"
    );
    std::fs::write(dir.path().join("tester.toml"), file).unwrap();
    let shown = run_in(dir.path(), &["batch"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stderr.contains("--contract=atcoder"), "{shown:?}");
    let duel = run_in(dir.path(), &["duel", search, &format!("{search} 3")], "");
    let means = duel.stdout.replace("./", "");
    insta::assert_snapshot!(means.lines().take(3).collect::<Vec<_>>().join("\n"), @"
    A          3.5000  search
    B          9.5000  search 3  (1 of 3 cases failed, in no mean)
    pairs      2 accepted from both, of 3 played
    ");
    let attach = run_in(dir.path(), &["attach", "in/0000.txt"], "");
    assert_eq!(attach.status, 2);
    assert!(attach.stderr.contains("names an interactor"), "{attach:?}");
}

#[test]
fn what_does_not_fit_is_refused_before_a_case_is_judged() {
    let (dir, line, search) = folder();
    let refused = |options: &[&str]| {
        let shown = run_in(
            dir.path(),
            &[&["batch"], options, &["--", &search]].concat(),
            "",
        );
        assert_eq!(shown.status, 2, "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["--interactor", "./i {case} {command}"]), @"
    tester: unknown placeholder {command} in --interactor: ./i {case} {command}
    hint: placeholders are {case}, {number} and {feedback}, such as ./interactor {case}; double a brace of the shell's own: {{ }}
    ");
    insta::assert_snapshot!(refused(&["--seeds=0..2", "--contract", "testlib"]), @"tester: --contract cannot be used without --interactor");
    insta::assert_snapshot!(refused(&["--interactor", "./i"]), @"
    tester: no {case} in --interactor: ./i
    hint: placeholders are {case}, {number} and {feedback}, such as ./interactor {case}; double a brace of the shell's own: {{ }}
    ");
    insta::assert_snapshot!(refused(&["--interactor", &line, "--seeds", "0..3"]), @"
    tester: --seeds cannot be used with --interactor
    hint: cases of another judge have numbers, such as --cases 0..100; --seeds is for this judge's own problems; --no-config ignores tester.toml, which may name another judge
    ");
    insta::assert_snapshot!(refused(&["--interactor", "./none {case}"]), @"
    tester: failed to start ./none: no such file
    hint: check the path, or build it first
    ");
    insta::assert_snapshot!(refused(&["--external", "./t {command} {case} {feedback}"]), @"
    tester: unknown placeholder {feedback} in --external
    hint: placeholders are {case}, {out}, {command} and {number}; double a brace of the shell's own: {{ }}
    ");
    assert!(refused(&["--interactor", &line, "--external", "x"]).contains("cannot be used with"));
    assert!(
        refused(&["--interactor", &line, "--contract", "spoj"])
            .contains("expected one of plain, testlib")
    );
}

#[test]
fn contracts_read_points_files_and_scores() {
    let (dir, _, _) = folder();
    let judged = |contract: &str, line: &str| {
        let options = ["--interactor", line, "--contract", contract];
        single(dir.path(), &options, &["/bin/true"]).stderr
    };
    let points = ": {case}; echo points 40 two lies >&2; exit 7";
    assert_eq!(judged("testlib", points), "Score = 40\n");
    let accepted = ": {case}; echo 12 > {feedback}/score.txt; exit 42";
    assert_eq!(judged("kattis", accepted), "Score = 12\n");
    let wrong = ": {case}; echo 'too many' > {feedback}/judgemessage.txt; exit 43";
    insta::assert_snapshot!(judged("kattis", wrong), @"
    WA: refused by the interactor: too many; both ended by themselves
    Score = 0
    ");
    let odd = ": {case}; exit 0";
    insta::assert_snapshot!(judged("kattis", odd), @"
    IE: the interactor failed, not the program: exit status 0, which means nothing in the contract kattis; both ended by themselves
    Score = 0
    ");
    assert_eq!(
        judged("atcoder", ": {case}; echo Score = 3 >&2"),
        "Score = 3\n"
    );
    // The folders are gone.
    let left = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with(".tester-"));
    let own = left.filter(|entry| entry.path().join("judgemessage.txt").exists());
    assert_eq!(own.count(), 0);
}

#[test]
fn all_lines_are_carried_both_ways_however_far_one_side_is_behind() {
    let (dir, _, _) = folder();
    // The interactor ends long before the program has read everything.
    let echo = ": {case}; exec head -n 100000";
    let ask = "yes 0123456789 | head -n 100000 & sleep 0.2; wc -c > got";
    let options = [
        "--interactor",
        echo,
        "--transcript",
        "t",
        "--time-limit",
        "20",
    ];
    let shown = single(dir.path(), &options, &["sh", "-c", ask]);
    assert_eq!(shown.stderr, "Score = 100000\n");
    let read = |file: &str| std::fs::read_to_string(dir.path().join(file)).unwrap();
    assert_eq!(read("got").trim(), "1100000");
    assert_eq!(shown.stdout.len(), 1_100_000);
    assert_eq!(read("t").lines().count(), 200_001);
}

#[test]
fn a_line_may_be_as_long_as_the_output() {
    let (dir, _, _) = folder();
    // Three million letters each way, without a newline before the end.
    let letters = "head -c 3000000 /dev/zero | tr '\\0' x; echo";
    let line = format!(": {{case}}; {letters}; [ $(head -n 1 | wc -c) = 3000001 ]");
    let says = format!("[ $(head -n 1 | wc -c) = 3000001 ] && {letters}");
    let options = ["--interactor", &line, "--transcript", "t"];
    let shown = single(dir.path(), &options, &["sh", "-c", &says]);
    assert_eq!(shown.stderr, "Score = 1\n");
    assert_eq!(shown.stdout.len(), 3_000_001);
    let transcript = std::fs::read_to_string(dir.path().join("t")).unwrap();
    let line = transcript
        .lines()
        .find(|line| line.contains("] < "))
        .unwrap();
    assert!(
        line.len() > 1 << 20 && line.len() < 2 << 20,
        "{}",
        line.len()
    );
}

/// The most memory, in KiB, that was resident in `tester` while an interactor sent this number of lines of a KiB, which came
/// back. The program, whose parent it is, reads that at the end: the usage that a wait tells includes our own memory,
/// as it was when `tester` was executed.
fn peak_memory(dir: &Path, lines: u32) -> u64 {
    let send = format!("yes $(printf %01023d 0) | head -n {lines}");
    let line = format!(": {{case}}; {send} & head -n {lines} > /dev/null");
    let options = [
        "--no-containment",
        "--time-limit",
        "60",
        "--interactor",
        &line,
    ];
    let program = "cat; grep VmHWM /proc/$PPID/status >&2";
    // What the program prints is kept until it is read, so that a slow reader does not slow the program down: a file.
    let (case, printed) = (dir.join("in/0001.txt"), dir.join("printed.txt"));
    let output = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(options)
        .args(["sh", "-c", program])
        .current_dir(dir)
        .stdin(File::open(case).unwrap())
        .stdout(File::create(&printed).unwrap())
        .output()
        .unwrap();
    let bytes = std::fs::metadata(printed).unwrap().len();
    assert_eq!(bytes, u64::from(lines) * 1024);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = stderr.split_whitespace().collect();
    assert_eq!((words[0], words[2]), ("VmHWM:", "kB"), "{stderr}");
    words[1].parse().unwrap()
}

#[test]
fn a_hundred_mebibytes_take_no_more_memory_than_one() {
    let (dir, _, _) = folder();
    let small = peak_memory(dir.path(), 512);
    let large = peak_memory(dir.path(), 50 << 10);
    assert!(large < small + 4096, "{small} KiB, then {large} KiB");
}

#[test]
fn an_interactor_in_python_takes_ten_lines_and_its_own_errors_are_ie() {
    if Command::new("python3").arg("-V").output().is_err() {
        eprintln!("not tested, because there is no python3");
        return;
    }
    let (dir, _, search) = folder();
    let guess = format!("{}/contests/python/guess.py", env!("CARGO_MANIFEST_DIR"));
    let line = format!("python3 -B {guess} {{case}}");
    let judged = |program: &[&str]| single(dir.path(), &["--interactor", &line], program).stderr;
    assert_eq!(judged(&[&search]), "Score = 6\n");
    let says = |text: &str| judged(&["sh", "-c", &format!("read limit; echo {text}")]);
    insta::assert_snapshot!(says("five"), @"
    WA: refused by the interactor: invalid literal for int() with base 10: 'five' in 'five'; both ended by themselves
    Score = 0
    ");
    insta::assert_snapshot!(says("5"), @"
    WA: refused by the interactor: expected a line, found the end of the output; the program ended first
    Score = 0
    ");
    // A case that it cannot read is its own fault.
    std::fs::write(dir.path().join("in/0001.txt"), "7\n").unwrap();
    let failed = judged(&[&search]);
    insta::assert_snapshot!(failed, @"
    IE: the interactor failed, not the program: exit status 126, which means nothing in the contract plain; the last message: ValueError: not enough values to unpack (expected 2, got 1); the interactor ended first
    Score = 0
    ");
}

#[test]
fn folder_of_a_killed_judge_is_removed_by_the_next_one() {
    let (dir, _, _) = folder();
    let temporary = dir.path().join("temporary");
    // As a process of the number 1 would have left it that was not started with this machine.
    for name in [".tester-1-1-abc", ".tester-mine"] {
        std::fs::create_dir_all(temporary.join(name)).unwrap();
        std::fs::write(temporary.join(name).join("score.txt"), "3\n").unwrap();
    }
    let line = ": {case}; echo 12 > {feedback}/score.txt; exit 42";
    let shown = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["--interactor", line, "--contract", "kattis", "/bin/true"])
        .current_dir(dir.path())
        .env("TMPDIR", &temporary)
        .stdin(File::open(dir.path().join("in/0001.txt")).unwrap())
        .output();
    assert_eq!(Shown::from(shown.unwrap()).stderr, "Score = 12\n");
    let left = std::fs::read_dir(&temporary).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".tester-mine"]);
}

#[test]
fn without_a_folder_for_temporary_files_it_is_said_which_one_was_tried() {
    let (dir, line, search) = folder();
    let shown = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["--interactor", &line, &search])
        .current_dir(dir.path())
        .env("TMPDIR", "/none/here")
        .stdin(File::open(dir.path().join("in/0001.txt")).unwrap())
        .output();
    let shown = Shown::from(shown.unwrap());
    assert_eq!(shown.status, 2, "{shown:?}");
    insta::assert_snapshot!(shown.stderr, @"
    IE: failed to make the feedback folder: No such file or directory (os error 2) in /none/here; TMPDIR names the folder for temporary files
    Score = 0
    ");
}
