//! `tester attach`: a program that is started by hand, in any order, and in a debugger.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{CASE, names, script};
use crate::external::{built, lists};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};

const TESTER: &str = env!("CARGO_BIN_EXE_tester");

fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    std::fs::write(dir.path().join("0000.txt"), CASE).unwrap();
    let plays =
        "read -r game; echo '# debugging'; echo 0 1 2; read -r reply; echo 8 2 5; read -r reply";
    script(dir.path(), "solver", plays);
    dir
}

/// `tester attach` at work; it is killed if a test ends early.
struct Attached {
    child: Child,
    stderr: BufReader<std::process::ChildStderr>,
    /// What was printed before it waited.
    recipe: String,
}

impl Attached {
    /// Starts it, and waits until the pipes are there.
    fn start(dir: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(TESTER)
            .arg0("tester")
            .arg("attach")
            .args(args)
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let recipe = String::new();
        let mut attached = Self {
            child,
            stderr,
            recipe,
        };
        attached.recipe = attached.until("waiting for the program");
        attached
    }

    /// The lines before the next one that begins like this.
    fn until(&mut self, begin: &str) -> String {
        let mut text = String::new();
        loop {
            let mut line = String::new();
            let read = self.stderr.read_line(&mut line).unwrap();
            assert!(read > 0, "it ended: {text}");
            if line.starts_with(begin) {
                return text;
            }
            text += &line;
        }
    }

    /// Its exit status, the conversation, and what it said since.
    fn end(mut self) -> (std::process::ExitStatus, String, String) {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        let mut pipe = self.child.stdout.take().unwrap();
        pipe.read_to_string(&mut stdout).unwrap();
        self.stderr.read_to_string(&mut stderr).unwrap();
        (self.child.wait().unwrap(), stdout, stderr)
    }

