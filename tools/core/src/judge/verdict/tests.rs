//! Verdicts and their reasons, from facts.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::judge::reasons::japanese;
use crate::judge::referee::Violation;
use crate::problem::TurnError;

mod edges;
mod external;

fn solved() -> SessionFacts {
    SessionFacts {
        violation: None,
        solved: true,
        turns: 5,
        score: 5.into(),
        may_exit: false,
        incomplete_lines: 0,
        unanswered: false,
        blank: false,
        silent: false,
    }
}

fn playing() -> SessionFacts {
    SessionFacts {
        solved: false,
        turns: 3,
        ..solved()
    }
}

fn violated() -> SessionFacts {
    SessionFacts {
        violation: Some(Violation {
            turn: 2,
            error: TurnError::Protocol("x".to_owned()),
        }),
        ..playing()
    }
}

fn ended_well() -> ProcessFacts {
    ProcessFacts {
        wall: Duration::from_millis(3),
        cpu: Duration::from_millis(2),
        memory_kib: 2000,
        processes: 1,
        killed_at_kib: None,
        flood: None,
        ending: Ending::Exited(0),
        timeout: TimeoutState::default(),
    }
}

fn too_late() -> ProcessFacts {
    ProcessFacts {
        wall: Duration::from_millis(2004),
        ending: Ending::Signaled(9),
        ..ended_well()
    }
}

fn judge(session: &SessionFacts, process: &ProcessFacts) -> Outcome {
    builtin_verdict(session, process, &Limits::default())
}

fn score<'a>(found: Option<&'a [u8]>) -> ScoreFacts<'a> {
    ScoreFacts {
        expression: "Score = (?P<score>.*)",
        found,
        likely: None,
        rule: crate::judge::printed_score::ScoreRule::default(),
        stdout: b"",
        stderr: b"Score: 7\n\n",
        contestant: None,
        never_started: false,
        timeout: None,
        hung: None,
        message: None,
        message_after_crash: None,
    }
}

#[test]
fn order_is_that_of_the_documented_table() {
    // Everything at once; then the facts are taken back one by one, from the first row down.
    let mut session = SessionFacts {
        solved: true,
        ..violated()
    };
    let mut process = ProcessFacts {
        wall: Duration::from_secs(3),
        memory_kib: u64::MAX,
        killed_at_kib: Some(2 << 20),
        flood: Some(Flood::Line),
        processes: 1000,
        ending: Ending::Exited(7),
        ..ended_well()
    };
    let verdict = |session: &_, process: &_| judge(session, process).verdict;
    assert_eq!(verdict(&session, &process), Verdict::Wa);
    session.violation = None;
    assert_eq!(verdict(&session, &process), Verdict::Tle);
    process.wall = Duration::from_secs(1);
    assert_eq!(verdict(&session, &process), Verdict::Mle);
    process.memory_kib = 1;
    assert_eq!(verdict(&session, &process), Verdict::Mle);
    process.killed_at_kib = None;
    assert_eq!(verdict(&session, &process), Verdict::Ole);
    process.flood = None;
    assert_eq!(verdict(&session, &process), Verdict::Re);
    process.processes = 1;
    assert_eq!(verdict(&session, &process), Verdict::Re);
    process.ending = Ending::Exited(0);
    assert_eq!(judge(&session, &process), Outcome::accepted(5.into()));
    session.solved = false;
    assert_eq!(verdict(&session, &process), Verdict::Wa);
    process.ending = Ending::Signaled(11);
    assert_eq!(verdict(&session, &process), Verdict::Re);
}

#[test]
fn limits_are_passed_only_beyond_them() {
    let limits = Limits::default();
    let at = |cpu, memory_kib| {
        let process = ProcessFacts {
            cpu,
            memory_kib,
            ..ended_well()
        };
        judge(&solved(), &process).verdict
    };
    assert_eq!(at(limits.time, limits.memory_kib), Verdict::Ac);
    let more = limits.time + Duration::from_nanos(1);
    assert_eq!(at(more, limits.memory_kib), Verdict::Tle);
    assert_eq!(at(limits.time, limits.memory_kib + 1), Verdict::Mle);
}

