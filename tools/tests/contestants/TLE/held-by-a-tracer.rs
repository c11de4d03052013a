// args: --time-limit 0.3
// says: turn 1: 0.3
//! A process that is traced is its tracer's to wait for: here a grandchild's, in a session of its own.
unsafe extern "C" {
    fn fork() -> i32;
    fn getpid() -> i32;
    fn setsid() -> i32;
    fn ptrace(request: i64, pid: i64, address: i64, data: i64) -> i64;
}

fn main() {
    const PTRACE_SEIZE: i64 = 0x4206;
    unsafe {
        let leader = getpid();
        if fork() == 0 {
            setsid();
            if fork() > 0 {
                return;
            }
            ptrace(PTRACE_SEIZE, leader.into(), 0, 0);
        }
    }
    std::thread::sleep(std::time::Duration::from_secs(60));
}
