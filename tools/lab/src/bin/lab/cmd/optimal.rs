//! `lab optimal`: a strategy that is proved optimal, or as far as the proof went.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use lab::optimal::{self, Checkpoint, Objective, Optimum, Options, Progress, Without};
use lab::solver::elsewhere::Rules;
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::checkpoints::{self, Checkpoints};
use crate::cli::{self, ObjectiveArg, OptimalArgs};
use crate::terminal::text;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    problem: &'a str,
    secrets: usize,
    objective: String,
    total: u64,
    mean: f64,
    worst: usize,
    histogram: &'a [u64],
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<usize>,
    proved: bool,
    finished: bool,
    least_total: u64,
    seconds: f64,
    nodes: u64,
}

impl<'a> Report<'a> {
    fn new(rules: &'a Rules, args: &OptimalArgs, found: &'a Optimum, seconds: f64) -> Self {
        let secrets = rules.secrets.len();
        Self {
            problem: &rules.title,
            secrets,
            objective: cli::as_typed(args.objective),
            total: found.total,
            mean: found.total as f64 / secrets as f64,
            worst: found.worst,
            histogram: &found.histogram,
            width: args.width,
            proved: found.proved,
            finished: found.finished,
            least_total: found.least_total,
            seconds,
            nodes: found.nodes,
        }
    }
}

/// The status of a program that was ended by Ctrl-C.
const INTERRUPTED: u8 = 130;

pub(crate) fn run(args: &OptimalArgs) -> Result<ExitCode> {
    let rules = cli::rules(&args.problem)?;
    if let Some(path) = &args.tree {
        // Said now, and not after hours; what is there stays until the search is done.
        checkpoints::writable(path)
            .with_context(|| format!("failed to write the tree {}", path.display()))?;
    }
    let objective = match args.objective {
        ObjectiveArg::Mean | ObjectiveArg::MeanThenWorst => Objective::MeanThenWorst,
        ObjectiveArg::Worst | ObjectiveArg::WorstThenMean => Objective::WorstThenMean,
    };
    if args.width.is_some() && objective == Objective::WorstThenMean {
        bail!(
            "expected --objective mean with --width, found {}: a narrow search proves no worst case",
            cli::as_typed(args.objective)
        );
    }
    let checkpoints = Checkpoints::read(args, &rules.title)?;
    let stop = stopped_by_signals()?;
    let shown = Shown::new();
    let tell = |progress: &Progress| shown.tell(progress);
    let mut without = Without::default();
    args.without
        .iter()
        .for_each(|technique| technique.leave_out(&mut without));
    let save = |checkpoint: &Checkpoint| checkpoints.save(checkpoint);
    let keep = checkpoints.keep(args, &rules.title, &save);
    let options = Options {
        threads: args.threads,
        stop: Some(&stop),
        limit: None,
        progress: Some(&tell),
        without,
        secrets: Some(&rules.secrets),
        keep: keep.as_ref(),
        part: args.part,
        width: args.width,
    };
    let started = Instant::now();
    let found = optimal::find(&rules.codes, objective, &options);
    let seconds = started.elapsed().as_secs_f64();
    drop(shown);
    let mut found = found.with_context(|| format!("failed to search {}", args.problem))?;
    found.strategy.game.clone_from(&rules.title);
    let report = Report::new(&rules, args, &found, seconds);
    if args.json {
        out!("{}", serde_json::to_string(&report)?);
    } else {
        out!("{}", table(&report, &found).trim_end());
    }
    if let Some(path) = &args.tree {
        let text = format!("{}{}", header(&report), found.strategy);
        tester::util::atomic_file::write_whole(path, text.as_bytes())?;
    }
    checkpoints.saved()?;
    Ok(if found.finished {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(INTERRUPTED)
    })
}

/// Whether Ctrl-C or a like signal has come. The second one ends us at once.
fn stopped_by_signals() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let failed = "failed to listen for Ctrl-C";
        let status = i32::from(INTERRUPTED);
        let stop = || Arc::clone(&stop);
        signal_hook::flag::register_conditional_shutdown(signal, status, stop()).context(failed)?;
        signal_hook::flag::register(signal, stop()).context(failed)?;
    }
    Ok(stop)
}

fn table(report: &Report<'_>, found: &Optimum) -> String {
    let said = |proved: &str| match report.proved {
        true => format!(", {proved}"),
        false => String::new(),
    };
    let by_mean = report.total == report.least_total;
    let total = if by_mean {
        ", which is the least".to_owned()
    } else if report.proved {
        format!(
            ", the least with that worst case ({} without)",
            report.least_total
        )
    } else {
        format!(", and the least is {} or more", report.least_total)
    };
    let worst = match by_mean {
        true => said("the least with that total"),
        false => said("which is the least"),
    };
    let mut out = format!(
        "problem    {}\nobjective  {}\nsecrets    {}\ntotal      {}{total}\nmean       {:.4}\nworst      {}{worst}\n",
        report.problem, report.objective, report.secrets, report.total, report.mean, report.worst,
    );
    if !report.proved {
        out.push_str(&match (report.finished, report.width) {
            (true, Some(width)) => format!("width      {width}; guesses beyond it were not tried, so a better strategy may exist\n"),
            (true, None) => "part       searched; a search with its checkpoint and those of the other parts proves the least\n".to_owned(),
            (false, _) => "stopped    before it was proved; the strategy is the best so far\n".to_owned(),
        });
    }
    out.push_str(&text::histogram(report.histogram));
    out.push_str(&format!(
        "search     {:.3} s, {} sets of candidates searched, {} remembered\n",
        report.seconds, report.nodes, found.sets
    ));
    out
}

/// What a tree file says of itself.
fn header(report: &Report<'_>) -> String {
    let proved = match (report.proved, report.width) {
        (true, _) => "proved".to_owned(),
        (false, Some(width)) => format!("not proved (--width {width})"),
        (false, None) => "the best so far, not proved".to_owned(),
    };
    format!(
        "# lab optimal \"{}\" --objective {}: total {}, worst {}, {proved}\n# Each line: a reply > the guess after it. Check it with lab verify.\n",
        report.problem, report.objective, report.total, report.worst
    )
}

/// The bounds on standard error, while the search goes on: on a terminal in one line.
struct Shown {
    bar: ProgressBar,
}

impl Shown {
    fn new() -> Self {
        let bar = ProgressBar::hidden();
        let style = ProgressStyle::with_template("{spinner} {msg}");
        bar.set_style(style.expect("the template is a constant"));
        Self { bar }
    }

    fn tell(&self, progress: &Progress) {
        let Progress {
            lower,
            upper,
            nodes,
            elapsed,
        } = *progress;
        let bounds = match lower >= upper {
            true => format!("total {upper} is the least; now the worst case"),
            false => format!("least total between {lower} and {upper}"),
        };
        let seconds = elapsed.as_secs();
        let said = format!("{bounds}; {nodes} sets searched, {seconds} s; Ctrl-C keeps the best");
        if std::io::stderr().is_terminal() {
            if self.bar.is_hidden() {
                self.bar
                    .set_draw_target(indicatif::ProgressDrawTarget::stderr());
            }
            self.bar.set_message(said);
            self.bar.tick();
        } else {
            // Whether it is read does not concern the search.
            let _ = writeln!(std::io::stderr(), "{said}");
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
