//! Shards as text: written, read back to the byte, and refused where anything is wrong.

use std::num::NonZeroUsize;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::case::{CaseId, CaseKey, Digest, Parameters, Seed, Source};
use crate::judge::record::{JudgedCase, Record, Verdict};
use crate::problem::Score;
use crate::problem::score::MAX_DECIMALS;
use crate::run::provenance::tests::host;
use crate::store::{Kind, NewRun};

/// A run of the seeds 100 to 107.
fn new_run() -> NewRun {
    let mut new = crate::store::tests::new_run(None);
    new.spec.command.args = vec!["--policy".into(), "a b".into()];
    new.spec.source = Source::Seeds {
        problem: "hitblow 3 10".to_owned(),
        seeds: 100..=107,
    };
    new.planned = 8;
    new.provenance.fingerprint = "f00d".to_owned();
    new.provenance.git_dirty = None;
    new
}

pub(super) fn about() -> Manifest {
    Manifest::from_run(&new_run()).unwrap()
}

pub(super) fn changed(change: impl FnOnce(&mut NewRun)) -> Manifest {
    let mut new = new_run();
    change(&mut new);
    Manifest::from_run(&new).unwrap()
}

pub(super) fn header(part: &str, about: Manifest) -> Header {
    Header {
        part: part.parse().unwrap(),
        about,
        host: host("n1", 10.5),
        begun_ms: 1000,
    }
}

pub(super) fn judged(id: u64) -> JudgedCase {
    let mut judged = JudgedCase::sample(id, Verdict::Ac, id % 7, |record| {
        record.opening = "hitblow 3 10".to_owned();
        record.turns = 3;
        record.wall_ms = 1.234;
        record.cpu_ms = 0.5;
        record.memory_kib = 2048;
    });
    judged.case.digest = Digest(id.wrapping_mul(u64::MAX / 3));
    judged.case.seed = Some(Seed(id));
    judged
}

/// A whole shard with these records.
pub(super) fn text(header: &Header, records: &[JudgedCase]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), header).unwrap();
    records
        .iter()
        .for_each(|judged| writer.add(judged).unwrap());
    writer.finish(Duration::from_millis(70)).unwrap()
}

/// The cases of a part of the run, judged.
pub(super) fn shard(part: &str, about: &Manifest) -> Vec<u8> {
    let header = header(part, about.clone());
    let block = header.part.block(about.planned());
    let records: Vec<JudgedCase> = block.map(|place| judged(100 + place as u64)).collect();
    text(&header, &records)
}

/// What came together from these files, and the records.
pub(super) fn merged(
    files: &[(&str, Vec<u8>)],
    partial: bool,
) -> (Result<Merged, MergeError>, InMemory) {
    let (mut merge, mut kept) = (Merge::new(None), InMemory::default());
    for (name, text) in files {
        let Ok(()) = merge.read(name, &text[..], &mut kept);
    }
    (merge.finish(partial), kept)
}

fn read(text: &[u8]) -> Result<Vec<JudgedCase>, ReadError> {
    let mut reader = Reader::new(text, "FILE");
    let mut records = Vec::new();
    while let Some(event) = reader.next_event()? {
        if let Event::Record(judged) = event {
            records.push(judged);
        }
    }
    Ok(records)
}

pub(super) fn why(text: &[u8]) -> String {
    read(text).unwrap_err().to_string()
}

