//! The source of past runs: kept by batches and duels, printed by `tester source`, compared by `tester diff`.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::common::{counter, run_in, script, words};
use crate::history::{batch, refuses, shows};

const TWO: [&str; 5] = ["--seeds", "0..2", "--problem", "hitblow 1 3", "--"];

fn judge(dir: &Path, words: &[&str]) -> String {
    judge_with(dir, &[], words)
}

/// Judges with options of its own, and returns what is printed on standard error.
fn judge_with(dir: &Path, options: &[&str], words: &[&str]) -> String {
    batch(dir, &[options, &TWO[..], words].concat()).stderr
}

#[test]
fn each_run_keeps_the_source_of_its_program() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    counter(at, "c", "");
    let first = fs::read_to_string(at.join("c")).unwrap();
    judge(at, &["./c"]);
    fs::write(at.join("c"), format!("{first}# the second version\n")).unwrap();
    judge(at, &["./c"]);
    assert_eq!(shows(at, &["source", "1"]), first);
    assert_eq!(
        shows(at, &["source"]),
        format!("{first}# the second version\n")
    );
    let row = shows(at, &["show", "1"]);
    assert!(row.contains("\nsource     c: tester source 1\n"), "{row}");
    let compared = shows(at, &["compare"]);
    assert!(
        compared.contains("\nsource     differs: tester diff 1 2\n"),
        "{compared}"
    );
    let differ = run_in(at, &["diff"], "");
    assert_eq!(differ.status, 1);
    let lines: Vec<&str> = differ.stdout.lines().collect();
    assert!(
        lines[0].starts_with("--- 1/c\t") && lines[1].starts_with("+++ 2/c\t"),
        "{lines:?}"
    );
    assert_eq!(lines.last(), Some(&"+# the second version"));
    let other = at.join("other");
    fs::copy(at.join("c"), &other).unwrap();
    judge(at, &["./other"]);
    let same = run_in(at, &["diff", "2", "3"], "");
    assert_eq!((same.status, &*same.stdout), (0, ""));
    insta::assert_snapshot!(same.stderr, @"note: runs 2 and 3 have the same source; their commands are ./c and ./other");
    judge(at, &["./other"]);
    let same = run_in(at, &["diff"], "");
    insta::assert_snapshot!(same.stderr, @"note: runs 3 and 4 have the same source");
    assert!(!shows(at, &["compare"]).contains("\nsource"));
}

#[test]
fn best_is_the_best_run_on_the_cases_of_the_last_one() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let judge_guesses = |guesses: &str| {
        let lines = format!(
            "read -r game; for g in {guesses}; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit; done"
        );
        script(at, "c", &lines);
        judge(at, &["./c"]);
    };
    judge_guesses("0 0 0 1 2");
    judge_guesses("0 1 2");
    judge_guesses("0 0 1 2");
    assert_eq!(shows(at, &["source", "best"]), shows(at, &["source", "2"]));
    assert_eq!(shows(at, &["show", "best"]), shows(at, &["show", "2"]));
    let differ = |words: &[&str]| {
        let ran = run_in(at, &[&["diff"], words].concat(), "");
        assert_eq!(ran.status, 1);
        ran.stdout
    };
    assert_eq!(differ(&["best"]), differ(&["2", "3"]));
    assert_eq!(differ(&["1", "best"]), differ(&["1", "2"]));
    // The last run may be the best one; of equals it is the newest.
    judge_guesses("0 1 2 2");
    assert_eq!(shows(at, &["source", "best"]), shows(at, &["source", "4"]));
    assert_eq!(differ(&["best"]), differ(&["2", "4"]));
}

