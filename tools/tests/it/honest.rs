//! What an honest program sees in a namespace: itself, under its own number, as it would see itself outside. And what it
//! does not see: other programs.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::tempdir;

use crate::common::nobody::{as_nobody, tester_for_nobody};
use crate::common::{CASE, run_in, script, write_cases};

/// Judges `./program` on one case, as this user or as another one; `None` if a test cannot become another user here.
fn judged(dir: &Path, other_user: bool, options: &[&str]) -> Option<Output> {
    let mut command = match other_user {
        true => {
            let [setpriv, words @ ..] = as_nobody()?;
            let mut command = Command::new(setpriv);
            command.args(words).arg(tester_for_nobody(dir));
            command
        }
        false => Command::new(env!("CARGO_BIN_EXE_tester")),
    };
    let case = dir.join("case");
    std::fs::write(&case, CASE).unwrap();
    command.args(options).arg("./program").current_dir(dir);
    command.stdin(std::fs::File::open(&case).unwrap());
    Some(command.stdout(Stdio::piped()).output().unwrap())
}

/// A folder that every user may look into.
fn open_folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempdir().unwrap();
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(dir.path(), open).unwrap();
    dir
}

#[test]
fn a_program_finds_itself_under_its_own_number() {
    // As the leak checker of a C++ compiler and a debugger do.
    let body = r#"
        own=$(sed -n 's/^Pid:[[:space:]]*//p' /proc/$$/status)
        [ "$own" = $$ ] && [ -d /proc/$$/task/$$ ] && [ "$(readlink /proc/$$/exe)" = "$(readlink -f /bin/sh)" ] &&
            kill -0 $$ && echo '8 2 5'"#;
    let dir = open_folder();
    script(dir.path(), "program", body);
    for other_user in [false, true] {
        for options in [&[][..], &["--no-containment"]] {
            let Some(output) = judged(dir.path(), other_user, options) else {
                continue;
            };
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(
                stderr.ends_with("Score = 1\n"),
                "{other_user} {options:?}: {stderr}"
            );
        }
    }
}

#[test]
fn programs_of_one_batch_do_not_see_each_other() {
    // In a namespace, our parent is process 1. Where there is none, nothing is tested.
    let body = r#"
        [ $PPID = 1 ] || { echo '# no namespace'; echo '8 2 5'; exit; }
        read opening
        sleep 0.2
        for folder in /proc/[0-9]*; do
            number=${folder#/proc/}
            case $number in 1 | $$) ;; *) [ -d $folder ] && echo "1 process $number" && exit ;; esac
        done
        echo '8 2 5'"#;
    let dir = tempdir().unwrap();
    script(dir.path(), "program", body);
    write_cases(dir.path(), [CASE; 4]);
    let shown = run_in(dir.path(), &["batch", "--jobs", "2", "--", "./program"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
}

#[test]
fn no_other_user_than_root_can_make_namespaces_in_which_to_mount_file_systems() {
    let body = r#"
        [ $PPID = 1 ] && unshare --user true 2>/dev/null && exit 3
        echo '8 2 5'"#;
    let dir = open_folder();
    script(dir.path(), "program", body);
    if let Some(output) = judged(dir.path(), true, &[]) {
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.ends_with("Score = 1\n"), "{stderr}");
    }
}

#[test]
fn leaders_of_programs_that_run_at_the_same_time_have_different_numbers() {
    // They may call files in a common folder by their number.
    let body =
        "echo $$ > number.$$.$(od -An -N8 -tx8 /dev/urandom | tr -d ' '); sleep 0.3; echo '8 2 5'";
    let dir = tempdir().unwrap();
    script(dir.path(), "program", body);
    write_cases(dir.path(), [CASE; 2]);
    let shown = run_in(dir.path(), &["batch", "--jobs", "2", "--", "./program"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let names = std::fs::read_dir(dir.path()).unwrap().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let numbers =
        names.filter_map(|name| Some(name.strip_prefix("number.")?.split('.').next()?.to_owned()));
    let mut numbers: Vec<String> = numbers.collect();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), 2, "{numbers:?}");
}
