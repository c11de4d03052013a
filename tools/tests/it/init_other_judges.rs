//! `tester init` in a folder with a judge of another kind than official tools.

use crate::init::planned;

/// What is said from the line about tools on, until the cases.
fn said(files: &[(&str, &str)]) -> String {
    let shown = planned(files);
    let lines = shown.lines();
    let lines = lines.take_while(|line| !line.starts_with("cases "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_interactor_is_no_program_and_its_settings_are_said() {
    let testlib = "#include \"testlib.h\"\nint main() { registerInteraction(argc, argv); }";
    insta::assert_snapshot!(said(&[("interactor.cpp", testlib), ("sum.py", "")]), @r#"
    program    sum.py, judged as: python3 sum.py
    tools      not found: no tools/Cargo.toml with programs vis or tester
               hint: unpack the contest's local tools here, then: tester init --force
               interactor.cpp may be the contest's interactor
               hint: in tester.toml, instead of external: interactor = "./interactor {case} {feedback}/out", contract = "testlib"; build = ["g++ -O2 -std=gnu++20 -o interactor interactor.cpp", …]
    "#);
    insta::assert_snapshot!(said(&[("Interactor.py", ""), ("main.py", "")]), @r#"
    program    main.py, judged as: python3 main.py
    tools      not found: no tools/Cargo.toml with programs vis or tester
               hint: unpack the contest's local tools here, then: tester init --force
               Interactor.py may be the contest's interactor
               hint: in tester.toml, instead of external: interactor = "python3 Interactor.py {case}"
    "#);
}

#[test]
fn the_checker_of_an_interactor_and_answers_are_in_its_line() {
    let testlib = "#include \"testlib.h\"\nint main() { registerInteraction(argc, argv); tout << ouf.readInt(); }";
    let reads_answer = testlib.replace("tout <<", "ans.readInt();");
    let shown = |interactor: &str| {
        let files = [
            ("interactor.cpp", interactor),
            ("check", ""),
            ("check.cpp", "int main() {}"),
            ("main.py", ""),
        ];
        said(&files).lines().last().unwrap().trim().to_owned()
    };
    insta::assert_snapshot!(shown(testlib), @r#"hint: in tester.toml, instead of external: interactor = "./interactor {case} {feedback}/out && ./check {case} {feedback}/out {case}.a", contract = "testlib"; build = ["g++ -O2 -std=gnu++20 -o interactor interactor.cpp", "g++ -O2 -std=gnu++20 -o check check.cpp", …]"#);
    insta::assert_snapshot!(shown(&reads_answer), @r#"hint: in tester.toml, instead of external: interactor = "./interactor {case} {feedback}/out {case}.a", contract = "testlib"; build = ["g++ -O2 -std=gnu++20 -o interactor interactor.cpp", …]"#);
}

#[test]
fn a_testing_tool_talks_to_the_program_or_starts_it() {
    let shown = |name: &str, text: &str| {
        let runner = (
            "interactive_runner.py",
            "import subprocess\nsubprocess.Popen([])",
        );
        let found = said(&[(name, text), runner, ("sol.py", "")]);
        assert!(
            found.starts_with("program    sol.py, judged as: python3 sol.py\ntools "),
            "{found}"
        );
        let lines: Vec<&str> = found.lines().rev().take(2).map(str::trim).collect();
        format!("{}\n{}", lines[1], lines[0])
    };
    insta::assert_snapshot!(shown("local_testing_tool.py", "print(input())"), @r#"
    local_testing_tool.py may be the contest's testing tool
    hint: in tester.toml, instead of external: interactor = "python3 local_testing_tool.py $(cat {case})", where each case file holds its arguments, such as the number of a test set
    "#);
    let started = "p.add_argument(\"-f\")\nsubprocess.Popen(p.program)";
    insta::assert_snapshot!(shown("testing_tool.py", started), @r#"
    testing_tool.py may be the contest's testing tool
    hint: in tester.toml: external = "python3 testing_tool.py -f {case} {command} >&2", and as score_regex what it prints if all was right, such as '(?m)^Queries used: (?P<score>\d+)'
    "#);
    insta::assert_snapshot!(shown("testing_tool.py", "subprocess.Popen(sys.argv[1:])"), @r#"
    testing_tool.py may be the contest's testing tool
    hint: in tester.toml: external = "python3 testing_tool.py $(cat {case}) {command} >&2", and as score_regex what it prints if all was right, such as '(?m)^Queries used: (?P<score>\d+)'
    "#);
}

#[test]
fn a_judge_of_ones_own_is_no_program_and_its_line_is_said() {
    let files = [("better.py", ""), ("judge.py", ""), ("in/0000.txt", "1\n")];
    insta::assert_snapshot!(said(&files), @r#"
    program    better.py, judged as: python3 better.py
    tools      not found: no tools/Cargo.toml with programs vis or tester
               hint: unpack the contest's local tools here, then: tester init --force
               judge.py may be a judge of your own
               hint: in tester.toml, if it starts the program: external = "python3 judge.py {case} {out} {command}"
    "#);
    insta::assert_snapshot!(said(&[("judge.cpp", ""), ("main.py", "")]), @r#"
    program    main.py, judged as: python3 main.py
    tools      not found: no tools/Cargo.toml with programs vis or tester
               hint: unpack the contest's local tools here, then: tester init --force
               judge.cpp may be a judge of your own
               hint: in tester.toml, if it starts the program: external = "./judge {case} {out} {command}"; build = ["g++ -O2 -std=gnu++20 -o judge judge.cpp", …]
    "#);
}

#[test]
fn a_tester_in_java_and_a_problem_package_are_recognised() {
    insta::assert_snapshot!(said(&[("tester.jar", ""), ("main.py", "")]), @r#"
    program    main.py, judged as: python3 main.py
    tools      not found: no tools/Cargo.toml with programs vis or tester
               hint: unpack the contest's local tools here, then: tester init --force
               tester.jar may be the contest's tester, in the style of Topcoder
               hint: external = 'java -jar tester.jar -exec "{command}" -seed $(cat {case})', where each case file holds a seed
    "#);
    let package = said(&[("problem.yaml", "type: interactive\n"), ("main.py", "")]);
    assert!(package.ends_with(
        "problem.yaml is that of a problem package\n           hint: an interactive one is judged by: tester package ."
    ), "{package}");
}
