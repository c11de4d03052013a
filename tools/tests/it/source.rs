//! The source of past runs: kept by batches and duels, printed by `tester source`, compared by `tester diff`.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::common::{counter, run_in, script};
use crate::history::{batch, refuses, shows};

const TWO: [&str; 5] = ["--seeds", "0..2", "--problem", "hitblow 1 3", "--"];

fn judge(dir: &Path, words: &[&str]) -> String {
    batch(dir, &[&TWO[..], words].concat()).stderr
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
    assert!(row.contains("\nsource     c; tester source 1\n"), "{row}");
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
    assert!(!shows(at, &["compare"]).contains("\nsource"));
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
    let list = format!(
        "{}: {} {}\n",
        whole("target/release/mine"),
        whole(files[0]),
        whole(files[1])
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
    // A program that is older than its source may be of another one.
    let source = fs::File::options()
        .write(true)
        .open(at.join("src/game.rs"))
        .unwrap();
    source
        .set_modified(SystemTime::now() + Duration::from_secs(60))
        .unwrap();
    let said = judge(at, &["target/release/mine", "./player"]);
    let note =
        "note: src/game.rs was written after target/release/mine; was the program built since?\n";
    assert!(said.contains(note), "{said}");
    let none = refuses(at, &["source"]);
    insta::assert_snapshot!(none, @"
    tester: no source of run 2 is kept
    hint: it was not found, it was newer than the program, or an older tester judged the run; see `tester source --help`
    ");
}

#[test]
fn a_duel_keeps_the_sources_of_both() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    counter(at, "c", "");
    counter(at, "d", "# another one");
    run_in(
        at,
        &[
            "duel",
            "./c",
            "./d",
            "--problem",
            "hitblow 1 3",
            "--max-cases",
            "2",
        ],
        "",
    );
    let [first, second] = ["c", "d"].map(|name| fs::read_to_string(at.join(name)).unwrap());
    assert_eq!(shows(at, &["source", "1"]), first);
    assert_eq!(shows(at, &["source", "2"]), second);
}