/// The reason in both languages.
fn both(outcome: Outcome) -> String {
    let reason = outcome.reason.unwrap();
    assert!(!reason.contains('\n'));
    format!("{reason}\n{}", japanese(&reason).expect("a template"))
}

#[test]
fn reasons_of_a_time_limit_say_what_to_mend() {
    let late = |session: &SessionFacts, timeout| {
        both(judge(
            session,
            &ProcessFacts {
                timeout,
                ..too_late()
            },
        ))
    };
    let default = TimeoutState::default;
    insta::assert_snapshot!(late(&playing(), default()), @"
    turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); both sides were waiting: the program for input (or it slept), the judge for a line. Did you print a newline and flush stdout?
    4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。プログラムは入力を待ち（またはスリープし）、ジャッジは次の行を待っていました。改行を出力し、標準出力を flush しましたか？
    ");
    let unended_line = Some("\"0 1 2\"".to_owned());
    insta::assert_snapshot!(late(&playing(), TimeoutState { unended_line, ..default() }), @r#"
    turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the judge waited for the end of the line "0 1 2": print a newline after each line, then flush
    4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。ジャッジは "0 1 2" の後の改行を待っていました。行ごとに改行を出力し、flush してください
    "#);
    insta::assert_snapshot!(late(&playing(), TimeoutState { unread_bytes: 4, ..default() }), @"
    turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program had not read the judge's last 4 bytes
    4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。ジャッジが最後に送った 4 バイトがまだ読まれていません
    ");
    let flood = TimeoutState {
        unheard_bytes: 65536,
        unread_bytes: 4,
        ..default()
    };
    insta::assert_snapshot!(late(&playing(), flood), @"
    turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program printed more than the judge could read in time; 65536 bytes were left
    4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。出力が多く、ジャッジは時間内に読み切れませんでした（残り 65536 バイト）
    ");
    insta::assert_snapshot!(late(&playing(), TimeoutState { stdin_closed: true, ..default() }), @"
    turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program had closed its input, and slept or waited for something else
    4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。標準入力を閉じた後、スリープしていたか、ほかの何かを待っていました
    ");
    insta::assert_snapshot!(late(&playing(), TimeoutState { stdout_closed: true, ..default() }), @"
    turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program had closed its output but not exited
    4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。標準出力が閉じられましたが、プログラムは終了していません
    ");
    insta::assert_snapshot!(late(&playing(), TimeoutState { running: true, ..default() }), @"
    turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program was still computing its next line
    4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。次の行をまだ計算中でした
    ");
    insta::assert_snapshot!(late(&playing(), TimeoutState { exited: true, ..default() }), @"
    turn 4: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program had exited by then, but too late
    4 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。プログラムは終了しましたが、制限時間を過ぎていました
    ");
    insta::assert_snapshot!(late(&solved(), default()), @"
    after the game ended at turn 5: 2.00 s passed, 0.00 s of them computing (limit 2 s); the program had not exited: exit after the last reply
    5 ターン目にゲームが終わった後：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。ゲームが終わった後もプログラムが終了していません。最後の返答を読んだら終了してください
    ");
    let computing = ProcessFacts {
        cpu: too_late().wall,
        ..too_late()
    };
    assert!(both(judge(&playing(), &computing)).contains("still computing its next line"));
    // It may have printed a line that it did not flush.
    let sleeping = ProcessFacts {
        cpu: too_late().wall * 6 / 10,
        ..too_late()
    };
    insta::assert_snapshot!(both(judge(&playing(), &sleeping)), @"
    turn 4: 2.00 s passed, 1.20 s of them computing (limit 2 s); the program computed for most of this time, then it slept, or waited for something. If it waited for a reply: did you print a newline and flush stdout?
    4 ターン目：2.00 秒が経過しました（うち計算 1.20 秒、制限 2 秒）。この時間の大半は計算し、最後はスリープしていたか、何かを待っていました。返答を待っていた場合、改行を出力し、標準出力を flush しましたか？
    ");
    let timeout = TimeoutState {
        unread_bytes: 4,
        ..default()
    };
    let unread = ProcessFacts {
        timeout,
        ..sleeping
    };
    assert!(both(judge(&playing(), &unread)).contains("still computing its next line"));
}

#[test]
fn a_program_that_prints_nothing_may_wait_for_input_that_never_comes() {
    let first = SessionFacts {
        turns: 0,
        ..playing()
    };
    insta::assert_snapshot!(both(judge(&first, &too_late())), @"
    turn 1: 2.00 s passed, 0.00 s of them computing (limit 2 s); both sides were waiting: the program for input (or it slept), the judge for a line. Did you print a newline and flush stdout? Or does the program read more than the judge sends at first?
    1 ターン目：2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。プログラムは入力を待ち（またはスリープし）、ジャッジは次の行を待っていました。改行を出力し、標準出力を flush しましたか？または、最初の入力より多く読もうとしていませんか？
    ");
}

#[test]
fn reasons_of_other_limits_and_endings_say_what_to_mend() {
    let reason = |process: ProcessFacts| both(judge(&solved(), &process));
    let ending = |ending| {
        reason(ProcessFacts {
            ending,
            ..ended_well()
        })
    };
    insta::assert_snapshot!(ending(Ending::Exited(101)), @"
    after the game ended at turn 5: exit status 101, as after a Rust panic; see its stderr
    5 ターン目にゲームが終わった後：終了コードが 101 でした（Rust の panic など）。標準エラー出力を確認してください
    ");
    insta::assert_snapshot!(ending(Ending::Exited(127)), @"
    after the game ended at turn 5: exit status 127, as after a shell found no such program; see its stderr
    5 ターン目にゲームが終わった後：終了コードが 127 でした（シェルがプログラムを見つけられないときなど）。標準エラー出力を確認してください
    ");
    insta::assert_snapshot!(ending(Ending::Exited(139)), @"
    after the game ended at turn 5: exit status 139, expected 0; this is how a shell reports signal 11 (SIGSEGV, as after a bad pointer or a stack overflow)
    5 ターン目にゲームが終わった後：終了コードが 0 ではなく 139 でした。シェルはシグナル 11（SIGSEGV：不正なポインタやスタックオーバーフローなど）による終了をこう報告します
    ");
    insta::assert_snapshot!(ending(Ending::Exited(192)), @"
    after the game ended at turn 5: exit status 192, expected 0; this is how a shell reports signal 64
    5 ターン目にゲームが終わった後：終了コードが 0 ではなく 192 でした。シェルはシグナル 64 による終了をこう報告します
    ");
    insta::assert_snapshot!(ending(Ending::Exited(3)), @"
    after the game ended at turn 5: exit status 3, expected 0
    5 ターン目にゲームが終わった後：終了コードが 0 ではなく 3 でした
    ");
    insta::assert_snapshot!(ending(Ending::Signaled(11)), @"
    after the game ended at turn 5: killed by signal 11 (SIGSEGV, as after a bad pointer or a stack overflow)
    5 ターン目にゲームが終わった後：シグナル 11（SIGSEGV：不正なポインタやスタックオーバーフローなど）で終了しました
    ");
    insta::assert_snapshot!(ending(Ending::Signaled(14)), @"
    after the game ended at turn 5: killed by signal 14 (SIGALRM)
    5 ターン目にゲームが終わった後：シグナル 14（SIGALRM）で終了しました
    ");
    insta::assert_snapshot!(ending(Ending::Signaled(64)), @"
    after the game ended at turn 5: killed by signal 64
    5 ターン目にゲームが終わった後：シグナル 64 で終了しました
    ");
    let flood = |flood| {
        reason(ProcessFacts {
            flood: Some(flood),
            ..ended_well()
        })
    };
    insta::assert_snapshot!(flood(Flood::Line), @"
    after the game ended at turn 5: a line of stdout passed its limit of 1048576 bytes
    5 ターン目にゲームが終わった後：標準出力の 1 行が上限の 1048576 バイトを超えました
    ");
    insta::assert_snapshot!(flood(Flood::Stdout), @"
    after the game ended at turn 5: stdout passed its limit of 67108864 bytes
    5 ターン目にゲームが終わった後：標準出力が上限の 67108864 バイトを超えました
    ");
    insta::assert_snapshot!(flood(Flood::Stderr), @"
    after the game ended at turn 5: stderr passed its limit of 67108864 bytes
    5 ターン目にゲームが終わった後：標準エラー出力が上限の 67108864 バイトを超えました
    ");
    let memory_kib = 2 << 20;
    insta::assert_snapshot!(reason(ProcessFacts { memory_kib, ..ended_well() }), @"
    after the game ended at turn 5: 2048 MiB of memory were resident (limit 1024 MiB)
    5 ターン目にゲームが終わった後：メモリを 2048 MiB 使いました（制限 1024 MiB）
    ");
    insta::assert_snapshot!(reason(ProcessFacts { processes: 129, ..ended_well() }), @"
    after the game ended at turn 5: 129 processes existed at once (limit 128)
    5 ターン目にゲームが終わった後：プロセスが同時に 129 個存在しました（制限 128 個）
    ");
    let first = SessionFacts {
        turns: 0,
        ..playing()
    };
    insta::assert_snapshot!(both(judge(&first, &ended_well())), @"
    turn 1: expected a line, found the end of the output: the program exited with status 0 before the game was over
    1 ターン目：次の行が出力されないまま、ゲームが終わる前にプログラムが終了しました（終了コードは 0）
    ");
}

#[test]
fn a_program_that_exits_without_any_output_is_asked_whether_it_flushed() {
    let silent = SessionFacts {
        silent: true,
        turns: 0,
        ..playing()
    };
    insta::assert_snapshot!(both(judge(&silent, &ended_well())), @"
    turn 1: expected a line, found the end of the output: the program exited with status 0 before the game was over. No output came: did it flush stdout?
    1 ターン目：次の行が出力されないまま、ゲームが終わる前にプログラムが終了しました（終了コードは 0）。出力は一度も届いていません。標準出力を flush しましたか？
    ");
}

#[test]
fn memory_that_the_kernel_refused_is_named_before_memory_that_was_seen() {
    let (killed_at_kib, memory_kib) = (Some(1104 << 10), 2 << 20);
    let process = ProcessFacts {
        killed_at_kib,
        memory_kib,
        ..ended_well()
    };
    insta::assert_snapshot!(both(judge(&solved(), &process)), @"
    after the game ended at turn 5: the kernel killed the program when it wanted more than 1104 MiB of memory (limit 1024 MiB); files in memory, sockets and pipes count
    5 ターン目にゲームが終わった後：メモリを 1104 MiB より多く使おうとしたため、カーネルがプログラムを終了させました（制限 1024 MiB）。メモリ上のファイル、ソケット、パイプも含みます
    ");
}

#[test]
fn lines_without_a_program_are_judged_by_the_rules_alone() {
    let decide = |session: &_, long| dialogue_verdict(session, long, &Limits::default());
    assert_eq!(decide(&solved(), None), Outcome::accepted(5.into()));
    assert_eq!(decide(&violated(), None).verdict, Verdict::Wa);
    insta::assert_snapshot!(decide(&violated(), None).reason.unwrap(), @"turn 2: x");
    assert_eq!(decide(&playing(), None).verdict, Verdict::Wa);
    insta::assert_snapshot!(both(decide(&playing(), None)), @"
    turn 4: expected a line, found the end of the input
    4 ターン目：次の行が届かないまま、入力が終わりました
    ");
    let long = decide(&playing(), Some("\"0 0 0\""));
    assert_eq!(long.verdict, Verdict::Ole);
    insta::assert_snapshot!(both(long), @r#"
    turn 4: expected a line of at most 1048576 bytes, found "0 0 0"
    4 ターン目：1 行は 1048576 バイトまでですが、"0 0 0" が届きました
    "#);
}

#[test]
fn a_replay_keeps_the_verdict_that_only_its_transcript_knows() {
    let recorded = || Some((Verdict::Tle, "turn 6: late".to_owned()));
    for session in [solved(), playing(), violated()] {
        let outcome = replay_verdict(&session, recorded());
        assert_eq!(outcome.verdict, Verdict::Tle);
        assert_eq!(
            (outcome.score, outcome.reason),
            (0.into(), recorded().map(|r| r.1))
        );
    }
    // But the rules say who has won.
    let accepted = || Some((Verdict::Ac, String::new()));
    assert_eq!(
        replay_verdict(&solved(), accepted()),
        Outcome::accepted(5.into())
    );
    assert_eq!(replay_verdict(&playing(), accepted()).verdict, Verdict::Wa);
    assert_eq!(replay_verdict(&violated(), None).verdict, Verdict::Wa);
    insta::assert_snapshot!(both(replay_verdict(&playing(), None)), @"
    turn 4: expected a line, found the end of the output
    4 ターン目：次の行が出力されないまま、出力が終わりました
    ");
}

proptest! {
    #[test]
    fn every_combination_has_a_verdict_and_all_but_ac_a_reason(
        violated: bool, solved: bool, turns: u64, wall_ms in 0_u64..5000, cpu_ms in 0_u64..5000,
        memory_kib in 0_u64..2 << 20, processes in 0_u64..200, flood in 0_usize..4, exited: bool, status in -1_i32..300,
        late_exit: bool, running: bool, closed: bool, unread in 0_u64..2, killed in 0_u64..4,
    ) {
        let session = SessionFacts {
            violation: violated.then(|| Violation {
                turn: 1,
                error: TurnError::Protocol(String::new()),
            }),
            solved,
            turns: turns >> 1,
            score: turns.into(),
            may_exit: false,
            incomplete_lines: 0,
            unanswered: false,
            blank: closed,
            silent: !closed && turns == 0,
        };
        let process = ProcessFacts {
            wall: Duration::from_millis(wall_ms),
            cpu: Duration::from_millis(cpu_ms),
            memory_kib,
            processes,
            killed_at_kib: (killed == 0).then_some(memory_kib),
            flood: [None, Some(Flood::Stdout), Some(Flood::Stderr), Some(Flood::Line)][flood],
            ending: if exited { Ending::Exited(status) } else { Ending::Signaled(status) },
            timeout: TimeoutState {
                exited: late_exit,
                running,
                stdin_closed: closed,
                stdout_closed: !closed && late_exit,
                unread_bytes: unread,
                unheard_bytes: u64::from(running) * unread,
                unended_line: None,
                is_spoken_to: running,
            },
        };
        let limits = Limits::default();
        let found = format!("{turns}");
        let outcomes = [
            builtin_verdict(&session, &process, &limits),
            external_verdict(&process, &score(solved.then_some(found.as_bytes())), &limits),
            dialogue_verdict(&session, running.then_some("\"\""), &limits),
            replay_verdict(&session, None),
        ];
        for (outcome, is_external) in outcomes.into_iter().zip([false, true, false, false]) {
            let accepted = outcome.verdict == Verdict::Ac;
            prop_assert_eq!(accepted, outcome.reason.is_none());
            prop_assert!(!accepted || solved && (is_external || !violated));
            prop_assert!(accepted || outcome.score == Score::default());
            if let Some(reason) = outcome.reason.filter(|_| !violated) {
                prop_assert!(japanese(&reason).is_some(), "{}", reason);
            }
        }
    }
}
