//! Every program of `contestants/` gets the verdict of its folder, with the reason that it says.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{CASE, names, run, run_in, script};
use crate::expected::{Expected, NAMES, left, take_turn, three_cases};
use tempfile::TempDir;

/// Whether the cases, and the folders themselves, are as they were.
fn is_untouched(dir: &TempDir) -> bool {
    let content = |name| std::fs::read_to_string(dir.path().join("in").join(name));
    let as_before = |name| content(name).is_ok_and(|text| text == CASE);
    names(dir.path()) == ["in", "out"] && NAMES.into_iter().all(as_before)
}

/// What is wrong when it is judged alone.
fn wrong_alone(one: &Expected) -> Option<String> {
    let dir = three_cases();
    let options = one.options.iter().map(String::as_str);
    let args: Vec<&str> = options.chain([one.program.to_str().unwrap()]).collect();
    let shown = run_in(dir.path(), &args, CASE);
    let lines: Vec<&str> = shown.stderr.lines().collect();
    let right = match lines[..] {
        [.., last] if one.verdict == "AC" => last.starts_with("Score = ") && last != "Score = 0",
        [.., reason, "Score = 0"] => {
            let (verdict, reason) = reason.split_once(": ").unwrap_or_default();
            one.is_met(verdict, Some(reason))
        }
        _ => false,
    };
    let stderr = &shown.stderr[shown.stderr.len().saturating_sub(400)..];
    let failed = !right || shown.status != 0 || !is_untouched(&dir);
    failed.then(|| format!("{}: {}\n{stderr}", one.name, shown.status))
}

/// What is wrong when three of it are judged in a batch, two at the same time.
fn wrong_in_a_batch(one: &Expected) -> Option<String> {
    let dir = three_cases();
    let shown = run_in(dir.path(), &one.batch(), "");
    let right = one.is_met_in_batch(&shown.stdout);
    let own = names(&dir.path().join("out/runs/1"));
    let newest = names(&dir.path().join("out"));
    let kept = NAMES.iter().all(|name| own.iter().any(|n| n == name))
        && newest == [&own[..], &["history.sqlite".to_owned(), "runs".to_owned()]].concat();
    let failed = !right || !kept || !is_untouched(&dir);
    failed.then(|| format!("{}: {}\n{}", one.name, shown.status, shown.stdout))
}

/// What is wrong with any of them; several are looked at at the same time, for most only sleep.
fn wrong(all: &[Expected], look: fn(&Expected) -> Option<String>) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(look(one));
        }
        wrong
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    })
}

#[test]
fn every_contestant_gets_its_verdict_and_reason_and_leaves_nothing() {
    let _turn = take_turn();
    let all = Expected::all();
    for look in [wrong_alone, wrong_in_a_batch] {
        let wrong = wrong(&all, look);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert_eq!(left(), [""; 0]);
    }
}

#[test]
fn every_signal_and_status_at_every_stage_is_a_runtime_error() {
    let dir = tempfile::tempdir().unwrap();
    let play = "[ $2 = first ] && eval $1; read -r game; echo 0 1 2; read -r reply; \
                [ $2 = middle ] && eval $1; echo 8 2 5; read -r reply; eval $1";
    let path = script(dir.path(), "ends", play);
    let path = path.to_str().unwrap();
    let signals = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "XCPU",
    ];
    let stages = [
        ("first", "turn 1: "),
        ("middle", "turn 2: "),
        ("last", "after the game ended at turn 2: "),
    ];
    let reason = |end: &str, stage: &str| {
        let shown = run(&[path, end, stage], CASE);
        let lines: Vec<&str> = shown.stderr.lines().collect();
        match lines[..] {
            [reason, "Score = 0"] => reason.to_owned(),
            _ => panic!("{end} {stage}: {shown:?}"),
        }
    };
    for (stage, place) in stages {
        for signal in signals {
            let said = reason(&format!("kill -{signal} $$"), stage);
            let expected = format!("RE: {place}killed by signal ");
            assert!(said.starts_with(&expected), "{said}");
            assert!(said.contains(&format!("(SIG{signal}")), "{said}");
        }
        let said = reason("exit 1", stage);
        assert_eq!(said, format!("RE: {place}exit status 1, expected 0"));
    }
    let early = reason("exit 0", "first");
    assert!(early.starts_with("WA: turn 1: expected a line"), "{early}");
    assert_eq!(run(&[path, "exit 0", "last"], CASE).stderr, "Score = 2\n");
}
