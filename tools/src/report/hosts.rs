//! The hosts of a run that was merged from shards: who judged how much, how far they differ, what that makes doubtful.

use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};

use crate::calibrate::NOISE;
use crate::case::CaseId;
use crate::score::hosts::{Doubtful, Hosts, Share};

/// Of more hosts than this, the slowest are shown.
const SHOWN: usize = 12;

/// Several lines, ended by newlines; of `judged` cases, those whose host is not known were judged after the merge.
pub fn text(hosts: &Hosts, judged: usize) -> String {
    let mut shares: Vec<&Share> = hosts.shares.iter().filter(|s| s.cases > 0).collect();
    shares.sort_by(|a, b| b.host.calibration_ms.total_cmp(&a.host.calibration_ms));
    let mut out = String::new();
    let mut row = |name: &str, text: &str| out.push_str(&format!("{name:<10} {text}\n"));
    row("hosts", &headline(hosts, &shares));
    for line in table(hosts, &shares).lines() {
        row("", line);
    }
    if shares.len() > SHOWN {
        row("", &format!("… and {} faster ones", shares.len() - SHOWN));
    }
    let known: usize = shares.iter().map(|share| share.cases).sum();
    if known < judged {
        let later = judged - known;
        row(
            "",
            &format!("{later} cases were judged later, on the machine of this history"),
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

fn headline(hosts: &Hosts, shares: &[&Share]) -> String {
    let (count, slowest) = match shares {
        [] => return "none has judged a case".to_owned(),
        [_] => return "1".to_owned(),
        [slowest, ..] => (shares.len(), hosts.ratio(&slowest.host)),
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

fn table(hosts: &Hosts, shares: &[&Share]) -> String {
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
    for share in shares.iter().take(SHOWN) {
        let host = &share.host;
        table.add_row([
            super::runs::one_line(&host.name),
            share.cases.to_string(),
            share.tle.to_string(),
            format!("{:.3} ms", host.calibration_ms),
            format!("{:.2}", hosts.ratio(host)),
            format!(
                "{} s",
                Duration::from_micros(host.time_limit_us).as_secs_f64()
            ),
            super::runs::one_line(&host.machine),
        ]);
    }
    super::runs::finish(&table, None)
}

fn doubtful(found: &Doubtful, what: &str) -> String {
    let named: Vec<String> = found.first.iter().map(CaseId::to_string).collect();
    let more = match found.count > named.len() {
        true => " …",
        false => "",
    };
    format!("{} {what}: {}{more}", found.count, named.join(" "))
}
