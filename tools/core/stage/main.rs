//! The stage that waits, as a program of its own: see `tools/core/src/process/stage/mod.rs`. The build script compiles it
//! into the tester, without the standard library and the C library, so that it starts in a tenth of the time.
//!
//! Called as `stage METER PROGRAM ARGUMENTS…`.

#![no_std]
#![no_main]

use core::arch::global_asm;

#[path = "../src/process/stage/children.rs"]
mod children;
#[path = "../src/process/stage/message.rs"]
mod message;
#[path = "../src/process/stage/own_stderr.rs"]
mod own_stderr;
#[path = "../src/process/stage/socket.rs"]
mod socket;
#[path = "../src/process/stage/system.rs"]
mod system;
#[path = "../src/process/stage/watch.rs"]
mod watch;

use system::{call, system};
use watch::{Texts, watch};

// The kernel's first words are on the stack: how many arguments, the arguments, the environment.
#[cfg(target_arch = "x86_64")]
global_asm!(
    ".globl _start",
    "_start:",
    "xor ebp, ebp",
    "mov rdi, rsp",
    "and rsp, -16",
    "call begin",
    "ud2"
);
#[cfg(target_arch = "aarch64")]
global_asm!(
    ".globl _start",
    "_start:",
    "mov x29, xzr",
    "mov x0, sp",
    "bl begin",
    "brk 1"
);

#[unsafe(no_mangle)]
unsafe extern "C" fn begin(words: *const usize) -> ! {
    // SAFETY: as the kernel has laid them out.
    unsafe {
        let count = *words;
        let arguments: Texts = words.add(1).cast();
        if count < 3 {
            exit(125);
        }
        let environment = arguments.add(count + 1);
        let program = arguments.add(2);
        let error = watch(*arguments.add(1), program, environment);
        say(b"tester: failed to execute ");
        say(core::ffi::CStr::from_ptr((*program).cast()).to_bytes());
        say(match error {
            2 => b": No such file or directory",
            13 => b": Permission denied",
            8 => b": Exec format error",
            _ => b": the system refused it",
        });
        say(b"\n");
        // As shells do.
        exit(if error == 2 { 127 } else { 126 })
    }
}

fn say(text: &[u8]) {
    let words = [2, text.as_ptr().addr(), text.len(), 0, 0, 0];
    // SAFETY: a valid text.
    unsafe { system(call::WRITE, words) };
}

fn exit(code: usize) -> ! {
    loop {
        // SAFETY: a number.
        unsafe { system(call::EXIT_GROUP, [code, 0, 0, 0, 0, 0]) };
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(125)
}

/// What the compiler may call, and what else the C library would have.
mod needed {
    use core::arch::asm;

    /// Never called: nothing here unwinds, but code of `core` names it.
    #[unsafe(no_mangle)]
    extern "C" fn rust_eh_personality() {}

    #[unsafe(no_mangle)]
    unsafe extern "C" fn strlen(text: *const u8) -> usize {
        let mut length = 0;
        // SAFETY: the text ends with a zero. Volatile, or this would become a call of itself.
        while unsafe { text.add(length).read_volatile() } != 0 {
            length += 1;
        }
        length
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        for at in 0..count {
            // SAFETY: as the caller promises.
            unsafe { to.add(at).write(from.add(at).read()) };
            // A loop without this would become a call of itself.
            // SAFETY: no instruction.
            unsafe { asm!("", options(nostack, preserves_flags)) };
        }
        to
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
        for at in 0..count {
            // SAFETY: as the caller promises.
            unsafe { to.add(at).write(byte as u8) };
            // SAFETY: as above.
            unsafe { asm!("", options(nostack, preserves_flags)) };
        }
        to
    }
}
