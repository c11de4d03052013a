//! Shards become one run, in any order, or are refused with all that is wrong.

use std::time::Duration;

use super::tests::{about, changed, header, judged, merged, shard, text, why};
use super::*;
use crate::case::{CaseId, Digest};
use crate::judge::record::{JudgedCase, Verdict};
use crate::process::Command;
use crate::run::provenance::tests::host;

fn refused(files: &[(&str, Vec<u8>)]) -> String {
    merged(files, false).0.unwrap_err().to_string()
}

#[test]
fn shards_in_any_order_are_the_run() {
    let about = about();
    let files: Vec<_> = ["3/3", "1/3", "2/3"]
        .map(|part| (part, shard(part, &about)))
        .into();
    let (run, kept) = merged(&files, false);
    let run = run.unwrap();
    assert_eq!((run.kept, run.prefix, &run.missing), (8, 8, &None));
    let expected: Vec<JudgedCase> = (100..108).map(judged).collect();
    let records: Vec<JudgedCase> = kept.0.into_values().map(|(_, judged)| judged).collect();
    assert_eq!(records, expected);
    assert!(run.notes.is_empty());
    // They may stand in one file, and be more than there are cases.
    let many: Vec<u8> = (1..=20)
        .flat_map(|i| shard(&format!("{i}/20"), &about))
        .collect();
    assert_eq!(merged(&[("all", many)], false).0.unwrap().kept, 8);
}

#[test]
fn a_shard_that_was_done_twice_counts_once() {
    let about = about();
    let mut later = judged(104);
    later.record.wall_ms = 99.0;
    let again = text(
        &header("2/2", about.clone()),
        &[later, judged(105), judged(106), judged(107)],
    );
    let files = [
        ("a", shard("1/2", &about)),
        ("b", shard("2/2", &about)),
        ("c", again),
    ];
    let (run, kept) = merged(&files, false);
    let run = run.unwrap();
    assert_eq!(run.kept, 8);
    assert_eq!(
        kept.0[&CaseId(104)].1.record.wall_ms,
        1.234,
        "the first one's"
    );
    insta::assert_snapshot!(run.notes.join("\n"), @"shard 2/2 in c: 4 of its 4 cases were there already; counted once");
    // Of another division, too.
    let files = [
        ("a", shard("1/2", &about)),
        ("b", shard("2/3", &about)),
        ("c", shard("3/3", &about)),
    ];
    let run = merged(&files, false).0.unwrap();
    assert_eq!(run.kept, 8);
    insta::assert_snapshot!(run.notes.join("\n"), @"shard 2/3 in b: 1 of its 3 cases were there already; counted once");
}

