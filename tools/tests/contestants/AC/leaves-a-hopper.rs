//! What it leaves forks and exits, again and again, so that its number is never the same for long.
unsafe extern "C" {
    fn fork() -> i32;
    fn setsid() -> i32;
    fn _exit(status: i32) -> !;
}

fn main() {
    unsafe {
        if fork() == 0 {
            setsid();
            // A minute of it at most, should nobody end it.
            let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
            while std::time::Instant::now() < end {
                if fork() != 0 {
                    _exit(0);
                }
            }
            _exit(0);
        }
    }
    println!("8 2 5");
}
