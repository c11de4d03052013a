//! `lab oil`: a case, many cases, and what is refused.

use std::path::Path;

use ahc030::case_file;
use ahc030::generate::{FixedParameters, generate};
use tempfile::TempDir;

use crate::cli::{Shown, run, run_in};
use crate::words::words;

/// A small case with an own session in which a cell without oil is drilled and a wrong answer is given.
pub(crate) fn small_case(dir: &Path) {
    let fixed = FixedParameters::new(Some(10), Some(2), None).unwrap();
    let case = generate(3, fixed);
    std::fs::write(dir.join("0003.txt"), case_file::write(&case)).unwrap();
    let oil: Vec<String> = case
        .layout
        .oil_cells()
        .map(|cell| format!(" {} {}", cell.row, cell.column))
        .collect();
    let right = format!("a {}{}", oil.len(), oil.concat());
    let session = format!("# begin\nq 1 0 0\nq 4 4 4 4 5 5 4 5 5\na 1 0 0\n{right}\n");
    std::fs::write(dir.join("session.txt"), session).unwrap();
}

fn oil(dir: &Path, args: &[&str]) -> Shown {
    run_in(dir, &[&["oil"], args].concat(), "")
}

#[test]
fn session_is_shown_turn_by_turn_as_text_and_as_a_page() {
    let dir = TempDir::new().unwrap();
    small_case(dir.path());
    let session = ["0003.txt", "session.txt", "--work", "0.001"];
    let text = |turn: &str| oil(dir.path(), &[&session[..], &["--turn", turn]].concat());
    let third = text("3");
    assert_eq!(third.status, 0, "{}", third.stderr);
    let lines: Vec<&str> = third.stdout.lines().collect();
    assert_eq!(
        lines[..2],
        ["before       operation 3 of 4", "cost         1.500"]
    );
    assert!(lines[4].starts_with("operation    answer for 1 cell, reply 0, cost after it 2.500"));
    // What the cells of an answer would tell as a question is not what the answer is worth.
    assert!(lines[5].starts_with("value        best question found "));
    assert_eq!(lines.len(), 6 + 1 + 10, "{}", third.stdout);
    let question = text("2").stdout;
    assert!(
        question.contains(" bits for cost; best question found "),
        "{question}"
    );
    // After the right answer all is known: each cell is 0 or 100 %.
    let end = text("5").stdout;
    assert!(end.contains("best answer  probability 1.0000"), "{end}");
    assert!(end.contains(" in a pool of 1 layout; "), "{end}");
    for row in end.lines().rev().take(10) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let (known, truth) = words.split_at(10);
        for (known, truth) in known.iter().zip(truth) {
            assert_eq!(*known == "100", *truth != ".", "{row}");
            assert!(["100", "."].contains(known), "{row}");
        }
    }
    let refused = text("6");
    assert_eq!(refused.status, 2);
    insta::assert_snapshot!(refused.stderr, @"lab: expected an operation from 1 to 5, found 6: the session has 4");
    let page = oil(dir.path(), &session);
    assert_eq!((page.status, page.stderr.as_str()), (0, "wrote oil.html\n"));
    let html = std::fs::read_to_string(dir.path().join("oil.html")).unwrap();
    assert!(html.contains("id=\"known\"") && !html.contains("connect-src"));
    // Without a session, the submission plays, and finds the oil.
    let own = oil(
        dir.path(),
        &["0003.txt", "--work", "0.001", "--out", "own.html"],
    );
    assert_eq!(own.status, 0, "{}", own.stderr);
    let html = std::fs::read_to_string(dir.path().join("own.html")).unwrap();
    assert!(html.contains("\"verdict\":\"AC\""));
}

#[test]
fn calibration_has_a_table_and_a_picture() {
    let dir = TempDir::new().unwrap();
    let args = ["--calibration", "--seeds", "0..3", "--work", "0.002"];
    let more = ["--turns", "doubling", "--jobs", "2", "--out", "c.svg"];
    let shown = oil(dir.path(), &[&args[..], &more].concat());
    assert!(shown.status <= 1, "{}", shown.stderr);
    let lines: Vec<&str> = shown.stdout.lines().collect();
    assert_eq!(lines[0], "belief pool, turns doubling");
    assert_eq!(lines[1], "probability    cells  believed  observed  off by");
    let off = lines.last().unwrap().strip_prefix("most off: ").unwrap();
    let off: f64 = off.strip_suffix(" σ").unwrap().parse().unwrap();
    assert_eq!(shown.status == 1, off > 4.0, "{off}");
    for row in &lines[2..lines.len() - 1] {
        let words: Vec<f64> = row
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let [least, most, _, believed, observed, _] = words[..] else {
            panic!("{row}");
        };
        assert!(
            (least..=most).contains(&believed) && (0.0..=1.0).contains(&observed),
            "{row}"
        );
    }
    let svg = std::fs::read_to_string(dir.path().join("c.svg")).unwrap();
    assert!(svg.contains("how often such cells had oil") && svg.matches("<circle").count() > 5);
}

#[test]
fn policies_are_compared_by_eps_and_by_fields() {
    let dir = TempDir::new().unwrap();
    let args = words("--policies --seeds 0..3 --work 0.002 --out p.svg");
    let shown = oil(dir.path(), &args);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    let lines: Vec<&str> = shown.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "cost              cases         most probable           information  information for cost"
    );
    let cases = |name: &str| -> u32 {
        let rows = lines.iter().filter(|row| row.starts_with(name));
        rows.map(|row| row[18..23].trim().parse::<u32>().unwrap())
            .sum()
    };
    assert_eq!((cases("eps"), cases("M"), cases("all")), (3, 3, 3));
    let svg = std::fs::read_to_string(dir.path().join("p.svg")).unwrap();
    assert!(svg.contains("information for cost"));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let dir = TempDir::new().unwrap();
    small_case(dir.path());
    assert_eq!(run(&["oil"]).status, 2);
    for args in [
        &["--calibration", "--policies"][..],
        &["0003.txt", "--policies"],
        &["--calibration", "--turn", "1"],
        &["--policies", "--belief", "pool"],
        &["--policies", "--work", "0"],
    ] {
        assert_eq!(oil(dir.path(), args).status, 2, "{args:?}");
    }
    std::fs::write(dir.path().join("bad.txt"), "15 2\n").unwrap();
    let shown = oil(dir.path(), &["bad.txt"]);
    assert!(
        shown
            .stderr
            .starts_with("lab: failed to read case bad.txt: "),
        "{}",
        shown.stderr
    );
}
