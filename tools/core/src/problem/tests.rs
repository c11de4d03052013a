//! What holds for every problem, present and future.

use std::path::Path;

use super::rng::Seed;
use super::*;

/// Every problem with each of its sample parameter lists.
fn specs() -> impl Iterator<Item = (Spec<'static>, String)> {
    BUILT_IN.iter().copied().flat_map(|problem| {
        problem.samples().iter().map(|params| {
            let text = format!("{} {params}", problem.name());
            let spec = Spec {
                problem,
                params: params.split(' ').collect(),
            };
            (spec, text)
        })
    })
}

#[test]
fn what_holds_for_every_problem_holds_for_the_built_in_ones() {
    for problem in BUILT_IN {
        testing::check(*problem);
    }
}

#[test]
fn golden_cases_never_change() {
    // Written down once, on the day the generator was fixed. If this fails, every case file
    // changes its meaning: correct the generator, not the test.
    let text = |spec: &str, seed| {
        let text = Spec::parse(spec).unwrap().generate(Seed(seed)).unwrap();
        text.to_text().lines().nth(1).unwrap().to_owned()
    };
    insta::assert_snapshot!(text("hitblow 3 10", 0), @"3 8 4");
    insta::assert_snapshot!(text("hitblow 10 64", u64::MAX), @"21 49 58 45 53 63 37 23 4 13");
    insta::assert_snapshot!(text("mastermind 5 5", 0), @"1 4 1 3 0");
    insta::assert_snapshot!(text("mastermind 10 64", 1), @"54 8 30 46 23 35 25 47 10 26");
    insta::assert_snapshot!(text("distance 3 10 10", 0), @"3 8 4");
    insta::assert_snapshot!(text("gap 3 10 10", 0), @"3 8 4");
    insta::assert_snapshot!(text("balance 9 heavy", 0), @"4");
    insta::assert_snapshot!(text("balance 12 odd", 1), @"11 +");
    insta::assert_snapshot!(text("liar 3 10", 0), @"3 8 4");
}

#[test]
fn enumeration_has_every_secret() {
    let count = |spec: &str| Spec::parse(spec).unwrap().enumerate().unwrap().count();
    assert_eq!(count("hitblow 3 10"), 720);
    assert_eq!(count("hitblow 3 9"), 504);
    assert_eq!(count("hitblow 4 10"), 5040);
    assert_eq!(count("mastermind 4 6"), 1296);
    assert_eq!(count("mastermind 10 2"), 1024);
    assert_eq!(count("hitblow 1 1"), 1);
    assert_eq!(count("distance 3 10 10"), 720);
    assert_eq!(count("balance 9 heavy"), 9);
    assert_eq!(count("balance 12 odd"), 24);
    assert_eq!(count("liar 3 10"), 720);
}

