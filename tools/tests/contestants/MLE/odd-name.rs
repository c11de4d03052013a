// args: --memory-limit 64 --time-limit 20
// says: of memory were resident (limit 64 MiB)
//! A child whose name looks like the end of a line of /proc/PID/stat, that of a process which has ended.
unsafe extern "C" {
    fn fork() -> i32;
    fn prctl(option: i32, name: *const u8) -> i32;
}

fn main() {
    const PR_SET_NAME: i32 = 15;
    if unsafe { fork() } == 0 {
        unsafe { prctl(PR_SET_NAME, c") Z 1 (x) Z 1 1".as_ptr().cast()) };
        let hoard = std::hint::black_box(vec![1_u8; 100 << 20]);
        std::thread::sleep(std::time::Duration::from_secs(60));
        drop(hoard);
    }
    std::thread::sleep(std::time::Duration::from_secs(60));
}
