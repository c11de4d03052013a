//! Whose fault it was, from facts.

use super::*;
use std::time::Duration;

fn process(status: i32) -> ProcessFacts {
    ProcessFacts {
        wall: Duration::from_millis(1),
        cpu: Duration::ZERO,
        memory_kib: 1,
        processes: 1,
        killed_at_kib: None,
        flood: None,
        ending: Ending::Exited(status),
        timeout: TimeoutState::default(),
    }
}

fn session(
    contestant: (i32, Ended),
    end: Ended,
    first: Option<Who>,
    claim: Option<Claim>,
) -> SessionEnd {
    SessionEnd {
        contestant: (process(contestant.0), contestant.1),
        interactor: (process(0), end),
        lines: [5, 6],
        limits: [Limits::default(); 2],
        first,
        claim,
        time_up: None,
        stderr_tail: Vec::new(),
    }
}

#[test]
fn within_all_limits_the_one_at_fault_is_named_whatever_the_order() {
    let ends = [Ended::ByItself, Ended::AfterOther, Ended::Killed];
    let claims = [
        Some(Claim::Accepted(None)),
        Some(Claim::Wrong(None)),
        Some(Claim::Failed("x".to_owned())),
        None,
    ];
    let firsts = [None, Some(Who::Contestant), Some(Who::Interactor)];
    for (its_end, end) in ends.into_iter().flat_map(|its| ends.map(|end| (its, end))) {
        for (claim, first) in claims.iter().flat_map(|c| firsts.map(|first| (c, first))) {
            for status in [0, 7] {
                let session = session((status, its_end), end, first, claim.clone());
                let outcome = session.outcome();
                let seen = format!("{session:?}: {outcome:?}");
                let crashed = status != 0 && its_end == Ended::ByItself;
                match outcome.verdict {
                    Verdict::Ac => {
                        assert!(
                            matches!(claim, Some(Claim::Accepted(_))) && !crashed,
                            "{seen}"
                        );
                        assert_eq!(outcome.score, 5.into());
                    }
                    Verdict::Wa => assert!(matches!(claim, Some(Claim::Wrong(_))), "{seen}"),
                    Verdict::Re => assert!(crashed, "{seen}"),
                    Verdict::Ie => {
                        assert!(matches!(claim, Some(Claim::Failed(_)) | None), "{seen}");
                    }
                    other => panic!("{other}: {seen}"),
                }
                // A failure of the interactor by itself is never the contestant's.
                let failed = matches!(claim, Some(Claim::Failed(_))) && end == Ended::ByItself;
                assert!(!failed || outcome.verdict == Verdict::Ie, "{seen}");
            }
        }
    }
}

#[test]
fn what_the_contestant_waited_for_when_its_time_was_up_is_judged_by_what_was_unread() {
    let verdict = |contestant: TimeoutState, interactor: TimeoutState| {
        let mut session = session((0, Ended::Killed), Ended::Killed, None, None);
        session.contestant.0.wall = Duration::from_secs(9);
        session.time_up = Some(TimeUp {
            contestant,
            interactor,
        });
        session.outcome().verdict
    };
    let waits = TimeoutState::default;
    let unread = || TimeoutState {
        unread_bytes: 1,
        ..waits()
    };
    let running = || TimeoutState {
        running: true,
        ..waits()
    };
    let unended = || TimeoutState {
        unended_line: Some("\"5\"".to_owned()),
        ..waits()
    };
    assert_eq!(verdict(waits(), waits()), Verdict::Tle);
    assert_eq!(verdict(waits(), unread()), Verdict::Ie);
    assert_eq!(verdict(unread(), unread()), Verdict::Tle);
    assert_eq!(verdict(running(), unread()), Verdict::Tle);
    assert_eq!(verdict(waits(), unended()), Verdict::Ie);
    assert_eq!(verdict(unended(), unended()), Verdict::Tle);
}

/// The contestant's time limit is 2 s and the interactor's 10 s. What the interactor says is that all is well.
fn late(contestant: (f64, f64), time_up: Option<TimeUp>) -> SessionEnd {
    let accepted = Some(Claim::Accepted(None));
    let mut session = session((0, Ended::ByItself), Ended::AfterOther, None, accepted);
    session.limits = [2, 10].map(|seconds| Limits {
        time: Duration::from_secs(seconds),
        ..Limits::default()
    });
    session.contestant.0.wall = Duration::from_secs_f64(contestant.0);
    session.contestant.0.cpu = Duration::from_secs_f64(contestant.1);
    session.time_up = time_up;
    session
}

#[test]
fn a_crash_counts_unless_the_interactor_had_refused_before() {
    let both = [Some(Who::Contestant), Some(Who::Interactor)];
    let verdict = |end, first, claim: &Claim| {
        let claim = Some(claim.clone());
        session((7, Ended::ByItself), end, first, claim)
            .outcome()
            .verdict
    };
    let refusals = [
        (Claim::Wrong(None), Verdict::Wa),
        (Claim::Failed("x".to_owned()), Verdict::Ie),
    ];
    for (claim, refused) in &refusals {
        for first in both {
            assert_eq!(verdict(Ended::ByItself, first, claim), *refused);
        }
        assert_eq!(verdict(Ended::AfterOther, both[0], claim), Verdict::Re);
        assert_eq!(verdict(Ended::AfterOther, both[1], claim), *refused);
    }
    for end in [Ended::ByItself, Ended::AfterOther] {
        for first in both {
            assert_eq!(verdict(end, first, &Claim::Accepted(None)), Verdict::Re);
        }
    }
}

