//! `tester vis`: one session as a page, from the contestant's output or from a transcript. Where `tester.toml` names
//! another judge, `draw` runs that contest's visualizer.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use tester_core::case::{Case, CaseId, Content, Digest, read_case_file};
use tester_core::judge::record::{JudgedCase, Verdict};
use tester_core::judge::referee::SessionFacts;
use tester_core::judge::replay::{recorded_verdict, replay, replay_stdout};
use tester_core::judge::session::SessionView;
use tester_core::judge::transcript::{self, Entry};
use tester_core::judge::verdict::{Limits, Outcome, replay_verdict};
use tester_core::problem::{Instance, Score, problem_of};
use tester_core::report::page::session::{self, SessionPage};
use tester_core::store::{History, Run, RunId, near};
use tester_core::util::atomic_file::create_page;
use tester_core::util::bounded_read;
use tester_core::util::same_content::has_same_content;
use tester_core::util::tester_word::tester_word;

use crate::args::{Vis, VisSettings};
use crate::cmd::draw::{self, NEWEST};
use crate::hint::with_hint;
use crate::print::print;

pub(crate) fn run(args: &Vis) -> Result<ExitCode> {
    let own = args.settings()?;
    let of_run = draw::settings_of_run(args, own.is_some())?;
    let settings = match (own, of_run) {
        // A number is that of a case of the run, where its cases are still there.
        (Some(own), Some(VisSettings { cases, .. }))
            if args.case.is_file() || draw::find_case(&args.case, &cases).is_ok() =>
        {
            Some(VisSettings { cases, ..own })
        }
        (own, of_run) => own.or(of_run),
    };
    if let Some(settings) = settings {
        return draw::run(args, &settings);
    }
    let shown = match number_of(&args.case) {
        Some(number) => case_of_run(args, CaseId(number))?,
        None => ShownCase {
            id: CaseId::from_path(&args.case),
            file: Some(&args.case),
            instance: read_case_file(&args.case)?,
            output: match &args.output {
                Some(output) => output.clone(),
                None => newest_output(args)?,
            },
        },
    };
    show(args, &shown)
}

/// A case, and what a program printed.
struct ShownCase<'a> {
    id: Option<CaseId>,
    /// Its file; `None` if it was named by its number.
    file: Option<&'a Path>,
    instance: Box<dyn Instance>,
    output: PathBuf,
}