proptest! {
    #[test]
    fn every_case_is_in_one_part_and_parts_are_as_even_as_can_be(
        cases in 0_usize..2000, of in 1_u64..300,
    ) {
        let part = |index| Part::new(index, of).unwrap();
        let mut next = 0;
        for index in 1..=of {
            let block = part(index).block(cases);
            prop_assert_eq!(block.start, next);
            let (least, rest) = (cases / of as usize, cases % of as usize);
            prop_assert!(block.len() == least || (rest > 0 && block.len() == least + 1));
            // The rule that others may count by.
            for k in block.clone() {
                prop_assert_eq!(k as u64 * of / cases as u64 + 1, index);
            }
            next = block.end;
        }
        prop_assert_eq!(next, cases);
    }

    #[test]
    fn records_come_back_as_they_were(
        ids in proptest::collection::btree_set(any::<u64>(), 1..9),
        units in any::<u64>(), decimals in 0..=MAX_DECIMALS, digest in any::<u64>(), seed in any::<Option<u64>>(),
        turns in any::<u64>(), us in 0_u32.., reason in any::<Option<String>>(),
        opening in any::<String>(), which in 0..Verdict::ALL.len() - 1,
        eps in proptest::option::of(-1e9_f64..1e9),
    ) {
        let expected: Vec<JudgedCase> = ids.into_iter().map(|id| JudgedCase {
            case: CaseKey { id: CaseId(id), digest: Digest(digest), seed: seed.map(Seed) },
            record: Record {
                opening: opening.clone(), parameters: Parameters::new([Some(15.0), eps]), verdict: Verdict::ALL[which], turns, reason: reason.clone(),
                wall_ms: f64::from(us) / 1e3, last_stderr_line: reason.clone(), cpu_ms: f64::from(us / 2) / 1e3,
                score: Score::new(units, decimals),
                memory_kib: digest >> 1, // more is refused
            },
        }).collect();
        // Files may have any numbers.
        let about = changed(|new| new.spec.scoring.decimals = decimals);
        let about = changed_to_files(&about, expected.len());
        prop_assert_eq!(read(&text(&header("1/1", about), &expected)).unwrap(), expected);
    }

    #[test]
    fn any_shards_that_have_every_case_are_the_run_in_any_order(
        chosen in proptest::collection::vec((1_u64..12, 1_u64..12), 0..8), order in any::<u64>(), one_file in any::<bool>(),
    ) {
        let about = about();
        // Some of any division, whatever they share, and all of one.
        let some = chosen.into_iter().map(|(index, more)| format!("{index}/{}", index + more - 1));
        let mut parts: Vec<String> = some.chain((1..=3).map(|index| format!("{index}/3"))).collect();
        crate::problem::rng::CaseRng::new(Seed(order)).shuffle(&mut parts);
        let mut files: Vec<(&str, Vec<u8>)> =
            parts.iter().map(|part| (part.as_str(), shard(part, &about))).collect();
        if one_file {
            files = vec![("all", files.into_iter().flat_map(|(_, text)| text).collect())];
        }
        let (run, kept) = merged(&files, false);
        let run = run.unwrap();
        prop_assert_eq!((run.kept, run.prefix), (8, 8));
        let records: Vec<JudgedCase> = kept.0.into_values().map(|(_, judged)| judged).collect();
        prop_assert_eq!(records, (100..108).map(judged).collect::<Vec<_>>());
    }

    #[test]
    fn whatever_is_read_ends_with_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read(&bytes).is_err());
    }
}

/// The same run over this many files, with any content.
fn changed_to_files(about: &Manifest, planned: usize) -> Manifest {
    let mut json = serde_json::to_value(about).unwrap();
    json["spec"]["parameters"] = serde_json::json!(["N", "eps"]);
    json["spec"]["source"] = serde_json::json!({ "folder": "in" });
    json["cases"] = serde_json::json!("00");
    json["planned"] = serde_json::json!(planned);
    serde_json::from_value(json).unwrap()
}

#[test]
fn a_part_is_written_as_test_runners_write_it() {
    let part: Part = "3/8".parse().unwrap();
    assert_eq!(
        (part.index(), part.of(), part.to_string()),
        (3, 8, "3/8".to_owned())
    );
    for bad in ["", "3", "0/8", "9/8", "1/0", "-1/8", "1/8/2", "1.0/8"] {
        let error = bad.parse::<Part>().unwrap_err().to_string();
        assert!(
            error.starts_with("expected I/N with 1 <= I <= N"),
            "{error}"
        );
    }
    let most = Part::new(u64::MAX, u64::MAX).unwrap();
    assert_eq!(most.block(usize::MAX).end, usize::MAX);
}

