//! The part of `bombs` that runs in a PID namespace with few numbers: every bomb, judged and watched.
//!
//! `BOMBS` is how often each is judged, `BOMBS_SECONDS` how long at most, `BOMBS_ONLY=plain,zombies,Landlock,nobody`
//! leaves the others out, `BOMBS_OPTIONS` are more options of the judge, `BOMBS_BUSY` is how many threads compute
//! meanwhile, `BOMBS_TESTER` is another judge, `BOMBS_LATEST_MS` how late a verdict may be.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::bombs_watch::{Watched, watch};
use crate::common::CASE;
use crate::common::nobody::{NOBODY, as_nobody, tester_for_nobody};
use crate::expected::compiled;

/// All kinds, and what may be said of each.
const KINDS: [(&str, &[&str]); 25] = [
    ("plain", RE),
    ("sessions", RE),
    ("groups", RE),
    ("double", RE),
    // Each parent waits for its child, so that a limit may end it by time.
    ("vfork", RE),
    ("sisters", RE),
    ("memory", RE),
    ("signals", RE),
    ("namespaces", RE),
    ("threads-fork", RE),
    // The kernel refuses more threads, and no limit of ours is passed.
    ("threads", &["TLE"]),
    ("slow-1ms", RE),
    ("slow-5ms", RE),
    ("after-answer", RE),
    // It ends at once, and nothing of it can go on.
    ("daemon", &["AC", "RE", "TLE"]),
    ("slow-daemon", &["AC", "RE", "TLE"]),
    ("ignoring", RE),
    ("zombies", RE),
    // They end and are reaped so fast that few are there at once.
    ("adopted", RE),
    ("hogs", RE),
    ("executes", RE),
    ("tracers", RE),
    ("stops", RE),
    ("reapers", RE),
    ("headless", RE),
];

/// On a busy machine, processor time may pass its limit before the processes are counted.
const RE: &[&str] = &["RE", "TLE"];

/// The limit on processes of each bomb.
const LIMIT: u64 = 16;
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// A verdict may be this late when a soak measures it on a busy machine.
const LATEST_MS: u64 = 500;

/// How a bomb is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    sandbox: &'static str,
    user: &'static str,
    /// `single`, or `batch` with two jobs.
    mode: &'static str,
}

/// What was seen of one kind in one place.
#[derive(Default)]
struct Seen {
    times: u64,
    most: u64,
    looks: u64,
    left: usize,
    keepers: usize,
    verdicts: BTreeMap<String, u64>,
    late_ms: i64,
    wrong: Vec<String>,
}

struct Arena {
    dir: TempDir,
    tester: PathBuf,
    options: Vec<String>,
    /// A verdict may be this late.
    latest: Duration,
}

impl Arena {
    fn new(latest: Duration) -> Self {
        let is_contained = std::env::var_os("BOMBS_CONTAINED").is_some();
        let highest = fs::read_to_string("/proc/sys/kernel/pid_max").unwrap();
        let highest: u64 = highest.trim().parse().unwrap();
        assert!(
            is_contained && highest <= 5000,
            "bombs hit the machine: run scripts/soak bombs instead"
        );
        let dir = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bombs/bomb.rs");
        fs::copy(compiled(&source), dir.path().join("bomb")).unwrap();
        fs::create_dir(dir.path().join("in")).unwrap();
        for name in ["in/0000.txt", "in/0001.txt"] {
            fs::write(dir.path().join(name), CASE).unwrap();
        }
        // Readable and writable for every user.
        let own = [".", "in", "in/0000.txt", "in/0001.txt"];
        for path in own.map(|name| dir.path().join(name)) {
            use std::os::unix::fs::PermissionsExt;
            let all = fs::Permissions::from_mode(0o777);
            fs::set_permissions(path, all).unwrap();
        }
        let setting = |name| std::env::var(name).unwrap_or_default();
        let tester = std::env::var_os("BOMBS_TESTER").map(PathBuf::from);
        Self {
            tester: tester.unwrap_or_else(|| tester_for_nobody(dir.path())),
            dir,
            options: setting("BOMBS_OPTIONS")
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            latest,
        }
    }

