//! Other judges: two local testers in the official shape, judged, kept and compared as our own problems are.

use std::path::{Path, PathBuf};

use crate::common::{Shown, run_in, script, write_cases};
use crate::expected::compiled;

/// A local tester of `tests/testers/`.
pub(crate) fn built(name: &str) -> String {
    let source = format!("{}/tests/testers/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    compiled(Path::new(&source)).to_str().unwrap().to_owned()
}

/// Binary search, as far as the arguments let it.
pub(crate) const SEARCH: &str = r#"
read limit; low=0; high=$limit
while :; do
    guess=$(( (low + high) / ${1:-2} ))
    [ $guess -lt $low ] && guess=$low
    echo $guess; read reply
    case $reply in found) exit 0 ;; higher) low=$((guess + 1)) ;; lower) high=$((guess - 1)) ;; esac
done"#;

/// Cases of the interactive tester: secrets below 100.
fn secrets(dir: &Path) {
    write_cases(
        dir,
        [50, 25, 99, 7, 62].map(|secret| format!("100 {secret}\n")),
    );
}

/// Cases of the scorer: lists of numbers.
pub(crate) fn lists(dir: &Path) {
    write_cases(dir, ["3 1 4", "2 7", "10 20 30 40"]);
}

pub(crate) fn external(dir: &Path, line: &str, options: &[&str], program: &[&str]) -> Shown {
    let args = [&["batch", "--external", line], options, &["--"], program].concat();
    run_in(dir, &args, "")
}

fn interactive() -> String {
    format!("{} {{command}} < {{case}} > {{out}}", built("interactive"))
}

pub(crate) fn scored() -> String {
    format!(
        "{{command}} < {{case}} > {{out}} && {} {{case}} {{out}}",
        built("scorer")
    )
}

pub(crate) fn records(shown: &Shown) -> Vec<(String, Option<u64>, String)> {
    let lines = shown.stdout.lines();
    let record = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        (text("verdict"), value["score"].as_u64(), text("reason"))
    };
    let records: Vec<_> = lines.map(record).collect();
    // Many tests look at each record, which holds of none.
    assert!(!records.is_empty(), "no record: {shown:?}");
    records
}

/// A file of the folder in which the tester runs, as a word of a line, whatever the folder is called.
pub(crate) fn here(path: PathBuf) -> String {
    format!("./{}", path.file_name().unwrap().to_str().unwrap())
}

pub(crate) fn path(path: PathBuf) -> String {
    path.to_str().unwrap().to_owned()
}

