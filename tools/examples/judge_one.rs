//! Judges one case with a program, and prints transcript, verdict and score:
//!
//! ```console
//! $ cargo run -p tester --example judge_one -- 7 python3 mine.py
//! ```

use std::error::Error;
use std::io::stdout;
use std::time::Duration;

use tester::problem::default_problem;
use tester::{Command, Limits, Seed, Spec, Transcript, judge};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    let seed = words.next().and_then(|word| word.to_str()?.parse().ok());
    let (Some(seed), Some(program)) = (seed, words.next()) else {
        return Err("expected a seed, a program and its arguments".into());
    };
    let command = Command {
        program,
        args: words.collect(),
    };
    let case = Spec::parse(default_problem())?.generate(Seed(seed))?;

    // A watcher receives every line while the case is judged; this one writes them down.
    let mut transcript = Transcript::new(stdout());
    let record = judge(
        case.as_ref(),
        &command,
        &Limits::default(),
        None,
        &mut transcript,
    )?;
    let end = Duration::from_secs_f64(record.wall_ms / 1e3);
    transcript.finish(end, &record.headline())?;

    println!("verdict {}", record.verdict);
    println!("score {}", record.score);
    Ok(())
}
