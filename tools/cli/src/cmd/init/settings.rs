//! The text of a new `tester.toml`.

use std::fmt::Display;

use tester_core::judge::external::USUAL_SCORE;
use tester_core::problem::Objective;
use tester_core::run::config::{Seconds, VERSION};
use tester_core::util::tester_word::tester_name;
use toml::Value;

use super::old_settings::OldSettings;

/// What differs from contest to contest.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The line that judges one case.
    pub(super) external: String,
    /// Whether it is known that there is such a judge: otherwise its lines are remarks.
    pub(super) has_judge: bool,
    pub(super) objective: Objective,
    /// `None` if scores are printed as usual.
    pub(super) score_regex: Option<String>,
    pub(super) name: String,
    /// The visualizer's line, and whether there is one: otherwise the line is a remark.
    pub(super) vis: (String, bool),
    pub(super) cases: String,
    /// Which of them are judged, if not all.
    pub(super) numbers: Option<String>,
    /// How many cases can be made, and the line that makes them.
    pub(super) generate: Option<(usize, String)>,
    pub(super) build: Vec<String>,
    /// `None` if no program was found.
    pub(super) command: Option<String>,
    pub(super) time_limit: Seconds,
    /// Old settings that stay.
    pub(super) old: OldSettings,
}

impl Settings {
    /// The file.
    pub(super) fn text(&self) -> String {
        format!(
            "\
# How `{tester} batch` judges here. Options on the command line win; --no-config ignores this file.
version = {VERSION}

[judge]
{judge}
[batch]
{batch}
{tune}",
            tester = tester_name(),
            judge = self.judge(),
            batch = self.batch(),
            tune = self.tune(),
        )
    }

    /// The old value of a key, else a line with the usual one, which may be a remark.
    fn line(&self, key: &str, is_set: bool, usual: impl Display) -> String {
        match self.old.get(key) {
            Some(value) => format!("{key} = {value}"),
            None if is_set => format!("{key} = {usual}"),
            None => format!("# {key} = {usual}"),
        }
    }

    fn judge(&self) -> String {
        let set = |key, usual: &str| self.line(key, self.has_judge, quoted(usual));
        let remark = |key, usual: &str| self.line(key, false, usual);
        let (vis, has_vis) = &self.vis;
        format!(
            "\
# The shell line that judges one case: {{case}} is its file, {{command}} the program, {{out}} the file for its output.
{judge}
{contract}# Whether less is better (min), or more (max).
{objective}
# What of a score counts in the contest: score, log or relative (ratios of scores), or rank.
{measure}
# The problem's name in the history.
{name}
# Draws a case into the current folder: `{tester} vis CASE`, and the worst cases after a batch.
{vis}
# Names of the numbers in the first line of a case, or an expression with named groups.
{parameters}
# The score in what the line prints, stderr before stdout: the group score of the last match.
{score_regex}
# Multiply the score by this integer, and round it: for scores with decimals.
{score_scale}
# Look at stdout only, if the program's own stderr could be taken for a score.
{score_stream}
# Accept a score of 0, which otherwise means a wrong answer.
{zero_counts}
",
            tester = tester_name(),
            judge = match self.old.get("interactor") {
                Some(line) => format!("interactor = {line}"),
                None => set("external", &self.external),
            },
            contract = match self.old.get("contract") {
                Some(contract) => format!("contract = {contract}\n"),
                None => String::new(),
            },
            objective = set("objective", self.objective.name()),
            measure = remark("measure", "\"log\""),
            name = set("name", &self.name),
            vis = self.line("vis", *has_vis, quoted(vis)),
            parameters = remark("parameters", "\"N M\""),
            score_regex = match &self.score_regex {
                Some(expression) => set("score_regex", expression),
                None => remark("score_regex", &format!("'{USUAL_SCORE}'")),
            },
            score_scale = remark("score_scale", "1000000"),
            score_stream = remark("score_stream", "\"stdout\""),
            zero_counts = remark("zero_counts", "true"),
        )
    }

    fn batch(&self) -> String {
        let remark = |key, usual: &str| self.line(key, false, usual);
        let found = quoted(&self.cases);
        let build: Vec<Value> = self.build.iter().map(|line| line.as_str().into()).collect();
        let command = self.command.as_deref();
        format!(
            "\
# Files named 0000.txt, 0001.txt, …; with numbers, only those: [{found}, \"0..1000\"].
{generate}{cases}
# Cases to judge at the end, on which nothing was tuned: `{tester} batch --held-out`.
{held_out}
# Shell lines that run first, in this order.
{build}
# The program that is judged if none is typed.
{command}
# Seconds, of the program alone where its time is known; MiB; cases at the same time.
{time_limit}
{memory_limit}
{jobs}
# The last runs whose output files are kept.
{keep_runs}
# How many of the worst cases are drawn.
{vis_worst}
# The folder of the outputs.
{out}
",
            tester = tester_name(),
            generate = match &self.generate {
                Some((count, line)) => format!("# This makes {count} of them: {line}\n"),
                None => String::new(),
            },
            cases = match (self.old.get("seeds"), &self.numbers) {
                (Some(seeds), _) => format!("seeds = {seeds}"),
                (None, Some(numbers)) => {
                    self.line("cases", true, format!("[{found}, {}]", quoted(numbers)))
                }
                (None, None) => self.line("cases", true, &found),
            },
            held_out = remark("held_out", "\"1000..2000\""),
            build = self.line("build", true, Value::Array(build)),
            command = self.line("command", command.is_some(), quoted(command.unwrap_or(OWN))),
            time_limit = self.line("time_limit", self.has_judge, self.time_limit),
            memory_limit = remark("memory_limit", "1024"),
            jobs = remark("jobs", "2"),
            keep_runs = remark("keep_runs", "20"),
            vis_worst = remark("vis_worst", "3"),
            out = remark("out", "\"out\""),
        )
    }

    fn tune(&self) -> String {
        if let Some(tune) = &self.old.tune {
            return format!("[tune]\n{tune}");
        }
        let own = self.command.as_deref().unwrap_or(OWN);
        format!(
            "\
# What `{tester} tune` tries: in braces a name and a range, with :int for whole numbers, :log where ratios matter.
# [tune]
# command = \"{own} --heat {{t:0.1..1000:log}}\"
# trials = 30
",
            tester = tester_name(),
            own = own.replace(['"', '\\'], ""),
        )
    }
}

/// A program, where none was found.
const OWN: &str = "./main";

/// A string of TOML: a name may hold quotes.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
