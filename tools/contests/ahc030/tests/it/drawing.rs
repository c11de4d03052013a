//! What a drawn session says. How it looks in a browser: `page.rs`.

use ahc030::case_file;
use ahc030::generate::{FixedParameters, generate};
use ahc030::problem::AHC030;
use ahc030::rules::Game;
use serde_json::json;
use std::fmt::Write;
use std::sync::Arc;
use tester::Seed;
use tester::problem::{Instance, Problem};

use crate::session_page::{data, page};

/// A session of 300 turns: 299 questions and drills, and the right answer. Before each turn, all cells are painted by how
/// much oil the replies so far let one expect there, which is what contestants paint.
pub fn long_session(case: &dyn Instance, seed: u64, fixed: FixedParameters) -> String {
    let generated = generate(seed, fixed);
    assert_eq!(case_file::write(&generated), case.to_text());
    let n = usize::from(generated.layout.n());
    let mut game = Game::new(Arc::new(generated));
    let mut stdout = String::new();
    let (mut sums, mut counts) = (vec![0.0; n * n], vec![0.1; n * n]);
    let mut state = 1_u64;
    let mut below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for turn in 0..299 {
        for cell in 0..n * n {
            let share: f64 = sums[cell] / counts[cell];
            let level = (255.0 * (1.0 - share.clamp(0.0, 1.0))) as u8;
            writeln!(
                stdout,
                "#c {} {} #{level:02x}{level:02x}ff",
                cell / n,
                cell % n
            )
            .unwrap();
        }
        writeln!(stdout, "# turn {turn}").unwrap();
        // A rectangle, a cell or a hundred cells.
        let (i, j) = (below(n), below(n));
        let (height, width) = [(1, 1), (3, 4), (10, 10), (5, 2)][turn % 4];
        let rows = (i..i + height).map(|i| i % n);
        let cells: Vec<usize> = rows
            .flat_map(|i| (j..j + width).map(move |j| i * n + j % n))
            .collect();
        let mut line = format!("q {}", cells.len());
        for cell in &cells {
            write!(line, " {} {}", cell / n, cell % n).unwrap();
        }
        let reply = f64::from(game.play(line.as_bytes()).unwrap());
        let size = cells.len() as f64;
        for cell in cells {
            sums[cell] += reply / size / size;
            counts[cell] += 1.0 / size;
        }
        writeln!(stdout, "{line}").unwrap();
    }
    stdout + &case.answer().unwrap() + "\n"
}

