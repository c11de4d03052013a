//! Runs as a page: what it is given, in the form in which its scripts read it.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use jiff::tz::TimeZone;
use serde::Serialize;

use crate::case::{CaseId, Digest};
use crate::judge::record::JudgedCase;
use crate::problem::Objective;
use crate::report::comparison::{Caution, Conclusion};
use crate::report::groups::{Group, groups};
use crate::report::runs;
use crate::stats::paired::{Comparison, Matched};
use crate::stats::{Summary, time_ms};
use crate::store::Run;
use crate::store::artifacts::CaseArtifacts;

use super::{Page, STYLE, TOLD, WORDS, data_element};

/// The page, without what stands in it.
pub(super) fn page() -> Page<'static> {
    Page {
        markup: include_str!("../../../web/report/page.html"),
        title: String::new(),
        styles: &[
            include_str!("../../../web/vendor/tabulator/tabulator_simple.min.css"),
            STYLE,
        ],
        scripts: &[
            include_str!("../../../web/vendor/chart.js/chart.umd.min.js"),
            include_str!("../../../web/vendor/tabulator/tabulator.min.js"),
            WORDS,
            include_str!("../../../web/charts.js"),
            TOLD,
            include_str!("../../../web/report/rows.js"),
            include_str!("../../../web/report/view.js"),
            include_str!("../../../web/report/table.js"),
            include_str!("../../../web/report/summary.js"),
            include_str!("../../../web/report/groups.js"),
            include_str!("../../../web/report/pictures.js"),
            include_str!("../../../web/report/window.js"),
            include_str!("../../../web/report/main.js"),
        ],
        licences: &[
            (
                "Chart.js",
                include_str!("../../../web/vendor/chart.js/LICENSE.md"),
            ),
            (
                "Tabulator",
                include_str!("../../../web/vendor/tabulator/LICENSE"),
            ),
        ],
        text: String::new(),
        asks: false,
    }
}

/// Writes the page.
///
/// Cost: some 100 bytes a case, and what is left of its session; 700 KB for the libraries.
///
/// # Errors
/// If the sink fails.
pub fn write(report: &Report<'_>, sink: &mut impl Write) -> io::Result<()> {
    let page = Page {
        title: report.title(),
        text: report.text(),
        asks: report.served,
        ..page()
    };
    page.write(sink, |sink| {
        data_element(sink, "report", &report.data())?;
        for run in report.runs.iter().filter(|_| !report.served) {
            data_element(sink, &format!("kept-{}", run.run.id), &run.kept())?;
        }
        Ok(())
    })
}

/// Everything that a page shows.
pub struct Report<'a> {
    /// The runs, the first one that which others are compared with.
    pub runs: Vec<ShownRun<'a>>,
    /// Each later run beside the first, in their order.
    pub pairings: Vec<Pairing>,
    /// Where the user lives.
    pub zone: TimeZone,
    /// Whether a server shows it: then what is left of a case is asked for when somebody looks at it.
    pub served: bool,
}

/// A run with its cases.
pub struct ShownRun<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its figures.
    pub summary: Summary,
    /// The mean relative score of its accepted cases, 100 at best.
    pub relative: Option<f64>,
    /// The figures as a table of text.
    pub table: String,
    /// Its cases, in ascending order.
    pub cases: Vec<CaseOfRun>,
}

/// One case of a run.
pub struct CaseOfRun {
    /// What became of it.
    pub judged: JudgedCase,
    /// What is left of it; `None` where that is asked for later.
    pub left: Option<KeptCase>,
}

/// What is left of a case, for when somebody looks at it.
#[derive(Clone, Debug, Serialize)]
pub struct KeptCase {
    /// The command that judges it alone.
    pub rerun: String,
    /// The session, or what was written.
    #[serde(flatten)]
    pub kept: CaseArtifacts,
}

/// Two runs side by side.
pub struct Pairing {
    /// What they have in common.
    pub matched: Matched,
    /// The figures, by score; `None` if no case was accepted in both.
    pub figures: Option<Comparison>,
    /// What must be kept in mind.
    pub cautions: Vec<Caution>,
    /// Whether both have played every secret.
    pub whole: bool,
    /// Whether more is better.
    pub more_is_better: bool,
}

/// Numbers beyond this are no longer exact where a script reads them, and are given as text.
const EXACT: u64 = 1 << 53;

#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Exact(u64),
    Text(String),
}

