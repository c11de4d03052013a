//! `tester batch`.

use std::ffi::OsString;

use clap::Args;
use tester_core::case::Source;
use tester_core::judge::external::ExternalSpec;
use tester_core::judge::verdict::Limits;
use tester_core::problem::Measure;
use tester_core::process::Command;
use tester_core::run::config::Config;

use super::case_words;
use super::cases::{CaseArgs, held_out, nothing_held_out};
use super::config::{ConfigArgs, Overlay};
use super::external::{ExternalArgs, OwnLines, refuse};
use super::limits::LimitArgs;
use super::output::{Format, LineArgs, RunArgs};
use super::sharding::ShardArgs;
use super::single::command;
use super::values::{measure, whole};
use crate::hint::with_hint;
use crate::own_package::how_to_name_a_program;

/// The usual number of cases that are drawn after a batch.
const DRAWN: usize = 3;

const EXAMPLES: &str = "\
Examples:
  {tester} batch -- ./solver                    every case of the folder in
  {tester} batch --seeds 0..1000 --tag v2 -- ./solver
  {tester} batch --all-secrets --problem \"{other}\" -- ./solver
  {tester} batch --time-limit 5 -- python3 my.py
  {tester} batch --json -- ./solver | jq .score
  {tester} batch --external './tester {command} < {case} > {out}' -- ./mine
  {tester} batch --interactor './interactor {case}' --contract testlib -- ./mine
  {tester} batch --resume                       continue an interrupted run
  {tester} batch --watch -- ./solver            again whenever ./solver was built
  {tester} batch --shard 3/8 --to 3.jsonl -- ./solver

OUT/runs/N/NNNN.txt holds the program's standard output for case NNNN of run N, and NNNN.err its \
standard error if there is any. OUT/NNNN.txt and OUT/NNNN.err are copies from the newest run that judged \
this case. Every record \
is kept in the history (see `{tester} history`, `show`, `compare`, `report`).

Exit status: 0 if every case is AC, 1 if a case is not, 2 if the batch or a case could not be judged.";

/// What was typed after `batch`, over what `tester.toml` says.
#[derive(Args)]
#[command(args_override_self = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Batch {
    /// The program to judge, and its arguments
    #[arg(value_name = "PROGRAM", trailing_var_arg = true)]
    pub(super) words: Vec<OsString>,
    /// Continue the last unfinished run, or RUN; without a PROGRAM, with the run's own settings
    #[arg(long, value_name = "RUN", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) resume: Option<String>,
    /// Judge all cases again whenever the program or its source has changed, until Ctrl-C
    #[arg(long, conflicts_with_all = ["resume", "shard"])]
    pub(crate) watch: bool,
    /// Stop at the first case that is not AC
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// What of a score counts, for the worst cases and comparisons, as in the contest: score, log (ratios of scores), relative (100 x best known score / score), or rank [default: score]
    #[arg(long, value_name = "MEASURE", value_parser = measure)]
    pub(crate) by: Option<Measure>,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
    #[command(flatten)]
    pub(crate) cases: CaseArgs,
    /// Judge the cases in random order, so that the running mean is soon near the final one
    #[arg(long)]
    pub(crate) shuffle: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) external: ExternalArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Write both sides of each session to OUT/runs/N/NNNN.transcript
    #[arg(long)]
    pub(crate) transcripts: bool,
    /// Draw this many of the worst cases with the visualizer of --vis [default: 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(0..=u64::MAX), help_heading = "External judge")]
    vis_worst: Option<usize>,
    #[command(flatten)]
    lines: LineArgs,
    #[command(flatten)]
    pub(crate) sharding: ShardArgs,
}

