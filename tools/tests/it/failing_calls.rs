//! System calls of the judge that fail in the middle of a case: it is the judge's failure, and the program's never.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{counter, kernel_has_filters, run_in, script, write_cases};
use crate::machine::{Refused, said};
use tempfile::tempdir;

/// One case, judged by options of `tester`, where this is refused. It takes at most 20 s.
fn judged(refused: &Refused, options: &[&str]) -> Output {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let tester = env!("CARGO_BIN_EXE_tester");
    let case = ["--seed", "0", "--problem", "hitblow 1 10", "./c"];
    let args = [&["-k", "1", "20", tester], options, &case[..]].concat();
    let mut command = refused.command(Path::new("timeout"), dir.path(), &args);
    command.output().unwrap()
}

/// No verdict on a program that is right, and the cause.
fn is_the_judges_failure(output: &Output, cause: &str) {
    let said = said(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(cause), "{said}");
    for verdict in ["WA: ", "RE: ", "TLE: "] {
        assert!(!said.contains(verdict), "{said}");
    }
}

/// Bits of the third argument of `read` and `write`: the length.
fn of_length(call: i64, bits: u64, error: i32) -> Refused {
    Refused {
        call,
        with: Some((2, bits)),
        error,
    }
}

#[test]
fn a_line_that_cannot_be_written_to_the_program_is_the_judges_failure() {
    if !kernel_has_filters() {
        return;
    }
    // The first line, "hitblow 1 10", has 13 bytes.
    let refused = of_length(libc::SYS_write, 13, libc::ENOMEM);
    let cause = "IE: failed to write to the program: Cannot allocate memory (os error 12)";
    is_the_judges_failure(&judged(&refused, &[]), cause);
}

#[test]
fn output_that_cannot_be_read_is_the_judges_failure() {
    if !kernel_has_filters() {
        return;
    }
    // The judge reads 64 KiB at once.
    let refused = of_length(libc::SYS_read, 64 << 10, libc::EIO);
    let cause = "IE: failed to read the program's output: Input/output error (os error 5)";
    is_the_judges_failure(&judged(&refused, &[]), cause);
}

/// Such a byte ends the process by which the judge finds out whether its signals stay within their scope.
#[test]
fn a_pipe_that_takes_no_byte_does_not_hold_up_the_judge() {
    if !kernel_has_filters() {
        return;
    }
    // All lines of an odd length; the opening is among them.
    let refused = of_length(libc::SYS_write, 1, libc::ENOMEM);
    is_the_judges_failure(&judged(&refused, &["--no-containment"]), "");
}

/// As while a build writes it. The program has not crashed: it was never started.
#[test]
fn a_program_that_cannot_be_started_under_a_contests_tester_has_not_failed() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), ["1\n"]);
    let program = script(dir.path(), "p", "cat");
    let writer = File::options().append(true).open(&program).unwrap();
    // Linux 6.11 and 6.12 execute a file that is open for writing.
    let started = Command::new(&program).stdin(Stdio::null()).output();
    if started.map_err(|error| error.raw_os_error()) != Err(Some(libc::ETXTBSY)) {
        return eprintln!("not tested: this kernel executes files that are being written");
    }
    for line in [
        "{command} < {case} > {out} && echo Score = 1",
        "cat {case} | {command} > {out}; echo Score = 1",
    ] {
        let shown = run_in(dir.path(), &["batch", "--external", line, "--", "./p"], "");
        assert_eq!(shown.status, 2, "{shown:?}");
        let cause = "IE: failed to start the program: Text file busy (os error 26)";
        assert!(shown.stdout.contains(cause), "{shown:?}");
        assert!(
            shown
                .stderr
                .contains("hint: another process has the program's file open for writing")
        );
        assert!(shown.stdout.contains("verdicts   IE 1\n"), "{shown:?}");
    }
    drop(writer);
    let shown = run_in(dir.path(), &["batch", "--resume"], "");
    assert!(shown.stdout.contains("verdicts   AC 1\n"), "{shown:?}");
}

#[test]
fn a_thread_that_cannot_be_started_for_a_sandbox_is_an_error() {
    if !kernel_has_filters() {
        return;
    }
    let refused = Refused::always(libc::SYS_clone3, libc::EAGAIN);
    let output = judged(&refused, &["--sandbox"]);
    if output.status.success() {
        return eprintln!("not tested: this C library starts threads by another call");
    }
    is_the_judges_failure(&output, "(os error 11)\nhint: no more processes or threads");
}