    fn interrupt(self) -> (std::process::ExitStatus, String, String) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        self.end()
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a line of a shell, within 20 s.
fn shell(dir: &Path, line: &str) -> String {
    let mut command = assert_cmd::Command::new("sh");
    command.args(["-c", line]).current_dir(dir);
    let output = command.timeout(Duration::from_secs(20)).output().unwrap();
    assert!(output.status.code().is_some(), "{line} hangs: {output:?}");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

const CONVERSATION: &str = "> hitblow 3 10\n< # debugging\n< 0 1 2\n> 0 1\n< 8 2 5\n> 3 0\n";

#[test]
fn a_program_may_open_its_ends_in_any_order_and_nothing_is_left() {
    let dir = folder();
    for line in [
        "./solver < out/attach/to-program > out/attach/from-program",
        "./solver > out/attach/from-program < out/attach/to-program",
    ] {
        let attached = Attached::start(dir.path(), &["--once", "0000.txt"]);
        shell(dir.path(), line);
        let (status, conversation, said) = attached.end();
        assert_eq!(status.code(), Some(0), "{line}: {said}");
        assert_eq!(
            (conversation.as_str(), said.as_str()),
            (CONVERSATION, "Score = 2\n")
        );
        assert_eq!(names(&dir.path().join("out")), [""; 0], "{line}");
    }
    // The program waits first, on pipes that you have made.
    let program = Command::new("sh")
        .args(["-c", "mkfifo p/to-program p/from-program; echo; exec ./solver < p/to-program > p/from-program"])
        .current_dir({
            std::fs::create_dir(dir.path().join("p")).unwrap();
            dir.path()
        })
        .stdout(Stdio::piped())
        .spawn();
    let mut program = program.unwrap();
    let mut made = [0];
    program
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut made)
        .unwrap();
    let (status, conversation, _) = Attached::start(dir.path(), &["--once", "0000.txt", "p"]).end();
    assert_eq!(
        (status.code(), conversation.as_str()),
        (Some(0), CONVERSATION)
    );
    assert!(program.wait().unwrap().success());
}

#[test]
fn it_goes_on_with_the_same_case_until_it_is_interrupted() {
    let dir = folder();
    let mut attached = Attached::start(dir.path(), &["0000.txt"]);
    let run = |program: &str| {
        shell(
            dir.path(),
            &format!("{program} < out/attach/to-program > out/attach/from-program"),
        )
    };
    for _ in 0..3 {
        run("./solver");
        assert_eq!(
            attached.until("waiting for the program again"),
            "Score = 2\n"
        );
    }
    run("sh -c 'echo debug 15; read -r game; read -r reply'");
    let said = attached.until("waiting for the program again");
    let reason = "WA: turn 1: \"debug\" is not an integer in \"debug 15\"; if it is debug output, print it to stderr or after #\n";
    assert!(said.starts_with(&format!("{reason}Score = 0\n")), "{said}");
    run("true");
    let said = attached.until("waiting for the program again");
    assert!(
        said.ends_with("No output came: did it flush stdout?\nScore = 0\n"),
        "{said}"
    );
    let (status, conversation, _) = attached.interrupt();
    assert_eq!(status.signal(), Some(2));
    assert_eq!(
        conversation.matches(CONVERSATION).count(),
        3,
        "{conversation}"
    );
    assert!(conversation.contains("< debug 15\n"), "{conversation}");
    assert_eq!(names(&dir.path().join("out")), [""; 0]);
}

#[test]
fn a_breakpoint_is_no_timeout_and_a_line_without_its_end_is_remarked_on() {
    let dir = folder();
    let attached = Attached::start(dir.path(), &["--once", "0000.txt"]);
    // Longer than the time limit of the problem, 2 s.
    let stops = "sh -c 'read -r game; printf \"8 2\"; sleep 2.5; echo \" 5\"; read -r reply'";
    shell(
        dir.path(),
        &format!("{stops} < out/attach/to-program > out/attach/from-program"),
    );
    let (status, conversation, said) = attached.end();
    assert_eq!((status.code(), said.as_str()), (Some(0), "Score = 1\n"));
    let remark = "! the program printed \"8 2\" without a newline\n";
    assert_eq!(
        conversation,
        format!("> hitblow 3 10\n{remark}< 8 2 5\n> 3 0\n")
    );
}

/// A folder of a contest with a tester of its own, whose limit is shorter than anything is in a debugger.
fn contest(line: &str) -> TempDir {
    let dir = tempdir().unwrap();
    lists(dir.path());
    let file = format!(
        "version = 1\n[judge]\nexternal = '''{line}'''\nobjective = \"max\"\n[batch]\ncases = \"in\"\n\
         command = \"./mine --fast\"\ntime_limit = 0.1\n"
    );
    std::fs::write(dir.path().join("tester.toml"), file).unwrap();
    dir
}

#[test]
fn the_contests_own_tester_judges_a_program_in_a_debugger() {
    let line = format!("{} {{command}} < {{case}} > {{out}}", built("local"));
    let dir = contest(&line);
    let attached = Attached::start(dir.path(), &["--once", "2"]);
    assert!(
        attached
            .recipe
            .contains("./mine --fast < out/attach/to-program")
    );
    let plays = "sh -c 'read a b; sleep 0.4; echo sum; read sum; echo answer $sum'";
    let run = |program: &str| {
        shell(
            dir.path(),
            &format!("{program} < out/attach/to-program > out/attach/from-program"),
        )
    };
    run(plays);
    let (status, conversation, said) = attached.end();
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(said.ends_with("Score = 99\n"), "{said}");
    assert!(conversation.contains("< sum\n> "), "{conversation}");
    // From a folder below, too.
    let below = dir.path().join("src");
    std::fs::create_dir(&below).unwrap();
    let attached = Attached::start(&below, &["--once", "0"]);
    run("sh -c 'read a b; echo debug 15; read reply'");
    let (status, _, said) = attached.end();
    assert_eq!(status.code(), Some(1), "{said}");
    let reason = "WA: score 0: Invalid query format: debug 15; if it is debug output, print it to stderr, or after # where the contest allows that\nScore = 0\n";
    assert!(said.ends_with(reason), "{said}");
}

#[test]
fn a_program_that_reads_to_the_end_sees_the_end_of_its_input() {
    let dir =
        contest("{command} < {case} > {out} && test -s {out} && echo Score = $(wc -c < {out})");
    for line in [
        "cat < p/to-program > p/from-program",
        "cat > p/from-program < p/to-program",
    ] {
        let attached = Attached::start(dir.path(), &["--once", "0", "p"]);
        // The case has been read long since.
        std::thread::sleep(Duration::from_millis(100));
        shell(dir.path(), line);
        let (status, _, said) = attached.end();
        assert_eq!(status.code(), Some(0), "{said}");
        assert!(said.ends_with("Score = 5\n"), "{said}");
        assert_eq!(names(&dir.path().join("p")), ["0000.txt"]);
    }
}

#[test]
fn what_is_in_the_way_is_named() {
    let dir = folder();
    let refused = |args: &[&str]| {
        let shown = crate::common::run_in(dir.path(), &[&["attach"], args].concat(), "");
        assert_eq!(shown.status, 2, "{shown:?}");
        shown.stderr
    };
    let attached = Attached::start(dir.path(), &["0000.txt"]);
    insta::assert_snapshot!(refused(&["0000.txt"]).lines().take(2).collect::<Vec<_>>().join("\n"), @"
    tester: the pipes in out/attach are in use by another process
    hint: end that process, or name another folder
    ");
    attached.interrupt();
    std::fs::create_dir(dir.path().join("d")).unwrap();
    std::fs::write(dir.path().join("d/to-program"), "").unwrap();
    insta::assert_snapshot!(refused(&["0000.txt", "d"]), @"
    tester: expected a pipe (FIFO) or nothing at d/to-program, found a file
    hint: remove the file, or name another folder
    ");
    assert_eq!(names(&dir.path().join("d")), ["to-program"]);
    std::fs::write(
        dir.path().join("tester.toml"),
        "version = 1\n[judge]\nexternal = \"./a.sh {case}\"\n",
    )
    .unwrap();
    insta::assert_snapshot!(refused(&["0000.txt"]), @r#"
    tester: the line of the contest's tester starts no {command}, which attach would take the place of
    hint: write {command} for the program in external = "…" of tester.toml
    "#);
    insta::assert_snapshot!(refused(&["--seed", "3"]), @"
    tester: --seed cannot be used where tester.toml names another judge
    hint: name a case, or ignore the file: --no-config
    ");
}

/// The line of the recipe that begins with this word.
fn recipe(attached: &Attached, word: &str) -> String {
    let line = attached.recipe.lines().find(|line| line.starts_with(word));
    line.unwrap()[word.len()..].trim().to_owned()
}

/// Whether there is such a program.
fn has(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program} cc")])
        .output();
    let has = found.unwrap().stdout.split(|&b| b == b'\n').count() > 2;
    if !has {
        eprintln!("not tested: no {program} here");
    }
    has
}

#[test]
fn after_a_seed_the_first_word_is_the_folder_of_the_pipes() {
    let dir = folder();
    let words = ["--seed", "3", "pipes", "--", "./mine"];
    let attached = Attached::start(dir.path(), &words);
    let expected = "./mine < pipes/to-program > pipes/from-program";
    assert_eq!(recipe(&attached, "shell"), expected);
    attached.interrupt();
    for case in ["0000.txt", "7"] {
        for words in [&["--seed", "3", case][..], &[case, "pipes", "--seed", "3"]] {
            let shown = crate::common::run_in(dir.path(), &[&["attach"], words].concat(), "");
            let expected = format!("tester: --seed cannot be used with a case, {case}\n");
            assert_eq!((shown.status, shown.stderr), (2, expected), "{words:?}");
        }
    }
}

/// The lines that are printed to be pasted, in the debuggers themselves, with a breakpoint at `main`.
#[test]
fn the_printed_commands_work_in_gdb_and_lldb() {
    let dir = folder();
    let source = "#include <stdio.h>\nint main(int count, char **words) { int h, b; char game[99];\n\
                  if (count != 3 || !fgets(game, 99, stdin)) return 3; puts(words[2]); fflush(stdout);\n\
                  return scanf(\"%d %d\", &h, &b) != 2; }\n";
    std::fs::write(dir.path().join("mine.c"), source).unwrap();
    for (debugger, batch, go_on) in [
        ("gdb", "gdb -batch -nx ", " -ex continue "),
        ("lldb", "lldb -b -x ", " -o continue "),
    ] {
        if !has(debugger) {
            continue;
        }
        assert_eq!(shell(dir.path(), "cc -g -o mine mine.c"), "");
        let words = ["--once", "0000.txt", "--", "./mine", "a b", "8 2 5"];
        let attached = Attached::start(dir.path(), &words);
        let typed = recipe(&attached, debugger);
        // Without a terminal, and past the breakpoint.
        let line = typed.replacen(&format!("{debugger} "), batch, 1);
        let line = line.replacen(" ./mine", &format!("{go_on}./mine"), 1);
        let said = shell(dir.path(), &line);
        assert!(said.contains("reakpoint 1"), "{line}\n{said}");
        let (status, _, judged) = attached.end();
        assert_eq!(
            (status.code(), judged.as_str()),
            (Some(0), "Score = 1\n"),
            "{line}\n{said}"
        );
    }
}

#[test]
fn what_to_paste_is_printed_for_the_program() {
    let dir = folder();
    let shown = |words: &[&str]| {
        let words = [&["--seed", "3", "--"], words].concat();
        let attached = Attached::start(dir.path(), &words);
        let folder = dir.path().canonicalize().unwrap();
        let recipe = attached.recipe.replace(folder.to_str().unwrap(), "/here");
        attached.interrupt();
        recipe
    };
    insta::assert_snapshot!(shown(&["./mine", "a b", "-x"]), @r#"
    case       seed 3 (hitblow 3 10)
    shell      ./mine 'a b' -x < out/attach/to-program > out/attach/from-program
    gdb        gdb -ex 'break main' -ex 'run '\''a b'\'' -x < out/attach/to-program > out/attach/from-program' ./mine
    lldb       lldb -o 'breakpoint set --name main' -o 'process launch --stdin out/attach/to-program --stdout out/attach/from-program' ./mine -- 'a b' -x
    VS Code    in "configurations" of .vscode/launch.json, one of:
    {"MIMode":"gdb","args":["a b","-x","<","/here/out/attach/to-program",">","/here/out/attach/from-program"],"cwd":"/here","name":"attach (C/C++)","program":"/here/mine","request":"launch","type":"cppdbg"}
    {"args":["a b","-x"],"cwd":"/here","name":"attach (CodeLLDB)","program":"/here/mine","request":"launch","stdio":["/here/out/attach/to-program","/here/out/attach/from-program",null],"type":"lldb"}
    "#);
    insta::assert_snapshot!(shown(&["python3", "mine.py"]), @r#"
    case       seed 3 (hitblow 3 10)
    shell      python3 mine.py < out/attach/to-program > out/attach/from-program
    debugpy    python3 -m debugpy --listen 5678 --wait-for-client mine.py < out/attach/to-program > out/attach/from-program
    VS Code    in "configurations" of .vscode/launch.json:
    {"connect":{"host":"localhost","port":5678},"name":"attach (Python)","request":"attach","type":"debugpy"}
    "#);
}

#[test]
fn interpreters_have_their_own_debuggers_and_no_source_is_taken_for_a_program() {
    let dir = folder();
    let shown = |words: &[&str]| {
        let words = [&["--seed", "3", "--"], words].concat();
        let attached = Attached::start(dir.path(), &words);
        let recipe = attached.recipe.clone();
        attached.interrupt();
        recipe.splitn(3, '\n').last().unwrap().to_owned()
    };
    // Those that are not installed are refused.
    if has("node") {
        insta::assert_snapshot!(shown(&["node", "mine.js"]), @r#"
        inspector  node --inspect-brk mine.js < out/attach/to-program > out/attach/from-program
        VS Code    in "configurations" of .vscode/launch.json:
        {"name":"attach (JavaScript)","port":9229,"request":"attach","type":"node"}
        "#);
    }
    if has("java") {
        insta::assert_snapshot!(shown(&["java", "Main"]), @r#"
        jdwp       java -agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=localhost:5005 Main < out/attach/to-program > out/attach/from-program
        VS Code    in "configurations" of .vscode/launch.json:
        {"hostName":"localhost","name":"attach (Java)","port":5005,"request":"attach","type":"java"}
        "#);
    }
    // A program that PATH finds is debugged where it lies.
    assert!(shown(&["sh", "mine.sh"]).contains(r#"/bin/sh","request":"launch""#));
    std::fs::write(dir.path().join("mine.cpp"), "int main() {}").unwrap();
    let words = ["attach", "--seed", "3", "--", "./mine.cpp"];
    let refused = crate::common::run_in(dir.path(), &words, "");
    insta::assert_snapshot!(refused.stderr, @"
    tester: failed to start ./mine.cpp: it is a source file in C++, not a program
    hint: compile it: g++ -O2 -std=gnu++20 -o ./mine ./mine.cpp; the program is then ./mine
    ");
}

/// The recipe of the guide: both sides name the pipes in the same order.
#[test]
fn tester_judge_on_two_pipes_cannot_deadlock_in_the_order_of_the_guide() {
    let dir = folder();
    let judge = "tester judge 0000.txt > to < from";
    let play = "./solver < to > from";
    for (first, second) in [(judge, play), (play, judge)] {
        let line = format!("mkfifo to from; {first} & sleep 0.1; {second}; wait; rm to from");
        let line = line.replace("tester judge", &format!("{TESTER} judge"));
        assert_eq!(shell(dir.path(), &line), "Score = 2\n", "{line}");
    }
    let guide = include_str!("../../../docs/guide.md");
    assert!(guide.contains("\ntester judge in/0000.txt > to < from "));
    assert!(guide.contains("\ngdb -ex 'run < to > from' ./solver "));
}