#[test]
fn best_needs_an_accepted_case() {
    let dir = tempfile::tempdir().unwrap();
    script(dir.path(), "c", "exit 3");
    judge(dir.path(), &["./c"]);
    insta::assert_snapshot!(refuses(dir.path(), &["show", "best"]), @"
    tester: no such run in out/history.sqlite: expected a finished run with an accepted case on the 2 cases of run 1, found none
    hint: `tester history` lists all runs
    ");
}

#[test]
fn the_files_of_a_program_are_those_of_the_compilers_list() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    fs::create_dir_all(at.join("src")).unwrap();
    fs::create_dir_all(at.join("target/release")).unwrap();
    let files = ["src/main.rs", "src/game.rs"];
    for name in files {
        fs::write(at.join(name), format!("// {name}\n")).unwrap();
    }
    // What plays is a script of no known name and no first line, as far as the tester sees: a shell runs it.
    let program = at.join("target/release/mine");
    script(
        at,
        "player",
        "read -r game; for g in 0 1 2; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit; done",
    );
    fs::copy("/bin/sh", &program).unwrap();
    let whole = |name: &str| at.canonicalize().unwrap().join(name).display().to_string();
    let listed = |name: &str| whole(name).replace(' ', "\\ ");
    let list = format!(
        "{}: {} {}\n",
        listed("target/release/mine"),
        listed(files[0]),
        listed(files[1])
    );
    fs::write(at.join("target/release/mine.d"), list).unwrap();
    let said = judge(at, &["target/release/mine", "./player"]);
    assert!(!said.contains("note"), "{said}");
    let several = refuses(at, &["source"]);
    insta::assert_snapshot!(several, @"
    tester: expected one source file of run 1, found 2: src/game.rs, src/main.rs
    hint: name one: `tester source 1 FILE`; all of them: `tester source 1 --dir DIR`
    ");
    assert_eq!(shows(at, &["source", "1", "game.rs"]), "// src/game.rs\n");
    assert_eq!(shows(at, &["source", "1", "--dir", "old"]), "");
    assert_eq!(
        fs::read_to_string(at.join("old/src/main.rs")).unwrap(),
        "// src/main.rs\n"
    );
    let again = refuses(at, &["source", "1", "--dir", "old"]);
    insta::assert_snapshot!(again, @"tester: expected an empty or a new folder, found files in old");
    let none = refuses(at, &["source", "1", "rs"]);
    insta::assert_snapshot!(none, @"
    tester: no source file of run 1 is called rs; it has src/game.rs, src/main.rs
    hint: name one: `tester source 1 FILE`; all of them: `tester source 1 --dir DIR`
    ");
    // The program is older than its source now; the source that it was made of is that of the run before.
    let source = at.join("src/game.rs");
    fs::write(&source, "// edited\n").unwrap();
    let later = SystemTime::now() + Duration::from_secs(60);
    let file = fs::File::options().write(true).open(&source).unwrap();
    file.set_modified(later).unwrap();
    let said = judge(at, &["target/release/mine", "./player"]);
    let note = "note: src/game.rs was written after the program was built, or while its last build line ran\n";
    let caution = "caution: src/game.rs was written after the program of run 2 was built, or while its last build line ran\n";
    assert!(said.contains(note) && said.contains(caution), "{said}");
    assert_eq!(
        shows(at, &["source", "2", "src/game.rs"]),
        "// src/game.rs\n"
    );
    // Of another program of that kind, none is known.
    fs::write(&program, fs::read("/bin/cat").unwrap()).unwrap();
    let shown = run_in(
        at,
        &[&["batch"], &TWO[..], &["target/release/mine"]].concat(),
        "",
    );
    assert_eq!(shown.status, 1, "{shown:?}");
    let none = refuses(at, &["source"]);
    insta::assert_snapshot!(none, @"
    tester: no source of run 3 is kept
    hint: it was not found, it was newer than the program, or an older tester judged the run; see `tester source --help`
    ");
    assert!(!shows(at, &["show"]).contains("\nsource "));
}

/// A script that imports its first guess.
const IMPORTING: &str = "import sys, first\n\
    input()\n\
    for guess in [first.GUESS, 0, 1, 2]:\n    \
    print(guess, flush=True)\n    \
    if input().split()[0] == '1':\n        break\n";

#[test]
fn a_module_of_a_script_is_source_too() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    fs::write(at.join("my.py"), IMPORTING).unwrap();
    let module = at.join("first.py");
    for guess in ["0", "2"] {
        fs::write(&module, format!("GUESS = {guess}\n")).unwrap();
        judge(at, &["python3", "-B", "my.py"]);
    }
    let compared = shows(at, &["compare"]);
    assert!(!compared.contains("same program"), "{compared}");
    let differ = run_in(at, &["diff"], "");
    assert!(
        differ.stdout.contains("\n-GUESS = 0\n+GUESS = 2\n"),
        "{differ:?}"
    );
    // A run goes on with the modules with which it began only.
    fs::write(&module, "GUESS = 'x'\n").unwrap();
    let words = [
        &["batch", "--fail-fast", "--jobs", "1"],
        &TWO[..],
        &["python3", "-B", "my.py"],
    ]
    .concat();
    assert_eq!(run_in(at, &words, "").status, 1);
    fs::write(&module, "GUESS = 0\n").unwrap();
    let resumed = refuses(at, &["batch", "--resume"]);
    assert!(
        resumed.contains("first.py has changed since the run began"),
        "{resumed}"
    );
}

#[test]
fn a_run_does_not_go_on_without_a_module_or_with_a_new_one() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let fast = "try:\n    import fast\nexcept ImportError:\n    pass\n";
    fs::write(at.join("my.py"), [fast, IMPORTING].concat()).unwrap();
    fs::write(at.join("first.py"), "GUESS = 'x'\n").unwrap();
    let batch = ["batch", "--fail-fast", "--jobs", "1"];
    let words = [&batch[..], &TWO, &["python3", "-B", "my.py"]].concat();
    assert_eq!(run_in(at, &words, "").status, 1);
    let refused = |why: &str| {
        let said = refuses(at, &["batch", "--resume"]);
        assert!(
            said.starts_with(&format!("tester: failed to resume run 1: {why}\n")),
            "{said}"
        );
    };
    fs::rename(at.join("first.py"), at.join("kept")).unwrap();
    refused("first.py is no part of the program any more");
    fs::rename(at.join("kept"), at.join("first.py")).unwrap();
    fs::write(at.join("fast.py"), "").unwrap();
    refused("fast.py is a new part of the program");
    fs::remove_file(at.join("fast.py")).unwrap();
    assert_eq!(run_in(at, &["batch", "--resume"], "").status, 1);
    assert!(shows(at, &["history"]).contains("  done  "));
}

#[test]
fn programs_that_differ_in_what_is_not_kept_are_not_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let play = "while read -r line; do for guess in 0 1 2; do echo $guess; read -r hits blows; [ \"$hits\" = 1 ] && exit; done; done\n";
    fs::write(at.join("player"), play).unwrap();
    fs::write(at.join("main.cpp"), "int main() {}\n").unwrap();
    for shell in ["/bin/bash", "/bin/sh"] {
        fs::copy(shell, at.join("main")).unwrap();
        judge(at, &["./main", "player"]);
    }
    let differ = run_in(at, &["diff"], "");
    assert_eq!((differ.status, &*differ.stdout), (1, ""));
    insta::assert_snapshot!(differ.stderr, @"note: what is kept of both sources is the same, but the programs differ (SHA-256)");
    let compared = shows(at, &["compare"]);
    let row = "\nsource     the same as far as it is kept, but the programs differ\n";
    assert!(compared.contains(row), "{compared}");
}

