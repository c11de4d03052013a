//! `tester vis`: one session as a page, by what the contestant wrote or by its transcript.

use std::process::ExitCode;

use anyhow::{Context, Result};
use tester::case::read_case_file;
use tester::judge::record::Verdict;
use tester::judge::referee::Stage;
use tester::judge::replay::{Replay, heard_again, replay};
use tester::judge::session::SessionView;
use tester::judge::transcript::{self, Entry, Speaker};
use tester::report::page::session::{self, SessionPage};
use tester::util::atomic_file::create_page;

use crate::cli::Vis;
use crate::cmd::show::print;

pub(crate) fn run(args: &Vis) -> Result<ExitCode> {
    let instance = read_case_file(&args.case)?;
    let instance = instance.as_ref();
    let bytes = std::fs::read(&args.output)
        .with_context(|| format!("failed to read {}", args.output.display()))?;
    let (entries, came) = match args.is_transcript() {
        false => heard_again(instance, args.turn_limit, u64::MAX, &bytes),
        true => {
            let in_file = || format!("failed to read transcript {}", args.output.display());
            let entries =
                transcript::read(&String::from_utf8_lossy(&bytes)).with_context(in_file)?;
            let came = replay(instance, args.turn_limit, &entries).with_context(in_file)?;
            (entries, came)
        }
    };
    let (verdict, score, reason) = outcome(&came, &entries);
    let name = args.case.file_name().unwrap_or_default().to_string_lossy();
    let mut file = create_page(&args.to)?;
    let shown = SessionPage {
        name: &name,
        instance: Some(instance),
        turns: &SessionView::from_entries(&entries).drawn(instance),
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

/// Verdict, score, and why. A transcript ends with the verdict that was given; what was written on stdout does not
/// tell about limits and exit status.
fn outcome(came: &Replay, entries: &[Entry]) -> (Verdict, u64, Option<String>) {
    let last = entries.last().filter(|e| e.speaker == Speaker::Verdict);
    let given = last.and_then(|entry| {
        let (verdict, reason) = entry.text.split_once(": ")?;
        let verdict: Verdict = verdict.parse().ok()?;
        // What is accepted, the rules say.
        (verdict != Verdict::Ac).then(|| (verdict, reason.to_owned()))
    });
    match (given, &came.violation, came.stage) {
        (Some((verdict, reason)), _, _) => (verdict, 0, Some(reason)),
        (None, Some(violation), _) => {
            let reason = format!("turn {}: {}", violation.turn, violation.error);
            (Verdict::Wa, 0, Some(reason))
        }
        (None, None, Stage::Solved) => (Verdict::Ac, came.score, None),
        (None, None, _) => {
            let turn = came.turns + 1;
            let reason = format!("turn {turn}: expected a guess, found the end of the output");
            (Verdict::Wa, 0, Some(reason))
        }
    }
}
