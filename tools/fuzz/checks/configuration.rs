//! A `tester.toml` that is accepted ends nothing but by an error: neither the line of a contest's tester nor where its
//! score is looked for.

use std::path::Path;

use tester::judge::external::{External, ExternalSpec};
use tester::process::Command;
use tester::run::config::Config;

pub fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let Ok(config) = Config::parse(text) else {
        return;
    };
    let Some(judge) = config.judge else { return };
    let line = judge.external.as_deref().unwrap_or(text);
    let usual = ExternalSpec::of_line(line.to_owned(), None);
    let external = ExternalSpec {
        score: judge.score_regex.unwrap_or(usual.score),
        scale: judge.score_scale.unwrap_or_default(),
        zero_counts: judge.zero_counts,
        parameters: judge.parameters,
        vis: judge.vis,
        ..usual
    };
    let command = Command::from_line("./mine 'a b'").expect("a command");
    if external.check(Some(&command)).is_err() {
        return;
    }
    let (case, out) = (Path::new("in/0000.txt"), Path::new("out/0000.txt"));
    let filled = external.filled(case, 0, out, &command);
    assert!(filled.to_string_lossy().contains("in/0000.txt"));
    let judge = External::new(external.clone()).expect("it was checked");
    assert_eq!(judge.spec(), &external);
}
