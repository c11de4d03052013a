//! The report: runs, their figures, the comparison, and every case with its session.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::assets::{ELEMENTS, PICTURE, SESSION, STYLE, WORDS};
use super::data::ReportData;
use super::document::{Page, data_element};
use crate::report::console;
use crate::report::hosts;
use crate::report::model::{CaseDetails, Report, RunReport};
use crate::report::runs;
use crate::store::pictures::Picture;

/// The page, without what stands in it.
pub(crate) fn page() -> Page<'static> {
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
            ELEMENTS,
            include_str!("../../../web/charts.js"),
            PICTURE,
            SESSION,
            include_str!("../../../web/report/rows.js"),
            include_str!("../../../web/report/view.js"),
            include_str!("../../../web/report/table.js"),
            include_str!("../../../web/report/summary.js"),
            include_str!("../../../web/report/groups.js"),
            include_str!("../../../web/report/parameters.js"),
            include_str!("../../../web/report/distribution.js"),
            include_str!("../../../web/report/comparison.js"),
            include_str!("../../../web/report/case.js"),
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
        fenced: Vec::new(),
    }
}

/// Writes the page.
///
/// Cost: some 100 bytes a case, and its session; 700 KB for the libraries.
///
/// # Errors
/// If the sink fails.
pub fn write(report: &Report<'_>, sink: &mut impl Write) -> io::Result<()> {
    let page = Page {
        title: title(report),
        text: text(report),
        asks: report.served,
        fenced: fenced(report),
        ..page()
    };
    page.write(sink, |sink| {
        data_element(sink, "report", &ReportData::new(report))?;
        for run in report.runs.iter().filter(|_| !report.served) {
            let details = run.cases.iter().filter_map(|case| case.details.as_ref());
            let details: Vec<&CaseDetails> = details.collect();
            data_element(sink, &format!("cases-{}", run.run.id), &details)?;
        }
        Ok(())
    })
}

/// The sums of the scripts in pictures, each once.
fn fenced(report: &Report<'_>) -> Vec<String> {
    let cases = report.runs.iter().flat_map(|run| &run.cases);
    let details = cases.filter_map(|case| case.details.as_ref());
    let pictures = details.filter_map(|details| details.artifacts.picture.as_ref());
    let sums: BTreeSet<String> = pictures.flat_map(Picture::script_sums).collect();
    sums.into_iter().collect()
}

/// The name of the page.
fn title(report: &Report<'_>) -> String {
    let names: Vec<String> = report.runs.iter().map(|run| run.run.title()).collect();
    let runs = if names.len() == 1 { "run" } else { "runs" };
    let problem = report.runs.first().map(|run| &run.run.about.problem);
    let problem = problem.map_or("", String::as_str);
    format!("{problem}: {runs} {}", names.join(", "))
}

/// The figures, for a browser without scripts.
fn text(report: &Report<'_>) -> String {
    let text = |run: &RunReport<'_>| {
        let details = runs::details(run.run);
        let figures = console::run_text(&run.summary, None, run.run, &report.tester);
        let hosts = run.hosts.as_ref().map(|h| hosts::text(h, run.run.judged));
        details + &figures + &hosts.unwrap_or_default()
    };
    report.runs.iter().map(text).collect::<Vec<_>>().join("\n")
}
