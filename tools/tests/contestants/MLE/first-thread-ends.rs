// args: --memory-limit 64 --time-limit 20
// says: of memory were resident (limit 64 MiB)
//! A child whose first thread has ended looks as if it had ended itself, and another thread has the memory.
unsafe extern "C" {
    fn fork() -> i32;
    fn syscall(number: i64, ...) -> i64;
}

fn main() {
    const EXIT_THREAD: i64 = if cfg!(target_arch = "x86_64") { 60 } else { 93 };
    if unsafe { fork() } == 0 {
        std::thread::spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            let hoard = std::hint::black_box(vec![1_u8; 100 << 20]);
            std::thread::sleep(std::time::Duration::from_secs(60));
            drop(hoard);
        });
        unsafe { syscall(EXIT_THREAD, 0) };
    }
    std::thread::sleep(std::time::Duration::from_secs(60));
}