/// Plays the session again, and writes its page.
fn show(args: &Vis, shown: &ShownCase<'_>) -> Result<ExitCode> {
    let (instance, output) = (shown.instance.as_ref(), &shown.output);
    let to = args.to.clone().unwrap_or_else(|| "vis.html".into());
    let bytes = bounded_read::read(output, bounded_read::MAX_TEXT)
        .with_context(|| format!("failed to read {}", output.display()))?;
    let turn_limit = args
        .turn_limit
        .unwrap_or_else(|| Limits::from_problem(problem_of(instance)).turns);
    let (entries, session) = match args.is_transcript(output) {
        false => replay_stdout(instance, turn_limit, u64::MAX, &bytes),
        true => replay_transcript(instance, turn_limit, &bytes)
            .with_context(|| format!("failed to read transcript {}", output.display()))?,
    };
    let Outcome {
        verdict,
        score,
        reason,
    } = replay_verdict(&session, recorded_verdict(&entries, &session));
    let named = match shown.file {
        Some(file) => file.file_name().map(|name| name.to_string_lossy()),
        None => shown.id.map(|id| id.file_name("txt").into()),
    };
    let name = named.unwrap_or_default();
    let mut file = create_page(&to)?;
    let page = SessionPage {
        name: &name,
        instance: Some(instance),
        turns: &SessionView::new(Some(instance), &entries),
        verdict,
        score,
        reason: reason.as_deref(),
    };
    session::write(&page, &mut file)
        .with_context(|| format!("failed to write {}", to.display()))?;
    file.finish()?;
    if let Some(reason) = reason {
        note!("{verdict}: {reason}");
    }
    let digest = Digest::from_text(&instance.to_text());
    if let Some(remark) = remark(args, shown, digest, (verdict, score)) {
        note!("{remark}");
    }
    if !args.is_transcript(output) && looks_like_transcript(&bytes) {
        let output = output.display();
        note!(
            "hint: {output} was judged as a program's output; if it is a transcript, --transcript reads it"
        );
    }
    match shown.file {
        Some(_) => note!("wrote {}", to.display()),
        None => note!("wrote {} of {}", to.display(), near(output).display()),
    }
    print(&format!("Score = {score}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Plays the session of a transcript again.
fn replay_transcript(
    instance: &dyn Instance,
    turn_limit: u64,
    bytes: &[u8],
) -> Result<(Vec<Entry>, SessionFacts)> {
    let entries = transcript::read(&String::from_utf8_lossy(bytes))?;
    let session = replay(instance, turn_limit, &entries)?;
    Ok((entries, session))
}

/// That the run that has written the output judged another case, or came to another score.
fn remark(
    args: &Vis,
    shown: &ShownCase<'_>,
    digest: Digest,
    (verdict, score): (Verdict, Score),
) -> Option<String> {
    let (id, output) = (shown.id?, &shown.output);
    let name = output.file_name()?;
    if output.file_stem()? != id.to_string().as_str() {
        return None;
    }
    let history = History::open_existing(&args.history).ok()?;
    let has_output = |run: &&Run| {
        let own = run.folder.as_ref().map(|folder| folder.join(name));
        // The score of another judge is its own.
        run.about.spec.external.is_none()
            && own.is_some_and(|own| has_same_content(&own, output).unwrap_or(false))
    };
    let mut of_output = Vec::new();
    for run in history.runs(None, NEWEST).ok()?.iter().filter(has_output) {
        let judged = history.record(run.id, id).ok()?;
        of_output.extend(judged.map(|judged| (run.id, judged)));
    }
    let is_same = |(_, judged): &&(RunId, JudgedCase)| judged.case.digest == digest;
    let same = of_output.iter().find(is_same);
    let (run, judged) = same.or(of_output.first())?;
    let recorded = &judged.record;
    let (was, its) = (recorded.verdict, recorded.score);
    if same.is_none() {
        return Some(format!(
            "in run {run}, case {id} had other content, and was {was} with score {its}"
        ));
    }
    // Limits and exit status are not in the output, and other turns may have been typed.
    let is_comparable = was == Verdict::Ac && args.turn_limit.is_none();
    let is_other = (verdict, score) != (was, its);
    (is_comparable && is_other).then(|| {
        format!("in run {run}, case {id} was {was} with score {its}: the problem has changed since")
    })
}

/// The number that was typed for a case, unless a file has that name.
fn number_of(case: &Path) -> Option<u64> {
    let number = case.to_str().and_then(|text| text.parse().ok());
    number.filter(|_| !case.exists())
}

/// A case by its number, as the run that is named, or the newest run that judged it, has played it.
///
/// # Errors
/// If no run has its output, or the case has changed since.
fn case_of_run(args: &Vis, id: CaseId) -> Result<ShownCase<'static>> {
    // Without a history, no run is named and none has it.
    let history = match (&args.run, History::open_existing(&args.history)) {
        (None, Err(_)) => None,
        (_, history) => Some(history?),
    };
    let mut of_other_judge = None;
    if let Some(history) = &history {
        let runs = match &args.run {
            Some(run) => vec![history.find(run)?],
            None => history.runs(None, NEWEST)?,
        };
        for run in &runs {
            if let Some(shown) = case_in(history, run, args, id)? {
                return Ok(shown);
            }
        }
        let is_of_other = |run: &&Run| run.about.spec.external.is_some();
        let mut others = runs.iter().filter(is_of_other);
        of_other_judge = others
            .find(|run| kept_output(run, id).is_some())
            .map(|run| run.id);
    }
    let file = format!(
        "name the file of the case: {} vis in/{}",
        tester_word(),
        id.file_name("txt")
    );
    Err(match (&args.run, of_other_judge) {
        (Some(run), _) => with_hint(
            format!("no output of case {id} in run {run}, or the case has changed since"),
            format!("{file}; only the newest runs keep their outputs (--keep-runs of a batch)"),
        ),
        (None, Some(run)) => with_hint(
            format!("another judge has judged case {id}, in run {run}"),
            format!(
                "to draw it as that run played it: {} vis {} --run {run}",
                tester_word(),
                id.0
            ),
        ),
        (None, None) => with_hint(
            format!(
                "no run of {} has an output of case {id}",
                args.history.display()
            ),
            file,
        ),
    })
}

/// The output of a case that a run has kept.
fn kept_output(run: &Run, id: CaseId) -> Option<PathBuf> {
    let kept = run.folder.as_ref()?.join(id.file_name("txt"));
    kept.is_file().then_some(kept)
}

/// A case of a run, and its output, if the run has both and the case is still the same.
fn case_in(
    history: &History,
    run: &Run,
    args: &Vis,
    id: CaseId,
) -> Result<Option<ShownCase<'static>>> {
    let spec = &run.about.spec;
    let output = args.output.clone().or_else(|| kept_output(run, id));
    let (Some(output), None) = (output, &spec.external) else {
        return Ok(None);
    };
    let Some(judged) = history.record(run.id, id)? else {
        return Ok(None);
    };
    let case = spec.source.tickets()?.find(|case| case.id == id);
    let Some(Case { key, content }) = case.map(|case| case.open()).transpose()? else {
        return Ok(None);
    };
    Ok(match content {
        Content::Builtin(instance) if key.digest == judged.case.digest => Some(ShownCase {
            id: Some(id),
            file: None,
            instance,
            output,
        }),
        _ => None,
    })
}

/// The output of a case's file in the run that is named, or the copy from the newest run that judged it.
fn newest_output(args: &Vis) -> Result<PathBuf> {
    let id = CaseId::from_path(&args.case);
    let folder = match &args.run {
        Some(run) => History::open_existing(&args.history)?.find(run)?.folder,
        None => Some(args.out()?),
    };
    let found = id.and_then(|id| Some(folder?.join(id.file_name("txt"))));
    found.filter(|path| path.is_file()).ok_or_else(|| {
        let run = args
            .run
            .as_ref()
            .map_or_else(String::new, |run| format!(" in run {run}"));
        let cause = format!("no output of {}{run}", args.case.display());
        with_hint(cause, "name the file of the output after the case")
    })
}

/// Whether an output may be a transcript whose name does not say so.
fn looks_like_transcript(bytes: &[u8]) -> bool {
    let lines = transcript::read(&String::from_utf8_lossy(bytes));
    lines.is_ok_and(|lines| !lines.is_empty())
}
