// args: --process-limit 4
// says: processes existed at once (limit 4)
//! Processes that are not its children but its sisters, for their parent is the judge.
use std::ffi::c_void;

unsafe extern "C" {
    fn clone(run: extern "C" fn(*mut c_void) -> i32, stack: *mut c_void, flags: i32, ...) -> i32;
    fn usleep(microseconds: u32) -> i32;
}

extern "C" fn stay(_: *mut c_void) -> i32 {
    unsafe { usleep(60_000_000) }
}

fn main() {
    const CLONE_PARENT: i32 = 0x8000;
    for _ in 0..8 {
        let stack = Box::leak(vec![0_u128; 1 << 12].into_boxed_slice());
        unsafe {
            let end = stack.as_mut_ptr().add(stack.len()).cast();
            clone(stay, end, CLONE_PARENT | 17, std::ptr::null_mut::<c_void>());
        }
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    println!("8 2 5");
}
