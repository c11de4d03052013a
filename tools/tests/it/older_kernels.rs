//! Older kernels: what they lack is refused by a filter of system calls.

use std::os::unix::process::CommandExt;

use crate::common::nobody::{NOBODY, tester_for_nobody};
use crate::common::{counter, kernel_has_filters};
use crate::expected::{Expected, left, take_turn, three_cases};
use crate::machine::{BATCH, Refused, said};
use tempfile::tempdir;

/// Such a kernel gives a process its auxiliary vector through `/proc` only, which the judge closes to its own user.
#[test]
fn a_kernel_before_6_4_is_good_enough_for_a_case_that_takes_long() {
    if !kernel_has_filters() {
        return;
    }
    const PR_GET_AUXV: u64 = 0x4155_5856;
    let refused = Refused {
        call: libc::SYS_prctl,
        with: Some((0, PR_GET_AUXV)),
        error: libc::EINVAL,
    };
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "sleep 0.1");
    let mut command = refused.command(&tester_for_nobody(dir.path()), dir.path(), &BATCH);
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(dir.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    let told = said(&output);
    assert!(told.contains("verdicts   AC 30\n"), "{told}");
}

#[test]
fn without_a_signal_scope_contestants_are_told_apart_as_well() {
    if !kernel_has_filters() {
        return;
    }
    let _turn = take_turn();
    let refused = Refused::always(libc::SYS_landlock_create_ruleset, libc::ENOSYS);
    let telling = [
        "AC/leaves-a-daemon.sh",
        "AC/leaves-a-hopper.rs",
        "AC/plays-by-a-daemon.sh",
        "MLE/daemon-hoards-memory.sh",
        "RE/many-daemons.sh",
        "RE/many-daemons-without-environment.sh",
        "RE/many-sessions.sh",
        "TLE/daemons-compute.sh",
    ];
    for one in Expected::all()
        .iter()
        .filter(|one| telling.contains(&one.name.as_str()))
    {
        let dir = three_cases();
        let output = refused.run(dir.path(), &one.batch(), "");
        let right = one.is_met_in_batch(&String::from_utf8_lossy(&output.stdout));
        assert!(right, "{}: {}", one.name, said(&output));
    }
    assert_eq!(left(), [""; 0]);
}
