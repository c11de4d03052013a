//! What it costs that the judge stands between a contestant and an interactor:
//! `cargo bench -p tester --bench interactor`.
//!
//! The same two programs exchange the same lines with pipes between them, and through the judge without and with a
//! transcript, in turn, so that a noisy machine disturbs all alike. The time of a session without lines is taken
//! off. Medians are printed, with the middle half of the samples in brackets. Processor time is that of all processes
//! together: on a machine with other work, the wall clock measures above all how long they wait for a processor.

use std::ffi::OsString;
use std::io::{BufRead, Write, stdin, stdout};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tester::Limits;
use tester::judge::Watcher;
use tester::judge::external::{Contract, ExternalSpec};
use tester::judge::interactor::{Interactor, InteractorCase};
use tester::judge::record::Verdict;
use tester::judge::transcript::Transcript;
use tester::process::{Confinement, Containment};

const ASK: &str = "--ask";
const ANSWER: &str = "--answer";
const TURNS: usize = 10_000;
const ROUNDS: usize = 9;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |word: &str| {
        let at = args.iter().position(|arg| arg == word)?;
        args[at + 1].parse().ok()
    };
    match (number(ASK), number(ANSWER)) {
        (Some(turns), _) => speak(turns, true),
        (_, Some(turns)) => speak(turns, false),
        _ => measure(),
    }
}

/// One of the two programs: writes a line and waits for one, or the other way round.
fn speak(turns: usize, begins: bool) {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut line = String::new();
    for turn in 0..turns {
        if begins {
            writeln!(output, "{turn} 12345").unwrap();
            output.flush().unwrap();
        }
        line.clear();
        assert_ne!(input.read_line(&mut line).unwrap(), 0);
        if !begins {
            output.write_all(line.as_bytes()).unwrap();
            output.flush().unwrap();
        }
    }
}

fn program() -> OsString {
    std::env::current_exe().unwrap().into()
}

/// The floor: a pipe each way.
fn direct(turns: usize) {
    let start = |word: &str, stdin: Stdio, stdout: Stdio| {
        let mut command = Command::new(program());
        command.args([word, &turns.to_string()]);
        command.stdin(stdin).stdout(stdout).spawn().unwrap()
    };
    let (to_asker, from_answerer) = std::io::pipe().unwrap();
    let mut asker = start(ASK, to_asker.into(), Stdio::piped());
    let asked = asker.stdout.take().unwrap();
    let mut answerer = start(ANSWER, asked.into(), from_answerer.into());
    assert!(asker.wait().unwrap().success());
    assert!(answerer.wait().unwrap().success());
}

fn judged(turns: usize, watcher: &mut dyn Watcher) {
    let interactor = format!(": {{case}}; exec {} {ASK} {turns}", program().display());
    let spec = ExternalSpec::of_line(interactor, Some(Contract::Plain));
    let interactor = Interactor::new(&spec).unwrap().unwrap();
    let command = tester::Command {
        program: program(),
        args: [ANSWER, &turns.to_string()].map(OsString::from).to_vec(),
    };
    let limits = Limits {
        time: Duration::from_secs(60),
        ..Limits::default()
    };
    let confinement: Confinement<'_> = limits.confinement(Containment::Tree, None);
    let case = InteractorCase {
        title: "",
        path: "case".as_ref(),
        number: 0,
    };
    let record = interactor.judge(case, &command, &confinement, &limits, None, watcher);
    let record = record.unwrap();
    assert_eq!(record.verdict, Verdict::Ac, "{record:?}");
    assert_eq!(record.turns, turns as u64);
}

fn with_transcript(turns: usize) {
    let file = tempfile::tempfile().unwrap();
    judged(turns, &mut Transcript::new(std::io::BufWriter::new(file)));
}

/// A way to let the two speak, for a number of turns.
type Way = (&'static str, fn(usize));

const WAYS: [Way; 3] = [
    ("a pipe each way", direct),
    ("judge between", |turns| judged(turns, &mut ())),
    ("with a transcript", with_transcript),
];

/// The time now, and the processor time of this process and of those that it has waited for, in microseconds.
fn clocks(begun: Instant) -> [f64; 2] {
    let used = |who| {
        // SAFETY: the usage is a plain value to write to.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            assert_eq!(libc::getrusage(who, &raw mut usage), 0);
            usage
        };
        let times = [usage.ru_utime, usage.ru_stime];
        let times = times.map(|time| time.tv_sec as f64 * 1e6 + time.tv_usec as f64);
        times.iter().sum::<f64>()
    };
    let processors = used(libc::RUSAGE_SELF) + used(libc::RUSAGE_CHILDREN);
    [begun.elapsed().as_secs_f64() * 1e6, processors]
}

fn measure() {
    let begun = Instant::now();
    let mut samples = WAYS.map(|_| [Vec::new(), Vec::new()]);
    for round in 0..=ROUNDS {
        for ((_, way), samples) in WAYS.iter().zip(&mut samples) {
            let times = |turns| {
                let before = clocks(begun);
                way(turns);
                let after = clocks(begun);
                [0, 1].map(|which| after[which] - before[which])
            };
            let (with, without) = (times(TURNS), times(0));
            for (which, samples) in samples.iter_mut().enumerate() {
                // A turn is a line each way.
                let a_line = (with[which] - without[which]) / (2 * TURNS) as f64;
                if round > 0 {
                    samples.push(a_line);
                    samples.sort_by(f64::total_cmp);
                }
            }
        }
    }
    println!(
        "{ROUNDS} rounds of {TURNS} lines each way, medians [middle half], microseconds a line"
    );
    for (which, title) in ["wall clock", "processor time"].into_iter().enumerate() {
        println!("{title}");
        table(&samples.each_ref().map(|samples| &samples[which][..]));
    }
}

/// One row for each way: its quartiles, and what it adds to a pipe each way.
fn table(samples: &[&[f64]; 3]) {
    let quarter = |samples: &[f64], part: usize| samples[samples.len() * part / 4];
    let floor = quarter(samples[0], 2);
    for ((name, _), samples) in WAYS.iter().zip(samples) {
        let [low, middle, high] = [1, 2, 3].map(|part| quarter(samples, part));
        let (over, ratio) = (middle - floor, middle / floor);
        println!(
            "  {name:<18} {middle:>7.2} [{low:.2}, {high:.2}]  over a pipe {over:>7.2}  ratio {ratio:.2}"
        );
    }
}