#[test]
fn a_source_that_is_saved_while_it_is_built_is_not_that_of_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    fs::write(at.join("main.cpp"), "// first\n").unwrap();
    fs::write(
        at.join("player"),
        "read -r game; for g in 0 1 2; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit; done\n",
    )
    .unwrap();
    let build = "sleep 0.05; echo '// second' >main.cpp; sleep 0.05; cp /bin/sh main";
    let said = judge_with(at, &["--build", build], &["./main", "player"]);
    assert!(
        said.contains("note: main.cpp was written after the program was built"),
        "{said}"
    );
    refuses(at, &["source"]);
}

#[test]
fn files_are_written_where_the_folder_was_typed() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    counter(at, "c", "");
    fs::write(at.join("tester.toml"), "version = 1\n").unwrap();
    judge(at, &["./c"]);
    fs::create_dir(at.join("below")).unwrap();
    shows(&at.join("below"), &["source", "--dir", "old"]);
    assert!(at.join("below/old/c").is_file());
}

#[test]
fn a_duel_keeps_the_sources_of_both() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    counter(at, "c", "");
    counter(at, "d", "# another one");
    run_in(
        at,
        &words("duel ./c ./d --problem 'hitblow 1 3' --max-cases 2"),
        "",
    );
    let [first, second] = ["c", "d"].map(|name| fs::read_to_string(at.join(name)).unwrap());
    assert_eq!(shows(at, &["source", "1"]), first);
    assert_eq!(shows(at, &["source", "2"]), second);
}
