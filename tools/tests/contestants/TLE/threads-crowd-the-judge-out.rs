// args: --time-limit 0.5
// says: s of them computing (limit 0.5 s)
//! On every processor there are many threads before the judge, until long after the limit. Then comes the answer.
use std::time::{Duration, Instant};

fn main() {
    let (begun, busy) = (Instant::now(), Duration::from_secs(1));
    let spin = move || while begun.elapsed() < busy {};
    let threads: Vec<_> = (0..64).map(|_| std::thread::spawn(spin)).collect();
    for thread in threads {
        let _: Result<(), _> = thread.join();
    }
    println!("8 2 5");
}
