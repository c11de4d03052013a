//! A contest's own local tester as the judge, and the lines that build it.

use clap::Args;
use tester_core::case::Source;
use tester_core::judge::external::ExternalSpec;
use tester_core::problem::Objective;
use tester_core::process::Command;
use tester_core::run::config::{self, Config};

use super::config::Overlay;
use super::interactor::InteractorArgs;
use super::scores::ScoreArgs;
use super::values::objective;
use crate::hint::with_hint;

/// What may be typed about another judge.
#[derive(Args)]
#[command(next_help_heading = "External judge")]
pub(crate) struct ExternalArgs {
    /// Judge each case with this shell line: './tester {command} < {case} > {out}', or '{command} < {case} > {out} && ./score {case} {out}'; {number} is the case's number
    #[arg(long, value_name = "LINE", conflicts_with = "interactor")]
    external: Option<String>,
    #[command(flatten)]
    interactor: InteractorArgs,
    #[command(flatten)]
    scores: ScoreArgs,
    /// Whether less is better, or more [default: min]
    #[arg(long, value_name = "min|max", value_parser = objective)]
    objective: Option<Objective>,
    /// Parameters of the cases: names for the numbers of the first line, such as 'N M eps', or an expression with named groups
    #[arg(long, value_name = "NAMES|REGEX")]
    parameters: Option<String>,
    /// Draw cases with this shell line: './tools/target/release/vis {case} {out}'; it writes vis.html or out.svg into the current folder
    #[arg(long, value_name = "LINE")]
    vis: Option<String>,
    /// The problem's name in the history [default: external]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Run this shell line first, such as 'cargo build --release'; repeat it for more lines
    #[arg(long, value_name = "LINE")]
    build: Vec<String>,
    /// Run no build lines, not even those of tester.toml
    #[arg(long)]
    no_build: bool,
}

/// The shell lines and programs that are the user's own: typed, or in `tester.toml`.
#[derive(Default)]
pub(crate) struct OwnLines {
    /// Of judges and interactors.
    pub(crate) judges: Vec<String>,
    /// Of visualizers.
    pub(crate) visualizers: Vec<String>,
    /// Programs with their arguments.
    pub(crate) programs: Vec<Command>,
}

impl OwnLines {
    /// Adds those of `tester.toml`.
    pub(super) fn add_file(&mut self, file: Config) {
        self.programs.extend(file.batch.command);
        if let Some(judge) = file.judge {
            self.judges.extend(judge.external);
            self.judges.extend(judge.interactor);
            self.visualizers.extend(judge.vis);
        }
    }
}

impl ExternalArgs {
    /// The lines that were typed or taken from the file.
    pub(super) fn own_lines(&self) -> OwnLines {
        let judge = self.external.as_deref().or(self.interactor.line());
        OwnLines {
            judges: judge.map(str::to_owned).into_iter().collect(),
            visualizers: self.vis.clone().into_iter().collect(),
            programs: Vec::new(),
        }
    }

    /// The option that names another judge, if one was typed or taken from the file.
    pub(super) fn option(&self) -> Option<&'static str> {
        let external = self.external.as_ref().map(|_| "--external");
        external.or_else(|| self.interactor.line().map(|_| "--interactor"))
    }

    /// Whether another judge is named.
    pub(super) fn is_named(&self) -> bool {
        self.option().is_some()
    }

    /// Takes what was not typed from the file; the file's build lines come first.
    pub(super) fn overlay(
        &mut self,
        judge: Option<config::Judge>,
        build: Vec<String>,
        overlay: &mut Overlay,
    ) {
        if !self.no_build {
            let note = |line| overlay.note(&format!("--build={line}"));
            build.iter().for_each(note);
            self.build.splice(0..0, build);
        }
        let Some(judge) = judge else { return };
        // One judge: what was typed replaces the other kind as well.
        match self.option() {
            Some("--external") => {}
            _ => self
                .interactor
                .overlay(judge.interactor, judge.contract, overlay),
        }
        if self.interactor.line().is_none() {
            overlay.fill("external", &mut self.external, judge.external);
        }
        let objective = judge.objective;
        if let (None, Some(objective)) = (self.objective, objective) {
            overlay.note(&format!("--objective={}", objective.name()));
            self.objective = Some(objective);
        }
        self.scores.overlay(
            judge.score_regex,
            judge.score_scale,
            judge.score_stream,
            judge.zero_counts,
            overlay,
        );
        overlay.fill("parameters", &mut self.parameters, judge.parameters);
        overlay.fill("vis", &mut self.vis, judge.vis);
        overlay.fill("name", &mut self.name, judge.name);
    }

    /// Lines to run before anything is judged.
    pub(crate) fn build(&self) -> &[String] {
        match self.no_build {
            true => &[],
            false => &self.build,
        }
    }

    /// The judge for these programs, if it is another than this one.
    pub(super) fn judge(&self, command: Option<&Command>) -> anyhow::Result<Option<ExternalSpec>> {
        let contract = self.interactor.contract()?;
        let Some(line) = self.external.as_deref().or(self.interactor.line()) else {
            let given = [
                ("--objective", self.objective.is_some()),
                ("--parameters", self.parameters.is_some()),
                ("--vis", self.vis.is_some()),
                ("--name", self.name.is_some()),
            ];
            let mut all = self.scores.given().into_iter().chain(given);
            return match all.find(|(_, given)| *given) {
                None => Ok(None),
                Some((option, _)) => {
                    anyhow::bail!("{option} cannot be used without --external or --interactor")
                }
            };
        };
        anyhow::ensure!(
            self.name.as_deref() != Some(""),
            "expected a name of the problem, found an empty one"
        );
        let external = self.scores.applied(ExternalSpec {
            objective: self.objective.unwrap_or_default(),
            parameters: self.parameters.clone(),
            vis: self.vis.clone(),
            ..ExternalSpec::of_line(line.to_owned(), contract)
        })?;
        external.check(command)?;
        Ok(Some(external))
    }

    /// The case files that the judge gets, from the source `files`.
    pub(super) fn source(&self, files: Source) -> Source {
        let name = self.name.as_deref().unwrap_or("external");
        Source::External {
            name: name.to_owned(),
            files: Box::new(files),
        }
    }
}

/// The first of the `options` that was given although only this judge's own problems have it.
pub(super) fn refuse(options: &[(&str, bool)], judge: &str) -> anyhow::Result<()> {
    match options.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => {
            let instead = match *option {
                "--seeds" => "cases of another judge have numbers, such as --cases 0..100; ",
                _ => "",
            };
            Err(with_hint(
                format!("{option} cannot be used with {judge}"),
                format!(
                    "{instead}{option} is for this judge's own problems; --no-config ignores tester.toml, which may name another judge"
                ),
            ))
        }
    }
}
