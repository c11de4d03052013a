//! Limits and shares of the time at their edges.

use super::*;

fn process(wall_ms: u64, cpu_ms: u64, timeout: TimeoutState) -> ProcessFacts {
    ProcessFacts {
        wall: Duration::from_millis(wall_ms),
        cpu: Duration::from_millis(cpu_ms),
        timeout,
        ..ended_well()
    }
}

#[test]
fn as_many_processes_as_the_limit_are_allowed_and_memory_is_rounded_up() {
    let limits = Limits::default();
    let at = |processes| ProcessFacts {
        processes,
        ..ended_well()
    };
    assert_eq!(judge(&solved(), &at(limits.processes)).verdict, Verdict::Ac);
    let more = judge(&solved(), &at(limits.processes + 1));
    assert_eq!(more.verdict, Verdict::Re);
    // One KiB too many: of 1024 MiB, 1025 were used.
    let large = ProcessFacts {
        memory_kib: (1024 << 10) + 1,
        ..ended_well()
    };
    let reason = judge(&solved(), &large).reason.unwrap();
    assert!(
        reason.contains("1025") && reason.contains("1024"),
        "{reason}"
    );
}

#[test]
fn computing_mostly_is_more_than_half_of_the_time() {
    for (cpu_ms, mostly) in [(400, false), (500, false), (501, true)] {
        let process = process(1000, cpu_ms, TimeoutState::default());
        assert_eq!(process.computes_mostly(), mostly, "{cpu_ms}");
    }
}

#[test]
fn computing_to_the_end_is_seen_or_nine_tenths_of_the_time_or_mostly_without_a_reply_to_wait_for() {
    let computes = |cpu_ms, change: fn(&mut TimeoutState)| {
        let mut state = TimeoutState::default();
        change(&mut state);
        process(1000, cpu_ms, state.clone()).computes_to_the_end(&state)
    };
    for (cpu_ms, expected) in [(0, false), (850, false), (900, false), (901, true)] {
        assert_eq!(computes(cpu_ms, |_| ()), expected, "{cpu_ms}");
        let is_spoken_to = |state: &mut TimeoutState| {
            (state.is_spoken_to, state.stdin_closed, state.unread_bytes) = (true, true, 1);
        };
        assert_eq!(computes(cpu_ms, is_spoken_to), expected, "{cpu_ms}");
        assert!(computes(cpu_ms, |state| state.running = true));
    }
    for (cpu_ms, expected) in [(500, false), (501, true)] {
        assert_eq!(
            computes(cpu_ms, |state| state.stdin_closed = true),
            expected
        );
        assert_eq!(computes(cpu_ms, |state| state.unread_bytes = 1), expected);
    }
}

#[test]
fn one_byte_is_enough_to_be_named() {
    let reason = |state| judge(&playing(), &process(3000, 0, state)).reason.unwrap();
    let default = TimeoutState::default;
    let unheard = reason(TimeoutState {
        unheard_bytes: 1,
        ..default()
    });
    assert!(unheard.contains("1 bytes were left"), "{unheard}");
    let unread = reason(TimeoutState {
        unread_bytes: 1,
        ..default()
    });
    assert!(
        unread.contains("had not read the judge's last 1 bytes"),
        "{unread}"
    );
}

#[test]
fn a_line_whose_program_another_judge_speaks_with_may_have_waited_for_a_reply() {
    let spoken_to = || TimeoutState {
        is_spoken_to: true,
        ..TimeoutState::default()
    };
    let reason = |cpu_ms, state| {
        let process = process(3000, cpu_ms, state);
        let outcome = external_verdict(&process, &score(Some(b"7")), &Limits::default());
        assert_eq!(outcome.verdict, Verdict::Tle);
        outcome.reason.unwrap()
    };
    let then_slept = "computed for most of this time, then it slept";
    assert!(reason(1501, spoken_to()).contains(then_slept));
    assert!(reason(1500, spoken_to()).contains(&say::SLEPT_OR_UNHEARD.fill(&[])));
    for cpu_ms in [1500, 1501] {
        let found = reason(cpu_ms, TimeoutState::default());
        assert!(found.ends_with(&say::SLEPT.fill(&[])), "{found}");
    }
}

#[test]
fn a_game_that_may_end_early_is_accepted_wherever_it_is_read() {
    let session = SessionFacts {
        may_exit: true,
        ..playing()
    };
    let limits = Limits::default();
    for outcome in [
        judge(&session, &ended_well()),
        dialogue_verdict(&session, None, &limits),
        replay_verdict(&session, None),
    ] {
        assert_eq!(outcome, Outcome::accepted(session.score));
    }
}
