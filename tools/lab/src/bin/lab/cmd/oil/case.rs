//! One case: what was known at each turn, as a page or as text.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ahc030::case::Case;
use ahc030::case_file;
use ahc030::problem::AHC030;
use anyhow::{Context, Result, anyhow, bail, ensure};
use lab::oil::page;
use lab::oil::replay::{Known, Replay, own_game, prior_bits, replay};
use lab::oil::table::true_values;
use lab::oil_solver::Settings;
use tester::judge::replay as judge_replay;
use tester::judge::session::SessionView;
use tester::judge::transcript::{self, Entry};
use tester::judge::verdict::replay_verdict;
use tester::problem::{Instance, Lines, Problem};
use tester::report::page::session::SessionPage;
use tester::util::atomic_file::create_page;
use tester::util::bounded_read;
use tester::util::count::counted;

use crate::cli::OilArgs;

/// A transcript has a time in each line; the output of a contestant of AHC030 never begins so.
const TRANSCRIPT_MARK: u8 = b'[';

pub(super) fn run(args: &OilArgs, path: &Path, settings: Settings) -> Result<ExitCode> {
    let out = (args.out.clone()).unwrap_or_else(|| PathBuf::from("oil.html"));
    ensure!(
        out.extension().is_some_and(|ending| ending == "html"),
        "expected a name that ends in .html, found {}",
        out.display()
    );
    let failed = || format!("failed to read case {}", path.display());
    let text = bounded_read::read_text(path, bounded_read::MAX_TEXT).with_context(failed)?;
    let case = Arc::new(case_file::parse(&text).with_context(failed)?);
    let instance = AHC030
        .parse(&[], &mut Lines::new(&text))
        .with_context(failed)?;
    let limit = case.operation_limit() as u64;
    let (entries, facts) = match &args.session {
        Some(session) => read_session(&*instance, limit, session)?,
        None => {
            let own = own_game(&case, settings);
            let lines: Vec<&str> = own.steps.iter().map(|step| step.line.as_str()).collect();
            judge_replay::replay_stdout(&*instance, limit, u64::MAX, lines.join("\n").as_bytes())
        }
    };
    let turns = SessionView::new(Some(&*instance), &entries);
    let answered = turns
        .turns
        .iter()
        .filter(|turn| turn.reply.as_deref().is_some_and(|reply| reply != "-1"));
    let lines: Vec<&str> = answered.map(|turn| turn.guess.as_str()).collect();
    let known = replay(&case, &lines, settings)
        .map_err(|(turn, refusal)| anyhow!("operation {turn}: {refusal}"))?;
    if let Some(turn) = args.turn {
        out!("{}", text_of(&case, &known, turn)?.trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    let outcome = replay_verdict(&facts, judge_replay::recorded_verdict(&entries, &facts));
    let shown = SessionPage {
        name: &path.file_name().unwrap_or_default().to_string_lossy(),
        instance: Some(&*instance),
        turns: &turns,
        verdict: outcome.verdict,
        score: outcome.score,
        reason: outcome.reason.as_deref(),
    };
    let mut file = create_page(&out)?;
    page::write(&shown, &known, &case, &mut file)
        .with_context(|| format!("failed to write {}", out.display()))?;
    file.finish()?;
    crate::note(&format!("wrote {}", out.display()));
    Ok(ExitCode::SUCCESS)
}

fn read_session(
    instance: &dyn Instance,
    limit: u64,
    path: &Path,
) -> Result<(Vec<Entry>, tester::judge::referee::SessionFacts)> {
    let failed = || format!("failed to read session {}", path.display());
    let bytes = bounded_read::read(path, bounded_read::MAX_TEXT).with_context(failed)?;
    if bytes.first() != Some(&TRANSCRIPT_MARK) {
        return Ok(judge_replay::replay_stdout(
            instance,
            limit,
            u64::MAX,
            &bytes,
        ));
    }
    let entries = transcript::read(&String::from_utf8_lossy(&bytes)).with_context(failed)?;
    let facts = judge_replay::replay(instance, limit, &entries).with_context(failed)?;
    Ok((entries, facts))
}

/// What was known before an operation, from 1; after the last one, what is known at the end.
fn text_of(case: &Case, replay: &Replay, turn: usize) -> Result<String> {
    let turns = replay.steps.len();
    let (known, operation) = match turn.checked_sub(1).map(|index| replay.steps.get(index)) {
        Some(Some(step)) => {
            let n = usize::from(case.layout.n());
            let cell = step.drill.cells[0];
            // Of an answer, `asked` is what its cells would tell as a question: not what it is worth.
            let (kind, own) = match step.is_answer {
                true => ("answer", String::new()),
                false => (
                    "question",
                    format!("{:.4} bits for cost; ", step.asked.value),
                ),
            };
            let value = format!(
                "operation    {kind} for {}, reply {}, cost after it {:.3}\n\
                 value        {own}best question found {:.4}; drill of ({}, {}) {:.4}\n",
                counted(step.asked.cells.len() as u64, "cell"),
                step.reply,
                step.cost,
                step.best,
                cell / n,
                cell % n,
                step.drill.value
            );
            (&step.known, value)
        }
        Some(None) if turn == turns + 1 => (&replay.end, String::new()),
        _ => bail!(
            "expected an operation from 1 to {}, found {turn}: the session has {turns}",
            turns + 1
        ),
    };
    Ok(format!(
        "before       operation {turn} of {turns}\n\
         cost         {:.3}\n\
         entropy      {:.2} bits left in a pool of {}; {:.1} bits of all layouts at the start\n\
         best answer  probability {:.4}\n{operation}{}",
        known.cost,
        known.pool_bits,
        counted(known.layouts as u64, "layout"),
        prior_bits(case),
        known.answer,
        grids(case, known)
    ))
}

/// The probabilities in %, and the truth beside them.
fn grids(case: &Case, known: &Known) -> String {
    let n = usize::from(case.layout.n());
    let values = true_values(case);
    let mut out = format!(
        "{:<width$}  fields in each cell\n",
        "oil in %",
        width = 4 * n
    );
    for (oil, values) in known.oil.chunks(n).zip(values.chunks(n)) {
        let percent = |p: &f64| match (100.0 * p).round() {
            0.0 => "   .".to_owned(),
            percent => format!("{percent:>4}"),
        };
        let value = |value: &u8| match value {
            0 => " .".to_owned(),
            value => format!("{value:>2}"),
        };
        let row: String = oil.iter().map(percent).collect();
        let truth: String = values.iter().map(value).collect();
        out.push_str(&format!("{row}  {truth}\n"));
    }
    out
}
