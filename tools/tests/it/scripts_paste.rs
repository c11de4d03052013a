//! `scripts/paste`: what it prints compiles without crates, and plays through an interactor of its judge's rules.

use std::path::Path;
use std::process::Command;

use crate::common::copied::{has, root};
use crate::common::{run_in, write_cases};
use crate::external::records;

/// The solver as it is pasted.
fn pasted(judge: &str) -> String {
    let script = root().join("scripts/paste");
    let output = Command::new(script).arg(judge).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles what is pasted with the compiler alone. The program's path.
fn compile(dir: &Path, judge: &str, options: &[&str]) -> String {
    let (source, program) = (dir.join(format!("{judge}.rs")), dir.join(judge));
    std::fs::write(&source, pasted(judge)).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args(["-D", "warnings"]).args(options).arg("-o");
    let output = rustc.arg(&program).arg(&source).output().unwrap();
    assert!(output.status.success(), "{judge}: {output:?}");
    program.to_str().unwrap().to_owned()
}

/// Judges the pasted solver on these secrets.
fn play(judge: &str, edition: &str, secrets: &[&str]) {
    if !has("python3") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    // Optimised as judges do; in one unit, that takes a fifth less.
    let options = ["--edition", edition, "-O", "-Ccodegen-units=1"];
    let program = compile(dir.path(), judge, &options);
    write_cases(
        dir.path(),
        secrets.iter().map(|secret| format!("{secret}\n")),
    );
    let folder = root().join("tools/contests/elsewhere");
    let line = format!("python3 {}/{judge}.py {{case}}", folder.display());
    // A busy machine takes more than 2 s to start Python.
    let options = [
        "batch",
        "--cases=in",
        "--time-limit=10",
        "--interactor",
        &line,
        "--json",
    ];
    let shown = run_in(dir.path(), &[&options[..], &["--", &program]].concat(), "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let all = records(&shown);
    assert_eq!(all.len(), secrets.len());
    for (verdict, _, reason) in &all {
        assert_eq!(verdict, "AC", "{reason}");
    }
}

const SECRETS: [&str; 12] = [
    "0123", "9876", "5170", "1023", "4567", "8039", "2468", "1357", "9012", "6789", "7410", "3705",
];

#[test]
fn pasted_solvers_play_by_the_rules_of_codeforces() {
    play("codeforces", "2018", &SECRETS);
}

#[test]
fn pasted_solvers_play_by_the_rules_of_the_gym() {
    play("gym", "2021", &SECRETS);
}

#[test]
fn pasted_solvers_play_by_the_rules_of_toph() {
    play("toph", "2018", &SECRETS);
}

#[test]
fn pasted_solvers_play_by_the_rules_of_codingame() {
    let secrets = [
        "7",
        "90",
        "10",
        "102",
        "987",
        "5170",
        "9876",
        "50917",
        "102938",
        "9182736",
        "20486193",
        "987654321",
        "1023456789",
    ];
    play("codingame", "2018", &secrets);
}

#[test]
fn another_judge_is_refused_and_atcoder_gets_the_file_as_it_is() {
    let solver = std::fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert!(pasted("atcoder") == solver);
    let refused = |judge: &str| {
        let mut paste = Command::new(root().join("scripts/paste"));
        let output = paste.arg(judge).current_dir(root()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    insta::assert_snapshot!(refused("src/bin/leak.rs"), @r#"
    paste: expected atcoder, codeforces, codingame, kattis, gym or toph, found "src/bin/leak.rs"
    hint: a submission of your own is pasted as it is, after scripts/check-paste 'src/bin/leak.rs'
    "#);
    insta::assert_snapshot!(refused("topcoder"), @r#"
    paste: expected atcoder, codeforces, codingame, kattis, gym or toph, found "topcoder"
    hint: scripts/paste --help says what they are
    "#);
    let words = |text: &str| text.contains("use itertools::") || text.contains("use rand");
    for judge in ["codeforces", "codingame", "gym", "toph"] {
        assert!(!words(&pasted(judge)), "{judge}");
    }
}