#[test]
fn interactive_tester_is_run_for_each_case_and_less_is_better() {
    let dir = tempfile::tempdir().unwrap();
    secrets(dir.path());
    let search = path(script(dir.path(), "search", SEARCH));
    let shown = external(dir.path(), &interactive(), &["--json"], &[&search]);
    assert_eq!(shown.status, 0, "{shown:?}");
    // By hand: 50; 50 24 37 30 27 25; 50 75 88 94 97 99; 50 24 11 5 8 6 7; 50 75 62.
    let scores: Vec<_> = records(&shown).into_iter().map(|record| record.1).collect();
    assert_eq!(scores, [1, 6, 6, 7, 3].map(Some));
    let out = std::fs::read_to_string(dir.path().join("out/0004.txt")).unwrap();
    assert_eq!(out, "50\n75\n62\n");
    let err = std::fs::read_to_string(dir.path().join("out/0004.err")).unwrap();
    assert_eq!(err, "Score = 3\n");
    // A worse search, compared with it: more turns are worse.
    let shown = external(dir.path(), &interactive(), &[], &[&search, "3"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    let compared = run_in(dir.path(), &["compare"], "").stdout;
    assert!(compared.contains("problem    external\n"), "{compared}");
    assert!(
        compared.contains("B better on 0, the same on 1, worse on 4"),
        "{compared}"
    );
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(shown.contains("objective  min: less is better"), "{shown}");
    assert!(
        shown.contains("interactive {command} < {case} > {out}"),
        "{shown}"
    );
}

#[test]
fn scorer_of_an_output_is_run_after_the_contestant_and_more_is_better() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let first = path(script(dir.path(), "first", "read a b; echo $a"));
    let all = path(script(dir.path(), "all", "cat"));
    let most = ["--objective", "max", "--json", "--name", "sums"];
    let one = external(
        dir.path(),
        &scored(),
        &[&most[..], &["--tag", "one"]].concat(),
        &[&first],
    );
    assert_eq!(one.status, 0, "{one:?}");
    let scores = |shown: &Shown| records(shown).into_iter().map(|r| r.1).collect::<Vec<_>>();
    assert_eq!(scores(&one), [3, 2, 10].map(Some));
    let both = external(dir.path(), &scored(), &most, &[&all]);
    assert_eq!(scores(&both), [8, 9, 100].map(Some));
    assert!(
        both.stderr
            .contains("better on 3 cases, the same on 0, worse on 0"),
        "{both:?}"
    );
    // The worst is the one with the least.
    let line = |name: &str| both.stderr.lines().find(|line| line.starts_with(name));
    assert_eq!(line("worst"), Some("worst      0000  8"));
    // The line can be pasted; the scorer's remark was kept.
    let rerun = line("rerun").unwrap();
    assert!(
        rerun.ends_with("scorer in/0000.txt out/0000.txt"),
        "{rerun}"
    );
    let log = std::fs::read_to_string(dir.path().join("out/runs/2/0000.log")).unwrap();
    assert_eq!(log, "3 of 3 numbers\nScore = 8\n");
    let compared = run_in(dir.path(), &["compare", "one", "--by", "relative"], "").stdout;
    assert!(compared.contains("problem    sums\n"), "{compared}");
    assert!(compared.contains("B          100.0000\n"), "{compared}");
    assert!(compared.contains("B better on 3"), "{compared}");
    // 100 · (3/8 + 2/9 + 10/100) / 3
    assert!(compared.contains("A          23.2407\n"), "{compared}");
    let best = run_in(dir.path(), &["compare", "best", "one"], "").stdout;
    assert!(best.starts_with("A          run 2  "), "{best}");
    // What was judged for most is not compared with what is judged for least.
    let min = external(dir.path(), &scored(), &["--name", "sums"], &[&all]);
    assert_eq!(min.status, 0);
    let refused = run_in(dir.path(), &["compare"], "");
    assert_eq!(refused.status, 2);
    assert!(
        refused
            .stderr
            .contains("expected the same objective, found max and min"),
        "{refused:?}"
    );
}

#[test]
fn contestants_that_hang_crash_or_are_wrong_have_their_verdicts() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let verdicts = |body: &str| {
        let program = path(script(dir.path(), "program", body));
        let options = ["--objective", "max", "--json", "--time-limit", "0.5"];
        let shown = external(dir.path(), &scored(), &options, &[&program]);
        assert_eq!(shown.status, 1, "{shown:?}");
        records(&shown).remove(0)
    };
    let (verdict, score, reason) = verdicts("sleep 100");
    assert_eq!((verdict.as_str(), score), ("TLE", None));
    assert!(
        reason.contains("limit 0.5 s); the program slept, or waited"),
        "{reason}"
    );
    let (verdict, _, reason) = verdicts("while :; do :; done");
    assert_eq!(verdict, "TLE");
    assert!(
        reason.contains("the program was still computing"),
        "{reason}"
    );
    let (verdict, _, reason) = verdicts("kill -SEGV $$");
    assert_eq!(verdict, "RE");
    assert!(
        reason.starts_with("killed by signal 11 (SIGSEGV"),
        "{reason}"
    );
    let (verdict, _, reason) = verdicts("exit 7");
    assert_eq!(
        (verdict.as_str(), reason.as_str()),
        ("RE", "exit status 7, expected 0")
    );
    let (verdict, _, reason) = verdicts("echo 999");
    assert_eq!(verdict, "WA");
    assert_eq!(reason, "score 0: 1 of 3 numbers");
    // The interactive tester itself ends well, but its contestant is known not to.
    std::fs::remove_dir_all(dir.path().join("in")).unwrap();
    secrets(dir.path());
    let crash = path(script(dir.path(), "crash", "read x; echo 1; exit 3"));
    let shown = external(dir.path(), &interactive(), &["--json"], &[&crash]);
    let (verdict, _, reason) = records(&shown).remove(0);
    assert_eq!(verdict, "RE", "{reason}");
    let hang = path(script(dir.path(), "hang", "read x; sleep 100"));
    let shown = external(
        dir.path(),
        &interactive(),
        &["--json", "--time-limit", "0.5"],
        &[&hang],
    );
    assert_eq!(records(&shown).remove(0).0, "TLE");
}