#[test]
fn cells_replies_values_colours_costs_and_fields_are_drawn() {
    let case = AHC030.generate(&["N=10", "M=2"], Seed(5)).unwrap();
    let answer = case.answer().unwrap();
    let first: Vec<&str> = answer.split(' ').collect();
    let oil = format!("{} {}", first[2], first[3]);
    let stdout = format!(
        "#c 0 1 red\n# c 9 9 #00f\n#c 10 0 red\nq 1 {oil}\nq 4 0 0 0 1 9 8 9 9\n#c 0 1 blue\na 1 {oil}\n#c 9 9 #00f\n{answer}\n#c 9 9 rgb(0,0,0)\n"
    );
    let data = data(&page(case.as_ref(), &stdout));
    let grid = &data["drawing"]["grid"];
    let (fields, frames) = (grid["hidden"].as_array().unwrap(), &grid["frames"]);
    assert_eq!((&grid["rows"], &grid["columns"]), (&json!(10), &json!(10)));

    // The fields, against the hidden part of the case's text: places after the opening and the shapes in it.
    let text = case.to_text();
    let numbers =
        |line: &str| -> Vec<u64> { line.split(' ').map(|word| word.parse().unwrap()).collect() };
    let lines: Vec<&str> = text.lines().collect();
    for (k, field) in fields.iter().enumerate() {
        let (shape, place) = (numbers(lines[1 + k]), numbers(lines[3 + k]));
        let cells: Vec<u64> = shape[1..]
            .chunks(2)
            .map(|at| (at[0] + place[0]) * 10 + at[1] + place[1])
            .collect();
        assert_eq!(
            field,
            &json!({"cells": cells, "label": format!("field {k}")})
        );
    }
    assert_eq!(fields.len(), 2);

    // The turns. A drilled value is that of the case's own table.
    let cell = numbers(&oil);
    let value = numbers(lines[5 + cell[0] as usize])[cell[1] as usize].to_string();
    let at = cell[0] * 10 + cell[1];
    let named: Vec<u64> = numbers(&answer[2..])[1..]
        .chunks(2)
        .map(|at| at[0] * 10 + at[1])
        .collect();
    let replies: Vec<&str> = data["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| turn["reply"].as_str().unwrap())
        .collect();
    assert_eq!(
        (replies[0], replies[2], replies[3]),
        (value.as_str(), "0", "1")
    );
    let mut changed = frames[1]["changes"].as_array().unwrap().clone();
    changed.sort_by_key(|change| change[0].as_u64());
    let mut expected = vec![
        json!([1, null, "red"]),
        json!([99, null, "#00f"]),
        json!([at, value]),
    ];
    expected.sort_by_key(|change| change[0].as_u64());
    assert_eq!(changed, expected);
    assert_eq!(frames[1]["marked"], json!([at]));
    assert_eq!(
        frames[2],
        json!({"marked": [0, 1, 98, 99], "caption": format!("q 4 … → {}; cost 1.500, 2 of 200 operations", replies[1])})
    );
    assert_eq!(
        frames[3],
        json!({"marked": [at], "changes": [[1, null, "blue"]], "caption": "a 1 … → 0; cost 2.500, 3 of 200 operations"})
    );
    let over = json!({"marked": named, "changes": [[99, null, "rgb(0,0,0)"]], "caption": format!("a {} … → 1; cost 2.500, 4 of 200 operations", named.len())});
    assert_eq!(frames[4], over);
    // Only what is not drawn is a remark.
    assert_eq!(
        data["turns"][0]["remarks"],
        json!([{"text": "#c 10 0 red"}])
    );
}

#[test]
fn captions_and_fields_have_japanese_names() {
    let case = AHC030.generate(&["N=10", "M=2"], Seed(5)).unwrap();
    let session = "q 4 0 0 0 1 9 8 9 9\nq 1 10 0\n";
    let data = data(&page(case.as_ref(), session));
    let (grid, reply) = (&data["drawing"]["grid"], &data["turns"][0]["reply"]);
    let japanese = |english: &serde_json::Value| &grid["japanese"][english.as_str().unwrap()];
    let frames = grid["frames"].as_array().unwrap();
    let question = format!(
        "q 4 … → {}、コスト 0.500、操作 1/200 回",
        reply.as_str().unwrap()
    );
    assert_eq!(japanese(&frames[1]["caption"]), &question);
    assert_eq!(
        japanese(&frames[2]["caption"]),
        "? → -1、コスト 0.500、操作 1/200 回"
    );
    assert_eq!(japanese(&grid["hidden"][1]["label"]), "油田 1");
}

#[test]
fn a_session_that_goes_wrong_is_drawn_up_to_there() {
    let case = AHC030.generate(&["N=10", "M=2"], Seed(5)).unwrap();
    for (stdout, caption) in [
        (
            "q 1 10 0\nq 1 0 0\n",
            "? → -1; cost 0.000, 0 of 200 operations",
        ),
        ("q 2 1 1 1 1\n", "? → -1; cost 0.000, 0 of 200 operations"),
        ("\u{fffd}\n", "? → -1; cost 0.000, 0 of 200 operations"),
    ] {
        let data = data(&page(case.as_ref(), stdout));
        let frame = &data["drawing"]["grid"]["frames"][1];
        assert_eq!(frame, &json!({"caption": caption}), "{stdout}");
    }
    let data = data(&page(case.as_ref(), "# nothing\n"));
    assert_eq!(
        data["drawing"]["grid"]["frames"].as_array().unwrap().len(),
        1
    );
}
