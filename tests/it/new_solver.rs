//! scripts/new-solver begins submissions, and brings newer shared modules into them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Exit status, standard output and standard error.
struct Shown(i32, String, String);

fn run(top: &Path, args: &[&str]) -> Shown {
    let mut command = Command::new(top.join("scripts/new-solver"));
    let output = command.args(args).current_dir(top).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    Shown(status, text(output.stdout), text(output.stderr))
}

/// A copy of what the script needs, to be changed.
fn copy() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["scripts", "src/bin", "tools/contests/ahc030"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    for file in ["scripts/new-solver", "src/main.rs", "src/bin/leak.rs"] {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        fs::copy(own, dir.path().join(file)).unwrap();
    }
    dir
}

/// Replaces a text that stands in the file.
fn edit(file: PathBuf, from: &str, to: &str) {
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{file:?}");
    fs::write(file, text.replace(from, to)).unwrap();
}

/// A line of each shared module.
const IN_BAYES: &str = "    pub type Hypothesis = u32;\n";
const IN_JUDGE: &str = "    //! Lines in and out.\n";

#[test]
fn new_submission_is_the_example_which_is_built_and_judged() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().to_str().unwrap();
    let Shown(status, out, err) = run(top, &["mine", folder]);
    assert_eq!(status, 0, "{err}");
    assert!(
        out.starts_with(&format!("wrote {folder}/mine.rs: ")),
        "{out}"
    );
    let written = fs::read(dir.path().join("mine.rs")).unwrap();
    assert!(written == fs::read(top.join("src/bin/leak.rs")).unwrap());
    // The command can be copied.
    let spaced = dir.path().join("of today");
    fs::create_dir(&spaced).unwrap();
    let Shown(_, out, _) = run(top, &["mine", spaced.to_str().unwrap()]);
    let quoted = format!("scripts/check-paste {folder}/of\\ today/mine.rs\n");
    assert!(out.ends_with(&quoted), "{out}");
    // What is there already stays.
    fs::write(dir.path().join("other.rs"), "fn main() {}\n").unwrap();
    let Shown(status, _, err) = run(top, &["other", folder]);
    assert_eq!(status, 2);
    assert!(err.contains("other.rs exists already"), "{err}");
    let kept = fs::read_to_string(dir.path().join("other.rs")).unwrap();
    assert_eq!(kept, "fn main() {}\n");
}