#[test]
fn limits_are_passed_only_beyond_them_and_each_has_its_own() {
    let verdict = |session: SessionEnd| session.outcome().verdict;
    assert_eq!(verdict(late((2.0, 2.0), None)), Verdict::Ac);
    assert_eq!(verdict(late((2.001, 0.0), None)), Verdict::Tle);
    // Several threads.
    let threads = late((1.0, 2.001), None).outcome();
    assert_eq!(threads.verdict, Verdict::Tle);
    assert!(
        threads
            .reason
            .unwrap()
            .contains(&say::EXITED_LATE.fill(&[]))
    );
    let interactor = |wall, cpu| {
        let mut session = late((1.0, 1.0), None);
        session.interactor.0.wall = Duration::from_secs_f64(wall);
        session.interactor.0.cpu = Duration::from_secs_f64(cpu);
        session.outcome()
    };
    assert_eq!(interactor(10.0, 10.0).verdict, Verdict::Ac);
    for (wall, cpu, times) in [
        (10.5, 0.0, "0.00 s of computing, 10.50 s after"),
        (0.0, 10.5, "10.50 s of computing, 0.00 s after"),
    ] {
        let found = interactor(wall, cpu);
        assert_eq!(found.verdict, Verdict::Ie);
        assert!(found.reason.unwrap().contains(times));
    }
    let mut session = late((1.0, 1.0), None);
    session.interactor.0.memory_kib = session.limits[1].memory_kib + 1;
    assert_eq!(verdict(session), Verdict::Ie);
    let mut session = late((1.0, 1.0), None);
    session.contestant.0.memory_kib = session.limits[0].memory_kib + 1;
    assert_eq!(verdict(session), Verdict::Mle);
}

#[test]
fn unread_lines_are_the_interactors_fault_unless_the_program_computed_or_had_replies_to_read() {
    let unread = |bytes| TimeoutState {
        unread_bytes: bytes,
        ..TimeoutState::default()
    };
    let verdict = |times, contestant, interactor| {
        let time_up = TimeUp {
            contestant,
            interactor,
        };
        late(times, Some(time_up)).outcome().verdict
    };
    for (times, expected) in [
        ((9.0, 0.0), Verdict::Ie),
        // More processor time than the limit, or for more than half of the time.
        ((9.0, 2.0), Verdict::Ie),
        ((9.0, 2.001), Verdict::Tle),
        ((3.0, 1.2), Verdict::Ie),
        ((3.0, 1.5), Verdict::Ie),
        ((3.0, 1.6), Verdict::Tle),
    ] {
        assert_eq!(verdict(times, unread(0), unread(1)), expected, "{times:?}");
        assert_eq!(verdict(times, unread(1), unread(1)), Verdict::Tle);
    }
    let exited = TimeoutState {
        exited: true,
        ..unread(1)
    };
    assert_eq!(verdict((9.0, 0.0), unread(0), exited), Verdict::Tle);
}

#[test]
fn what_the_contestant_did_when_its_time_was_up_is_said() {
    let reason = |cpu: f64, interactor_exited, change: fn(&mut TimeoutState)| {
        let mut time_up = TimeUp::default();
        time_up.contestant.is_spoken_to = true;
        time_up.interactor.exited = interactor_exited;
        change(&mut time_up.contestant);
        let outcome = late((3.0, cpu), Some(time_up)).outcome();
        assert_eq!(outcome.verdict, Verdict::Tle);
        outcome.reason.unwrap()
    };
    // One thing after the other is taken back, in the order in which they are looked for.
    let line = |state: &mut TimeoutState| {
        (state.stdout_closed, state.stdin_closed) = (true, true);
        state.unended_line = Some("\"7\"".to_owned());
    };
    let unread = |state: &mut TimeoutState| {
        state.unended_line = Some("\"7\"".to_owned());
        state.unread_bytes = 1;
    };
    let running = |state: &mut TimeoutState| {
        (state.running, state.unread_bytes) = (true, 1);
    };
    let closed = |state: &mut TimeoutState| {
        (state.stdout_closed, state.stdin_closed) = (true, true);
    };
    for (found, expected) in [
        (
            reason(0.0, true, running),
            "the program was still computing;",
        ),
        (
            reason(2.8, true, unread),
            "the program was still computing;",
        ),
        (
            reason(0.0, true, unread),
            "had not exited, although the interactor had accepted",
        ),
        (
            reason(0.0, false, unread),
            "had not read the interactor's last 1 bytes",
        ),
        (
            reason(0.0, false, line),
            "the interactor waited for the end of the line \"7\"",
        ),
        (
            reason(0.0, false, closed),
            "had closed its output but not exited",
        ),
        (
            reason(1.6, false, |state| state.stdin_closed = true),
            "had closed its input",
        ),
        (
            reason(1.6, false, |_| ()),
            "computed for most of this time, then it slept",
        ),
        (
            reason(1.5, false, |_| ()),
            "after 5 lines of the program and 6 of the interactor",
        ),
    ] {
        assert!(found.contains(expected), "{found}: {expected}");
    }
}
