// args: --process-limit 20 --time-limit 20
// says: processes existed at once (limit 20)
//! Children that have ended and are not waited for keep their numbers, and slow down everything that lists processes.
unsafe extern "C" {
    fn fork() -> i32;
    fn _exit(status: i32) -> !;
}

fn main() {
    for _ in 0..500 {
        unsafe {
            if fork() == 0 {
                _exit(0);
            }
        }
    }
    std::thread::sleep(std::time::Duration::from_secs(60));
}