    /// The judge of one kind in one place.
    fn command(&self, kind: &str, place: Place) -> Command {
        let path = match place.sandbox {
            // Without bubblewrap, which would be taken first.
            "Landlock" => "PATH=/nowhere".to_owned(),
            _ => format!("PATH={}", std::env::var("PATH").unwrap()),
        };
        let mut command = Command::new("setpriv");
        if place.user == "nobody" {
            let [_setpriv, words @ ..] = as_nobody().expect("the root of the namespace");
            command.args(words);
        }
        command.args(["env", "BOMB=armed", &path]);
        command.arg(&self.tester);
        if place.mode == "batch" {
            command.args(["batch", "--json", "--jobs", "2"]);
        }
        let (processes, seconds) = (LIMIT.to_string(), TIME_LIMIT.as_secs().to_string());
        command.args(["--process-limit", &processes, "--time-limit", &seconds]);
        if place.sandbox != "none" {
            command.arg("--sandbox");
        }
        command.args(&self.options);
        command.args(["--", "./bomb", kind]);
        command.current_dir(self.dir.path());
        command.stdin(fs::File::open(self.dir.path().join("in/0000.txt")).unwrap());
        command
    }

    /// Judges one kind in one place, once.
    fn judge(&self, kind: &str, place: Place) -> Watched {
        let cases = match place.mode {
            "batch" => 2,
            _ => 1,
        };
        let out = self.dir.path().join("out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).unwrap();
        if place.user == "nobody" {
            chown(&out, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        watch(&mut self.command(kind, place), cases)
    }

    /// Where bombs can be judged here; says which places are missing.
    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for sandbox in ["none", "Landlock", "bubblewrap"] {
            for user in ["own", "nobody"] {
                let place = |mode| Place {
                    sandbox,
                    user,
                    mode,
                };
                let watched = self.judge("dud", place("single"));
                let is_in_sandbox = watched.said.starts_with(&format!("sandbox: {sandbox}"));
                let is_judged = watched.verdicts == [("AC".to_owned(), None)];
                match is_judged && (sandbox == "none" || is_in_sandbox) {
                    true => places.extend([place("single"), place("batch")]),
                    false => eprintln!("not tested: {sandbox} as {user}: {}", watched.said),
                }
            }
        }
        places
    }

    /// Judges one kind in one place, and adds what was seen.
    fn add(&self, kind: &str, expected: &[&str], place: Place, seen: &mut Seen) {
        let watched = self.judge(kind, place);
        let late_ms = watched.took.as_millis() as i64 - TIME_LIMIT.as_millis() as i64;
        if let Some(wrong) = self.wrong(&watched, expected, place) {
            eprintln!("{kind} {place:?}: {wrong}");
            seen.wrong.push(wrong);
        }
        seen.late_ms = match seen.times {
            0 => late_ms,
            _ => seen.late_ms.max(late_ms),
        };
        seen.times += 1;
        seen.most = seen.most.max(watched.most);
        seen.looks += watched.looks;
        seen.left = seen.left.max(watched.left.len()).max(watched.stayed.len());
        seen.keepers = seen.keepers.max(watched.keepers);
        for (verdict, _) in watched.verdicts {
            *seen.verdicts.entry(verdict).or_default() += 1;
        }
    }

    /// What is wrong, if anything is.
    fn wrong(&self, watched: &Watched, expected: &[&str], place: Place) -> Option<String> {
        let jobs = if place.mode == "batch" { 2 } else { 1 };
        let of_sandbox = if place.sandbox == "bubblewrap" { 2 } else { 0 };
        // And a keeper.
        let most = jobs as u64 * (LIMIT + 2 + of_sandbox + 1);
        let is_expected = |(verdict, reason): &(String, Option<String>)| {
            expected.contains(&verdict.as_str()) && reason.is_some() == (verdict != "AC")
        };
        let mut wrong = Vec::new();
        if watched.verdicts.len() != jobs || !watched.verdicts.iter().all(is_expected) {
            wrong.push(format!("expected {expected:?}, it said {}", watched.said));
        }
        if watched.most > most {
            wrong.push(format!("{} at once, limit {most}", watched.most));
        }
        if !watched.left.is_empty() {
            wrong.push(format!("left at the verdict: {:?}", watched.left));
        }
        if !watched.stayed.is_empty() {
            wrong.push(format!("left at the end: {:?}", watched.stayed));
        }
        if watched.took > TIME_LIMIT + self.latest {
            wrong.push(format!("verdict after {:?}", watched.took));
        }
        (!wrong.is_empty()).then(|| wrong.join("; "))
    }
}

#[test]
#[ignore = "a part of the tests of bombs"]
fn each_kind_once() {
    // Not a measurement: machines are shared.
    let arena = Arena::new(Duration::from_secs(5));
    let places = arena.places();
    let mut wrong = Vec::new();
    for ((kind, expected), place) in KINDS.iter().zip(places.iter().cycle()) {
        let mut seen = Seen::default();
        arena.add(kind, expected, *place, &mut seen);
        wrong.extend(
            seen.wrong
                .iter()
                .map(|text| format!("{kind} {place:?}: {text}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A number that the environment sets.
fn setting(name: &str, usual: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.map_or(usual, |text| text.parse().expect(name))
}

/// Leaves out what `BOMBS_ONLY` does not name, if it names any of these.
fn only<'a, T>(all: Vec<T>, name: impl Fn(&T) -> &'a str) -> Vec<T> {
    let only = std::env::var("BOMBS_ONLY").unwrap_or_default();
    let only: BTreeSet<&str> = only.split(',').collect();
    let is_named = all.iter().any(|one| only.contains(name(one)));
    let left = |one: &T| !is_named || only.contains(name(one));
    all.into_iter().filter(left).collect()
}

#[test]
#[ignore = "a part of scripts/soak bombs"]
fn all_kinds_everywhere() {
    let arena = Arena::new(Duration::from_millis(setting("BOMBS_LATEST_MS", LATEST_MS)));
    let places = only(arena.places(), |place| place.sandbox);
    let places = only(places, |place| place.user);
    let places = only(places, |place| place.mode);
    let kinds = only(KINDS.to_vec(), |kind| kind.0);
    // They end with this program.
    for _ in 0..setting("BOMBS_BUSY", 0) {
        std::thread::spawn(|| {
            loop {
                std::hint::spin_loop();
            }
        });
    }
    let until = Instant::now() + Duration::from_secs(setting("BOMBS_SECONDS", 1 << 30));
    let mut table = Table {
        kinds,
        seen: BTreeMap::new(),
    };
    'all: for _ in 0..setting("BOMBS", 1) {
        for (number, (kind, expected)) in table.kinds.iter().enumerate() {
            for place in &places {
                if Instant::now() > until {
                    break 'all;
                }
                let seen = table.seen.entry((number, *place)).or_default();
                arena.add(kind, expected, *place, seen);
            }
        }
    }
    assert!(table.seen.values().all(|seen| seen.wrong.is_empty()));
}

/// What was seen of each kind, by its index, in each place. It is printed at the end, also where a test fails.
struct Table {
    kinds: Vec<(&'static str, &'static [&'static str])>,
    seen: BTreeMap<(usize, Place), Seen>,
}

impl Drop for Table {
    fn drop(&mut self) {
        print(&self.kinds, &self.seen);
    }
}

fn print(kinds: &[(&str, &[&str])], all: &BTreeMap<(usize, Place), Seen>) {
    println!(
        "kind         sandbox    user   mode    times  looks/case  most  keepers  left  latest, ms  wrong  verdicts"
    );
    for ((number, place), seen) in all {
        let verdicts = seen
            .verdicts
            .iter()
            .map(|(v, times)| format!("{v} {times}"));
        println!(
            "{:12} {:10} {:6} {:6} {:6} {:11} {:5} {:8} {:5} {:11} {:6}  {}",
            kinds[*number].0,
            place.sandbox,
            place.user,
            place.mode,
            seen.times,
            seen.looks / seen.times,
            seen.most,
            seen.keepers,
            seen.left,
            seen.late_ms,
            seen.wrong.len(),
            verdicts.collect::<Vec<_>>().join(", ")
        );
    }
    for ((number, place), seen) in all {
        for wrong in seen.wrong.iter().take(3) {
            println!("{} {place:?}: {wrong}", kinds[*number].0);
        }
    }
}
