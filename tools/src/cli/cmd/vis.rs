//! `tester vis`: one session as a page, from the contestant's output or from a transcript.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::case::read_case_file;
use crate::cli::args::Vis;
use crate::cli::cmd::show::print;
use crate::judge::replay::{recorded_verdict, replay, replay_stdout};
use crate::judge::session::SessionView;
use crate::judge::transcript;
use crate::judge::verdict::{Limits, Outcome, replay_verdict};
use crate::problem::problem_of;
use crate::report::page::session::{self, SessionPage};
use crate::util::atomic_file::create_page;
use crate::util::bounded_read;

pub(crate) fn run(args: &Vis) -> Result<ExitCode> {
    let instance = read_case_file(&args.case)?;
    let instance = instance.as_ref();
    let bytes = bounded_read::read(&args.output, bounded_read::MAX_TEXT)
        .with_context(|| format!("failed to read {}", args.output.display()))?;
    let turn_limit = args
        .turn_limit
        .unwrap_or_else(|| Limits::from_problem(problem_of(instance)).turns);
    let (entries, session) = match args.is_transcript() {
        false => replay_stdout(instance, turn_limit, u64::MAX, &bytes),
        true => {
            let in_file = || format!("failed to read transcript {}", args.output.display());
            let entries =
                transcript::read(&String::from_utf8_lossy(&bytes)).with_context(in_file)?;
            let session = replay(instance, turn_limit, &entries).with_context(in_file)?;
            (entries, session)
        }
    };
    let Outcome {
        verdict,
        score,
        reason,
    } = replay_verdict(&session, recorded_verdict(&entries, &session));
    let name = args.case.file_name().unwrap_or_default().to_string_lossy();
    let mut file = create_page(&args.to)?;
    let shown = SessionPage {
        name: &name,
        instance: Some(instance),
        turns: &SessionView::new(Some(instance), &entries),
        verdict,
        score,
        reason: reason.as_deref(),
    };
    session::write(&shown, &mut file)
        .with_context(|| format!("failed to write {}", args.to.display()))?;
    file.finish()?;
    if let Some(reason) = reason {
        note!("{verdict}: {reason}");
    }
    note!("wrote {}", args.to.display());
    print(&format!("Score = {score}\n"))?;
    Ok(ExitCode::SUCCESS)
}
