//! All contestants again and again, in random order and several at once: `scripts/soak N`.
//!
//! Not run by `cargo test`. `SOAK` is the number of cases, `SOAK_JOBS` how many are judged at once,
//! `SOAK_BUSY` how many threads compute meanwhile, `SOAK_SEED` sets the order, `SOAK_ONLY=AC,WA` leaves the others out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::expected::{Expected, left, sandbox, take_turn};
use tempfile::TempDir;
use tester::judge::judge_started;
use tester::judge::record::{Record, Verdict};
use tester::judge::verdict::Limits;
use tester::problem::parse_case;
use tester::problem::rng::{CaseRng, Seed};
use tester::process::sandbox::Sandbox;
use tester::process::{Command, Containment, Contestant, adopt_orphans};

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

/// What is open once the threads that judged have closed their own files, a moment after they are joined.
fn descriptors() -> Vec<String> {
    let begun = Instant::now();
    loop {
        let open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        let links = open.filter_map(|entry| std::fs::read_link(entry.path()).ok());
        let links: Vec<String> = links.map(|link| link.display().to_string()).collect();
        let is_of_thread = |link: &String| link.ends_with("/schedstat");
        if !links.iter().any(is_of_thread) || begun.elapsed().as_secs() >= 1 {
            return links;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Children of ours that are still there, dead or alive.
fn children() -> String {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let lists = tasks.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    lists.collect::<String>().trim().to_owned()
}

/// How far a limit was passed, in milliseconds, where that can be told.
///
/// `took_ms` is what really passed, from the start until nothing of the contestant was left.
fn overrun(
    one: &Expected,
    limits: &Limits,
    record: &Record,
    took_ms: f64,
) -> Option<(&'static str, f64)> {
    let limit_ms = limits.time.as_secs_f64() * 1e3;
    let past = |seen: f64, limit: u64| Some((seen - limit as f64) / one.pace? * 1e3);
    Some(match record.verdict {
        // Which of the two it was.
        Verdict::Tle if record.wall_ms > limit_ms => ("wall clock", took_ms - limit_ms),
        Verdict::Tle => ("processor time", record.cpu_ms - limit_ms),
        Verdict::Mle => {
            let seen = record.memory_kib as f64 / 1024.0;
            ("memory", past(seen, limits.memory_kib >> 10)?)
        }
        Verdict::Re => {
            let reason = record.reason.as_deref()?;
            let (_, rest) = reason.split_once(": ")?;
            let seen = rest.split(' ').next()?.parse().ok()?;
            ("processes", past(seen, limits.processes)?)
        }
        // What broke the protocol may go on for 200 ms.
        Verdict::Wa if took_ms > 200.0 && one.name.contains("rubbish-then-") => {
            ("last words", took_ms - 200.0)
        }
        _ => return None,
    })
}

/// What was seen.
#[derive(Default)]
struct Seen {
    wrong: Vec<String>,
    /// How often each contestant was judged.
    times: BTreeMap<String, u64>,
    /// By limit: all overruns.
    overruns: BTreeMap<&'static str, Vec<(f64, String)>>,
}

impl Seen {
    fn print(&mut self) {
        println!("contestant                                          times");
        for (name, times) in &self.times {
            println!("{name:50}  {times:5}");
        }
        println!("passed by, ms         cases   median     99 %      max");
        for (limit, overruns) in &mut self.overruns {
            overruns.sort_by(|a, b| a.0.total_cmp(&b.0));
            let at = |part: f64| &overruns[((overruns.len() - 1) as f64 * part) as usize];
            let ((median, _), (most, _), (max, name)) = (at(0.5), at(0.99), at(1.0));
            let count = overruns.len();
            println!("{limit:20} {count:6} {median:8.1} {most:8.1} {max:8.1}  {name}");
        }
        let (count, some) = (self.wrong.len(), &self.wrong[..self.wrong.len().min(9)]);
        println!("wrong verdicts   {count} {some:#?}");
    }
}

/// A folder like a user's, which we stand in: cases, outputs, a history.
fn stand_in_a_folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("in/0000.txt", crate::common::CASE),
        ("out/history.sqlite", "x"),
    ] {
        let path = dir.path().join(name);
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::env::set_current_dir(dir.path()).unwrap();
    dir
}

/// Everything in the folder, and in that for temporary files what is ours.
fn files(dir: &Path) -> Vec<PathBuf> {
    let inside = |dir: PathBuf| std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
    let mut all: Vec<PathBuf> = ["", "in", "out"]
        .iter()
        .flat_map(|name| inside(dir.join(name)))
        .collect();
    let ours = |path: &PathBuf| path.to_string_lossy().contains(".tester-");
    all.extend(inside(std::env::temp_dir()).filter(ours));
    all.sort();
    all
}

/// Judges a contestant once; an overrun is printed with how long after `begun` it was.
fn judge_one(one: &Expected, sandbox: Option<&Sandbox>, seen: &Mutex<Seen>, begun: Instant) {
    let instance = parse_case(crate::common::CASE).unwrap();
    let command = Command {
        program: one.program.clone().into(),
        args: vec![],
    };
    let limits = one.limits();
    let confinement = limits.confinement(Containment::Namespace, sandbox);
    let contestant = Contestant::start(&command, &confinement).unwrap();
    let started = Instant::now();
    let judged = judge_started(instance.as_ref(), contestant, &limits, None, &mut ());
    let took_ms = started.elapsed().as_secs_f64() * 1e3;
    let mut seen = seen.lock().unwrap();
    let record = match judged {
        Ok(record) => record,
        Err(fault) => return seen.wrong.push(format!("{}: {fault:?}", one.name)),
    };
    *seen.times.entry(one.name.clone()).or_default() += 1;
    if !one.is_met(&record.verdict.to_string(), record.reason.as_deref()) {
        let told = format!("{}: {}", one.name, record.headline());
        seen.wrong.push(told);
    }
    if took_ms > limits.time.as_secs_f64() * 1e3 + 1000.0 {
        println!(
            "{:8.3} s: {took_ms:.0} ms {} {}",
            begun.elapsed().as_secs_f64(),
            one.name,
            record.headline()
        );
    }
    if let Some((limit, by)) = overrun(one, &limits, &record, took_ms) {
        seen.overruns
            .entry(limit)
            .or_default()
            .push((by, one.name.clone()));
    }
}

/// Those whose verdicts `SOAK_ONLY` names, or all.
fn contestants() -> Vec<Expected> {
    let only = std::env::var("SOAK_ONLY").unwrap_or_default();
    let mut all = Expected::all();
    all.retain(|one| only.is_empty() || only.split(',').any(|verdict| one.verdict == verdict));
    assert!(
        !all.is_empty(),
        "SOAK_ONLY names no verdict of tests/contestants"
    );
    all
}

/// Begins this number of threads that compute. They end with this program.
fn keep_busy(threads: u64) {
    for _ in 0..threads {
        std::thread::spawn(|| {
            loop {
                std::hint::spin_loop();
            }
        });
    }
}

#[test]
#[ignore = "takes minutes: scripts/soak"]
fn verdicts_hold_and_nothing_is_left() {
    let _turn = take_turn();
    let (cases, jobs) = (setting("SOAK", 2000) as usize, setting("SOAK_JOBS", 4));
    let busy = setting("SOAK_BUSY", 2);
    let all = contestants();
    let dir = stand_in_a_folder();
    let files_before = files(dir.path());
    let hidden = ["in", "out"].map(PathBuf::from);
    let sandboxes: Vec<Option<Sandbox>> = all
        .iter()
        .map(|one| {
            one.sandboxed
                .then(|| sandbox(&one.program, &hidden))
                .flatten()
        })
        .collect();
    adopt_orphans();
    let mut order: Vec<usize> = (0..cases).map(|i| i % all.len()).collect();
    CaseRng::new(Seed(setting("SOAK_SEED", 1))).shuffle(&mut order);
    let (next, seen) = (AtomicUsize::new(0), Mutex::new(Seen::default()));
    let begun = Instant::now();
    let judge_some = |until: usize| {
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while next.load(Ordering::Relaxed) < until {
                        let Some(&which) = order.get(next.fetch_add(1, Ordering::Relaxed)) else {
                            break;
                        };
                        judge_one(&all[which], sandboxes[which].as_ref(), &seen, begun);
                    }
                });
            }
        });
    };
    keep_busy(busy);
    // After the first tenth every buffer has had its largest size.
    judge_some(cases / 10);
    let open = descriptors();
    let mut memory = Vec::new();
    for quarter in 1..=4 {
        judge_some(cases * quarter / 4);
        memory.push(status("VmRSS"));
    }
    // As many namespaces are open as at first.
    let open_after = descriptors();
    Containment::close();
    let mut seen = seen.into_inner().unwrap();
    let (count, seconds) = (all.len(), begun.elapsed().as_secs_f64());
    seen.print();
    println!(
        "{cases} cases of {count} contestants, {jobs} at once, {busy} threads busy, {seconds:.0} s"
    );
    let peak = status("VmHWM");
    println!("memory           {memory:?} KiB by quarters, peak {peak}");
    println!(
        "descriptors      {} at first, {} at the end",
        open.len(),
        open_after.len()
    );
    println!("children left    {:?}", children());
    println!("processes left   {:?}", left());
    assert!(seen.wrong.is_empty());
    assert_eq!(children(), "");
    assert_eq!(left(), [""; 0]);
    assert_eq!(open_after.len(), open.len(), "{open:?}, {open_after:?}");
    assert_eq!(files(dir.path()), files_before);
    assert!(memory[3] <= memory[0] * 3 / 2, "memory grows");
    // What a batch of eight may use altogether; one judge alone is far below. What is not optimised is larger.
    let most = if cfg!(debug_assertions) { 30 } else { 20 };
    assert!(peak <= most << 10, "more than {most} MiB");
}
