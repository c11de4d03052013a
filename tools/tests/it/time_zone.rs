//! Times are those of the user's own zone.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{Shown, tester};
use crate::history::{ALL, batch, folder};

#[test]
fn times_are_of_the_zone_in_the_variable_tz() {
    let dir = folder();
    batch(dir.path(), &[&ALL[..], &["./c"]].concat());
    let history = |args: &[&str], zone: &str| {
        let mut command = tester(&[&["history"], args].concat());
        let output = command.current_dir(dir.path()).env("TZ", zone).output();
        Shown::from(output.unwrap()).stdout
    };
    let run: Value = serde_json::from_str(&history(&["--json"], "UTC")).unwrap();
    let begun = run["begun_ms"].as_i64().unwrap_or_else(|| panic!("{run}"));
    for zone in [
        "UTC",
        "JST-9",
        "NST3:30NDT,M3.2.0,M11.1.0",
        "Asia/Tokyo",
        "America/St_Johns",
    ] {
        if zone.contains('/') && !Path::new("/usr/share/zoneinfo").join(zone).exists() {
            eprintln!("not tested: this system has no /usr/share/zoneinfo/{zone}");
            continue;
        }
        let seconds = format!("@{}", begun.div_euclid(1000));
        let mut date = Command::new("date");
        date.args(["-d", &seconds, "+%Y-%m-%d %H:%M:%S"])
            .env("TZ", zone);
        let expected = String::from_utf8(date.output().unwrap().stdout).unwrap();
        let shown = history(&[], zone);
        let line = shown.lines().nth(1).unwrap_or_else(|| panic!("{shown}"));
        assert_eq!(&line[5..24], expected.trim_end(), "{zone}");
    }
}
