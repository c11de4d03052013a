//! A scorer as contests publish them for problems that are not interactive, written for the tests of
//! `--external`: `scorer in/0000.txt out/0000.txt` prints the score on stdout, after a remark.
//!
//! The case is a list of numbers; the contestant prints some of them, and its score is their sum, 0 if one
//! is not in the list.

fn main() {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let numbers = |path: &str| -> Vec<i64> {
        let text = std::fs::read_to_string(path).unwrap();
        text.split_whitespace()
            .map(|word| word.parse().unwrap_or(-1))
            .collect()
    };
    let (case, chosen) = (numbers(&paths[0]), numbers(&paths[1]));
    println!("{} of {} numbers", chosen.len(), case.len());
    let right = chosen.iter().all(|number| case.contains(number));
    println!("Score = {}", if right { chosen.iter().sum() } else { 0 });
}
