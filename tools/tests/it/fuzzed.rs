//! What `scripts/fuzz` calls with bytes that reach new code, called with a few: so it compiles, and holds, with every change.

use proptest::collection::vec;
use proptest::prelude::*;

#[path = "../../fuzz/checks/mod.rs"]
mod checks;

/// Texts that the readers accept, of which a fuzzer would find parts only.
const ACCEPTED: &[&str] = &[
    "hitblow 3 10\n8 2 5\n",
    "mastermind 4 6\n0 0 3 5\n",
    "0 1 2\n# a remark\n8 2 5\n",
    "0\n1\n42\n",
    "version = 1\n[judge]\nexternal = 't {command} < {case} > {out}'\nscore_scale = 1000\n",
    "version = 1\n[judge]\nexternal = 'c {{ {command} }}'\nscore_regex = '(?P<score>.)'\n",
    "[    0.021] > hitblow 3 10\n[    1.410] < 8 2 5\n[    5.200] = AC, score 1\n",
    // The records of a shard, behind a line that describes no run.
    concat!(
        "\n",
        r#"{"record":{"case":"0","digest":"7aa5c5b1cb928c44","seed":"0","opening":"hitblow 3 10","verdict":"WA","score":0,"#,
        r#""turns":0,"wall_us":1132,"cpu_us":851,"memory_kib":1748,"reason":"turn 1: no","last_words":null}}"#,
        "\n",
    ),
];

/// Any bytes; or what is accepted, with some bytes replaced.
fn input() -> impl Strategy<Value = Vec<u8>> {
    let accepted = (
        prop::sample::select(ACCEPTED),
        vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    );
    let changed = accepted.prop_map(|(text, changes)| {
        let mut bytes = text.as_bytes().to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes
    });
    prop_oneof![vec(any::<u8>(), 0..200), changed]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_check_of_the_fuzz_targets_holds(bytes in input()) {
        checks::case_file::check(&bytes);
        checks::configuration::check(&bytes);
        checks::contestant_lines::check(&bytes);
        checks::seeds_file::check(&bytes);
        checks::shard::check(&bytes);
        checks::stored_records::check(&bytes);
        checks::transcript::check(&bytes);
    }
}

#[test]
fn each_check_has_a_target() {
    let names = |folder: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.retain(|name| name != "mod.rs");
        names.sort();
        names
    };
    assert_eq!(names("fuzz/checks"), names("fuzz/fuzz_targets"));
}
