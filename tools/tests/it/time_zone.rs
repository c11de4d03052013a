//! Times are those of the user's own zone.

use std::path::Path;

use crate::common::{Shown, tester};
use crate::history::{ALL, batch, folder};

#[test]
fn times_are_of_the_zone_in_the_variable_tz() {
    let dir = folder();
    batch(dir.path(), &[&ALL[..], &["./c"]].concat());
    let begun = |zone: &str| {
        let mut command = tester(&["history"]);
        let output = command.current_dir(dir.path()).env("TZ", zone).output();
        let shown = Shown::from(output.unwrap());
        let line = shown.stdout.lines().nth(1).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{shown:?}"))[5..24].to_owned()
    };
    let minutes = |text: &str| {
        let civil: jiff::civil::DateTime = text.parse().unwrap();
        civil
            .to_zoned(jiff::tz::TimeZone::UTC)
            .unwrap()
            .timestamp()
            .as_second()
            / 60
    };
    let utc = minutes(&begun("UTC"));
    assert_eq!(minutes(&begun("JST-9")), utc + 9 * 60);
    // A zone with its name needs the files of the system.
    match Path::new("/usr/share/zoneinfo/Asia/Tokyo").exists() {
        true => assert_eq!(minutes(&begun("Asia/Tokyo")), utc + 9 * 60),
        false => eprintln!("not tested: this system has no /usr/share/zoneinfo/Asia/Tokyo"),
    }
}
