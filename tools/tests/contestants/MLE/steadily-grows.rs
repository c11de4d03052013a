// args: --memory-limit 64 --time-limit 20
// says: of memory were resident (limit 64 MiB)
// pace: 1000 MiB a second
use std::time::{Duration, Instant};

fn main() {
    let begun = Instant::now();
    let mut hoard = Vec::new();
    loop {
        let due = begun.elapsed().as_millis() as usize;
        while hoard.len() < due {
            hoard.push(vec![1_u8; 1 << 20]);
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}
