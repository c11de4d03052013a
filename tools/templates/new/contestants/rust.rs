//! A contestant in Rust. `cargo build --release` makes it `target/release/new-contest-rust`.
//!
//! It asks at the cheapest cells until only one cell can have the treasure.

use std::io::stdin;
use std::str::FromStr;

/// The numbers in the judge's next line.
fn read<T: FromStr>() -> Vec<T> {
    let mut line = String::new();
    stdin().read_line(&mut line).expect("a line");
    line.split_whitespace()
        .map(|word| word.parse().ok().expect("a number"))
        .collect()
}

fn main() {
    let n: usize = read()[0];
    let costs: Vec<Vec<u32>> = (0..n).map(|_| read()).collect();
    let all = || (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let mut cheapest: Vec<(usize, usize)> = all().collect();
    cheapest.sort_by_key(|&(i, j)| costs[i][j]);
    let mut possible: Vec<(usize, usize)> = all().collect();
    for (i, j) in cheapest {
        if possible.len() == 1 {
            break;
        }
        // println! flushes at the end of a line.
        println!("? {i} {j}");
        let steps: usize = read()[0];
        possible.retain(|&(a, b)| a.abs_diff(i) + b.abs_diff(j) == steps);
    }
    let (i, j) = possible[0];
    println!("! {i} {j}");
}