#[test]
fn scores_that_are_none_or_no_whole_numbers_are_said_and_others_are_found() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let judged = |line: &str, options: &[&str]| {
        let shown = external(dir.path(), line, &[&["--json"], options].concat(), &[]);
        let status = shown.status;
        let (verdict, score, reason) = records(&shown).remove(0);
        (status, verdict, score, reason)
    };
    let said = |line: &str| judged(&format!("test -r {{case}}; {line}"), &[]);
    let (status, verdict, _, reason) = said("echo nothing to see");
    assert_eq!((status, verdict.as_str()), (1, "WA"));
    insta::assert_snapshot!(reason, @r#"no score: stderr ended with nothing, stdout with "nothing to see"; expected a match of (?m)^\s*Score\s*=\s*(?P<score>\S+)\s*$"#);
    let (status, verdict, _, reason) = said("echo Score = -5");
    assert_eq!((status, verdict.as_str()), (1, "WA"));
    insta::assert_snapshot!(reason, @"the score is -5; a score below 0 means a wrong answer");
    let (status, verdict, _, reason) = said("echo Score = 2.5");
    assert_eq!((status, verdict.as_str()), (2, "IE"));
    insta::assert_snapshot!(reason, @r#"expected an integer from 0 to 18446744073709551615 as the score, found "2.5"; --score-scale 1000000 keeps decimals, --score-regex can take a part of it, or another line"#);
    // Of several the last one counts, and stderr before stdout, as for pahcer.
    let (_, _, score, _) = said("echo Score = 1; echo Score = 2");
    assert_eq!(score, Some(2));
    let (_, _, score, _) = said("echo Score = 3 >&2; echo Score = 4");
    assert_eq!(score, Some(3));
    let points = ["--score-regex", r"(?P<score>\d+) points", "--zero-counts"];
    assert_eq!(
        judged("test -r {case}; echo 12 points", &points).2,
        Some(12)
    );
    assert_eq!(judged("test -r {case}; echo 0 points", &points).2, Some(0));
    // Braces of the shell's own, and the number of the case.
    assert_eq!(
        judged("f() {{ echo Score = 1{number}; }}; f < {case}", &[]).2,
        Some(10000)
    );
}

#[test]
fn what_cannot_be_meant_is_refused_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let refused = |line: &str, options: &[&str], program: &[&str]| {
        let shown = external(dir.path(), line, options, program);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        assert!(!dir.path().join("out").exists(), "{line}");
        shown.stderr
    };
    insta::assert_snapshot!(refused("./t {cmd} < {case}", &[], &["cat"]), @"
    tester: unknown placeholder {cmd} in --external
    hint: placeholders are {case}, {out}, {command} and {number}; double a brace of the shell's own: {{ }}
    ");
    insta::assert_snapshot!(refused("./t {command < {case}", &[], &["cat"]), @"
    tester: unknown placeholder {command < {case} in --external
    hint: placeholders are {case}, {out}, {command} and {number}; double a brace of the shell's own: {{ }}
    ");
    insta::assert_snapshot!(refused("./t }", &[], &["cat"]), @"
    tester: a brace without its pair in --external: ./t }
    hint: placeholders are {case}, {out}, {command} and {number}; double a brace of the shell's own: {{ }}
    ");
    insta::assert_snapshot!(refused("./t {command}", &[], &["cat"]), @"
    tester: no {case} in --external: ./t {command}
    hint: {case} is the path of the case's file
    ");
    insta::assert_snapshot!(refused("./t < {case}", &[], &["cat"]), @"
    tester: no {command}, the place of cat, in --external: ./t < {case}
    hint: {command} is the program with its arguments
    ");
    insta::assert_snapshot!(refused("./t {command} < {case}", &[], &[]), @r#"
    tester: no program for the {command} of --external
    hint: name the program after --. For the judge of tester.toml, command = "…" names it there; `tester init --force` looks for a new program
    "#);
    insta::assert_snapshot!(refused("./t < {case}", &["--score-regex", "Score = (\\d+)"], &[]), @r"
    tester: no group named score in --score-regex: Score = (\d+)
    hint: for example (?m)^\s*Score\s*=\s*(?P<score>\S+)\s*$
    ");
    insta::assert_snapshot!(refused("./t < {case}", &["--score-regex", "("], &[]), @"
    tester: failed to understand --score-regex: regex parse error:
        (
        ^
    error: unclosed group
    ");
    insta::assert_snapshot!(refused("{command} < {case}", &[], &["./missing"]), @"
    tester: failed to start ./missing: no such file
    hint: check the path, or build it first
    ");
    insta::assert_snapshot!(refused("cat {case}", &["--build", "exit 3"], &[]), @"
    tester: exit 3
    tester: the build line failed with exit status 3: exit 3; its messages are above, and nothing was judged
    ");
    let lines = ["--build", "true", "--build", "exit 127"];
    insta::assert_snapshot!(refused("cat {case}", &lines, &[]), @"
    tester: true
    tester: exit 127
    tester: build line 2 of 2 failed with exit status 127: exit 127; its messages are above, and nothing was judged
    hint: install what it calls, or change build in tester.toml ([] for none); --no-build judges without it
    ");
    assert!(refused("cat {case}", &["--objective", "most"], &[]).contains("expected min or max"));
    assert!(
        refused("cat {case}", &["--seeds", "0..3"], &[])
            .contains("--seeds cannot be used with --external")
    );
    assert!(
        refused("cat {case}", &["--sandbox"], &[])
            .contains("--sandbox cannot be used with --external")
    );
}

#[test]
fn words_reach_the_program_as_they_are_whatever_is_in_them() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("a 'b\"$c");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("0000.txt"), "1").unwrap();
    let program = path(script(
        dir.path(),
        "a program",
        r#"printf '%s|' "$@"; cat > /dev/null; echo; echo Score = 1"#,
    ));
    let args = [
        "tab\tnew\nline",
        "'; touch pwned; '",
        "$(touch pwned)",
        "",
        "*",
    ];
    let options = ["--cases", folder.to_str().unwrap(), "--json"];
    let shown = external(
        dir.path(),
        "{command} < {case}",
        &options,
        &[&[&program[..]], &args[..]].concat(),
    );
    assert_eq!(records(&shown)[0].1, Some(1), "{shown:?}");
    let out = std::fs::read_to_string(dir.path().join("out/0000.txt")).unwrap();
    assert_eq!(out, format!("{}|\nScore = 1\n", args.join("|")));
    assert!(!dir.path().join("pwned").exists());
}

#[test]
fn neither_what_was_left_nor_what_the_contestant_says_is_taken_for_the_score() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let scorer = built("scorer");
    // An output of the run before is not scored.
    let line = format!("{{command}} {{case}} {{out}}; {scorer} {{case}} {{out}}");
    let copy = path(script(dir.path(), "copy", "cp $1 $2"));
    let nothing = path(script(dir.path(), "nothing", "true"));
    let options = ["--objective", "max", "--json"];
    assert_eq!(
        records(&external(dir.path(), &line, &options, &[&copy]))[0].1,
        Some(8)
    );
    assert_ne!(
        records(&external(dir.path(), &line, &options, &[&nothing]))[0].0,
        "AC"
    );
    // The contestant's own stderr, where the score is on stdout.
    let boast = path(script(
        dir.path(),
        "boast",
        "cat; echo 'Score = 999' >&2; printf 'no end' >&2",
    ));
    let stdout = [&options[..], &["--score-stream", "stdout"]].concat();
    assert_eq!(
        records(&external(dir.path(), &scored(), &stdout, &[&boast]))[0].1,
        Some(8)
    );
    // Behind megabytes of other lines, of which the end of one looks like a score.
    let long = "yes 'xScore = 999' | head -c 900001 | tr -d '\\n'; echo";
    let line = format!("test -r {{case}}; echo Score = 5; {long}; {long}; {long}; {long}");
    let shown = external(dir.path(), &line, &options, &[]);
    assert_eq!(
        records(&shown)[0].0,
        "WA",
        "what stands further up is not looked at: {shown:?}"
    );
    let shown = external(
        dir.path(),
        &format!("{line}; echo Score = 6"),
        &options,
        &[],
    );
    assert_eq!(records(&shown)[0].1, Some(6));
}

#[test]
fn a_contestant_cannot_write_the_score_through_its_tester() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    // It prints a score only for the right answer.
    let tester = "\"$@\" < $CASE > answer; grep -q right answer && echo 'Score = 5'; exit 0";
    script(dir.path(), "tester", tester);
    // A shell may have moved its standard output meanwhile.
    let cheat =
        "for fd in /proc/$PPID/fd/*; do echo 'Score = 999' 2>/dev/null > $fd; done; echo wrong";
    script(dir.path(), "cheat", cheat);
    script(dir.path(), "honest", "echo \"right $1\"");
    let run = |program: &[&str]| {
        let options = ["--json", "--score-stream", "stdout", "--jobs", "1"];
        let shown = external(
            dir.path(),
            "CASE={case} ./tester {command}",
            &options,
            program,
        );
        let records = records(&shown);
        assert_eq!(records.len(), 3, "{shown:?}");
        records
            .into_iter()
            .map(|record| record.1)
            .collect::<Vec<_>>()
    };
    assert_eq!(run(&["./honest", "a b"]), [Some(5); 3]);
    let answer = std::fs::read_to_string(dir.path().join("answer")).unwrap();
    assert_eq!(answer, "right a b\n");
    if !tester::process::landlock::has_signal_scope() {
        eprintln!("not tested, for this kernel has no signal scopes");
        return;
    }
    assert_eq!(run(&["./cheat"]), [None; 3]);
    // It can end only itself.
    script(dir.path(), "killer", "kill -KILL $PPID || echo right");
    assert_eq!(run(&["./killer"]), [Some(5); 3]);
}
