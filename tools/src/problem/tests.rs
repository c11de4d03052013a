//! What holds for every problem, present and future.

use std::path::Path;

use super::registry::all_problems;
use super::rng::Seed;
use super::*;
use proptest::prelude::*;

/// Every problem with each of its sample parameter lists.
fn specs() -> impl Iterator<Item = (Spec<'static>, String)> {
    all_problems().flat_map(|problem| {
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
fn text_round_trips_and_a_seed_always_gives_the_same_bytes() {
    for (spec, _) in specs() {
        for seed in 0..200 {
            let text = spec.generate(Seed(seed)).unwrap().to_text();
            assert_eq!(parse_case(&text).unwrap().to_text(), text);
            assert_eq!(spec.generate(Seed(seed)).unwrap().to_text(), text);
            assert!(text.ends_with('\n') && !text.contains('\r'));
        }
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
    insta::assert_snapshot!(text("balance 9 heavy", 0), @"4");
    insta::assert_snapshot!(text("balance 12 odd", 1), @"11 +");
}

#[test]
fn opening_names_the_game_and_does_not_depend_on_the_secret() {
    for (spec, text) in specs() {
        for seed in 0..50 {
            assert_eq!(spec.generate(Seed(seed)).unwrap().opening(), text);
        }
    }
}

#[test]
fn enumeration_has_every_secret_once_and_generated_ones_are_in_it() {
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
    for (spec, text) in specs() {
        let secret = |instance: Box<dyn Instance>| {
            let text = instance.to_text();
            text.lines().nth(1).map(str::to_owned)
        };
        let mut all = std::collections::BTreeSet::new();
        for instance in spec.enumerate().unwrap().take(20_000) {
            let secret = secret(instance);
            assert!(all.insert(secret.clone()), "{text}: {secret:?} comes twice");
        }
        for seed in 0..20 {
            let secret = secret(spec.generate(Seed(seed)).unwrap());
            let known = all.contains(&secret) || all.len() == 20_000;
            assert!(known, "{text}: {secret:?} is generated, but not enumerated");
        }
    }
}

#[test]
fn the_right_answer_is_done() {
    for (spec, _) in specs() {
        for seed in 0..20 {
            let instance = spec.generate(Seed(seed)).unwrap();
            let mut session = instance.start();
            let reply = session.turn(instance.answer().unwrap().as_bytes()).unwrap();
            assert!(reply.done, "{reply:?}");
        }
    }
}

#[test]
fn another_answer_is_not_done() {
    for (spec, text) in specs() {
        let all: Vec<_> = spec.enumerate().unwrap().take(50).collect();
        for (instance, other) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let reply = instance.start().turn(other.answer().unwrap().as_bytes());
            let done = reply.is_ok_and(|reply| reply.done);
            assert_eq!(done, instance.answer() == other.answer(), "{text}");
        }
    }
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
                // Examples in help texts are there to be typed.
                .filter(|line| !line.trim_start().starts_with("tester "))
                .collect();
            for problem in all_problems() {
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
        "distance 3 10 -1",
        "distance 3 2 1",
        "distance 3 10 1000000001",
        "distance 3 10 0.0000001",
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
    insta::assert_snapshot!(japanese, @r#"石 13 は 1〜12 の範囲外です（出力: "? 1 13 2"）"#);
}

#[test]
fn worked_example_is_shown_as_it_is_tested() {
    let document = include_str!("../../../docs/adding-a-problem.md");
    let example = include_str!("../../../docs/adding-a-problem/leak.rs");
    assert!(document.contains(&format!("\n```rust\n{example}```\n")));
}

proptest! {
    #[test]
    fn random_bytes_never_panic_a_session(lines in prop::collection::vec(any::<Vec<u8>>(), 1..8)) {
        for (spec, _) in specs() {
            let mut session = spec.generate(Seed(7)).unwrap().start();
            for line in &lines {
                // Chance hardly ever begins a line as a query or an answer.
                for begin in [&b""[..], b"? ", b"! "] {
                    let _ = session.turn(&[begin, line].concat());
                }
            }
        }
    }

    #[test]
    fn nearly_right_lines_never_panic_a_session(line in r"[-+ ]{0,2}([0-9]{1,2}[ ,]{0,2}){1,5}") {
        for (spec, _) in specs() {
            // What is refused leaves the game as it was.
            let instance = spec.generate(Seed(7)).unwrap();
            let (mut session, mut twin) = (instance.start(), instance.start());
            for begin in ["", "? ", "! "] {
                let line = format!("{begin}{line}");
                if session.turn(line.as_bytes()).is_ok() {
                    let _ = twin.turn(line.as_bytes());
                }
            }
            prop_assert_eq!(session.score(), twin.score());
            let answer = instance.answer().unwrap();
            prop_assert_eq!(session.turn(answer.as_bytes()), twin.turn(answer.as_bytes()));
        }
    }

    #[test]
    fn random_text_is_never_read_as_another_case(text in any::<String>()) {
        if let Ok(instance) = parse_case(&text) {
            let words = |text: &str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&instance.to_text()).len(), words(&text).len());
        }
    }

    #[test]
    fn mutilated_case_files_never_panic(cut in 0_usize..40, junk in "[ 0-9a-z\n]{0,6}") {
        for (spec, _) in specs() {
            let mut text = spec.generate(Seed(3)).unwrap().to_text();
            text.insert_str(cut.min(text.len()), &junk);
            let _ = parse_case(&text);
            text.truncate(cut.min(text.len()));
            let _ = parse_case(&text);
        }
    }
}