#[test]
fn what_is_not_one_run_is_refused_with_all_that_is_wrong() {
    let about = about();
    let first = || ("a", shard("1/2", &about));
    let second = || ("b", shard("2/2", &about));
    insta::assert_snapshot!(refused(&[]), @"
    failed to merge; nothing was written:
    - expected shards, found none that could be read
    ");
    insta::assert_snapshot!(refused(&[first()]), @"
    failed to merge; nothing was written:
    - 4 of 8 cases are missing: 0104 to 0107, those of shards 2/2
    ");
    let some: Vec<_> = ["2/8", "3/8", "7/8"]
        .map(|part| (part, shard(part, &about)))
        .into();
    insta::assert_snapshot!(refused(&some), @"
    failed to merge; nothing was written:
    - 5 of 8 cases are missing: 0100, 0103 to 0105, 0107, those of shards 1/8, 4/8, 5/8, 6/8, 8/8
    ");
    let other = changed(|run| {
        run.provenance.fingerprint = "beef".to_owned();
        run.spec.limits.time = Duration::from_secs(3);
    });
    insta::assert_snapshot!(refused(&[first(), ("c", shard("2/2", &other))]), @"
    failed to merge; nothing was written:
    - shard 2/2 in c is of another run than what is in a: program's SHA-256: expected f00d, found beef; time limit: expected 2 s, found 3 s
    - 4 of 8 cases are missing: 0104 to 0107, those of shards 2/2
    ");
    let mut wrong = judged(105);
    wrong.record.score = 77.into();
    let mut slow = judged(106);
    slow.record.verdict = Verdict::Tle;
    slow.record.reason = Some("still running after 2 s".to_owned());
    let mut changed_case = judged(107);
    changed_case.case.digest = Digest(1);
    let disagreeing = text(
        &header("2/2", about.clone()),
        &[judged(104), wrong, slow, changed_case],
    );
    insta::assert_snapshot!(refused(&[first(), second(), ("c", disagreeing)]), @"
    failed to merge; nothing was written:
    - case 0105 was judged twice and disagrees: AC, score 0 (3 turns, content ffffffffffffffdd) before, AC, score 77 (3 turns, content ffffffffffffffdd) in c (shard 2/2)
    - case 0106 was judged twice and disagrees: AC, score 1 (3 turns, content 5555555555555532) before, TLE: still running after 2 s (3 turns, content 5555555555555532) in c (shard 2/2)
    - case 0107 was judged twice and disagrees: AC, score 2 (3 turns, content aaaaaaaaaaaaaa87) before, AC, score 2 (3 turns, content 0000000000000001) in c (shard 2/2)
    ");
    let mut cut = second();
    cut.1.truncate(cut.1.len() / 2);
    let shown = refused(&[first(), cut]);
    assert!(
        shown.contains("- failed to read shard b: line 2: expected a whole line"),
        "{shown}"
    );
    assert!(
        shown.contains("- 4 of 8 cases are missing: 0104 to 0107, those of shards 2/2"),
        "{shown}"
    );
}

#[test]
fn the_program_that_is_named_must_be_that_of_the_shards() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("solver");
    std::fs::write(&path, "abc").unwrap();
    let command = |args: &[&str]| Command {
        program: path.clone().into(),
        args: args.iter().map(Into::into).collect(),
    };
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let about = changed(|run| run.provenance.fingerprint = known.to_owned());
    let text = shard("1/1", &about);
    let merge_as = |program: &Command| {
        let mut merge = Merge::new(Some(program));
        let Ok(()) = merge.read("FILE", &text[..], &mut InMemory::default());
        merge.finish(false)
    };
    assert_eq!(merge_as(&command(&["--policy", "a b"])).unwrap().kept, 8);
    let shown = |error: MergeError| error.to_string().replace(path.to_str().unwrap(), "PATH");
    insta::assert_snapshot!(shown(merge_as(&command(&[])).unwrap_err()), @"
    failed to merge; nothing was written:
    - expected the arguments of PATH, found those of ./solver --policy 'a b' in FILE
    ");
    std::fs::write(&path, "abd").unwrap();
    let error = merge_as(&command(&["--policy", "a b"])).unwrap_err();
    assert!(shown(error).contains("- expected PATH --policy 'a b', SHA-256 a52d"));
}

#[test]
fn what_is_there_can_be_had_without_the_rest() {
    let about = about();
    let files: Vec<_> = ["1/4", "2/4", "4/4"]
        .map(|part| (part, shard(part, &about)))
        .into();
    let run = merged(&files, true).0.unwrap();
    assert_eq!((run.kept, run.prefix), (6, 4));
    insta::assert_snapshot!(run.missing.unwrap(), @"2 of 8 cases are missing: 0104 to 0105, those of shards 3/4");
    let part = |part| (part, shard(part, &about));
    let gaps = merged(&[part("3/4"), part("1/4")], true).0.unwrap();
    assert_eq!((gaps.kept, gaps.prefix), (4, 2));
    insta::assert_snapshot!(gaps.missing.unwrap(), @"4 of 8 cases are missing: 0102 to 0103, 0106 to 0107, those of shards 2/4, 4/4");
    // Of two divisions, no shard is the one that is missing.
    for files in [[part("1/2"), part("4/4")], [part("4/4"), part("1/2")]] {
        let missing = merged(&files, true).0.unwrap().missing;
        assert_eq!(
            missing.as_deref(),
            Some("2 of 8 cases are missing: 0104 to 0105")
        );
    }
    // A shard that is cut off is not there in part.
    let mut cut = shard("3/4", &about);
    cut.pop();
    let files = [("a", shard("1/4", &about)), ("b", cut)];
    assert!(merged(&files, true).0.is_err());
}

#[test]
fn twenty_of_the_missing_shards_are_named() {
    let missing = |planned: u64, part: &str| {
        let about = changed(|run| {
            run.planned = planned as usize;
            run.spec.source = crate::case::Source::Seeds {
                problem: "hitblow 3 10".to_owned(),
                seeds: 100..=99 + planned,
            };
        });
        let found = merged(&[("a", shard(part, &about))], true)
            .0
            .unwrap()
            .missing;
        found
            .unwrap()
            .split_once("those of shards ")
            .unwrap()
            .1
            .to_owned()
    };
    let named = |of: u64| {
        (2..=21)
            .map(|index| format!("{index}/{of}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert_eq!(missing(21, "1/21"), named(21));
    assert_eq!(missing(22, "1/22"), named(22) + ", …");
}

#[test]
fn hosts_are_put_together_by_what_they_are_and_time_by_what_overlaps() {
    let about = about();
    let at = |part: &str, name: &str, calibration_ms, begun_ms| {
        let header = Header {
            host: host(name, calibration_ms),
            begun_ms,
            ..header(part, about.clone())
        };
        let block = header.part.block(8);
        let records: Vec<JudgedCase> = block.map(|place| judged(100 + place as u64)).collect();
        text(&header, &records)
    };
    // Each took 70 ms: 0 to 70, 50 to 120, a pause, 500 to 570 twice.
    let files = [
        ("a", at("1/4", "n1", 10.0, 0)),
        ("b", at("2/4", "n2", 20.0, 50)),
        ("c", at("3/4", "n1", 90.0, 500)),
        ("d", at("4/4", "n1", 11.0, 500)),
    ];
    let (run, kept) = merged(&files, false);
    let run = run.unwrap();
    assert_eq!((run.begun_ms, run.took_ms), (0, 120 + 70));
    assert_eq!(run.hosts, [host("n1", 11.0), host("n2", 20.0)]);
    let by: Vec<usize> = kept.0.values().map(|(host, _)| *host).collect();
    assert_eq!(by, [0, 0, 1, 1, 0, 0, 0, 0]);
    let backwards: Vec<_> = files.iter().rev().cloned().collect();
    let run = merged(&backwards, false).0.unwrap();
    assert_eq!((run.begun_ms, run.took_ms), (0, 120 + 70));
}

/// Both shards of a run, as a tester wrote them before format 2.
const FORMAT_1: &str = include_str!("../../../tests/expected/shards-format-1.jsonl");

#[test]
fn shards_of_the_first_format_are_read_and_checked_by_its_own_key() {
    let (run, kept) = merged(&[("old", FORMAT_1.into())], false);
    let run = run.unwrap();
    let spec = &run.about.spec;
    assert_eq!((run.kept, spec.command.to_string()), (4, "./c".to_owned()));
    assert_eq!(spec.scale_time_limit_ms, Some(10.0));
    assert_eq!(spec.limits, crate::judge::verdict::Limits::default());
    let scores: Vec<u64> = kept
        .0
        .values()
        .map(|(_, judged)| judged.record.score.units())
        .collect();
    assert_eq!(scores, [4, 9, 7, 3]);
    assert_eq!(run.hosts.len(), 1);
    let other = FORMAT_1.replace("\"turn_limit\":1000", "\"turn_limit\":999");
    let error = why(other.as_bytes());
    assert!(
        error.contains("expected the key of what it says"),
        "{error}"
    );
    // Nothing of it is taken for another format's.
    let newer = FORMAT_1.replace("\"format\":1", "\"format\":2");
    let error = why(newer.as_bytes());
    assert!(
        error.contains("expected a line that `tester batch --shard` has written"),
        "{error}"
    );
}

#[test]
fn shards_of_both_formats_are_one_run() {
    let mut headers = Vec::new();
    let mut reader = Reader::new(FORMAT_1.as_bytes(), "old");
    let mut records = Vec::new();
    while let Some(event) = reader.next_event().unwrap() {
        match event {
            Event::Begin(header) => headers.push(*header),
            Event::Record(judged) => records.push(judged),
            Event::End(_) => {}
        }
    }
    let old: String = FORMAT_1.split_inclusive('\n').take(4).collect();
    let second = text(&headers[1], &records[2..]);
    assert!(second.starts_with(b"{\"shard\":{\"format\":2,"));
    let (run, _) = merged(&[("old", old.into()), ("new", second)], false);
    assert_eq!(run.unwrap().kept, 4);
}
