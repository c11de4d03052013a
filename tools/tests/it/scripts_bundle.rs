//! What `scripts/check-paste --bundle` writes, and what it refuses to bundle.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::{TempDir, tempdir};

use crate::common::copied::{Copy, has, root};
use crate::common::{Shown, script};

const SOLVER: &str = "//! A solver.\nfn main() {}\n";

/// Runs git in a folder, with settings of nobody; returns what it prints.
fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_COMMITTER_DATE", "2026-08-31T23:30:00-0900")
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A repository of which nothing is committed: a solver and its package.
fn repository() -> TempDir {
    let dir = tempdir().unwrap();
    git(dir.path(), &["init", "--quiet", "--initial-branch=main"]);
    fs::create_dir_all(dir.path().join("src/bin")).unwrap();
    fs::write(dir.path().join("src/bin/mine.rs"), SOLVER).unwrap();
    let package = "[workspace.package]\nlicense = \"MIT OR Apache-2.0\" # both\n";
    fs::write(dir.path().join("Cargo.toml"), package).unwrap();
    dir
}

fn commit(dir: &Path) -> String {
    git(dir, &["add", "."]);
    git(dir, &["commit", "--quiet", "--message=x"]);
    git(dir, &["rev-parse", "HEAD"])
}

/// What `check-paste --text-only --bundle OUT` says of a file, and what it writes.
fn bundle(file: &Path) -> (Shown, Option<String>) {
    let dir = tempdir().unwrap();
    let out = dir.path().join("bundle.rs");
    let mut command = Command::new(root().join("scripts/check-paste"));
    command.args(["--text-only", "--bundle"]).arg(&out);
    let output = command
        .arg(file)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_CEILING_DIRECTORIES", std::env::temp_dir())
        .output()
        .unwrap();
    (Shown::from(output), fs::read_to_string(out).ok())
}

/// The reason of a refusal, which writes no file and says what to do.
fn refusal(file: &Path) -> String {
    let (shown, written) = bundle(file);
    assert_eq!((shown.status, written), (1, None), "{shown:?}");
    assert!(shown.stderr.contains("\nhint: "), "{shown:?}");
    shown.stderr
}

#[test]
fn bundle_says_where_the_file_is_published() {
    if !has("git") {
        return;
    }
    let dir = repository();
    let commit = commit(dir.path());
    let url = "https://example.org/team/solvers.git";
    git(dir.path(), &["remote", "add", "origin", url]);
    // Any clone has the same bundle, also one without history.
    let clone = tempdir().unwrap();
    let from = format!("file://{}", dir.path().display());
    let to = clone.path().to_str().unwrap();
    git(dir.path(), &["clone", "--quiet", "--depth=1", &from, to]);
    let file = clone.path().join("src/bin/mine.rs");
    assert!(refusal(&file).contains("found one on this machine"));
    git(clone.path(), &["remote", "set-url", "origin", url]);
    let (shown, written) = bundle(&file);
    // The day is that of Greenwich.
    let expected = format!(
        "// Published: https://example.org/team/solvers\n\
         // Commit:    {commit} (2026-09-01)\n\
         // File:      src/bin/mine.rs\n\
         // Licence:   MIT OR Apache-2.0\n\n{SOLVER}"
    );
    assert_eq!(written.unwrap(), expected, "{shown:?}");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""), "{shown:?}");
    assert!(shown.stdout.contains(&format!("{} bytes", expected.len())));
    // Here the commit is on no branch of the remote, as far as is known.
    let (shown, written) = bundle(&dir.path().join("src/bin/mine.rs"));
    assert_eq!(written.unwrap(), expected);
    assert!(
        shown.stderr.contains("on no branch of origin")
            && shown.stderr.ends_with("git push origin\n"),
        "{shown:?}"
    );
}

#[test]
fn address_is_that_of_the_public_and_has_no_password() {
    if !has("git") {
        return;
    }
    let dir = repository();
    commit(dir.path());
    let file = dir.path().join("src/bin/mine.rs");
    git(dir.path(), &["remote", "add", "origin", "x"]);
    let set = |url: &str| git(dir.path(), &["remote", "set-url", "origin", url]);
    for url in [
        "https://me:secret@example.org/team/solvers.git",
        "https://secret@example.org/team/solvers/",
        "git@example.org:team/solvers.git",
        "ssh://git@example.org:2222/team/solvers.git",
        "git://example.org/team/solvers",
    ] {
        set(url);
        let (shown, written) = bundle(&file);
        let written = written.unwrap_or_else(|| panic!("{url}: {shown:?}"));
        let first = "// Published: https://example.org/team/solvers\n";
        assert!(written.starts_with(first), "{url}: {written}");
        assert!(!format!("{shown:?}").contains("secret"), "{shown:?}");
    }
    for url in [
        "/srv/solvers.git",
        "../solvers",
        "file:///srv/solvers",
        "https://me:secret@",
        // Names of this machine's ssh, for two accounts.
        "git@github-work:me/solvers.git",
        "gh:me/solvers",
    ] {
        set(url);
        let said = refusal(&file);
        assert!(said.contains("expected the address of a public repository"));
        assert!(!said.contains("secret"), "{said}");
    }
}

