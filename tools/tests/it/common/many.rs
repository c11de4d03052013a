//! A run of many cases, without judging as many programs.

use std::num::NonZeroUsize;
use std::path::Path;

use tester::case::{Case, Content, Parameters, Source};
use tester::judge::record::{JudgedCase, Record, Verdict};
use tester::judge::referee::{Referee, Ruling, Stage};
use tester::judge::transcript::{Speaker, Transcript};
use tester::problem::{Score, Scoring};
use tester::process::Command;
use tester::run::provenance::Provenance;
use tester::run::spec::RunSpec;
use tester::store::{History, Kind, NewRun, State};

/// A run to be kept in `dir/h`.
pub struct Playing<'a> {
    pub tag: &'a str,
    /// What is said to have played.
    pub command: &'a str,
    pub source: Source,
    /// What is guessed before the right answer, by the case's number.
    pub wrong: &'a dyn Fn(u64) -> Vec<String>,
    /// The parameters that each case is said to have, by its number.
    pub parameters: &'a [(&'a str, &'a dyn Fn(u64) -> f64)],
    /// How many decimals its scores are said to have: the number of turns counts their units.
    pub decimals: u8,
    /// The first case whose transcript is kept. Writing 100,000 of them takes longer than all that a page does then.
    pub transcripts_from: u64,
}

/// A run with this many cases of `hitblow 3 10`. Case N takes up to N mod 37 wrong guesses.
pub fn played(dir: &Path, tag: &str, cases: u64) {
    played_with_transcripts_from(0, dir, tag, cases);
}

/// The same, with the transcripts of the last cases alone.
pub fn played_with_transcripts_from(transcripts_from: u64, dir: &Path, tag: &str, cases: u64) {
    let wrong = |number: u64| {
        // The number of guesses differs, so that scores differ.
        let wrong = (0..number % 37).map(|n| format!("{} {} {}", n % 8, n % 8 + 1, 9));
        wrong.collect()
    };
    let source = Source::Seeds {
        problem: "hitblow 3 10".to_owned(),
        seeds: 0..=cases - 1,
    };
    keep(
        dir,
        &Playing {
            tag,
            command: "./mine",
            source,
            wrong: &wrong,
            parameters: &[],
            decimals: 0,
            transcripts_from,
        },
    );
}

/// Plays by the judge's rules, in this process, and keeps the run as a batch does: judging as many programs would take
/// a minute.
pub fn keep(dir: &Path, playing: &Playing<'_>) {
    let source = playing.source.clone();
    let new = new_run(dir, playing);
    let mut history = History::open(&dir.join("h")).unwrap();
    let runs = dir.join("out/runs");
    let (run, folder) = history.begin_in(&new, &runs, NonZeroUsize::MAX).unwrap();
    let mut all = Vec::new();
    for case in source.tickets().unwrap() {
        let Case { key, content } = case.open().unwrap();
        let Content::Builtin(instance) = content else {
            unreachable!()
        };
        let mut referee = Referee::new(instance.as_ref(), 1000);
        let mut transcript = Transcript::new(Vec::new());
        let us = std::time::Duration::from_micros;
        transcript
            .line(us(20), Speaker::Judge, instance.opening().as_bytes())
            .unwrap();
        let wrong = (playing.wrong)(key.id.0).into_iter();
        for (line, at) in wrong.chain(instance.answer()).zip(1..) {
            transcript
                .line(us(at * 1000), Speaker::Contestant, line.as_bytes())
                .unwrap();
            if let Ruling::Reply(reply) = referee.hear(line.as_bytes()) {
                transcript
                    .line(us(at * 1000 + 5), Speaker::Judge, reply.as_bytes())
                    .unwrap();
            }
            if referee.stage() == Stage::Solved {
                break;
            }
        }
        let values = playing.parameters.iter();
        let record = Record {
            parameters: Parameters::new(values.map(|(_, value)| Some(value(key.id.0)))),
            verdict: Verdict::Ac,
            score: Score::new(referee.score().units(), playing.decimals),
            turns: referee.turns(),
            wall_ms: 50.0,
            cpu_ms: 1.0,
            memory_kib: 2048,
            reason: None,
            ..Record::internal_error(instance.opening(), String::new())
        };
        if key.id.0 >= playing.transcripts_from {
            let text = transcript.finish(us(50_000), &record.headline()).unwrap();
            std::fs::write(folder.join(key.id.file_name("transcript")), text).unwrap();
        }
        all.push(JudgedCase { case: key, record });
    }
    history.add(run, &all).unwrap();
    history
        .end(run, State::Done, std::time::Duration::from_secs(1))
        .unwrap();
}

fn new_run(dir: &Path, playing: &Playing<'_>) -> NewRun {
    let source = playing.source.clone();
    let (planned, openings) = source.check().unwrap();
    let names = playing
        .parameters
        .iter()
        .map(|(name, _)| (*name).to_owned());
    let spec = RunSpec {
        scoring: Scoring {
            decimals: playing.decimals,
            ..Scoring::default()
        },
        parameters: names.collect(),
        transcripts: true,
        ..spec(dir, playing.command, source)
    };
    NewRun {
        tag: Some(playing.tag.to_owned()),
        ..kept(spec, planned, openings.join("; "))
    }
}

/// A run into `dir/out`, described by the program and the cases alone.
pub fn spec(dir: &Path, command: &str, source: Source) -> RunSpec {
    RunSpec {
        out: dir.join("out"),
        ..RunSpec::new(Command::from_line(command).unwrap(), source)
    }
}

/// A batch as the history takes it, on no machine in particular.
pub fn kept(spec: RunSpec, planned: usize, problem: String) -> NewRun {
    NewRun {
        kind: Kind::Batch,
        spec,
        planned,
        problem,
        provenance: Provenance {
            fingerprint: "0".to_owned(),
            machine: "a test".to_owned(),
            tester: "a test".to_owned(),
            ..Provenance::default()
        },
        tag: None,
        comment: None,
    }
}