impl Batch {
    /// Lays what was typed over `tester.toml`, then checks what depends on both.
    ///
    /// # Errors
    /// If the file cannot be understood, or there is no program.
    pub(super) fn configure(&mut self) -> anyhow::Result<()> {
        self.enter_folder()?;
        if let Some((path, mut file)) = self.config.read()? {
            if self.resume.is_some() && !self.names_a_run() {
                // The run has all other settings; the output folder leads to it.
                let out = file.batch.out.take();
                file = Config::default();
                file.batch.out = out;
            }
            let mut overlay = Overlay::default();
            self.overlay(file, &mut overlay)?;
            overlay.print(&path);
        } else if self.cases.held_out {
            return Err(nothing_held_out());
        }
        if self.watch && self.cases.held_out {
            return Err(with_hint(
                "--held-out cannot be used with --watch",
                "a program that is built anew after each look at held-out cases is tuned on them: judge them once, at the end",
            ));
        }
        if self.words.is_empty() && self.resume.is_none() && !self.external.is_named() {
            return Err(with_hint("no PROGRAM to judge", how_to_name_a_program()));
        }
        Ok(())
    }

    /// Whether anything was typed that says which run is meant, so that it is what the same line would begin.
    fn names_a_run(&self) -> bool {
        !self.words.is_empty() || self.has_cases_or_limits()
    }

    /// Whether cases, limits or another judge were typed.
    fn has_cases_or_limits(&self) -> bool {
        let named = self.cases.are_named() || self.transcripts || self.external.is_named();
        named || self.limits.limits(None) != Limits::default() || self.limits.sandbox
    }

    /// Goes to the contest's folder above, if there is one.
    ///
    /// # Errors
    /// If the folder may not be entered.
    pub(super) fn enter_folder(&mut self) -> anyhow::Result<()> {
        let Some(folder) = self.config.folder() else {
            return Ok(());
        };
        folder.command(&mut self.words);
        folder.cases(&mut self.cases.cases);
        self.run.kept.rebase(&folder);
        folder.paths(&mut self.sharding.to);
        folder.enter()
    }

    /// What `tester.toml` says, if there is one.
    pub(super) fn file(&self) -> anyhow::Result<Option<Config>> {
        Ok(self.config.read()?.map(|(_, file)| file))
    }

