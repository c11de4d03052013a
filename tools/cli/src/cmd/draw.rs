//! Pictures by a contest's own visualizer: of the worst cases after a batch, and of one case on demand.

use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use tester_core::case::{CaseFile, CaseId, Digest, Source};
use tester_core::judge::JudgeError;
use tester_core::judge::external::{LARGEST_PICTURE, Visualizer};
use tester_core::judge::verdict::Limits;
use tester_core::process::{Confinement, Containment, clear_orphans};
use tester_core::run::draw::{DrawError, DrawTask, Picture, draw, folder_beside};
use tester_core::run::executor::RUNS;
use tester_core::stats::Failures;
use tester_core::store::{History, Run, near};
use tester_core::util::atomic_file::write_whole;
use tester_core::util::bounded_read;
use tester_core::util::regular_file::open_regular;
use tester_core::util::tester_word::tester_word;

use crate::args::{Vis, VisSettings};
use crate::cmd::again::worst_cases;
use crate::cmd::origin;
use crate::hint::with_hint;
use crate::print::print;
use crate::terminal::interrupt::Interrupt;

/// Draws the worst cases of a run, at most `count`, if it has a visualizer; the first case that failed is one of them.
/// A case without a picture is named with the cause, and ends nothing. After an interrupt, nothing is drawn.
///
/// # Errors
/// If the history cannot be read.
pub(crate) fn draw_worst(
    history: &History,
    run: &Run,
    containment: Containment,
    count: usize,
    interrupt: &Interrupt,
) -> Result<()> {
    let spec = &run.about.spec;
    let visualizer = spec.external.as_ref().map(|external| external.visualizer());
    let (Some(visualizer), Some(folder)) = (visualizer.transpose()?.flatten(), &run.folder) else {
        return Ok(());
    };
    // Not before: to open a namespace and to close it takes 10 to 30 ms.
    let (limits, containment) = (&spec.limits, containment.available());
    let mut label = "drawn";
    let drawn = cases_to_draw(history, run, count)?;
    let files = match drawn.is_empty() {
        true => Vec::new(),
        false => spec.source.files()?,
    };
    for id in drawn {
        if interrupt.heard().is_some() {
            break;
        }
        let Some(case) = files.iter().find(|case| case.id == id) else {
            continue;
        };
        let out = folder.join(id.file_name("txt"));
        let outputs = (out.as_path(), folder_beside(&out, id));
        let interrupt = Some(interrupt.fd());
        match draw_one(&visualizer, case, outputs, limits, containment, interrupt) {
            Ok(picture) => note!("{label:<10} {id}  {}", near(&picture.path).display()),
            Err(DrawError::Run(JudgeError::Interrupted)) => break,
            Err(error) => {
                let error = anyhow::Error::from(error);
                note!("{label:<10} {id}  {error:#}");
            }
        }
        label = "";
    }
    Containment::begin_to_close();
    Ok(())
}

/// The worst cases of a run: the first that failed, then the worst of the accepted ones.
fn cases_to_draw(history: &History, run: &Run, count: usize) -> Result<Vec<CaseId>> {
    let mut failures = Failures::default();
    let measure = run.about.spec.measure;
    let worst = worst_cases(history, run, measure, count, |judged| {
        if !judged.accepted() {
            failures.add(judged);
        }
    })?;
    let failed = failures.kinds().into_iter().take(1);
    let failed: Vec<CaseId> = failed.map(|kind| kind.first.case.id).collect();
    Ok(failed.into_iter().chain(worst).take(count).collect())
}

/// Draws one case by its output, into a folder of its own.
fn draw_one(
    visualizer: &Visualizer,
    case: &CaseFile,
    (out, folder): (&Path, PathBuf),
    limits: &Limits,
    containment: Containment,
    interrupt: Option<BorrowedFd<'_>>,
) -> Result<Picture, DrawError> {
    let task = DrawTask {
        id: case.id,
        case: &case.path,
        out,
        folder: &folder,
    };
    let confinement = Confinement {
        nests: true,
        ..limits.confinement(containment, None)
    };
    let drawn = draw(visualizer, &task, &confinement, limits, interrupt);
    clear_orphans();
    drawn
}

