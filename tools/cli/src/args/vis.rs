//! `tester vis`.

use std::path::{Path, PathBuf};

use clap::Args;
use tester_core::case::Source;
use tester_core::judge::verdict::Limits;
use tester_core::run::config::Judge;
use tester_core::store::HISTORY;

use super::config::ConfigArgs;
use super::contest_settings::{ContestSettings, out_of};
use super::values::whole;

const VIS_EXAMPLES: &str = "\
Examples:
  {tester} vis in/0000.txt out/0000.txt               writes vis.html
  {tester} vis in/0000.txt out/0000.transcript        with times and stderr
  {tester} vis --transcript in/0000.txt t             t is from {tester} --transcript
  {tester} vis tools/in/0000.txt out/0000.txt         by the contest's visualizer
  {tester} vis 7                                      case 0007, as the newest run played it

Only a transcript tells about limits and exit status; standard output does not. Where tester.toml names another judge, \
its visualizer (vis = \"…\") draws the case, in a folder beside the output: out/vis/0000/, or out/runs/N/vis/0000/.";

#[derive(Args)]
#[command(after_help = VIS_EXAMPLES)]
pub(crate) struct Vis {
    /// The case; its number will do where a run has judged it, or with a contest's visualizer
    #[arg(value_name = "CASE")]
    pub(crate) case: PathBuf,
    /// The program's standard output, or the transcript of the session [default: the newest output of this case]
    #[arg(value_name = "OUTPUT")]
    pub(crate) output: Option<PathBuf>,
    /// OUTPUT is a transcript, even if its name does not end in .transcript
    #[arg(long)]
    transcript: bool,
    /// The file to write [default: vis.html, or where the contest's visualizer writes it]
    #[arg(long, value_name = "FILE")]
    pub(crate) to: Option<PathBuf>,
    /// Turns that are answered; one more is WA [default: 1000, or what the problem sets]
    #[arg(long, value_name = "TURNS", allow_negative_numbers = true, value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) turn_limit: Option<u64>,
    /// Take the output of this run [default: the newest run that has one]
    #[arg(long, value_name = "RUN", conflicts_with = "output")]
    pub(crate) run: Option<String>,
    /// The history that has the run
    #[arg(long, value_name = "FILE", default_value = HISTORY)]
    pub(crate) history: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
}

/// What `tester.toml` says about the cases of another judge.
pub(crate) struct VisSettings {
    /// The line of the visualizer.
    pub(crate) line: Option<String>,
    /// The cases.
    pub(crate) cases: Source,
    /// The folder of the newest outputs.
    pub(crate) out: PathBuf,
    /// What the visualizer may use: as much as the contest's tester.
    pub(crate) limits: Limits,
}

impl Vis {
    /// Takes cases and runs of the contest's folder, from below it too.
    ///
    /// # Errors
    /// If the folder may not be entered.
    pub(super) fn enter_folder(&mut self) -> anyhow::Result<()> {
        let Some(folder) = self.config.folder() else {
            return Ok(());
        };
        folder.case(&mut self.case);
        folder.paths(self.output.iter_mut().chain(&mut self.to));
        folder.unless_usual(&mut self.history, HISTORY);
        folder.enter()
    }

    /// Whether OUTPUT is a transcript. Its content cannot tell: a program could print what looks like one.
    pub(crate) fn is_transcript(&self, output: &Path) -> bool {
        self.transcript || output.extension().is_some_and(|ext| ext == "transcript")
    }

    /// The folder of the newest outputs.
    ///
    /// # Errors
    /// If `tester.toml` cannot be understood.
    pub(crate) fn out(&self) -> anyhow::Result<PathBuf> {
        let file = self.config.read()?;
        Ok(file.map_or_else(|| "out".into(), |(_, file)| out_of(&file.batch)))
    }

    /// What `tester.toml` says, if it names another judge.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub(crate) fn settings(&self) -> anyhow::Result<Option<VisSettings>> {
        let file = self.config.read()?.map(|(_, file)| file);
        // Without a judge of its own, the file may have a measure and a name for built-in problems.
        let other = |judge: &Judge| judge.is_named() || judge.vis.is_some();
        let judge = file.as_ref().and_then(|file| file.judge.as_ref());
        let Some(judge) = judge.filter(|judge| other(judge)) else {
            return Ok(None);
        };
        let line = judge.vis.clone();
        let contest = ContestSettings::new(file)?;
        Ok(Some(VisSettings {
            line,
            cases: contest.cases,
            out: contest.out,
            limits: contest.limits,
        }))
    }
}