    /// Whether `tester.toml` holds cases out.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub(crate) fn can_hold_out(&self) -> anyhow::Result<bool> {
        let file = self.file()?;
        Ok(file.is_some_and(|file| file.batch.held_out.is_some()))
    }

    /// The cases that `tester.toml` holds out, unless they are asked for.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub(crate) fn held_out(&self) -> anyhow::Result<Option<Source>> {
        match self.file()? {
            Some(file) if !self.cases.held_out => held_out(&file.batch, self.external.is_named()),
            _ => Ok(None),
        }
    }

    fn overlay(&mut self, file: Config, overlay: &mut Overlay) -> anyhow::Result<()> {
        let command = file.batch.command.clone();
        // The file's program belongs to the file's judge.
        let usable = self.words.is_empty() && !self.external.is_named();
        if let Some(command) = command.filter(|_| usable) {
            self.words = [vec![command.program], command.args].concat();
        }
        let typed = self.external.is_named();
        self.cases.overlay(&file.batch, typed, overlay)?;
        overlay.fill_measure(&mut self.by, file.judge.as_ref());
        overlay.fill("vis-worst", &mut self.vis_worst, file.batch.vis_worst);
        self.run.overlay(&file.batch, overlay);
        self.limits.overlay(&file.batch, overlay);
        self.external.overlay(file.judge, file.batch.build, overlay);
        Ok(())
    }

    /// The program; `None` if the run that is resumed knows it.
    pub(crate) fn program(&self) -> Option<Command> {
        (!self.words.is_empty()).then(|| command(&self.words))
    }

    /// Checks of the program what needs no build: that it is no source file, and none of the cases.
    ///
    /// # Errors
    /// If it is.
    pub(crate) fn check_program(&self) -> anyhow::Result<()> {
        let Some(program) = self.program() else {
            return Ok(());
        };
        case_words::refuse_as_program(&self.words)?;
        Ok(program.check_no_source()?)
    }

    /// The judge, if it is another than this one.
    pub(crate) fn external(&self) -> anyhow::Result<Option<ExternalSpec>> {
        let external = self.external.judge(self.program().as_ref())?;
        if let Some(judge) = self.external.option() {
            let is_line = judge == "--external";
            let options = [
                ("--seeds", !self.cases.seeds.is_empty()),
                ("--all-secrets", self.cases.all_secrets),
                ("--transcripts", self.transcripts && is_line),
                ("--sandbox", self.limits.sandbox && is_line),
            ];
            refuse(&options, judge)?;
        }
        self.cases.check_problem()?;
        Ok(external)
    }

    /// The shell lines and programs that are the user's own. A run that is resumed with its own settings took none of
    /// them from `tester.toml`.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub(crate) fn own_lines(&self) -> anyhow::Result<OwnLines> {
        let mut own = self.external.own_lines();
        own.programs.extend(self.program());
        if let Some(file) = self.file()? {
            own.add_file(file);
        }
        Ok(own)
    }

    pub(crate) fn source(&self) -> anyhow::Result<Source> {
        match self.external.is_named() && !self.cases.generate() {
            true => self.cases.files(|files| self.external.source(files)),
            false => self.cases.source(),
        }
    }

    /// How many of the worst cases are drawn after the batch.
    pub(crate) fn drawn(&self) -> usize {
        self.vis_worst.unwrap_or(DRAWN)
    }

    pub(crate) fn format(&self) -> Option<Format> {
        self.lines.format()
    }

    /// The first of the program's arguments that looks like an option of ours: options come before the
    /// program. After two dashes, it is meant for the program.
    pub(crate) fn misplaced(&self) -> Option<&OsString> {
        // Not `-c`: that of an interpreter is its program.
        const OURS: [&str; 19] = [
            "--all-secrets",
            "--by",
            "--cases",
            "--comment",
            "--csv",
            "--failed",
            "--held-out",
            "--jobs",
            "--json",
            "--out",
            "--resume",
            "--seeds",
            "--shard",
            "--tag",
            "--time-limit",
            "--to",
            "--worst",
            "-j",
            "-t",
        ];
        let dashes = std::env::args_os().any(|word| word == "--");
        let ours = |word: &&OsString| {
            let word = word.to_string_lossy();
            let option = word.split_once('=').map_or(&*word, |(option, _)| option);
            OURS.contains(&option)
        };
        self.words.iter().skip(1).find(ours).filter(|_| !dashes)
    }

    /// Whether a run that is resumed is named by what is judged: a program, or the line of another judge.
    pub(crate) fn names_what_is_judged(&self) -> bool {
        !self.words.is_empty() || self.external.is_named()
    }

    /// Refuses options that a resumed run would ignore.
    pub(crate) fn check_resumption(&self) -> anyhow::Result<()> {
        if self.run.kept.tag.is_some() || self.run.kept.comment.is_some() {
            anyhow::bail!("--tag and --comment cannot be used with --resume");
        }
        if !self.names_what_is_judged() && self.has_cases_or_limits() {
            return Err(with_hint(
                "cases and limits cannot be used with --resume without the program",
                "--resume alone continues the run with its own settings",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::grammar::{Cli, Subcommand};
    use super::*;

    const FILE: &str = r#"
        version = 1
        [judge]
        external = "./score {command} < {case}"
        objective = "max"
        [batch]
        cases = "a"
        out = "b"
        build = ["make"]
        command = "./mine 'x y'"
        jobs = 3
        keep_runs = 5
        time_limit = 2.5
        memory_limit = 64
    "#;

    /// What was typed over [`FILE`], and what the file contributed.
    fn over_the_file(words: &[&str]) -> (Batch, String) {
        over(FILE, words)
    }

    fn over(file: &str, words: &[&str]) -> (Batch, String) {
        let words = [&["tester", "batch"], words].concat();
        let Some(Subcommand::Batch(typed)) = Cli::try_parse_from(words).unwrap().command else {
            panic!("another command");
        };
        let mut batch = typed.0;
        let mut overlay = Overlay::default();
        let config = Config::parse(file).unwrap();
        batch.overlay(config, &mut overlay).unwrap();
        (batch, overlay.to_string())
    }

    #[test]
    fn the_file_fills_what_was_not_typed() {
        let (batch, taken) = over_the_file(&[]);
        insta::assert_snapshot!(taken, @"--cases=a --out=b --jobs=3 --keep-runs=5 --time-limit=2.5 --memory-limit=64 --build=make '--external=./score {command} < {case}' --objective=max");
        assert_eq!(batch.program().unwrap().args, ["x y"]);
        let limits = batch.limits.limits(None);
        assert_eq!(
            (limits.time.as_secs_f64(), limits.memory_kib),
            (2.5, 64 << 10)
        );
        assert_eq!(
            (batch.run.kept.out().to_str(), batch.run.keep_runs().get()),
            (Some("b"), 5)
        );
        assert_eq!(batch.external.build(), ["make"]);
        let external = batch.external().unwrap().unwrap();
        assert_eq!(external.objective.name(), "max");
    }

    #[test]
    fn what_was_typed_wins_over_the_file() {
        let typed = [
            "--cases=c",
            "--out=d",
            "--build=touch x",
            "--jobs=4",
            "--keep-runs=6",
            "--time-limit=1",
            "--memory-limit=32",
            "--external=t {command} {case}",
            "--objective=min",
            "./other",
        ];
        let (batch, taken) = over_the_file(&typed);
        assert_eq!(taken, "--build=make");
        assert_eq!(batch.program().unwrap().program, "./other");
        let limits = batch.limits.limits(None);
        assert_eq!(
            (limits.time.as_secs_f64(), limits.memory_kib),
            (1.0, 32 << 10)
        );
        assert_eq!(
            (batch.run.kept.out().to_str(), batch.run.keep_runs().get()),
            (Some("d"), 6)
        );
        assert_eq!(batch.external.build(), ["make", "touch x"]);
        let (batch, taken) = over_the_file(&[&typed[..3], &["--no-build"], &typed[3..]].concat());
        assert_eq!((batch.external.build(), &*taken), (&[][..], ""));
        assert_eq!(
            batch.external().unwrap().unwrap().line,
            "t {command} {case}"
        );
    }

    #[test]
    fn seeds_win_over_the_cases_of_the_file_and_another_judge_over_its_program() {
        for seeds in ["--seeds=0..3", "--all-secrets"] {
            let (batch, taken) = over_the_file(&[seeds]);
            assert!(
                batch.cases.cases.is_empty() && !taken.contains("--cases"),
                "{taken}"
            );
        }
        let (batch, _) = over_the_file(&["--external", "./t {case}"]);
        assert!(batch.program().is_none());
    }

    #[test]
    fn seeds_of_the_file_are_judged_unless_other_cases_are_named() {
        const FILE: &str = "version = 1\n[batch]\nseeds = \"5..8\"\n";
        assert_eq!(over(FILE, &[]).1, "--seeds=5..=7");
        for typed in [
            "--seeds=0..3",
            "--all-secrets",
            "--cases=in",
            "--external=./t {case}",
        ] {
            assert_eq!(over(FILE, &[typed]).1, "", "{typed}");
        }
    }

    #[test]
    fn a_problem_needs_seeds_of_the_line_or_of_the_file() {
        const FILE: &str = "version = 1\n[batch]\nseeds = \"5..8\"\n";
        let problem = "--problem=hitblow 1 9";
        assert_eq!(over(FILE, &[problem]).1, "--seeds=5..=7");
        let check = |other| over(FILE, &[problem, other]).0.external().err();
        assert!(check("--all-secrets").is_none());
        for other in ["--cases=in", "--external=./t {case}"] {
            let why = check(other).unwrap().to_string();
            assert!(why.contains("cannot be used without --seeds"), "{why}");
        }
    }
}