/// The second word is no file: maybe the number or the tag of a run.
fn no_output(case: &Path, out: &Path) -> anyhow::Error {
    with_hint(
        format!(
            "expected an output of the program, found no file {}",
            out.display()
        ),
        format!(
            "to draw the case as a run of the history played it: `{} vis {} --run {}`",
            tester_word(),
            case.display(),
            out.display()
        ),
    )
}

/// `tester vis CASE [OUTPUT]` where `tester.toml` names another judge.
pub(crate) fn run(args: &Vis, settings: &VisSettings) -> Result<ExitCode> {
    let Some(line) = &settings.line else {
        return Err(with_hint(
            "no visualizer for the cases of another judge",
            format!(
                "if the contest's tools have one, add it to [judge] in tester.toml: vis = \"./tools/target/release/vis {{case}} \
                 {{out}}\"; `{} vis --no-config` shows sessions of built-in problems",
                tester_word()
            ),
        ));
    };
    let visualizer = Visualizer::parse(line)?;
    let case = find_case(&args.case, &settings.cases)?;
    let out = match &args.output {
        Some(out) if out.is_file() => out.clone(),
        Some(out) => return Err(no_output(&args.case, out)),
        None => newest_output(&case, args, settings)?,
    };
    let containment = Containment::Namespace.available();
    let folder = match takes_place_of_another(&case, &out, args)? {
        false => folder_beside(&out, case.id),
        true => folder_beside(&settings.out.join(case.id.file_name("txt")), case.id),
    };
    let files = (out.as_path(), folder);
    let limits = &settings.limits;
    let picture = draw_one(&visualizer, &case, files, limits, containment, None)?;
    print(&String::from_utf8_lossy(&picture.stdout))?;
    let path = match &args.to {
        None => near(&picture.path),
        Some(to) => {
            let bytes = bounded_read::read(&picture.path, LARGEST_PICTURE);
            let bytes =
                bytes.with_context(|| format!("failed to read {}", picture.path.display()))?;
            write_whole(to, &bytes)?;
            to.clone()
        }
    };
    note!("{} of {}", path.display(), near(&out).display());
    Ok(ExitCode::SUCCESS)
}

/// The settings with which a run was judged, if it is named and has a visualizer: the folder may have no `tester.toml`.
/// `has_own` says that it has one, whose line is taken.
///
/// # Errors
/// If there is no such run, or its line would be taken and is not the user's own.
pub(crate) fn settings_of_run(args: &Vis, has_own: bool) -> Result<Option<VisSettings>> {
    let Some(run) = &args.run else {
        return Ok(None);
    };
    let run = History::open_existing(&args.history)?.find(run)?;
    if !has_own {
        origin::check_visualizer(&run)?;
    }
    let spec = run.about.spec;
    Ok(spec.external.map(|external| VisSettings {
        line: external.vis,
        cases: spec.source,
        out: spec.out,
        limits: spec.limits,
    }))
}

/// The case of a path, or of a number among the cases of `tester.toml`.
pub(crate) fn find_case(typed: &Path, cases: &Source) -> Result<CaseFile> {
    if typed.is_file() {
        let id = CaseId::from_path(typed);
        let path = typed.to_owned();
        // A file of another name is a case too, such as one that you wrote by hand.
        let id = id.unwrap_or(CaseId(0));
        return Ok(CaseFile { id, path });
    }
    let number = typed
        .to_str()
        .and_then(|text| text.parse().ok())
        .map(CaseId);
    let Some(number) = number else {
        return Err(with_hint(
            format!("no case {}", typed.display()),
            "name its file, such as tools/in/0007.txt, or its number",
        ));
    };
    let found = cases.files()?.into_iter().find(|case| case.id == number);
    found.ok_or_else(|| {
        let first = cases
            .files()
            .ok()
            .and_then(|files| Some(files.first()?.path.clone()));
        let first = first.map_or_else(String::new, |first| {
            format!(", such as {}", first.display())
        });
        with_hint(
            format!("no case {number} in {cases}"),
            format!("name the file of a case{first}"),
        )
    })
}

