//! A package's submissions as text and as JSON: what each got, and whether its folder promises that.

use std::time::Duration;

use serde::Serialize;

use crate::judge::record::{Record, Verdict};
use crate::problem::Score;
use crate::run::package::cases::PackageCase;
use crate::run::package::description::Description;
use crate::run::package::result::{Standing, SubmissionOutcome, SubmissionResult};
use crate::util::count::case_count;

/// The most cases of a submission that are shown because they contradict what is expected.
const SHOWN_CASES: usize = 3;

/// The first line: what is judged.
pub fn heading(package: &Description, cases: &[PackageCase], validator: &str) -> String {
    let cases = case_count(cases.len());
    format!(
        "{}: interactive, {cases}, validator in {validator}\n",
        package.name
    )
}

/// The line about the time limit: where it is from.
pub fn time_limit_line(limit: Duration, source: &TimeLimitSource) -> String {
    let seconds = limit.as_secs_f64();
    match source {
        TimeLimitSource::Written(place) => format!("time limit {seconds} s ({place})\n"),
        TimeLimitSource::Computed {
            slowest,
            multiplier,
        } => {
            let slowest = slowest.as_secs_f64();
            format!(
                "time limit {seconds} s ({multiplier} times the slowest accepted submission, {slowest:.2} s, rounded up)\n"
            )
        }
    }
}

/// Where a time limit is from.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeLimitSource {
    /// An option or a file.
    Written(&'static str),
    /// From the slowest accepted submission.
    Computed {
        /// Its time.
        slowest: Duration,
        /// How many times as long.
        multiplier: f64,
    },
}

/// The row of a submission, and rows for the cases that contradict what is expected. `width` is that of the names.
pub fn rows(result: &SubmissionResult, cases: &[PackageCase], width: usize) -> String {
    let name = &result.submission.name;
    let (got, slowest) = match &result.outcome {
        SubmissionOutcome::NotJudged(_) => ("not judged".to_owned(), String::new()),
        SubmissionOutcome::NotBuilt(_) => ("not built".to_owned(), String::new()),
        SubmissionOutcome::Judged(_) => {
            let counts = result.verdicts();
            let counts = counts
                .iter()
                .map(|(verdict, count)| format!("{count} {verdict}"));
            let slowest = result.slowest().unwrap_or_default().as_secs_f64();
            (
                counts.collect::<Vec<_>>().join(", "),
                format!("{slowest:.2} s"),
            )
        }
    };
    let expected = &result.submission.expectation;
    let standing = match result.standing() {
        Standing::Met => "as expected".to_owned(),
        Standing::Missed => format!("NOT as expected: {}", expected.text()),
        Standing::NotJudged => "?".to_owned(),
        Standing::NothingExpected => "nothing is expected".to_owned(),
    };
    let mut text = format!("{name:width$}  {got:<20}  {slowest:>8}  {standing}\n");
    if let SubmissionOutcome::NotJudged(why) | SubmissionOutcome::NotBuilt(why) = &result.outcome
        && result.standing() != Standing::Met
    {
        text += &format!("    {why}\n");
    }
    if result.standing() == Standing::Missed {
        let contradicts =
            |(_, record): &(&PackageCase, &Record)| expected.is_contradicted_by(record.verdict);
        let records = cases.iter().zip(result.records());
        for (case, record) in records.filter(contradicts).take(SHOWN_CASES) {
            text += &format!("    {}: {}\n", case.name, record.headline());
        }
    }
    text
}

/// The last line: how many are as expected.
pub fn summary(results: &[SubmissionResult]) -> String {
    let count = |wanted| {
        results
            .iter()
            .filter(|result| result.standing() == wanted)
            .count()
    };
    let (met, all) = (count(Standing::Met), results.len());
    let others = [
        (count(Standing::Missed), "not as expected"),
        (count(Standing::NotJudged), "not judged"),
        (count(Standing::NothingExpected), "without an expectation"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others: String = others
        .map(|(count, what)| format!(", {count} {what}"))
        .collect();
    format!("{met} of {all} submissions as expected{others}\n")
}

#[derive(Serialize)]
struct PackageJson<'a> {
    package: &'a str,
    time_limit: f64,
    as_expected: bool,
    submissions: Vec<SubmissionJson<'a>>,
}

#[derive(Serialize)]
struct SubmissionJson<'a> {
    name: &'a str,
    language: Option<&'a str>,
    expected: String,
    as_expected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    cases: Vec<CaseJson<'a>>,
}

#[derive(Serialize)]
struct CaseJson<'a> {
    case: &'a str,
    verdict: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    wall_ms: f64,
    cpu_ms: f64,
    memory_kib: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

/// Everything as one line of JSON.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn json(
    package: &Description,
    limit: Duration,
    cases: &[PackageCase],
    results: &[SubmissionResult],
) -> serde_json::Result<String> {
    let submissions = results.iter().map(|result| SubmissionJson {
        name: &result.submission.name,
        language: result.language,
        expected: result.submission.expectation.text(),
        as_expected: match result.standing() {
            Standing::Met => Some(true),
            Standing::Missed => Some(false),
            Standing::NotJudged | Standing::NothingExpected => None,
        },
        error: match &result.outcome {
            SubmissionOutcome::NotJudged(why) | SubmissionOutcome::NotBuilt(why) => Some(why),
            SubmissionOutcome::Judged(_) => None,
        },
        cases: cases
            .iter()
            .zip(result.records())
            .map(CaseJson::new)
            .collect(),
    });
    let package = PackageJson {
        package: &package.name,
        time_limit: limit.as_secs_f64(),
        as_expected: all_are_met(results),
        submissions: submissions.collect(),
    };
    Ok(serde_json::to_string(&package)? + "\n")
}

impl<'a> CaseJson<'a> {
    fn new((case, record): (&'a PackageCase, &'a Record)) -> Self {
        Self {
            case: &case.name,
            verdict: record.verdict.to_string(),
            score: (record.verdict == Verdict::Ac).then_some(record.score),
            wall_ms: record.wall_ms,
            cpu_ms: record.cpu_ms,
            memory_kib: record.memory_kib,
            reason: record.reason.as_deref(),
        }
    }
}

/// Whether each submission of which something is expected got that.
pub fn all_are_met(results: &[SubmissionResult]) -> bool {
    let fine = |result: &SubmissionResult| {
        matches!(result.standing(), Standing::Met | Standing::NothingExpected)
    };
    results.iter().all(fine)
}
