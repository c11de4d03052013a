//! A contestant that serves to measure the judge: 400 questions of 100 cells, each printed at once and its reply read,
//! then wrong answers until the operations are used up. It needs a grid of 15 rows or more, and computes next to nothing.

use std::fmt::Write as _;
use std::io::{BufRead, Write as _, stdin, stdout};

fn main() {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut line = String::new();
    input.read_line(&mut line).expect("N M eps");
    let mut words = line.split(' ').map(|word| word.parse());
    let mut number = || words.next().and_then(Result::ok).expect("N and M");
    let (n, m): (usize, usize) = (number(), number());
    for _ in 0..m {
        line.clear();
        input.read_line(&mut line).expect("a shape");
    }
    let mut question = "q 100".to_owned();
    for cell in 0..100 {
        write!(question, " {} {}", cell / n, cell % n).expect("a string takes everything");
    }
    question.push('\n');
    for operation in 0..2 * n * n {
        let asked = if operation < 400 {
            &question
        } else {
            "a 1 0 0\n"
        };
        // A line that ends with a newline is flushed by Rust's stdout; said all the same, as in other languages.
        output.write_all(asked.as_bytes()).expect("the judge reads");
        output.flush().expect("the judge reads");
        line.clear();
        input.read_line(&mut line).expect("a reply");
    }
}