#[test]
fn file_that_is_not_published_as_it_is_is_refused() {
    if !has("git") {
        return;
    }
    let dir = repository();
    let file = dir.path().join("src/bin/mine.rs");
    assert!(refusal(&file).contains("expected a commit, found none"));
    fs::write(dir.path().join("README.md"), "x\n").unwrap();
    git(dir.path(), &["add", "README.md"]);
    git(dir.path(), &["commit", "--quiet", "--message=x"]);
    assert!(refusal(&file).contains("it is not in the last commit"));
    commit(dir.path());
    assert!(refusal(&file).contains("expected a remote"));
    for name in ["one", "two"] {
        git(
            dir.path(),
            &["remote", "add", name, "https://example.org/a/b"],
        );
    }
    assert!(refusal(&file).contains("expected one remote, or one with the name origin"));
    git(dir.path(), &["remote", "remove", "two"]);
    assert_eq!(bundle(&file).0.status, 0);
    // Changed, also where git is told not to look.
    fs::write(&file, format!("{SOLVER}// changed\n")).unwrap();
    assert!(refusal(&file).contains("it differs from the last commit"));
    git(
        dir.path(),
        &["update-index", "--assume-unchanged", "src/bin/mine.rs"],
    );
    assert!(refusal(&file).contains("it differs from the last commit"));
    fs::write(&file, SOLVER).unwrap();
    assert_eq!(bundle(&file).0.status, 0);
    git(dir.path(), &["rm", "--quiet", "Cargo.toml"]);
    commit(dir.path());
    assert!(refusal(&file).contains("expected a licence"));
    let elsewhere = tempdir().unwrap();
    let file = elsewhere.path().join("mine.rs");
    fs::write(&file, SOLVER).unwrap();
    assert!(refusal(&file).contains("expected a file in a git repository"));
}

#[test]
fn bundle_is_what_is_measured_built_and_judged() {
    if !has("git") {
        return;
    }
    let dir = repository();
    let file = dir.path().join("src/bin/mine.rs");
    let url = "https://example.org/team/solvers";
    git(dir.path(), &["remote", "add", "origin", url]);
    // Without the header it would not be too large.
    fs::write(&file, " ".repeat(512 * 1024)).unwrap();
    commit(dir.path());
    let (shown, written) = bundle(&file);
    assert_eq!((shown.status, written), (1, None));
    assert!(
        shown.stderr.contains("expected at most 524288 bytes"),
        "{shown:?}"
    );
    fs::write(
        &file,
        "// judge: tester\n// problem: hitblow 1 10\nfn main() {}\n",
    )
    .unwrap();
    commit(dir.path());
    let copy = Copy::of(&["check-paste"]);
    fs::create_dir_all(copy.path().join("scripts/atcoder")).unwrap();
    for name in ["Cargo.toml", "Cargo.lock"] {
        let name = format!("scripts/atcoder/{name}");
        fs::copy(root().join(&name), copy.path().join(&name)).unwrap();
    }
    let pasted = copy.path().join("target/pasted/release");
    fs::create_dir_all(&pasted).unwrap();
    let judges = Path::new(env!("CARGO_BIN_EXE_tester")).parent().unwrap();
    let solver = "read -r game; for a in 0 1 2 3 4 5 6 7 8 9; do echo $a; read -r h b; \
                  [ \"$h\" = 1 ] && exit 0; done";
    let built = copy.path().join("built.rs");
    let build = format!(
        "[ \"$1\" != build ] || cp src/main.rs '{}'",
        built.display()
    );
    copy.stand_in("cargo", &build);
    copy.stand_in("rustup", "");
    let out = copy.path().join("bundle.rs");
    let words = [judges, &out, &file].map(|path| path.to_str().unwrap());
    let args = ["--judges", words[0], "--bundle", words[1], words[2]];
    // A solver that fails leaves no bundle.
    script(&pasted, "pasted", "exit 1");
    assert_eq!(copy.run("check-paste", &args, &[]).status, 1);
    assert!(!out.exists());
    script(&pasted, "pasted", solver);
    let shown = copy.run("check-paste", &args, &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stdout.contains("AC 20 of 20 cases\n"), "{shown:?}");
    let written = fs::read_to_string(&out).unwrap();
    assert!(written.starts_with("// Published: https://example.org/team/solvers\n"));
    assert!(written.ends_with("\nfn main() {}\n"));
    assert_eq!(written, fs::read_to_string(built).unwrap());
    // The solver itself is never written over.
    let args = ["--text-only", "--bundle", words[2], words[2]];
    let shown = copy.run("check-paste", &args, &[]);
    assert!(
        shown.stderr.contains("that is the solver itself\nhint: "),
        "{shown:?}"
    );
}