impl Number {
    fn of(n: u64) -> Self {
        match n {
            ..=EXACT => Self::Exact(n),
            _ => Self::Text(n.to_string()),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    problem: &'a str,
    objective: Objective,
    tester: &'a str,
    served: bool,
    runs: Vec<RunData<'a>>,
    cases: Cases,
    pairings: Vec<PairingData<'a>>,
    groups: Vec<Group<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunData<'a> {
    id: i64,
    tag: Option<&'a str>,
    comment: Option<&'a str>,
    command: String,
    begun: String,
    state: &'static str,
    details: String,
    planned: usize,
    judged: usize,
    accepted: usize,
    verdicts: Vec<(String, usize)>,
    scores: Option<Scores>,
    relative: Option<f64>,
    slowest: Option<(Number, f64)>,
    failures: Vec<FailureData<'a>>,
    more_failures: usize,
    results: Results<'a>,
}

#[derive(Serialize)]
struct Scores {
    mean: f64,
    half: Option<f64>,
    exact: bool,
    min: Number,
    median: f64,
    max: Number,
    total: String,
}

#[derive(Serialize)]
struct FailureData<'a> {
    verdict: String,
    reason: &'a str,
    stderr: Option<&'a str>,
    case: Number,
    count: usize,
}

/// The rows of the table: every case of any run, in ascending order.
#[derive(Serialize)]
struct Cases {
    id: Vec<Number>,
    seed: Vec<Option<Number>>,
    /// Which of the groups each is of; empty where there are none.
    group: Vec<usize>,
}

/// What is known of a row whatever became of it.
#[derive(Default)]
struct RowData {
    seed: Option<u64>,
    group: Option<usize>,
}

type Rows = BTreeMap<(CaseId, Digest), RowData>;

/// What became of each row, column by column; nothing where the run does not have the case.
#[derive(Default, Serialize)]
struct Results<'a> {
    verdict: Vec<Option<String>>,
    score: Vec<Option<Number>>,
    ms: Vec<Option<f64>>,
    mib: Vec<Option<f64>>,
    /// By row: why it failed.
    reason: BTreeMap<usize, &'a str>,
    /// By row: which of the kinds of failure it is of.
    kind: BTreeMap<usize, usize>,
    /// By row: the last line that it wrote on stderr.
    stderr: BTreeMap<usize, &'a str>,
    /// The place of each row in the run's own list.
    at: Vec<Option<usize>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PairingData<'a> {
    shared: usize,
    both_accepted: usize,
    only_first: usize,
    only_second: usize,
    other_content: usize,
    first_failed: usize,
    second_failed: usize,
    both_failed: usize,
    whole: bool,
    cautions: &'a [Caution],
    figures: Option<Figures<'a>>,
}

#[derive(Serialize)]
struct Figures<'a> {
    means: &'a (f64, f64),
    difference: f64,
    half: Option<f64>,
    p: Option<f64>,
    tally: (usize, usize, usize),
    conclusion: Conclusion,
}

