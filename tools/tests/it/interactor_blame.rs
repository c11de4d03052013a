//! Who is to blame: each bad contestant against each bad interactor, with the verdict, the reason, and who ended first.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use regex::Regex;
use tester::judge::external::{Contract, ExternalSpec};
use tester::judge::interactor::{Interactor, InteractorCase};
use tester::judge::reasons::japanese;
use tester::process::{Confinement, Containment};
use tester::{Command, Limits};

/// The game: the interactor says a line, the contestant answers, the interactor says `ok` and accepts.
const CONTESTANTS: [(&str, &str); 10] = [
    ("exits at once", "exit 0"),
    ("crashes at once", "exit 3"),
    ("crashes on the reply", "read n; echo 5; read r; exit 4"),
    ("never reads", "exec sleep 9"),
    ("computes", "while :; do :; done"),
    ("floods", "exec yes"),
    ("closes its output", "read n; exec >&-; exec sleep 9"),
    ("ends no line", "read n; printf 5; read r"),
    ("only reads", "exec cat > /dev/null"),
    ("plays", "read n; echo 5; read r; exit 0"),
];

const INTERACTORS: [(&str, &str); 8] = [
    ("accepts at once", "exit 0"),
    ("refuses at once", "echo no >&2; exit 1"),
    (
        "crashes on the answer",
        "echo 9; read g && kill -SEGV $$; exit 1",
    ),
    ("never reads", "exec sleep 9"),
    ("floods", "exec yes"),
    ("crashes at once", "kill -SEGV $$"),
    ("computes", "while :; do :; done"),
    (
        "plays",
        "echo 9; if read g; then echo ok; else echo no answer >&2; exit 1; fi",
    ),
];

fn interactor(body: &str) -> Interactor {
    let spec = ExternalSpec::of_line(format!(": {{case}}; {body}"), Some(Contract::Plain));
    let interactor = Interactor::new(&spec).unwrap().unwrap();
    interactor.with_time(Duration::from_secs(2))
}

/// The verdict and the reason of a pair, with `#` for times and numbers of bytes.
fn judged(contestant: &str, interactor_body: &str, containment: Containment) -> String {
    let limits = Limits {
        time: Duration::from_millis(1200),
        output_bytes: 1 << 19,
        ..Limits::default()
    };
    let confinement: Confinement<'_> = limits.confinement(containment, None);
    let command = Command {
        program: "sh".into(),
        args: vec!["-c".into(), contestant.into()],
    };
    let record = interactor(interactor_body).judge(
        InteractorCase {
            title: "case",
            path: "case".as_ref(),
            number: 0,
        },
        &command,
        &confinement,
        &limits,
        None,
        &mut (),
    );
    let record = record.unwrap();
    if let Some(reason) = &record.reason {
        // Pages can say it in Japanese.
        assert!(japanese(reason).is_some(), "{reason}");
    }
    let headline = record.headline();
    let numbers = Regex::new(r"\d+\.\d+|\b\d{3,}\b").unwrap();
    numbers.replace_all(&headline, "#").into_owned()
}

/// Each text that was seen for a pair, with how often.
type Seen = BTreeMap<(usize, usize), BTreeMap<String, u64>>;

/// The first contestants against the first interactors, several times and several pairs at the same time: nearly all
/// of them wait.
fn all(
    (contestants, interactors): (usize, usize),
    containment: Containment,
    times: usize,
    jobs: usize,
) -> Seen {
    let pairs = move || (0..contestants).flat_map(move |c| (0..interactors).map(move |i| (c, i)));
    let left = Mutex::new((0..times).flat_map(|_| pairs()));
    let found = Mutex::new(Seen::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let next = left.lock().unwrap().next();
                    let Some((c, i)) = next else { break };
                    let text = judged(CONTESTANTS[c].1, INTERACTORS[i].1, containment);
                    let mut found = found.lock().unwrap();
                    *found.entry((c, i)).or_default().entry(text).or_default() += 1;
                }
            });
        }
    });
    Containment::close();
    found.into_inner().unwrap()
}

fn table(seen: &Seen) -> String {
    let mut text = String::new();
    for ((c, i), texts) in seen {
        let (contestant, interactor) = (CONTESTANTS[*c].0, INTERACTORS[*i].0);
        for judged in texts.keys() {
            writeln!(text, "{contestant} / {interactor}: {judged}").unwrap();
        }
    }
    text
}

#[test]
fn each_pair_has_its_verdict_its_reason_and_who_ended_first() {
    insta::assert_snapshot!(table(&all((8, 5), Containment::Namespace, 1, 4)));
}

/// How many times, and how many pairs at once. With 40 at once, which nearly all wait, a thousand times took 23 minutes
/// on two cores: 40,000 sessions, none that differed.
/// `REPEAT=1000 JOBS=40 cargo test … -- --ignored no_pair_ever_differs`; `TREE=1` is without
/// namespaces, `ALL=1` takes all 80 pairs.
#[test]
#[ignore = "a measurement"]
fn no_pair_ever_differs() {
    let number = |name: &str, usual| std::env::var(name).map_or(usual, |n| n.parse().unwrap());
    let (times, jobs) = (number("REPEAT", 10), number("JOBS", 4));
    let containment = match std::env::var("TREE").is_ok() {
        true => Containment::Tree,
        false => Containment::Namespace,
    };
    let which = match std::env::var("ALL").is_ok() {
        true => (CONTESTANTS.len(), INTERACTORS.len()),
        false => (8, 5),
    };
    let seen = all(which, containment, times, jobs);
    let mut differing = seen.iter().filter(|(_, texts)| texts.len() > 1).peekable();
    let differs = differing.peek().is_some();
    for ((c, i), texts) in differing {
        println!("{} / {}: {texts:#?}", CONTESTANTS[*c].0, INTERACTORS[*i].0);
    }
    let judged: u64 = seen.values().flat_map(BTreeMap::values).sum();
    println!("{} pairs, {judged} sessions", seen.len());
    assert!(!differs);
    // What all of them left would be children of this process.
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let children = tasks.map(|task| std::fs::read_to_string(task.path().join("children")));
    let children: String = children.filter_map(Result::ok).collect();
    assert_eq!(children, "", "processes are left");
}