/// The output of a case in the run that is named, or in the newest one that has it, or the copy of the newest one.
fn newest_output(case: &CaseFile, args: &Vis, settings: &VisSettings) -> Result<PathBuf> {
    let name = case.id.file_name("txt");
    let kept = match (&args.run, History::open_existing(&args.history)) {
        // There may be an output without a history.
        (None, Err(_)) => None,
        (run, history) => output_of_runs(&history?, run.as_deref(), case)?,
    };
    let copy = args.run.is_none().then(|| settings.out.join(&name));
    match kept.or(copy.filter(|out| out.is_file())) {
        Some(out) => Ok(out),
        None => Err(no_output_in(case, args.run.as_deref(), &settings.out)),
    }
}

/// The error that there is no output of a case, in the run that is named or at all.
fn no_output_in(case: &CaseFile, run: Option<&str>, out: &Path) -> anyhow::Error {
    let (id, tester) = (case.id, tester_word());
    match run {
        Some(run) => with_hint(
            format!("no output of case {id} in run {run}"),
            "only the newest runs keep their outputs (--keep-runs of a batch); without --run, the newest one is drawn"
                .to_owned(),
        ),
        None => with_hint(
            format!(
                "no output of case {id}: expected {}",
                out.join(id.file_name("txt")).display()
            ),
            format!("`{tester} batch` makes it; or name the file of the output after the case"),
        ),
    }
}

/// The output of a case that one of these runs has kept. An output of another content with the same number is not one of
/// this case.
///
/// # Errors
/// If there are only others, or the runs cannot be read.
fn output_of_runs(
    history: &History,
    named: Option<&str>,
    case: &CaseFile,
) -> Result<Option<PathBuf>> {
    let runs = match named {
        Some(run) => vec![history.find(run)?],
        None => history.runs(None, NEWEST)?,
    };
    let (id, name, digest) = (case.id, case.id.file_name("txt"), digest_of(case)?);
    let mut of_another = None;
    for run in &runs {
        let out = run.folder.as_ref().map(|folder| folder.join(&name));
        let Some(out) = out.filter(|out| out.is_file()) else {
            continue;
        };
        match history.record(run.id, id)? {
            Some(judged) if judged.case.digest != digest => {
                of_another = of_another.or(Some(run.id));
            }
            _ => return Ok(Some(out)),
        }
    }
    let Some(run) = of_another else {
        return Ok(None);
    };
    Err(with_hint(
        format!(
            "no output of {}: in run {run}, case {id} had other content",
            case.path.display()
        ),
        match named {
            Some(_) => "name the output after the case to draw it all the same".to_owned(),
            None => format!(
                "`{} vis {id} --run {run}` draws the case of that run; an output that is named is drawn in any case",
                tester_word()
            ),
        },
    ))
}

/// Whether a picture beside this output would be taken for another one: reports show what is beside the outputs of a run
/// as the picture of the case that the run has judged, by the case's own output.
///
/// # Errors
/// If the case cannot be read.
fn takes_place_of_another(case: &CaseFile, out: &Path, args: &Vis) -> Result<bool> {
    let Ok(out) = out.canonicalize() else {
        return Ok(false);
    };
    let folder = out.parent().unwrap_or(&out);
    let runs = folder.parent().and_then(Path::file_name);
    if runs.is_none_or(|name| name != RUNS) {
        return Ok(false);
    }
    let is_there = |run: &Run| {
        let own = run.folder.as_ref();
        own.and_then(|own| own.canonicalize().ok()).as_deref() == Some(folder)
    };
    // Of another history, it is not known what the run has judged.
    let judged = || {
        let history = History::open_existing(&args.history).ok()?;
        let runs = history.runs(None, usize::MAX).ok()?;
        let run = runs.into_iter().find(is_there)?;
        history.record(run.id, case.id).ok()?
    };
    let is_own_output = out.file_name() == Some(case.id.file_name("txt").as_ref());
    let digest = digest_of(case)?;
    Ok(!is_own_output || judged().is_none_or(|judged| judged.case.digest != digest))
}

/// The content of a case as it is now.
fn digest_of(case: &CaseFile) -> Result<Digest> {
    let read = open_regular(&case.path).and_then(Digest::from_reader);
    read.with_context(|| format!("failed to read {}", case.path.display()))
}

/// How many runs are searched for the output of a case.
pub(crate) const NEWEST: usize = 20;