#[test]
fn no_problem_is_named_but_in_its_file_and_in_the_list() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&source).unwrap().to_str().unwrap();
            if name.starts_with("problem") || name.ends_with("tests.rs") || !name.ends_with(".rs") {
                continue;
            }
            // What stands before the tests, without comments.
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            let code: Vec<&str> = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect();
            for problem in BUILT_IN {
                // As a text, with parameters or without, or as a module.
                let ways = ["\"{}\"", "\"{} ", "{}::"].map(|way| way.replace("{}", problem.name()));
                let named = code
                    .iter()
                    .find(|line| ways.iter().any(|way| line.contains(way)));
                assert!(
                    named.is_none(),
                    "{name} names {:?}: {named:?}",
                    problem.name()
                );
            }
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused_with_the_usage() {
    for bad in [
        "hitblow",
        "hitblow 3",
        "hitblow 0 10",
        "hitblow 11 64",
        "hitblow 3 2",
        "hitblow 3 65",
        "hitblow 3 10 1",
        "hitblow -3 10",
        "hitblow 3 ten",
        "hitblow 3.0 10",
        "mastermind 0 4",
        "mastermind 4 0",
        "mastermind 4 65",
        "hitblow 18446744073709551616 3",
        "distance 3 10",
        "gap 3 10",
        "distance 3 10 -1",
        "distance 3 2 1",
        "distance 3 10 1000000001",
        "distance 3 10 0.0000001",
        "liar 3 21",
        "liar 3 2",
        "balance 9",
        "balance 1 heavy",
        "balance 2 odd",
        "balance 1001 odd",
        "balance 9 light",
        "balance heavy 9",
    ] {
        let error = Spec::parse(bad)
            .unwrap()
            .generate(Seed(0))
            .err()
            .expect(bad);
        assert!(
            error.expected.contains(bad.split(' ').next().unwrap()),
            "{error}"
        );
        assert_eq!(error.found, format!("{bad:?}"));
    }
    let unknown = Spec::parse("chess 8 8").err().unwrap();
    insta::assert_snapshot!(unknown, @r#"expected a problem such as "hitblow 3 10", found "chess 8 8""#);
    let mistyped = Spec::parse("masterming 4 6").err().unwrap();
    insta::assert_snapshot!(mistyped, @r#"expected a problem such as "mastermind 4 6", found "masterming 4 6""#);
}

#[test]
fn broken_case_files_are_refused_with_line_expectation_and_finding() {
    let error = |text| parse_case(text).err().unwrap().to_string();
    insta::assert_snapshot!(error(""), @r#"line 1: expected an opening such as "hitblow 3 10", found end of file"#);
    insta::assert_snapshot!(error("\n8 2 5\n"), @r#"line 1: expected a problem such as "hitblow 3 10", found """#);
    insta::assert_snapshot!(error("hitblow 3 10\n"), @"line 2: expected the secret, 3 distinct digits from 0 to 9 separated by spaces, found end of file");
    insta::assert_snapshot!(error("hitblow 3 10\n8 2\n"), @r#"line 2: expected the secret, 3 distinct digits from 0 to 9 separated by spaces, found "8 2" (expected 3 integers, found 2)"#);
    insta::assert_snapshot!(error("hitblow 3 10\n8 2 8\n"), @r#"line 2: expected the secret, 3 distinct digits from 0 to 9 separated by spaces, found "8 2 8" (digit 8 appears twice)"#);
    insta::assert_snapshot!(error("hitblow 3 10\n8 2 10\n"), @r#"line 2: expected the secret, 3 distinct digits from 0 to 9 separated by spaces, found "8 2 10" (10 is out of range 0 to 9)"#);
    insta::assert_snapshot!(error("mastermind 3 10\n8 2 x\n"), @r#"line 2: expected the secret, 3 digits from 0 to 9 separated by spaces, found "8 2 x" ("x" is not an integer)"#);
    insta::assert_snapshot!(error("hitblow 30 10\n8 2 5\n"), @r#"line 1: expected hitblow P K with 1 <= P <= 10 and P <= K <= 64, found "hitblow 30 10""#);
    insta::assert_snapshot!(error("hitblow 3 10\n8 2 5\n1 2 3\n"), @r#"line 3: expected end of file, found "1 2 3""#);
    assert!(parse_case("hitblow 3 10\r\n8 2\t5\r\n\r\n").is_ok());
}

#[test]
fn refused_guesses_say_what_to_correct() {
    let refusal = |spec: &str, line: &[u8]| {
        let instance = Spec::parse(spec).unwrap().generate(Seed(0)).unwrap();
        instance.start().turn(line).unwrap_err().to_string()
    };
    let hitblow = |line: &str| refusal("hitblow 3 10", line.as_bytes());
    insta::assert_snapshot!(hitblow("7 7 1"), @r#"digit 7 appears twice in "7 7 1""#);
    insta::assert_snapshot!(hitblow("0 1"), @r#"expected 3 integers, found 2 in "0 1""#);
    insta::assert_snapshot!(hitblow("0 1 2 3"), @r#"expected 3 integers, found 4 in "0 1 2 3""#);
    insta::assert_snapshot!(hitblow("0 1 10"), @r#"10 is out of range 0 to 9 in "0 1 10""#);
    insta::assert_snapshot!(hitblow("0 1 -1"), @r#"-1 is out of range 0 to 9 in "0 1 -1""#);
    insta::assert_snapshot!(hitblow("0 1 99999999999999999999"), @r#"99999999999999999999 is out of range 0 to 9 in "0 1 99999999999999999999""#);
    insta::assert_snapshot!(hitblow("012"), @r#"012 is one integer: separate the 3 digits with spaces in "012""#);
    insta::assert_snapshot!(hitblow("0,1,2"), @r#""0,1,2" is not an integer in "0,1,2""#);
    insta::assert_snapshot!(hitblow("0 1 1e0"), @r#""1e0" is not an integer in "0 1 1e0""#);
    insta::assert_snapshot!(hitblow("０ １ ２"), @r#""０" is not written in ASCII digits (0-9) in "０ １ ２""#);
    insta::assert_snapshot!(hitblow("Hello, world!"), @r#""Hello," is not an integer in "Hello, world!""#);
    insta::assert_snapshot!(hitblow(&"1 ".repeat(500)), @r#"expected 3 integers, found 500 in "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 …" (1000 bytes)"#);
    insta::assert_snapshot!(refusal("hitblow 3 10", b"0 1 \xff\0"), @r#""\xff\0" is not an integer in "0 1 \xff\0""#);
    insta::assert_snapshot!(refusal("mastermind 1 4", b"4 4"), @r#"4 is out of range 0 to 3 in "4 4""#);
    for fine in ["0 1 2", " 0\t1  2\r", "+0 01 2"] {
        let instance = Spec::parse("hitblow 3 10")
            .unwrap()
            .generate(Seed(0))
            .unwrap();
        instance.start().turn(fine.as_bytes()).expect(fine);
    }
}

#[test]
fn refusals_of_a_problem_that_has_japanese_texts_are_translated() {
    use crate::util::template::Translator;
    let translator = Translator::new(reasons());
    let lines = [
        "x",
        "7 7 7",
        "1",
        "1 1 1 1 1 1 1 1 1 1 1",
        "012",
        "99",
        "-1 0",
        "１ ２",
        "?",
        "? x",
        "? 0",
        "? 1 1",
        "? 1 1 1",
        "? 1 0 1",
        "! x",
        "!",
        "! 1 2 3",
        "! 2 *",
        "! 99999",
        "! 1",
        "! 2",
        "! 1 +",
        "! 2 -",
        "in \"x\"",
    ];
    let has_japanese = |spec: &Spec<'_>| spec.problem.about_in_japanese().is_some();
    for (spec, text) in specs().filter(|(spec, _)| has_japanese(spec)) {
        let instance = spec.generate(Seed(5)).unwrap();
        for line in lines {
            if let Err(error) = instance.start().turn(line.as_bytes()) {
                let japanese = translator.japanese(&error.to_string());
                let japanese = japanese.unwrap_or_else(|| panic!("{text}: {error}"));
                // What is left in ASCII is the line itself, which may stand in quotes twice.
                let ours = japanese.replace(r#"\""#, "");
                let ours: String = ours.split('"').step_by(2).collect();
                let words = ours.split(|c: char| !c.is_ascii_alphabetic());
                assert_eq!(words.collect::<String>(), "", "{text}: {japanese}");
            }
        }
    }
    // An example in full.
    let refused = parse_case("balance 12 odd\n3 +\n")
        .unwrap()
        .start()
        .turn(b"? 1 13 2");
    let japanese = translator
        .japanese(&refused.unwrap_err().to_string())
        .unwrap();
    insta::assert_snapshot!(japanese, @r#"石 13 は 1〜12 の範囲外です（出力："? 1 13 2"）"#);
}

/// Another problem under another name; its files may begin without a name, and then with its parameters.
struct Renamed {
    name: &'static str,
    inner: &'static dyn Problem,
    files_begin_with_name: bool,
    parameters: &'static [&'static str],
}

impl Problem for Renamed {
    fn name(&self) -> &'static str {
        self.name
    }

    fn usage(&self) -> &'static str {
        self.inner.usage()
    }

    fn about(&self) -> &'static str {
        self.inner.about()
    }

    fn samples(&self) -> &'static [&'static str] {
        self.inner.samples()
    }

    fn files_begin_with_name(&self) -> bool {
        self.files_begin_with_name
    }

    fn parameters(&self) -> &'static [&'static str] {
        self.parameters
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        self.inner.generate(params, seed)
    }

    fn enumerate(&self, params: &[&str]) -> Result<Option<Instances>, ParamError> {
        self.inner.enumerate(params)
    }

    fn parse(
        &self,
        params: &[&str],
        lines: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        if self.files_begin_with_name {
            return self.inner.parse(params, lines);
        }
        assert!(params.is_empty());
        let first = lines.next("the parameters")?;
        let params: Vec<&str> = first.split(' ').collect();
        self.inner.parse(&params, lines)
    }
}

const fn renamed(name: &'static str, files_begin_with_name: bool) -> Renamed {
    Renamed {
        name,
        inner: &super::balance::BALANCE,
        files_begin_with_name,
        parameters: &[],
    }
}

#[test]
fn a_file_without_a_name_is_one_of_the_problem_whose_files_have_none() {
    static NAMED: Renamed = renamed("stones", true);
    static NAMELESS: Renamed = renamed("contest", false);
    let both: &[&dyn Problem] = &[&NAMED, &NAMELESS];
    let answer = |list: &[&'static dyn Problem], text: &str| {
        parse_case_with(list, text).map(|instance| instance.answer().unwrap())
    };
    assert_eq!(answer(both, "stones 9 heavy\n3\n").as_deref(), Ok("! 3"));
    assert_eq!(answer(both, "9 heavy\n4\n").as_deref(), Ok("! 4"));
    assert_eq!(
        answer(both, "\u{feff}9 heavy\r\n4\r\n\r\n").as_deref(),
        Ok("! 4")
    );
    // Alone, too; its own name means nothing to its files.
    assert_eq!(answer(&[&NAMELESS], "9 heavy\n5\n").as_deref(), Ok("! 5"));
    let error =
        |list: &[&'static dyn Problem], text: &str| answer(list, text).unwrap_err().to_string();
    insta::assert_snapshot!(error(both, "9 heavy\n0\n"), @r#"line 2: expected the one that differs, a stone's number, found "0" (stone 0 is out of range 1 to 9)"#);
    insta::assert_snapshot!(error(both, "contest 9 heavy\n4\n"), @r#"line 1: expected balance N heavy with 2 <= N <= 1000, or balance N odd with 3 <= N <= 1000, found "balance contest 9 heavy""#);
    insta::assert_snapshot!(error(both, ""), @"line 1: expected the parameters, found end of file");
    insta::assert_snapshot!(error(&[&NAMED], "9 heavy\n4\n"), @r#"line 1: expected a problem such as "stones 3 odd", found "9 heavy""#);
}

#[test]
fn lists_whose_names_tell_nothing_apart_are_refused() {
    static FIRST: Renamed = renamed("first", false);
    static SECOND: Renamed = renamed("second", false);
    static THIRD: Renamed = renamed("third", true);
    static TWO_WORDS: Renamed = renamed("two words", true);
    let refused =
        |list: &[&'static dyn Problem]| super::registry::check(list).unwrap_err().to_string();
    insta::assert_snapshot!(refused(&[]), @"expected at least one problem, found none");
    insta::assert_snapshot!(refused(&[&FIRST, &THIRD, &SECOND]), @r#"expected at most one problem whose case files begin without its name, found "first" and "second""#);
    insta::assert_snapshot!(refused(&[&THIRD, &FIRST, &THIRD]), @r#"expected problems with different names, found two called "third""#);
    insta::assert_snapshot!(refused(&[&TWO_WORDS]), @r#"expected a name that is one word, found the problem "two words""#);
    static TWICE: Renamed = Renamed {
        parameters: &["N", "N"],
        ..renamed("twice", true)
    };
    insta::assert_snapshot!(refused(&[&TWICE]), @r#"in the problem "twice", expected at most 64 different words without spaces as names of parameters, found "N" again"#);
    for list in [&[&FIRST as &dyn Problem, &THIRD][..], &[&THIRD], BUILT_IN] {
        assert_eq!(super::registry::check(list), Ok(()));
    }
}

#[test]
fn a_process_has_one_list() {
    use super::registry::{ListError, use_problems};
    // The list that it would have anyway, so that other tests see no other.
    assert_eq!(use_problems(BUILT_IN), Ok(()));
    assert_eq!(use_problems(BUILT_IN), Err(ListError::Another));
}

#[test]
fn default_parameters_are_those_that_a_problem_names_or_the_middle_sample() {
    let defaults = BUILT_IN.iter().map(|problem| problem.default_params());
    assert_eq!(
        defaults.collect::<Vec<_>>(),
        ["3 10", "4 6", "3 10 10", "3 10 10", "12 odd", "3 10"]
    );
    assert_eq!(default_problem(), "hitblow 3 10");
    assert_eq!(renamed("stones", true).default_params(), "3 odd");
}
