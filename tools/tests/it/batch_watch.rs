//! A batch while it runs, and one that judges again when its program has changed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};

use crate::common::{run_in, script, write_cases};

/// Nothing of this is a measurement: machines are shared.
const PATIENCE: Duration = Duration::from_secs(60);

/// Five cases for a line that takes the contestant's output as the score.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), (0..5).map(|number| format!("{number}\n")));
    dir
}

const LINE: &str = "{command} < {case} > {out} && echo Score = $(cat {out})";

/// A batch that watches, with the lines of its standard error.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(dir: &Path, more: &[&str]) -> Self {
        Self::start_of(dir, more, &["./program"])
    }

    fn start_of(dir: &Path, more: &[&str], command: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tester"))
            .args(["batch", "--watch", "--external", LINE])
            .args(more)
            .arg("--")
            .args(command)
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(fs::File::create(dir.join("stdout")).unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Self { child, lines }
    }

    /// The lines until it waits for the next program, with a zero for each digit of the time at which the round began.
    fn round(&self) -> String {
        let mut round = String::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("a round");
            if line.starts_with("watching ") {
                return round;
            }
            match line.split_once(", ").filter(|_| line.starts_with("---- ")) {
                Some((run, time)) => {
                    let time = time.replace(|c: char| c.is_ascii_digit(), "0");
                    round.push_str(&format!("{run}, {time}"));
                }
                None => round.push_str(&line),
            }
            if !line.is_empty() {
                round.push('\n');
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_program_that_was_built_anew_is_judged_again_and_the_changes_are_said() {
    let dir = folder();
    script(dir.path(), "program", "read n; echo $((n + 5))");
    let mut watch = Watch::start(dir.path(), &[]);
    assert_eq!(watch.round(), "");
    // In pieces, as a linker writes it: the first one would be judged as wrong.
    let program = dir.path().join("program");
    let text = "#!/bin/sh\nread n\n";
    for end in [
        "",
        "[ $n = 3 ] && exit 4\n",
        "[ $n = 3 ] && exit 4\necho $((n * 5 + 1))\n",
    ] {
        fs::write(&program, format!("{text}{end}")).unwrap();
    }
    insta::assert_snapshot!(watch.round(), @r"
    ---- run 2, 0000-00-00 00:00:00 ----
    0003  RE: exit status 4, expected 0
    failed now, not in run 1: 0003
    better most: 0000 5 -> 1
    worse most: 0004 9 -> 21, 0002 7 -> 11
    ");
    // The same content is the same program; another one is not.
    fs::write(&program, fs::read(&program).unwrap()).unwrap();
    script(dir.path(), "program", "read n; echo $((n + 5))");
    let round = watch.round();
    assert!(
        round.contains(" ----\naccepted now, not in run 2: 0003\n"),
        "{round}"
    );
    kill_process(Pid::from_child(&watch.child), Signal::INT).unwrap();
    assert_eq!(watch.child.wait().unwrap().code(), Some(0));
    let history = run_in(dir.path(), &["history"], "").stdout;
    assert_eq!(history.matches("./program").count(), 3, "{history}");
}

/// A build line in `tester.toml`.
fn build_by(dir: &Path, line: &str) {
    let text = format!("version = 1\n[batch]\nbuild = ['{line}']\n");
    fs::write(dir.join("tester.toml"), text).unwrap();
}

/// The build line copies the source: what it makes is run by a shell, which its first line names.
#[test]
fn a_source_that_is_saved_is_built_and_judged() {
    let dir = folder();
    let source = |text: &str| fs::write(dir.path().join("program.c"), text).unwrap();
    let build = "grep -q echo program.c && cp program.c new && chmod +x new && mv new program";
    source("#!/bin/sh\nread n; echo $((n + 5))\n");
    build_by(dir.path(), build);
    let watch = Watch::start(dir.path(), &[]);
    watch.round();
    source("#!/bin/sh\nread n; echo $((n + 4))\n");
    let round = watch.round();
    assert!(round.contains("---- run 2, "), "{round}");
    assert!(round.contains("better most: 0000 5 -> 4"), "{round}");
    // What cannot be built is said, and what is saved next is built.
    source("none\n");
    let line = |start: &str| {
        let mut lines = std::iter::from_fn(|| watch.lines.recv_timeout(PATIENCE).ok());
        lines.find(|line| line.starts_with(start)).expect(start)
    };
    line("tester: the build line failed with exit status 1: ");
    // It is the program that was judged.
    source("#!/bin/sh\nread n; echo $((n + 4))\n");
    line("the program is the same as before");
    source("#!/bin/sh\nread n; echo $((n + 3))\n");
    let round = watch.round();
    assert!(round.contains("---- run 3, "), "{round}");
}

#[test]
fn a_source_that_each_build_writes_is_not_built_without_end() {
    let dir = folder();
    let program = "#!/bin/sh\nread n; echo $((n + 5))\n";
    fs::write(dir.path().join("program.c"), program).unwrap();
    let build =
        "echo \"# $(date +%N)\" >> program.c; cp program.c new && chmod +x new && mv new program";
    build_by(dir.path(), build);
    let watch = Watch::start(dir.path(), &[]);
    watch.round();
    // What it wrote the first time could have been written by hand.
    for runs in [&[2, 3][..], &[4], &[5]] {
        fs::write(dir.path().join("program.c"), program).unwrap();
        for run in runs {
            let round = watch.round();
            assert!(round.contains(&format!("---- run {run}, ")), "{round}");
        }
        let more = watch.lines.recv_timeout(Duration::from_millis(1500));
        assert!(more.is_err(), "{more:?}");
    }
}

#[test]
fn a_module_of_a_script_is_watched_too() {
    let dir = folder();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    write("more.py", "MORE = 5\n");
    write("a.py", "import more\nprint(int(input()) + more.MORE)\n");
    let watch = Watch::start_of(dir.path(), &[], &["python3", "-B", "a.py"]);
    watch.round();
    write("more.py", "MORE = 4\n");
    let round = watch.round();
    assert!(round.contains("better most: 0000 5 -> 4"), "{round}");
}

#[test]
fn cases_of_an_earlier_run_are_the_same_in_each_round_and_held_out_ones_are_refused() {
    let dir = folder();
    script(
        dir.path(),
        "program",
        "read n; [ $n -ge 3 ] && exit 4; echo $((n + 5))",
    );
    let judge = ["batch", "--external", LINE, "--", "./program"];
    assert_eq!(run_in(dir.path(), &judge, "").status, 1);
    // 0002 is the worst of those that were accepted.
    let mut watch = Watch::start(dir.path(), &["--worst", "1", "--failed"]);
    watch.round();
    // None of them fails any more; another one does.
    script(
        dir.path(),
        "program",
        "read n; [ $n -le 2 ] && exit 4; echo 1",
    );
    insta::assert_snapshot!(watch.round(), @"
    ---- run 3, 0000-00-00 00:00:00 ----
    0002  RE: exit status 4, expected 0
    failed now, not in run 2: 0002
    accepted now, not in run 2: 0003 0004
    ");
    script(dir.path(), "program", "echo 1");
    insta::assert_snapshot!(watch.round(), @"
    ---- run 4, 0000-00-00 00:00:00 ----
    accepted now, not in run 3: 0002
    ");
    kill_process(Pid::from_child(&watch.child), Signal::INT).unwrap();
    assert_eq!(watch.child.wait().unwrap().code(), Some(0));
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(
        shown.contains("\nof         cases 2..5 of folder in\n"),
        "{shown}"
    );
    let file = "version = 1\n[batch]\ncases = \"0..3\"\nheld_out = \"3..5\"\n";
    fs::write(dir.path().join("tester.toml"), file).unwrap();
    let refused = |option: &str| {
        let shown = run_in(
            dir.path(),
            &["batch", "--held-out", option, "--", "./program"],
            "",
        );
        assert_eq!(shown.status, 2, "{shown:?}");
        // Without the line that says what was taken from the file.
        let from = shown.stderr.rfind("tester: ").unwrap();
        shown.stderr[from..].to_owned()
    };
    insta::assert_snapshot!(refused("--watch"), @"
    tester: --held-out cannot be used with --watch
    hint: a program that is built anew after each look at held-out cases is tuned on them: judge them once, at the end
    ");
    let shown = refused("--resume");
    insta::assert_snapshot!(shown.lines().next().unwrap(), @"tester: the argument '--held-out' cannot be used with '--resume[=<RUN>]'");
}

#[test]
fn programs_that_use_all_their_time_are_told_what_costs_them_some() {
    let dir = folder();
    script(dir.path(), "program", "sleep 0.4; echo 5");
    let caution = |jobs: &str| {
        let args = [
            "batch",
            "--time-limit",
            "1.5",
            "--jobs",
            jobs,
            "--external",
            LINE,
            "--",
            "./program",
        ];
        let shown = run_in(dir.path(), &args, "");
        assert_eq!(shown.status, 0, "{shown:?}");
        shown.stderr
    };
    let alone = caution("1");
    assert!(
        alone.contains("caution: the program uses all of its time, but had a processor for "),
        "{alone}"
    );
    // As many as there are cases, on a machine with fewer cores; elsewhere the first caution stays.
    let crowded = caution("100");
    let few = std::thread::available_parallelism().unwrap().get() < 5;
    assert!(
        !few || crowded.contains("and 5 ran at once on "),
        "{crowded}"
    );
}

#[test]
fn a_pipe_gets_a_line_for_each_failed_case_and_many_alike_are_counted() {
    let dir = folder();
    script(
        dir.path(),
        "program",
        "read n; [ $n = 0 ] && echo 7 || exit $n",
    );
    let args = [
        "batch",
        "--jobs",
        "1",
        "--json",
        "--external",
        LINE,
        "--",
        "./program",
    ];
    let shown = run_in(dir.path(), &args, "");
    let told: Vec<&str> = shown
        .stderr
        .lines()
        .take_while(|line| line.contains("  RE: "))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    0001  RE: exit status 1, expected 0
    0002  RE: exit status 2, expected 0
    0003  RE: exit status 3, expected 0 (more are only counted)
    ");
    assert!(
        shown
            .stderr
            .contains("3 more failed likewise: 0002 0003 0004"),
        "{shown:?}"
    );
}

/// Replaces a program at once, as `mv` does.
fn replace(dir: &Path, text: &str) {
    script(dir, "new", text);
    fs::rename(dir.join("new"), dir.join("program")).unwrap();
}

/// A program that replaces itself after it was judged on three cases; the next one gives other scores.
fn replaced_at_the_fourth_case(dir: &Path) {
    let text = "read n; [ $n = 3 ] && mv other program; echo 5";
    script(dir, "program", text);
    script(dir, "other", "read n; echo 7");
}

#[test]
fn a_batch_stops_if_its_program_becomes_another_one() {
    let dir = folder();
    replaced_at_the_fourth_case(dir.path());
    let args = [
        "batch",
        "--jobs",
        "1",
        "--external",
        LINE,
        "--",
        "./program",
    ];
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 2, "{shown:?}");
    // How many were handed over before depends on time.
    let counts = ["0", "1", "2", "3"].map(|count| format!("tester: {count} of 5 "));
    let count = counts.iter().find(|count| shown.stderr.contains(*count));
    let message = shown.stderr.replace(count.unwrap(), "tester: N of 5 ");
    insta::assert_snapshot!(message, @"
    tester: ./program has changed while cases were judged
    tester: N of 5 cases are judged and kept as run 1, all by the program with which it began
    hint: begin another run; to go on building meanwhile, judge a copy of the program
    ");
    let shown = run_in(dir.path(), &["show", "--csv"], "").stdout;
    assert!(!shown.contains(",7,"), "{shown}");
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(shown.contains("unfinished"), "{shown}");
}

#[test]
fn a_duel_stops_too() {
    let dir = folder();
    replaced_at_the_fourth_case(dir.path());
    let args = [
        "duel",
        "--jobs",
        "1",
        "--external",
        LINE,
        "./program",
        "echo 6",
    ];
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 2, "{shown:?}");
    insta::assert_snapshot!(shown.stderr, @"
    tester: ./program has changed while cases were judged
    hint: begin another run; to go on building meanwhile, judge a copy of the program
    ");
}

#[test]
fn a_duel_goes_on_where_the_judge_is_written_anew_with_the_same_content() {
    let dir = folder();
    let judge = "cp score new; mv new score; read score < $1; echo Score = $score";
    script(dir.path(), "score", judge);
    script(dir.path(), "program", "echo 5");
    let line = "{command} < {case} > {out} && ./score {out}";
    let args = ["duel", "--jobs", "1", "--external", line];
    let shown = run_in(
        dir.path(),
        &[&args[..], &["./program", "./program"]].concat(),
        "",
    );
    assert_eq!((shown.status, shown.stderr.as_str()), (1, ""), "{shown:?}");
    assert!(shown.stdout.contains("Not decided: all"), "{shown:?}");
}

#[test]
fn a_program_with_the_same_content_is_the_same_program() {
    let dir = folder();
    let text = "read n; cp program new; mv new program; echo $n >> log.txt; echo 5";
    script(dir.path(), "program", text);
    fs::write(dir.path().join("log.txt"), "").unwrap();
    let one = ["batch", "--jobs", "1", "--external", LINE]; // two would use the same new file
    let args = [&one[..], &["--", "./program", "log.txt"]].concat();
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    insta::assert_snapshot!(shown.stderr, @"caution: log.txt, which the command names, was written while cases were judged");
}

#[test]
fn a_round_whose_program_becomes_another_one_is_given_up() {
    let dir = folder();
    script(dir.path(), "program", "read n; echo 5");
    let watch = Watch::start(dir.path(), &["--jobs", "1"]);
    watch.round();
    script(dir.path(), "other", "read n; echo 7");
    replace(dir.path(), "read n; [ $n = 3 ] && mv other program; echo 6");
    let round = watch.round();
    assert!(
        round.contains("tester: ./program has changed while cases were judged\ntester: "),
        "{round}"
    );
    let kept = " of 5 cases are judged and kept as run 2, all by the program with which it began\n";
    assert!(round.ends_with(kept), "{round}");
    // Not against the one that was given up.
    insta::assert_snapshot!(watch.round(), @"
    ---- run 3, 0000-00-00 00:00:00 ----
    worse most: 0000 5 -> 7, 0001 5 -> 7, 0002 5 -> 7
    ");
}