#[test]
fn new_submission_has_the_modules_of_today() {
    let dir = copy();
    // As the documentation shows it.
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(top.join("docs/solver.md")).unwrap();
    let Shown(_, out, _) = run(dir.path(), &["mine"]);
    assert!(
        page.contains(&format!("$ scripts/new-solver mine\n{out}```\n")),
        "{out}"
    );
    edit(dir.path().join("src/main.rs"), IN_BAYES, "    // newer\n");
    let Shown(status, out, err) = run(dir.path(), &["ahc999"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.starts_with("wrote src/bin/ahc999.rs: "), "{out}");
    let text = fs::read_to_string(dir.path().join("src/bin/ahc999.rs")).unwrap();
    assert!(text.contains("\n    // newer\n") && !text.contains(IN_BAYES));
    let marks = out.split("CHANGE marks ").nth(1).unwrap();
    let marks: usize = marks.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(marks, text.matches("CHANGE:").count(), "{out}");
}

#[test]
fn what_cannot_be_a_name_is_refused() {
    let dir = copy();
    for (args, expected) in [
        (&[][..], "expected the name of a submission"),
        (&["Mine"], "expected a name of small letters"),
        (&["../mine"], "expected a name of small letters"),
        (&["mine.rs"], "expected a name of small letters"),
        (&["9lives"], "expected a name of small letters"),
        (&["solver"], "the name solver is taken"),
        (&["deps"], "the name deps is taken"),
        (&["ahc030"], "the name ahc030 is taken"),
        (&["new-contest"], "the name new-contest is taken"),
        (&["new-contest-rust"], "the name new-contest-rust is taken"),
        (&["own-crate"], "the name own-crate is taken"),
        (&["leak"], "src/bin/leak.rs exists already"),
        (&["--new"], "unknown option --new"),
        (&["mine", "nowhere"], "expected a folder, found nowhere"),
        (&["mine", "src", "bin"], "found 3 words"),
        (&["--update"], "expected files after --update"),
        (
            &["--update", "nowhere.rs"],
            "expected a readable file, found nowhere.rs",
        ),
        (
            &["--update", "src/main.rs"],
            "src/main.rs is where the shared modules come from",
        ),
    ] {
        let Shown(status, out, err) = run(dir.path(), args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
        assert!(err.contains("\nhint: "), "{args:?}: {err}");
    }
}

#[test]
fn newer_modules_are_brought_in_unless_one_was_edited() {
    let dir = copy();
    let (main, mine) = (
        dir.path().join("src/main.rs"),
        dir.path().join("src/bin/mine.rs"),
    );
    let update = ["--update", "src/bin/leak.rs", "src/bin/mine.rs"];
    assert_eq!(run(dir.path(), &["mine"]).0, 0);
    edit(mine.clone(), "fn main() -> ExitCode {", "fn main() {");
    let Shown(status, out, _) = run(dir.path(), &update);
    assert_eq!(
        (status, out.as_str()),
        (
            0,
            "src/bin/leak.rs is up to date\nsrc/bin/mine.rs is up to date\n"
        )
    );
    // Newer modules, both; twice, as the checksums must follow.
    for (bayes, judge) in [
        ("    // newer\n", "    //! Newer.\n"),
        ("    // newest\n", ""),
    ] {
        let before = fs::read_to_string(&mine).unwrap();
        let text = fs::read_to_string(&main).unwrap();
        let text = text.replace(IN_BAYES, bayes);
        let text = text.replace("    // newer\n", bayes);
        fs::write(&main, text.replace(IN_JUDGE, judge)).unwrap();
        let Shown(status, out, err) = run(dir.path(), &update);
        assert_eq!(status, 0, "{err}");
        assert_eq!(out, "updated src/bin/leak.rs\nupdated src/bin/mine.rs\n");
        let after = fs::read_to_string(&mine).unwrap();
        assert!(after.contains(bayes) && after.contains(judge));
        // The game is as it was, and so is the rest.
        let game = |text: &str| text.split_once("/// CHANGE").unwrap().1.to_owned();
        assert_eq!(game(&after), game(&before));
        assert!(after.contains("fn main() {"));
    }
    // An edited module is shown, and no file is changed.
    edit(main, "    // newest\n", "    // last\n");
    edit(
        mine.clone(),
        "    // newest\n",
        "    // newest\n    // my own idea\n",
    );
    let before = fs::read(dir.path().join("src/bin/leak.rs")).unwrap();
    let Shown(status, out, err) = run(dir.path(), &update);
    assert_eq!((status, out.as_str()), (1, ""));
    for expected in [
        "--- bayes in src/main.rs\n+++ bayes in src/bin/mine.rs\n",
        "\n-    // last\n+    // newest\n+    // my own idea\n",
        "the shared modules of src/bin/mine.rs were edited",
        "\nhint: ",
    ] {
        assert!(err.contains(expected), "{err}");
    }
    assert!(before == fs::read(dir.path().join("src/bin/leak.rs")).unwrap());
    // Without the edit it is brought up to date.
    edit(mine, "    // my own idea\n", "");
    assert_eq!(run(dir.path(), &update).0, 0);
}

#[test]
fn modules_that_were_copied_by_hand_are_taken_if_they_are_the_same() {
    let dir = copy();
    let mine = dir.path().join("src/bin/mine.rs");
    let text = fs::read_to_string(dir.path().join("src/bin/leak.rs")).unwrap();
    let lines = text.lines().filter(|line| !line.contains("(checksums)"));
    fs::write(
        &mine,
        lines.map(|line| format!("{line}\n")).collect::<String>(),
    )
    .unwrap();
    let update = ["--update", "src/bin/mine.rs"];
    assert_eq!(run(dir.path(), &update).1, "updated src/bin/mine.rs\n");
    assert_eq!(fs::read_to_string(&mine).unwrap(), text);
    // One without marks is not guessed at.
    edit(mine, "// ==== judge: end ====", "// ==== judge");
    let Shown(status, _, err) = run(dir.path(), &update);
    assert_eq!(status, 1);
    assert!(
        err.contains("expected one module judge between the marks"),
        "{err}"
    );
}

#[test]
fn a_file_whose_lines_end_in_cr_lf_keeps_them() {
    let dir = copy();
    let mine = dir.path().join("src/bin/mine.rs");
    assert_eq!(run(dir.path(), &["mine"]).0, 0);
    let with_cr = |text: &str| text.replace('\n', "\r\n");
    fs::write(&mine, with_cr(&fs::read_to_string(&mine).unwrap())).unwrap();
    let update = ["--update", "src/bin/mine.rs"];
    let Shown(status, out, err) = run(dir.path(), &update);
    assert_eq!(
        (status, out.as_str()),
        (0, "src/bin/mine.rs is up to date\n"),
        "{err}"
    );
    let main = dir.path().join("src/main.rs");
    let text = fs::read_to_string(&main).unwrap();
    fs::write(&main, text.replace(IN_BAYES, "    // newer\n")).unwrap();
    let Shown(status, out, err) = run(dir.path(), &update);
    assert_eq!(
        (status, out.as_str()),
        (0, "updated src/bin/mine.rs\n"),
        "{err}"
    );
    let after = fs::read_to_string(&mine).unwrap();
    assert!(after.contains("\r\n    // newer\r\n"));
    assert_eq!(after, with_cr(&after.replace("\r\n", "\n")));
    // Which end is meant where there are both is not guessed at.
    edit(mine.clone(), "    // newer\r\n", "    // newer\n");
    let before = fs::read(&mine).unwrap();
    let Shown(status, out, err) = run(dir.path(), &update);
    assert_eq!((status, out.as_str()), (1, ""));
    let expected =
        "expected lines of src/bin/mine.rs that all end in CR LF, or all in LF, found both";
    assert!(err.contains(expected), "{err}");
    assert!(
        err.ends_with("hint: let all end in LF: sed -i 's/\\r$//' 'src/bin/mine.rs'\n"),
        "{err}"
    );
    assert!(before == fs::read(&mine).unwrap());
}
