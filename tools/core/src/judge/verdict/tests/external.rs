//! Verdicts of cases that another judge decides.

use super::*;

#[test]
fn another_judges_refusal_and_a_crash_are_told_apart() {
    let limits = Limits::default();
    let failed = ProcessFacts {
        ending: Ending::Exited(1),
        ..ended_well()
    };
    let said = |process: &_, found: Option<&'static [u8]>, contestant| {
        let score = ScoreFacts {
            contestant,
            message: Some("day 3 overlaps"),
            ..score(found)
        };
        let outcome = external_verdict(process, &score, &limits);
        let verdict = outcome.verdict;
        (verdict, outcome.reason.is_some().then(|| both(outcome)))
    };
    let (well, crash) = (Some(Ending::Exited(0)), Some(Ending::Signaled(11)));
    for (process, found, contestant, expected) in [
        (&ended_well(), Some(&b"0"[..]), None, Verdict::Wa),
        (&ended_well(), Some(b"0"), well, Verdict::Wa),
        (&ended_well(), Some(b"0"), crash, Verdict::Re),
        (&ended_well(), Some(b"7"), crash, Verdict::Ac),
        (&ended_well(), None, well, Verdict::Wa),
        (&ended_well(), None, crash, Verdict::Re),
        (&failed, None, None, Verdict::Re),
        (&failed, None, well, Verdict::Wa),
        (&failed, Some(b"0"), well, Verdict::Wa),
        (&failed, Some(b"7"), crash, Verdict::Re),
    ] {
        let (verdict, text) = said(process, found, contestant);
        assert_eq!(verdict, expected, "{found:?} {contestant:?}: {text:?}");
    }
    insta::assert_snapshot!(said(&ended_well(), Some(b"0"), well).1.unwrap(), @"
    score 0: day 3 overlaps
    スコア 0: day 3 overlaps
    ");
    let refused = said(&failed, Some(b"0"), well);
    assert_eq!(refused, said(&ended_well(), Some(b"0"), well));
    insta::assert_snapshot!(said(&failed, None, well).1.unwrap(), @"
    the contest's tester ended with exit status 1: day 3 overlaps
    コンテストのテスタが終了コード 1 で終了しました：day 3 overlaps
    ");
    let nothing = ScoreFacts {
        never_started: true,
        ..score(None)
    };
    let outcome = external_verdict(&failed, &nothing, &limits);
    assert_eq!(outcome.verdict, Verdict::Wa);
    insta::assert_snapshot!(both(outcome), @"
    the contest's tester failed before it started the program: exit status 1, expected 0
    コンテストのテスタが、プログラムを起動する前に異常終了しました：終了コードが 0 ではなく 1 でした
    ");
    for found in [None, Some(&b"0"[..]), Some(b"7")] {
        let ended_by_timeout = ScoreFacts {
            contestant: crash,
            timeout: Some("timeout -k 1 9"),
            ..score(found)
        };
        let outcome = external_verdict(&failed, &ended_by_timeout, &limits);
        assert_eq!(outcome.verdict, Verdict::Tle);
        insta::allow_duplicates! {
            insta::assert_snapshot!(both(outcome), @"
            the program was still running when the limit in the line of the contest's tester was over: timeout -k 1 9
            コンテストのテスタの行にある制限時間が過ぎたとき、プログラムはまだ動いていました：timeout -k 1 9
            ");
        }
    }
    insta::assert_snapshot!(said(&ended_well(), Some(b"7"), crash).1.unwrap(), @"
    the contest's tester accepted the output, but the program failed: killed by signal 11 (SIGSEGV, as after a bad pointer or a stack overflow); the contest may count that as RE
    コンテストのテスタは出力を受け入れましたが、プログラムが異常終了しました：シグナル 11（SIGSEGV：不正なポインタやスタックオーバーフローなど）で終了しました。コンテストでは RE になることがあります
    ");
    assert_eq!(said(&ended_well(), Some(b"7"), well).1, None);
    insta::assert_snapshot!(said(&ended_well(), Some(b"0"), crash).1.unwrap(), @"
    killed by signal 11 (SIGSEGV, as after a bad pointer or a stack overflow); the last message: day 3 overlaps
    シグナル 11（SIGSEGV：不正なポインタやスタックオーバーフローなど）で終了しました。最後のメッセージ：day 3 overlaps
    ");
}

/// As older official testers do, which panic where their program has ended.
#[test]
fn a_tester_that_wrote_to_a_program_that_had_ended_is_told_from_one_that_cannot_read() {
    let limits = Limits::default();
    let failed = ProcessFacts {
        ending: Ending::Exited(1),
        ..ended_well()
    };
    let unread = ScoreFacts {
        contestant: Some(Ending::Exited(0)),
        message: Some("BrokenPipeError: [Errno 32] Broken pipe"),
        ..score(None)
    };
    insta::assert_snapshot!(both(external_verdict(&failed, &unread, &limits)), @"
    the contest's tester failed when it wrote to the program, which had ended or closed stdin: exit status 1, expected 0; the last message: BrokenPipeError: [Errno 32] Broken pipe
    コンテストのテスタが、プログラムに書き込むときに異常終了しました。プログラムはすでに終了していたか、標準入力を閉じていました：終了コードが 0 ではなく 1 でした。最後のメッセージ：BrokenPipeError: [Errno 32] Broken pipe
    ");
}

#[test]
fn a_crash_comes_with_what_its_tester_said_and_a_panic_is_called_so_once() {
    let panic = "thread 'main' panicked at src/main.rs:3:5: no line";
    let score = ScoreFacts {
        contestant: Some(Ending::Exited(101)),
        message: Some(panic),
        message_after_crash: Some("query 0: 5 is out of range"),
        ..score(Some(b"0"))
    };
    let outcome = external_verdict(&ended_well(), &score, &Limits::default());
    assert_eq!(outcome.verdict, Verdict::Re);
    insta::assert_snapshot!(both(outcome), @"
    exit status 101, expected 0; the last message: thread 'main' panicked at src/main.rs:3:5: no line; after it: query 0: 5 is out of range
    終了コードが 0 ではなく 101 でした。最後のメッセージ：thread 'main' panicked at src/main.rs:3:5: no line。その後の出力：query 0: 5 is out of range
    ");
}

#[test]
fn where_another_judge_gives_no_score_what_it_printed_is_said() {
    let limits = Limits::default();
    let decide = |process: &_, score: &_| external_verdict(process, score, &limits);
    let none = decide(&ended_well(), &score(None));
    assert_eq!(none.verdict, Verdict::Wa);
    insta::assert_snapshot!(both(none), @r#"
    no score: stderr ended with "Score: 7", stdout with nothing; expected a match of Score = (?P<score>.*)
    スコアがありません。標準エラー出力の最後："Score: 7"、標準出力の最後：空（Score = (?P<score>.*) に一致する行が必要です）
    "#);
    let said = ScoreFacts {
        message: Some("day 3 overlaps"),
        ..score(None)
    };
    insta::assert_snapshot!(both(decide(&ended_well(), &said)), @"
    no score: day 3 overlaps; expected a match of Score = (?P<score>.*)
    スコアがありません：day 3 overlaps（Score = (?P<score>.*) に一致する行が必要です）
    ");
    let said = ScoreFacts {
        stdout: b"Result 7\n",
        ..said
    };
    insta::assert_snapshot!(both(decide(&ended_well(), &said)), @r#"
    no score: day 3 overlaps; stdout ended with "Result 7"; expected a match of Score = (?P<score>.*)
    スコアがありません：day 3 overlaps。標準出力の最後："Result 7"（Score = (?P<score>.*) に一致する行が必要です）
    "#);
    let likely = ScoreFacts {
        likely: Some(("Result: 7", r"Result: (?P<score>\d+)")),
        ..said
    };
    insta::assert_snapshot!(both(decide(&ended_well(), &likely)), @r#"
    no score: day 3 overlaps; expected a match of Score = (?P<score>.*); if "Result: 7" is the score: --score-regex 'Result: (?P<score>\d+)' (score_regex in tester.toml)
    スコアがありません：day 3 overlaps。Score = (?P<score>.*) に一致する行が必要です。"Result: 7" がスコアであれば：--score-regex 'Result: (?P<score>\d+)'（tester.toml では score_regex）
    "#);
    let said = ScoreFacts {
        message: Some("Result: 7"),
        ..likely
    };
    insta::assert_snapshot!(both(decide(&ended_well(), &said)), @r#"
    no score: expected a match of Score = (?P<score>.*); if "Result: 7" is the score: --score-regex 'Result: (?P<score>\d+)' (score_regex in tester.toml)
    スコアがありません。Score = (?P<score>.*) に一致する行が必要です。"Result: 7" がスコアであれば：--score-regex 'Result: (?P<score>\d+)'（tester.toml では score_regex）
    "#);
}

#[test]
fn of_a_score_that_the_scale_makes_too_large_the_largest_is_said() {
    let limits = Limits::default();
    let scaled = |found: &'static [u8]| {
        let rule = crate::judge::printed_score::ScoreRule {
            scale: "1000".parse().unwrap(),
            ..crate::judge::printed_score::ScoreRule::default()
        };
        let facts = ScoreFacts {
            rule,
            ..score(Some(found))
        };
        external_verdict(&ended_well(), &facts, &limits)
    };
    // 2^53 is 9007199254740992.
    let largest = Outcome::accepted(9_007_199_254_740_000.into());
    assert_eq!(scaled(b"9007199254740"), largest);
    assert_eq!(scaled(b"9007199254741").verdict, Verdict::Ie);
    insta::assert_snapshot!(both(scaled(b"NaN")), @r#"
    expected a number from 0 to 9007199254740 as the score, which --score-scale 1000 multiplies, found "NaN"; a smaller scale takes larger scores, --score-regex can take a part of it, or another line
    スコアは --score-scale 1000 を掛ける前で 0 以上 9007199254740 以下の数ですが、"NaN" が見つかりました。倍率を小さくすれば大きいスコアも扱えます。--score-regex で一部や別の行を指定できます
    "#);
}

#[test]
fn another_judge_is_asked_for_its_end_and_its_score() {
    let limits = Limits::default();
    let decide = |process: &_, score: &_| external_verdict(process, score, &limits);
    let found = |text: &'static str| decide(&ended_well(), &score(Some(text.as_bytes())));
    assert_eq!(found("12"), Outcome::accepted(12.into()));
    assert_eq!(found("0").verdict, Verdict::Wa);
    insta::assert_snapshot!(both(found("0")), @"
    the score is 0, which is how local testers say that the output is wrong (--zero-counts if it is a score)
    スコアが 0 でした。ローカルテスタでは不正解を表します（スコアとして扱うには --zero-counts）
    ");
    let zero_counts = ScoreFacts {
        rule: crate::judge::printed_score::ScoreRule {
            zero_counts: true,
            ..crate::judge::printed_score::ScoreRule::default()
        },
        ..score(Some(b"0"))
    };
    assert_eq!(
        decide(&ended_well(), &zero_counts),
        Outcome::accepted(0.into())
    );
    assert_eq!(found("1.5").verdict, Verdict::Ie);
    insta::assert_snapshot!(both(found("1.5")), @r#"
    expected an integer from 0 to 18446744073709551615 as the score, found "1.5"; --score-scale 1000000 keeps decimals, --score-regex can take a part of it, or another line
    スコアは 0 以上 18446744073709551615 以下の整数ですが、"1.5" が見つかりました。小数は --score-scale 1000000 で残せます。--score-regex で一部や別の行を指定できます
    "#);
    assert_eq!(found("-1").verdict, Verdict::Wa);
    insta::assert_snapshot!(both(found("-1")), @"
    the score is -1; a score below 0 means a wrong answer
    スコアが -1 でした。負のスコアは不正解を表します
    ");
    // How it ended is looked at first.
    let late = decide(&too_late(), &score(Some(b"12")));
    assert_eq!((late.verdict, late.score), (Verdict::Tle, 0.into()));
    insta::assert_snapshot!(both(late), @"
    2.00 s passed, 0.00 s of them computing (limit 2 s); the program slept, or waited for something
    2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。スリープしていたか、何かを待っていました
    ");
    let spoken_to = TimeoutState {
        is_spoken_to: true,
        ..TimeoutState::default()
    };
    let waiting = ProcessFacts {
        timeout: spoken_to,
        ..too_late()
    };
    insta::assert_snapshot!(both(decide(&waiting, &score(None))), @"
    2.00 s passed, 0.00 s of them computing (limit 2 s); the program slept, or waited for something. If it waited for a reply: did you print a newline and flush stdout?
    2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。スリープしていたか、何かを待っていました。返答を待っていた場合、改行を出力し、標準出力を flush しましたか？
    ");
    let running = TimeoutState {
        running: true,
        ..TimeoutState::default()
    };
    let computing = ProcessFacts {
        timeout: running,
        ..too_late()
    };
    insta::assert_snapshot!(both(decide(&computing, &score(None))), @"
    2.00 s passed, 0.00 s of them computing (limit 2 s); the program was still computing
    2.00 秒が経過しました（うち計算 0.00 秒、制限 2 秒）。まだ計算中でした
    ");
}

#[test]
fn a_tester_that_hangs_after_its_score_has_failed() {
    for found in [&b"7"[..], b"0"] {
        let facts = ScoreFacts {
            contestant: Some(Ending::Exited(0)),
            hung: Some(Duration::from_secs(10)),
            ..score(Some(found))
        };
        for ending in [Ending::Exited(0), Ending::Exited(1)] {
            let process = ProcessFacts {
                ending,
                ..ended_well()
            };
            let outcome = external_verdict(&process, &facts, &Limits::default());
            let expected = say::TESTER_HUNG.fill(&[&10]);
            assert_eq!(outcome, Outcome::refused(Verdict::Wa, expected));
        }
    }
}

#[test]
fn a_message_is_not_said_twice_and_status_101_is_a_panic_unless_the_message_is_one() {
    let facts = |stdout| ScoreFacts {
        stdout,
        message: Some("too large"),
        ..score(None)
    };
    let expression = score(None).expression;
    let once = say::NO_SCORE_BUT_MESSAGE.fill(&[&"too large", &expression]);
    assert_eq!(facts(b"3\ntoo large\n").no_score(), once);
    assert_ne!(facts(b"too large\n3\n").no_score(), once);
    let panic = say::RUST_PANIC.fill(&[]);
    assert_eq!(facts(b"").ending_sentence(Ending::Exited(101)), panic);
}
