// args: --process-limit 20
// says: processes existed at once (limit 20)
//! Every process becomes two, each in a session of its own, up to a thousand.
unsafe extern "C" {
    fn fork() -> i32;
    fn setsid() -> i32;
}

fn main() {
    for _ in 0..10 {
        unsafe {
            fork();
            setsid();
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_secs(60));
}