impl Report<'_> {
    /// What the page is called.
    fn title(&self) -> String {
        let names: Vec<String> = self.runs.iter().map(|run| run.run.title()).collect();
        let runs = if names.len() == 1 { "run" } else { "runs" };
        let problem = self.runs.first().map(|run| &run.run.about.problem);
        let problem = problem.map_or("", String::as_str);
        format!("{problem}: {runs} {}", names.join(", "))
    }

    /// The figures for whoever has no scripts.
    fn text(&self) -> String {
        let text = |run: &ShownRun<'_>| {
            let details = runs::details(run.run, &self.zone);
            format!("{details}{}", run.table)
        };
        self.runs.iter().map(text).collect::<Vec<_>>().join("\n")
    }

    fn data(&self) -> Data<'_> {
        let groups = groups(&self.runs);
        let place: HashMap<&str, usize> = (groups.iter().map(|group| group.opening))
            .zip(0..)
            .collect();
        let mut rows = Rows::new();
        for case in self.runs.iter().flat_map(|run| &run.cases) {
            let (key, record) = (case.judged.case, &case.judged.record);
            let row = rows.entry((key.id, key.digest)).or_default();
            row.seed = row.seed.or(key.seed.map(|seed| seed.0));
            row.group = place.get(record.opening.as_str()).copied();
        }
        let about = self.runs.first().map(|run| &run.run.about);
        Data {
            problem: about.map_or("", |about| &about.problem),
            objective: self
                .runs
                .first()
                .map_or(Objective::Min, |r| r.run.objective()),
            tester: env!("CARGO_PKG_VERSION"),
            served: self.served,
            runs: self.runs.iter().map(|run| self.run(run, &rows)).collect(),
            cases: Cases {
                id: rows.keys().map(|(id, _)| Number::of(id.0)).collect(),
                seed: rows.values().map(|row| row.seed.map(Number::of)).collect(),
                group: rows.values().filter_map(|row| row.group).collect(),
            },
            pairings: self.pairings.iter().map(PairingData::of).collect(),
            groups,
        }
    }

    fn run<'a>(&self, shown: &'a ShownRun<'_>, rows: &Rows) -> RunData<'a> {
        let (run, summary) = (shown.run, &shown.summary);
        let kinds = summary.failures.kinds();
        let seen = summary.verdicts.iter().filter(|(_, count)| *count > 0);
        RunData {
            id: run.id.0,
            tag: run.about.tag.as_deref(),
            comment: run.about.comment.as_deref(),
            command: run.about.spec.command.to_string(),
            begun: runs::moment(run.begun_ms, &self.zone),
            state: run.state.as_str(),
            details: runs::details(run, &self.zone),
            planned: run.about.planned,
            judged: run.judged,
            accepted: run.accepted,
            verdicts: seen.map(|(v, count)| (v.to_string(), *count)).collect(),
            scores: summary.scores().map(|d| Scores {
                mean: d.mean,
                half: d.half_width,
                exact: run.is_whole(),
                min: Number::of(d.range.0),
                median: d.median,
                max: Number::of(d.range.1),
                total: d.total.to_string(),
            }),
            relative: shown.relative,
            slowest: summary
                .slowest
                .as_ref()
                .map(|(id, record)| (Number::of(id.0), rounded(time_ms(record)))),
            failures: kinds
                .iter()
                .map(|failure| {
                    let record = &failure.first.record;
                    FailureData {
                        verdict: record.verdict.to_string(),
                        reason: record.reason.as_deref().unwrap_or_default(),
                        stderr: record.last_stderr_line.as_deref(),
                        case: Number::of(failure.first.case.id.0),
                        count: failure.count,
                    }
                })
                .collect(),
            more_failures: summary.failures.others,
            results: Results::of(shown, rows),
        }
    }
}

impl<'a> Results<'a> {
    fn of(shown: &'a ShownRun<'_>, rows: &Rows) -> Self {
        let mut own = shown.cases.iter().enumerate().peekable();
        let mut results = Self::default();
        let kind_of = shown.summary.failures.place_of();
        for (row, (id, digest)) in rows.keys().enumerate() {
            // A run has a number once.
            let found = own.next_if(|(_, case)| {
                let key = case.judged.case;
                (key.id, key.digest) == (*id, *digest)
            });
            let record = found.map(|(_, case)| &case.judged.record);
            let accepted = found.is_some_and(|(_, case)| case.judged.accepted());
            results.at.push(found.map(|(at, _)| at));
            results.verdict.push(record.map(|r| r.verdict.to_string()));
            let score = record.filter(|_| accepted).map(|r| Number::of(r.score));
            results.score.push(score);
            results.ms.push(record.map(|r| rounded(time_ms(r))));
            let mib = record.map(|r| rounded(r.memory_kib as f64 / 1024.0));
            results.mib.push(mib);
            if let Some(record) = record.filter(|_| !accepted) {
                results.kind.extend(kind_of(record).map(|kind| (row, kind)));
                let reason = record.reason.as_deref().map(|text| (row, text));
                results.reason.extend(reason);
                let stderr = record.last_stderr_line.as_deref().map(|text| (row, text));
                results.stderr.extend(stderr);
            }
        }
        results
    }
}

impl ShownRun<'_> {
    /// What is left of each of its cases.
    fn kept(&self) -> Vec<&KeptCase> {
        self.cases
            .iter()
            .filter_map(|case| case.left.as_ref())
            .collect()
    }
}

impl<'a> PairingData<'a> {
    fn of(pairing: &'a Pairing) -> Self {
        let matched = &pairing.matched;
        Self {
            shared: matched.shared(),
            both_accepted: matched.pairs.len(),
            only_first: matched.only.0,
            only_second: matched.only.1,
            other_content: matched.other_content,
            first_failed: matched.first_failed.len(),
            second_failed: matched.second_failed.len(),
            both_failed: matched.both_failed.len(),
            whole: pairing.whole,
            cautions: &pairing.cautions,
            figures: pairing.figures.as_ref().map(|c| Figures {
                means: &c.means,
                difference: c.difference,
                half: c.half_width,
                p: c.p_value,
                tally: c.wins_ties_losses,
                conclusion: Conclusion::of(c, pairing.more_is_better, pairing.whole),
            }),
        }
    }
}

/// To hundredths, which is all that a table shows.
fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}
