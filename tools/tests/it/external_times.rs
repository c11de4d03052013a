//! Other judges: what counts as the time and memory of the contestant.

use crate::common::script;
use crate::external::{external, lists, path, records};
use crate::external_reasons::json;

#[test]
fn time_and_memory_are_those_of_the_contestant_alone() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    // `tail` holds all that it will print: 60 MB and some processor time.
    let hog = "head -c 60000000 /dev/zero | tail -c 60000000 > /dev/null";
    let small = path(script(dir.path(), "small", "cat"));
    let large = path(script(dir.path(), "large", hog));
    let used = |line: &str, program: &str| {
        let options = ["--json", "--cases", "in/0000.txt"];
        let shown = external(dir.path(), line, &options, &[program]);
        let record = json(&shown).remove(0);
        assert_eq!(record["verdict"], "AC", "{shown:?}");
        let number = |name: &str| record[name].as_f64().unwrap();
        (number("memory_kib"), number("wall_ms"))
    };
    let heavy = format!("{{command}} < {{case}} > {{out}}; {hog}; sleep 1; echo Score = 1");
    let light = "{command} < {case} > {out}; echo Score = 1";
    let (memory, wall) = used(&heavy, &small);
    assert!(memory < 40_000.0, "{memory} KiB are the tester's");
    assert!(wall < 1000.0, "{wall} ms are the tester's");
    let (memory, _) = used(light, &large);
    assert!(memory > 55_000.0, "{memory} KiB");
}

#[test]
fn a_slow_tester_costs_the_contestant_no_time() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let judged = |line: &str, program: &[&str]| {
        let options = ["--json", "--time-limit", "0.5"];
        records(&external(dir.path(), line, &options, program))
            .remove(0)
            .0
    };
    let slow = "{command} < {case} > {out}; sleep 0.7; echo Score = 5";
    assert_eq!(judged(slow, &["cat"]), "AC");
    assert_eq!(judged(slow, &["sleep", "100"]), "TLE");
    // Without the tester in front of it, nothing is known of it alone.
    let unknown = "sh -c \"{command}\" < {case} > {out}; sleep 0.7; echo Score = 5";
    assert_eq!(judged(unknown, &["cat"]), "TLE");
}

#[test]
fn time_before_the_start_of_the_contestant_is_not_its_own() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let judged = |delay: &str, program: &[&str]| {
        let line = format!("sleep {delay}; {{command}} < {{case}} > {{out}}; echo Score = 5");
        let options = ["--json", "--time-limit", "1", "--cases", "in/0000.txt"];
        let record = json(&external(dir.path(), &line, &options, program)).remove(0);
        let wall = record["wall_ms"].as_f64().unwrap();
        (record["verdict"].as_str().unwrap().to_owned(), wall)
    };
    let (verdict, wall) = judged("0.6", &["sleep", "0.6"]);
    assert!(verdict == "AC" && wall < 1000.0, "{verdict} {wall}");
    // It starts after the limit.
    let (verdict, wall) = judged("1.2", &["cat"]);
    assert!(verdict == "AC" && wall < 1000.0, "{verdict} {wall}");
    let (verdict, wall) = judged("1.2", &["sleep", "100"]);
    assert!(verdict == "TLE" && wall > 1000.0, "{verdict} {wall}");
}

/// As of a contest whose tester plays the case a second time, with more in the input.
#[test]
fn a_tester_may_start_the_contestant_several_times_and_each_has_the_time_limit() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let judged = |line: &str| {
        let options = ["--json", "--time-limit", "1", "--cases", "in/0000.txt"];
        let line = line.replace("RUN", "{command} < {case} > {out}");
        let record = json(&external(dir.path(), &line, &options, &["sh", "-c"])).remove(0);
        let wall = record["wall_ms"].as_f64().unwrap();
        (record["verdict"].as_str().unwrap().to_owned(), wall)
    };
    let (verdict, wall) =
        judged("RUN 'sleep 0.6'; RUN 'sleep 0.7'; RUN 'sleep 0.6'; echo Score = 5");
    assert_eq!(verdict, "AC");
    assert!((700.0..1000.0).contains(&wall), "{wall}");
    // The second start comes after the time limit of the line.
    let (verdict, _) = judged("RUN 'sleep 0.6'; sleep 0.6; RUN 'sleep 0.7'; echo Score = 5");
    assert_eq!(verdict, "AC");
    let (verdict, _) = judged("RUN 'sleep 0.6'; RUN 'sleep 100'; echo Score = 5");
    assert_eq!(verdict, "TLE");
    let (verdict, _) = judged("RUN 'sleep 1.1'; RUN 'sleep 0.1'; echo Score = 5");
    assert_eq!(verdict, "TLE");
}

/// Its tester would wait for the end of its output, and take what comes until then.
#[test]
fn what_a_contestant_leaves_does_not_answer_after_its_end() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let line = "late=$({command} < {case}); test -z \"$late\" && echo Score = 5";
    // Later than even a busy machine takes to end it.
    let orphan = "(setsid sh -c 'sleep 5; echo late' &) & exit 0";
    // The process that ends them can open no file any more.
    let limits = "import os, resource as r; r.prlimit(os.getppid(), r.RLIMIT_NOFILE, (0, 0))";
    let limiting = format!(
        "exec 3>&1; (setsid sh -c 'sleep 5; echo late >&3' &) & exec python3 -c '{limits}'"
    );
    let computing = "(setsid sh -c 'while :; do :; done' &) & sleep 1";
    for containment in [&[][..], &["--no-containment"]] {
        let judged = |body: &str| {
            let options = ["--json", "--time-limit", "10", "--cases", "in/0000.txt"];
            let options = [&options, containment].concat();
            let program = path(script(dir.path(), "program", body));
            json(&external(dir.path(), line, &options, &[&program])).remove(0)
        };
        for leaves in [orphan, &limiting] {
            let record = judged(leaves);
            assert_eq!(record["verdict"], "AC", "{leaves}: {record}");
        }
        let record = judged(computing);
        assert_eq!(record["verdict"], "AC", "{record}");
        assert!(record["cpu_ms"].as_f64().unwrap() > 100.0, "{record}");
    }
}

/// The stages of many starts have sent more at a look than the meter has room for. What is lost would count until the
/// tester has slept.
#[test]
fn a_tester_may_start_the_contestant_quickly_and_often() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let line = "for i in $(seq 500); do {command} < {case} > {out}; done; sleep 2; echo Score = 5";
    let options = ["--json", "--time-limit", "10", "--cases", "in/0000.txt"];
    let record = json(&external(dir.path(), line, &options, &["true"])).remove(0);
    assert_eq!(record["verdict"], "AC", "{record}");
    // On a busy machine, 500 starts alone take more than half a second.
    assert!(record["wall_ms"].as_f64().unwrap() < 2000.0, "{record}");
}