#[test]
fn the_key_is_of_all_that_decides_and_of_nothing_else() {
    let key = about().key();
    let same = [
        changed(|run| run.spec.command.program = "/cache/00ff/solver".into()),
        changed(|run| run.spec.out = "elsewhere".into()),
        changed(|run| run.spec.jobs = NonZeroUsize::new(8).unwrap()),
        changed(|run| run.provenance.machine = "another".to_owned()),
        changed(|run| run.provenance.git_commit = Some("1234".to_owned())),
        changed(|run| run.tag = Some("v2".to_owned())),
        changed(|run| run.spec.transcripts = true),
    ];
    for about in same {
        assert_eq!(about.key(), key);
    }
    let others = [
        changed(|run| run.provenance.fingerprint = "beef".to_owned()),
        changed(|run| run.provenance.tester = "1".to_owned()),
        changed(|run| run.spec.command.args[1] = "a c".into()),
        changed(|run| run.spec.limits.time = Duration::from_secs(3)),
        changed(|run| run.spec.limits.memory_kib += 1),
        changed(|run| run.spec.limits.turns += 1),
        changed(|run| run.spec.limits.processes += 1),
        changed(|run| run.problem = "mastermind 4 6".to_owned()),
        changed(|run| run.planned = 9),
        changed(|run| run.spec.sandbox = Some("bubblewrap".to_owned())),
        changed(|run| {
            run.spec.source = Source::AllSecrets {
                problem: "hitblow 3 10".to_owned(),
            };
        }),
        changed(|run| run.spec.scale_time_limit_ms = Some(9.5)),
        changed(|run| run.spec.limits.output_bytes += 1),
    ];
    for other in &others {
        assert_ne!(other.key(), key);
        assert_eq!(
            about().differences(other).len(),
            1,
            "{:?}",
            about().differences(other)
        );
    }
    assert_eq!(about().differences(&about()), Vec::<String>::new());
}

#[test]
fn files_are_known_by_what_is_in_them_and_not_by_where_they_are() {
    let dirs = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let secrets = ["8 2 5", "8 2 5", "8 2 6"];
    let keys = dirs.iter().zip(secrets).map(|(dir, secret)| {
        let text = format!("hitblow 3 10\n{secret}\n");
        std::fs::write(dir.path().join("0000.txt"), text).unwrap();
        let about = changed(|run| run.spec.source = Source::Folder(dir.path().into()));
        about.key()
    });
    let keys: Vec<String> = keys.collect();
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[0], keys[2]);
    // The same text as another case is another run.
    let dir = dirs[0].path();
    std::fs::rename(dir.join("0000.txt"), dir.join("0001.txt")).unwrap();
    let moved = changed(|run| run.spec.source = Source::Folder(dir.into()));
    assert_ne!(keys[0], moved.key());
}

#[test]
fn words_of_a_command_are_kept_to_the_byte() {
    use std::os::unix::ffi::OsStringExt;
    let odd = std::ffi::OsString::from_vec(vec![0xff, b'"', b'\n']);
    let about = changed(|run| run.spec.command.args = vec![odd.clone(), "".into()]);
    let json = serde_json::to_string(&about).unwrap();
    let again: Manifest = serde_json::from_str(&json).unwrap();
    let command = again.to_new_run(Kind::Batch, "out".as_ref()).spec.command;
    assert_eq!(command.args, [odd, "".into()]);
    assert_eq!(again.key(), about.key());
}

