#![no_main]
//! A `tester.toml` that is accepted stands for options of `tester batch`, and nothing that stands in it ends the
//! program but by an error: neither another judge's line nor where its score is looked for.

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tester::run::config::parse;
use tester::process::Command;
use tester::judge::external::{External, ExternalSpec, Stream, USUAL_SCORE};
use tester::problem::Objective;

fuzz_target!(|text: &str| {
    let Ok(settings) = parse(text) else { return };
    let value = |name: &str| {
        let texts = settings.options.iter().filter_map(|option| option.to_str());
        texts.filter_map(|text| text.strip_prefix(name)).next_back()
    };
    assert!(settings.options.iter().all(|option| option.to_string_lossy().starts_with("--")));
    let command = Command::from_line("./mine 'a b'").expect("a command");
    let line = value("--external=").unwrap_or(text);
    let score = value("--score-regex=").unwrap_or(USUAL_SCORE);
    let external = ExternalSpec {
        score: score.to_owned(),
        ..ExternalSpec::of_line(line.to_owned(), None)
    };
    if external.check(Some(&command)).is_ok() {
        let filled = external.filled(Path::new("in/0000.txt"), 0, Path::new("out/0000.txt"), &command);
        assert!(filled.to_string_lossy().contains("in/0000.txt"));
        assert_eq!(External::new(external.clone()).expect("it was checked").spec(), &external);
    }
});
