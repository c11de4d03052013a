//! The hosts of a run that was merged from shards: their cases, their speeds, and the doubtful verdicts.

use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};

use super::text::{push_row, table_text};
use crate::case::CaseId;
use crate::run::calibrate::NOISE;
use crate::stats::hosts::{DoubtfulVerdicts, HostComparison, HostFigures};
use crate::util::count::case_count;
use crate::util::quote::one_line;

/// Of more hosts than this, the slowest are shown.
const SHOWN: usize = 12;

/// Several lines, ended by newlines; of `judged` cases, those whose host is not known were judged after the merge.
pub fn text(hosts: &HostComparison, judged: usize) -> String {
    let mut shown: Vec<&HostFigures> = hosts.by_host.iter().filter(|s| s.cases > 0).collect();
    shown.sort_by(|a, b| b.host.calibration_ms.total_cmp(&a.host.calibration_ms));
    let mut out = String::new();
    let mut row = |name: &str, text: &str| push_row(&mut out, name, text);
    row("hosts", &headline(hosts, &shown));
    for line in table(hosts, &shown).lines() {
        row("", line);
    }
    if shown.len() > SHOWN {
        row("", &format!("… and {} faster ones", shown.len() - SHOWN));
    }
    let known: usize = shown.iter().map(|figures| figures.cases).sum();
    if known < judged {
        let later = judged - known;
        let were = if later == 1 { "was" } else { "were" };
        let cases = case_count(later);
        row(
            "",
            &format!("{cases} {were} judged later, on the machine of this history"),
        );
    }
    if hosts.tle.count > 0 {
        let what = "TLE on a slower host, which may be within the limit on the fastest";
        row("doubtful", &doubtful(&hosts.tle, what));
    }
    if hosts.ac.count > 0 {
        let what = "AC on a faster host, which may pass the limit on the slowest";
        row("doubtful", &doubtful(&hosts.ac, what));
    }
    out
}

fn headline(hosts: &HostComparison, shown: &[&HostFigures]) -> String {
    let (count, slowest) = match shown {
        [] => return "none has judged a case".to_owned(),
        [_] => return "1".to_owned(),
        [slowest, ..] => (shown.len(), hosts.ratio(&slowest.host)),
    };
    match hosts.differ() {
        true => format!(
            "{count}: the same work takes {slowest:.2} times as long on the slowest as on the fastest"
        ),
        false => format!(
            "{count}, alike: within {slowest:.2} of each other, and measurements differ by {NOISE}"
        ),
    }
}

fn table(hosts: &HostComparison, shown: &[&HostFigures]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "host",
        "cases",
        "TLE",
        "calibration",
        "ratio",
        "time limit",
        "machine",
    ]);
    for column in 1..=5 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for figures in shown.iter().take(SHOWN) {
        let host = &figures.host;
        table.add_row([
            one_line(&host.name),
            figures.cases.to_string(),
            figures.tle.to_string(),
            format!("{:.3} ms", host.calibration_ms),
            format!("{:.2}", hosts.ratio(host)),
            format!(
                "{} s",
                Duration::from_micros(host.time_limit_us).as_secs_f64()
            ),
            one_line(&host.machine),
        ]);
    }
    table_text(&table, None)
}

fn doubtful(found: &DoubtfulVerdicts, what: &str) -> String {
    let named: Vec<String> = found.first.iter().map(CaseId::to_string).collect();
    let more = match found.count > named.len() {
        true => " …",
        false => "",
    };
    format!("{} {what}: {}{more}", found.count, named.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::record::Verdict;
    use crate::run::provenance::{Host, tests::host};
    use crate::stats::hosts::Timing;

    /// The same number of cases on each host; every fifth is TLE.
    fn hosts(all: Vec<Host>, cases: u64) -> HostComparison {
        let count = all.len() as u64;
        let mut hosts = HostComparison::new(all);
        for id in 0..cases * count {
            let (verdict, time_ms) = match id % 5 {
                0 => (Verdict::Tle, 2001.0),
                part => (Verdict::Ac, 450.0 * part as f64),
            };
            hosts.add(&Timing {
                id: CaseId(id),
                host: (id / cases) as usize,
                verdict,
                time_ms,
            });
        }
        hosts
    }

    #[test]
    fn hosts_that_differ_make_verdicts_doubtful() {
        let hosts = hosts(
            vec![host("node1", 10.0), host("node2", 14.5), host("idle", 10.2)],
            50,
        );
        insta::assert_snapshot!(text(&hosts, 150), @"
        hosts      3: the same work takes 1.45 times as long on the slowest as on the fastest
                   host   cases  TLE  calibration  ratio  time limit  machine
                   node2     50   10    14.500 ms   1.45         2 s  node2, a processor, 2 cores
                   idle      50   10    10.200 ms   1.02         2 s  idle, a processor, 2 cores
                   node1     50   10    10.000 ms   1.00         2 s  node1, a processor, 2 cores
        doubtful   10 TLE on a slower host, which may be within the limit on the fastest: 0050 0055 0060 0065 0070 0075 0080 0085 …
        doubtful   20 AC on a faster host, which may pass the limit on the slowest: 0004 0009 0014 0019 0024 0029 0034 0039 …
        ");
    }

    #[test]
    fn hosts_that_are_alike_are_said_to_be() {
        let two = hosts(vec![host("node1", 10.0), host("node\n2", 10.4)], 3);
        insta::assert_snapshot!(text(&two, 8), @r"
        hosts      2, alike: within 1.04 of each other, and measurements differ by 1.1
                   host     cases  TLE  calibration  ratio  time limit  machine
                   node\n2      3    1    10.400 ms   1.04         2 s  node\n2, a processor, 2 cores
                   node1        3    1    10.000 ms   1.00         2 s  node1, a processor, 2 cores
                   2 cases were judged later, on the machine of this history
        ");
        let one = hosts(vec![host("node1", 10.0)], 3);
        insta::assert_snapshot!(text(&one, 3), @"
        hosts      1
                   host   cases  TLE  calibration  ratio  time limit  machine
                   node1      3    1    10.000 ms   1.00         2 s  node1, a processor, 2 cores
        ");
        insta::assert_snapshot!(text(&HostComparison::new(vec![]), 0), @"
        hosts      none has judged a case
                   host  cases  TLE  calibration  ratio  time limit  machine
        ");
    }

    #[test]
    fn of_many_hosts_the_slowest_are_shown() {
        let many = (0..30).map(|n| host(&format!("n{n}"), 10.0 + f64::from(n)));
        let shown = text(&hosts(many.collect(), 1), 30);
        assert!(
            shown.contains("           … and 18 faster ones\n"),
            "{shown}"
        );
        assert!(
            shown.contains(" n29 ") && !shown.contains(" n17 "),
            "{shown}"
        );
    }
}
