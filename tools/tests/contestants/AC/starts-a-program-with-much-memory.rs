// args: --memory-limit 120 --time-limit 20
//! Until a new process executes its program it has its starter's memory, and none of its own.
use std::ffi::c_void;

unsafe extern "C" {
    fn clone(run: extern "C" fn(*mut c_void) -> i32, stack: *mut c_void, flags: i32, ...) -> i32;
    fn usleep(microseconds: u32) -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
}

extern "C" fn take_long_to_start(_: *mut c_void) -> i32 {
    unsafe { usleep(100_000) }
}

fn main() {
    const CLONE_VM_AND_VFORK: i32 = 0x100 | 0x4000;
    let hoard = std::hint::black_box(vec![1_u8; 80 << 20]);
    for _ in 0..3 {
        let mut stack = vec![0_u128; 1 << 12];
        unsafe {
            let end = stack.as_mut_ptr().add(stack.len()).cast();
            let nothing = std::ptr::null_mut::<c_void>();
            let child = clone(take_long_to_start, end, CLONE_VM_AND_VFORK | 17, nothing);
            waitpid(child, std::ptr::null_mut(), 0);
        }
    }
    drop(hoard);
    println!("8 2 5");
}