#[test]
fn a_shard_is_lines_that_anybody_can_read_and_check() {
    let text = shard("2/4", &about());
    let shown = String::from_utf8(text.clone()).unwrap();
    insta::assert_snapshot!(shown.replace(&about().key(), "KEY"), @r#"
    {"shard":{"format":2,"index":2,"of":4,"key":"KEY","run":{"spec":{"command":["./solver","--policy","a b"],"external":null,"source":{"seeds":{"problem":"hitblow 3 10","seeds":{"start":100,"end":107}}},"limits":{"time_us":2000000,"memory_kib":1048576,"turns":1000,"output_bytes":67108864,"line_bytes":1048576,"processes":128},"scale_time_limit_ms":null,"jobs":1,"transcripts":false,"sandbox":null,"out":"out"},"planned":8,"problem":"hitblow 3 10","provenance":{"fingerprint":"f00d","git_commit":null,"git_dirty":null,"machine":"m","tester":"0"},"cases":null},"host":{"name":"n1","machine":"n1, a processor, 2 cores","cpus":2,"calibration_ms":10.5,"time_limit_us":2000000},"begun_ms":1000}}
    {"record":{"case":"102","digest":"ffffffffffffffde","seed":"102","opening":"hitblow 3 10","verdict":"AC","score":4,"turns":3,"wall_us":1234,"cpu_us":500,"memory_kib":2048,"reason":null,"last_words":null}}
    {"record":{"case":"103","digest":"5555555555555533","seed":"103","opening":"hitblow 3 10","verdict":"AC","score":5,"turns":3,"wall_us":1234,"cpu_us":500,"memory_kib":2048,"reason":null,"last_words":null}}
    {"end":{"judged":2,"took_ms":70,"sha256":"de743f7dc3f0e3aa7b10d334755619ed658f1d455bfd807dc6166ad9d37d5372"}}
    "#);
    // `head -c` of everything before the sum, `sha256sum`.
    let at = shown.rfind(",\"sha256\"").unwrap();
    let sum = crate::process::program::fingerprint::hex(&<sha2::Sha256 as sha2::Digest>::digest(
        &text[..at],
    ));
    assert!(
        shown.ends_with(&format!(",\"sha256\":\"{sum}\"}}}}\n")),
        "{shown}"
    );
}

#[test]
fn no_byte_can_be_changed_lost_or_added_without_notice() {
    let whole = shard("1/4", &about());
    assert_eq!(read(&whole).unwrap().len(), 2);
    for at in 0..whole.len() {
        for bit in [1, 0x20, 0x80] {
            let mut altered = whole.clone();
            altered[at] ^= bit;
            assert!(read(&altered).is_err(), "byte {at}, bit {bit:#x}");
        }
        assert!(read(&whole[..at]).is_err(), "cut at {at}");
        let mut longer = whole.clone();
        longer.insert(at, b' ');
        assert!(read(&longer).is_err(), "a blank at {at}");
        longer.remove(at);
        longer.remove(at);
        assert!(read(&longer).is_err(), "without byte {at}");
    }
}

#[test]
fn numbers_that_no_tester_writes_are_refused() {
    let begun = |change: &dyn Fn(&mut Header)| {
        let mut header = header("2/4", about());
        change(&mut header);
        why(&text(&header, &[judged(102), judged(103)]))
    };
    let jobs = |header: &mut Header| header.about.spec.jobs = NonZeroUsize::new(1025).unwrap();
    insta::assert_snapshot!(begun(&jobs), @"failed to read shard FILE: line 1: expected at most 1024 jobs, found 1025");
    insta::assert_snapshot!(begun(&|header| header.host.cpus = u64::MAX), @"failed to read shard FILE: line 1: expected at most 9223372036854775807 cores, found 18446744073709551615");
    insta::assert_snapshot!(begun(&|header| header.host.time_limit_us = 1 << 63), @"failed to read shard FILE: line 1: expected at most 9223372036854775807 microseconds as the time limit, found 9223372036854775808");
    insta::assert_snapshot!(begun(&|header| header.host.calibration_ms = 1e-9), @"failed to read shard FILE: line 1: expected a calibration from 0.001 to 1000000000 ms, found 1e-9");
    let endless = changed(|new| new.planned = 10_000_001);
    insta::assert_snapshot!(why(&text(&header("1/1", endless), &[])), @"failed to read shard FILE: line 1: expected at most 10000000 cases, found 10000001");
    let mut hog = judged(102);
    // The largest numbers that a history can hold.
    hog.record.memory_kib = i64::MAX as u64;
    for calibration_ms in [0.001, 1e9] {
        let mut header = header("2/4", about());
        header.host = host("n1", calibration_ms);
        header.host.cpus = i64::MAX as u64;
        assert_eq!(
            read(&text(&header, &[hog.clone(), judged(103)]))
                .unwrap()
                .len(),
            2
        );
    }
    hog.record.memory_kib = u64::MAX;
    insta::assert_snapshot!(why(&text(&header("2/4", about()), &[hog, judged(103)])), @"failed to read shard FILE: line 2: expected at most 9223372036854775807 KiB of memory, found 18446744073709551615");
}

#[test]
fn only_a_run_with_parameters_is_written_in_the_newest_format() {
    let names = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        changed(|new| new.spec.parameters = names)
    };
    let format = |about: &Manifest| {
        let text = String::from_utf8(shard("2/4", about)).unwrap();
        assert!(read(text.as_bytes()).is_ok());
        text[r#"{"shard":{"format":"#.len()..].chars().next()
    };
    let (without, with) = (about(), names(&["N", "eps"]));
    assert_eq!((format(&without), format(&with)), (Some('2'), Some('3')));
    assert_ne!(without.key(), with.key());
    // What names and values there may be.
    let mut case = judged(102);
    case.record.parameters = Parameters::new([Some(15.0), None]);
    let of = |about: &Manifest, case: &JudgedCase| {
        let records = [case.clone(), judged(103)];
        read(&text(&header("2/4", about.clone()), &records)).map_err(|e| e.to_string())
    };
    assert_eq!(of(&with, &case).unwrap()[0], case);
    insta::assert_snapshot!(of(&without, &case).unwrap_err(), @"failed to read shard FILE: line 2: expected a value for each of the 0 parameters, found 2 in case 0102");
    insta::assert_snapshot!(of(&names(&["N"]), &case).unwrap_err(), @"failed to read shard FILE: line 2: expected a value for each of the 1 parameters, found 2 in case 0102");
    insta::assert_snapshot!(of(&names(&["N", "N"]), &case).unwrap_err(), @r#"failed to read shard FILE: line 1: expected at most 64 different words without spaces as names of parameters, found "N" again"#);
}

#[test]
fn what_is_no_shard_is_refused_with_what_was_expected() {
    insta::assert_snapshot!(why(b""), @"failed to read shard FILE: line 1: expected a shard, found an empty file");
    insta::assert_snapshot!(why(b"hello\n"), @r#"failed to read shard FILE: line 1: expected a line that `tester batch --shard` has written, found "hello\n" (expected value at line 1 column 1)"#);
    insta::assert_snapshot!(why(b"{\"shard\":{\"format\":4,\"new\":1}}\n"), @"failed to read shard FILE: line 1: expected format 3, which this tester writes, or an older one, found format 4, another tester's");
    let whole = String::from_utf8(shard("2/4", &about())).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    insta::assert_snapshot!(why(lines[1].as_bytes()), @r#"failed to read shard FILE: line 1: expected the first line of a shard, found "{\"record\":{\"case\":\"102\",\"digest\":\"ffffffffffffffde\",\"seed\":\"…" (205 bytes)"#);
    let of = |chosen: &[usize]| {
        let chosen: String = chosen.iter().map(|&line| lines[line]).collect();
        why(chosen.as_bytes())
    };
    insta::assert_snapshot!(of(&[0, 1, 2]), @"failed to read shard FILE: line 4: expected 0 more cases and the end of shard 2/4, found the end of the file");
    insta::assert_snapshot!(of(&[0, 1, 1, 3]), @"failed to read shard FILE: line 3: expected each case once, found case 0102 again");
    insta::assert_snapshot!(of(&[0, 1, 3]), @"failed to read shard FILE: line 3: expected 2 cases in shard 2/4, found 1, and 2 said");
    insta::assert_snapshot!(of(&[0, 0]), @"failed to read shard FILE: line 2: expected the end of shard 2/4, found the beginning of another");
    let other_key = lines[0].replace(&about().key(), "00");
    let shown = why(other_key.as_bytes()).replace(&about().key(), "KEY");
    insta::assert_snapshot!(shown, @r#"failed to read shard FILE: line 1: expected the key of what it says, KEY, found "00""#);
    let stranger = lines[1].replace("\"case\":\"102\"", "\"case\":\"7\"");
    insta::assert_snapshot!(why((lines[0].to_owned() + &stranger).as_bytes()), @"failed to read shard FILE: line 2: expected a case of shard 2/4, from 0102 to 0103, found case 0007");
    let failed = lines[1].replace("\"AC\"", "\"IE\"");
    insta::assert_snapshot!(why((lines[0].to_owned() + &failed).as_bytes()), @"failed to read shard FILE: line 2: expected cases that could be judged, found case 0102 with verdict IE");
    let swapped = [lines[0], lines[2], lines[1], lines[3]].concat();
    assert!(why(swapped.as_bytes()).contains("found it changed: SHA-256 "));
    let two = [&shard("1/4", &about())[..], whole.as_bytes()].concat();
    assert_eq!(read(&two).unwrap().len(), 4);
    insta::assert_snapshot!(read_one(&two[..], "FILE").unwrap_err(), @"failed to read shard FILE: line 5: expected one shard, found another");
}
