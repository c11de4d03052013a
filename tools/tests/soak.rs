//! All contestants again and again, in random order and several at once: `scripts/soak N`.
//!
//! Not run by `cargo test`. `SOAK` is the number of cases, `SOAK_JOBS` how many are judged at once,
//! `SOAK_SEED` sets the order.

mod common;
mod expected;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use expected::Expected;
use tools::contestant::{Command, adopt_orphans};
use tools::draw::{Draw, Seed};
use tools::judge::judge;
use tools::problem::parse_case;

fn setting(name: &str, usual: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.map_or(usual, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is no number"))
    })
}

/// A number of `/proc/self/status`, such as `VmRSS`.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{key}:")));
    line.unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap()
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count() - 1
}

/// Children of ours that are still there, dead or alive.
fn children() -> String {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let lists = tasks.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    lists.collect::<String>().trim().to_owned()
}

/// What was seen, kind by kind.
#[derive(Default)]
struct Seen {
    wrong: Vec<String>,
    /// By contestant: how often, and the most that the wall clock passed its limit.
    overrun: BTreeMap<String, (u64, Duration)>,
}

#[test]
#[ignore = "takes minutes: scripts/soak"]
fn verdicts_hold_and_nothing_is_left() {
    let (cases, jobs) = (setting("SOAK", 2000) as usize, setting("SOAK_JOBS", 8));
    let all = Expected::all();
    adopt_orphans();
    let mut order: Vec<usize> = (0..cases).map(|i| i % all.len()).collect();
    Draw::new(Seed(setting("SOAK_SEED", 1))).shuffle(&mut order);
    let (next, seen, begun) = (
        AtomicUsize::new(0),
        Mutex::new(Seen::default()),
        Instant::now(),
    );
    let one = |expected: &Expected| {
        let (instance, command) = (
            parse_case(common::CASE).unwrap(),
            Command {
                program: expected.path.clone().into(),
                args: vec![],
            },
        );
        let limits = expected.limits();
        let record = judge(instance.as_ref(), &command, &limits, None, &mut ()).unwrap();
        let mut seen = seen.lock().unwrap();
        if !expected.is_met(&record.verdict.to_string(), record.reason.as_deref()) {
            seen.wrong.push(format!(
                "{}: {}",
                expected.path.display(),
                record.headline()
            ));
        }
        let over = Duration::from_secs_f64(record.wall_ms / 1e3).saturating_sub(limits.time);
        let name = expected.path.file_stem().unwrap().to_str().unwrap();
        let kind = seen.overrun.entry(name.to_owned()).or_default();
        *kind = (kind.0 + 1, kind.1.max(over));
    };
    let judge_some = |until: usize| {
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while next.load(Ordering::Relaxed) < until {
                        let Some(&which) = order.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            break;
                        };
                        one(&all[which]);
                    }
                });
            }
        });
    };
    // After the first quarter every buffer has had its largest size.
    let mut memory = Vec::new();
    judge_some(cases / 4);
    let open = descriptors();
    for quarter in 1..=4 {
        judge_some(cases * quarter / 4);
        memory.push(status("VmRSS"));
    }
    let open_after = descriptors();
    let seen = seen.into_inner().unwrap();
    let (slowest, overrun) = seen.overrun.iter().max_by_key(|(_, kind)| kind.1).unwrap();
    println!(
        "{cases} cases of {} contestants, {jobs} at once, {:.0} s",
        all.len(),
        begun.elapsed().as_secs_f64()
    );
    println!(
        "wrong verdicts   {} {:?}",
        seen.wrong.len(),
        &seen.wrong[..seen.wrong.len().min(9)]
    );
    println!(
        "longest overrun  {:.0} ms ({slowest})",
        overrun.1.as_secs_f64() * 1e3
    );
    println!(
        "memory           {memory:?} KiB by quarters, peak {}",
        status("VmHWM")
    );
    println!("descriptors      {open} at first, {open_after} at the end");
    println!("children left    {:?}", children());
    println!("processes left   {:?}", expected::left());
    assert!(seen.wrong.is_empty());
    assert_eq!(children(), "");
    assert_eq!(expected::left(), [""; 0]);
    assert_eq!(open_after, open);
    assert!(memory[3] <= memory[0] * 3 / 2, "memory grows");
}
