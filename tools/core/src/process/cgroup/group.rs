//! One cgroup, from case to case: its limits, what was used in it, its end.

use std::ffi::c_void;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};

use super::super::clone::{Start, can_enter_cgroup, start};
use super::super::exec::{BlockedSignals, STACK};
use super::super::wait::{PATIENCE, does_not_end, wait};
use super::counters::Counters;
use super::place::{Place, lock, remove, write};

/// A cgroup that a contestant starts in. Dropping it removes it; nothing must be in it.
pub(in super::super) struct Cgroup {
    path: PathBuf,
    /// Its folder, locked.
    folder: File,
    kill: File,
    /// Whether `cgroup.kill` was written. Newer kernels (6.12 and 6.18 were tried) then also kill every process that
    /// another cgroup's process starts in this one, at any later time. So it is not used again.
    killed: AtomicBool,
    counters: Counters,
    limits: Option<Limits>,
    /// What was counted when the last contestant had ended.
    before: Counts,
}

/// What a contestant may use in the cgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Limits {
    /// Processes and threads at once.
    pub(in super::super) tasks: u64,
    /// Memory that is judged. The kernel allows a little more.
    pub(in super::super) memory_kib: u64,
}

/// What is known of a contestant of which nothing is left.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Ended {
    /// Processor time of everything that it has started.
    pub(in super::super) cpu: Duration,
    /// The memory that it had when the kernel killed it because it wanted more.
    pub(in super::super) killed_at_kib: Option<u64>,
}

#[derive(Clone, Copy)]
struct Counts {
    cpu: Duration,
    memory_kills: u64,
    charged_kib: u64,
}

/// The folder of all, while there are any; and those that nothing runs in.
static POOL: Mutex<Pool> = Mutex::new(Pool {
    place: None,
    idle: Vec::new(),
});

struct Pool {
    place: Option<Place>,
    idle: Vec<Cgroup>,
}

/// Whether this process can hold a contestant in a cgroup. One is made, and a process started in it.
///
/// Cost: a millisecond; tens of them where this process must move to a leaf first.
///
/// # Errors
/// Why it cannot.
pub(in super::super) fn check() -> io::Result<()> {
    can_enter_cgroup().map_err(|e| io::Error::other(format!("clone3 is refused: {e}")))?;
    let cgroup = Cgroup::take(Limits {
        tasks: 2,
        memory_kib: 1 << 20,
    })?;
    let started = start_nothing(&cgroup);
    cgroup.put_back();
    started.map_err(|e| io::Error::other(format!("no process can be started in a cgroup: {e}")))
}

/// Starts a process that ends at once.
fn start_nothing(cgroup: &Cgroup) -> io::Result<()> {
    extern "C" fn exit(_: *mut c_void) -> i32 {
        // SAFETY: ends this process and touches nothing.
        unsafe { libc::_exit(0) }
    }
    let mut stack = Vec::<u128>::with_capacity(STACK / size_of::<u128>());
    let signals = BlockedSignals::new();
    // SAFETY: the child ends on a stack of its own.
    let started = unsafe {
        start(&Start {
            entry: exit,
            argument: std::ptr::null_mut(),
            stack: stack.as_mut_ptr().add(stack.capacity()).cast(),
            cgroup: cgroup.fd().as_raw_fd(),
        })
    };
    drop(signals);
    let (pid, pidfd) = started.map_err(io::Error::from_raw_os_error)?;
    let _ = wait(pid, 0); // it has ended
    // SAFETY: a descriptor of ours.
    unsafe { libc::close(pidfd) };
    cgroup.wait_until_empty()
}

/// Removes all cgroups that nothing runs in. Call it when no more contestants are to be started.
pub(in super::super) fn close_all() {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    pool.idle.clear();
    pool.place = None;
}

/// What the kernel adds to a program's own memory: page tables, stacks of threads, buffers of pipes. So a program
/// within its limit is not killed for them, and one that grows slowly is seen above it first.
fn hard_limit_kib(memory_kib: u64) -> u64 {
    memory_kib
        .saturating_add(memory_kib / 16)
        .saturating_add(16 << 10)
}

/// If more than this is still charged to the cgroup (files in memory, or read from a disk), the next contestant gets
/// another one.
const MOST_LEFT_KIB: u64 = 16 << 10;

/// Less than this is not worth a look at what it consists of.
const SLACK_KIB: u64 = 4 << 10;

/// How often another name is tried.
const TRIES: usize = 10;

impl Cgroup {
    /// One that is idle, or a new one, with these limits.
    pub(in super::super) fn take(limits: Limits) -> io::Result<Self> {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = pool.idle.pop();
        let mut cgroup = match (idle, &mut pool.place) {
            (Some(cgroup), _) => cgroup,
            (None, Some(place)) => Self::make(place)?,
            (None, place) => Self::make(place.insert(Place::find()?))?,
        };
        drop(pool);
        cgroup.set_limits(limits)?;
        Ok(cgroup)
    }

    fn make(place: &Place) -> io::Result<Self> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let mut made = Err(io::ErrorKind::AlreadyExists.into());
        for _ in 0..TRIES {
            let path = place.path_of(MADE.fetch_add(1, Ordering::Relaxed) + 1);
            made = fs::create_dir(&path).and_then(|()| {
                Self::open(path.clone()).inspect_err(|_| drop(fs::remove_dir(&path)))
            });
            // A judge in another container may have our number, or may just have taken ours for abandoned.
            let collided = [
                io::ErrorKind::AlreadyExists,
                io::ErrorKind::NotFound,
                io::ErrorKind::WouldBlock,
            ];
            if !made
                .as_ref()
                .is_err_and(|e: &io::Error| collided.contains(&e.kind()))
            {
                break;
            }
        }
        made
    }

    fn open(path: PathBuf) -> io::Result<Self> {
        let folder = lock(&path)?;
        let counters = Counters::open(&path)?;
        // It dies as one: half a program is of no use, and its parent would blame something else.
        write(&path.join("memory.oom.group"), "1")?;
        // A kernel without swap has no such file.
        let _ = write(&path.join("memory.swap.max"), "0");
        Ok(Self {
            folder,
            kill: fs::OpenOptions::new()
                .write(true)
                .open(path.join("cgroup.kill"))?,
            killed: AtomicBool::new(false),
            limits: None,
            before: Counts {
                cpu: Duration::ZERO,
                memory_kills: 0,
                charged_kib: 0,
            },
            counters,
            path,
        })
    }

    fn set_limits(&mut self, limits: Limits) -> io::Result<()> {
        if self.limits == Some(limits) {
            return Ok(());
        }
        let number = |most: u64| match i32::try_from(most) {
            Ok(most) => most.to_string(),
            Err(_) => "max".to_owned(),
        };
        let bytes = hard_limit_kib(limits.memory_kib).saturating_mul(1024);
        write(&self.path.join("pids.max"), &number(limits.tasks))?;
        // A number past the kernel's highest is its highest.
        write(&self.path.join("memory.max"), &bytes.to_string())?;
        self.limits = Some(limits);
        Ok(())
    }

    /// Its folder, for the start of a process in it.
    pub(in super::super) fn fd(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// Processor time that the contestant has used until now.
    pub(in super::super) fn cpu(&self) -> io::Result<Duration> {
        Ok(self.counters.cpu()?.saturating_sub(self.before.cpu))
    }

    /// Memory that the contestant uses now; it is not less than `known_kib`.
    ///
    /// Cost: 1 µs if it is hardly more than that, else 20.
    pub(in super::super) fn memory_kib(&self, known_kib: u64) -> io::Result<u64> {
        let charged = self.counters.charged_kib()?;
        match charged > self.before.charged_kib + known_kib + SLACK_KIB {
            true => Ok(self.counters.used_kib()?.max(known_kib)),
            false => Ok(known_kib),
        }
    }

    /// Kills everything in it, in one step.
    fn kill_all(&self) {
        self.killed.store(true, Ordering::Relaxed);
        // It fails only if the cgroup is gone, and then nothing is in it.
        let _ = self.kill.write_at(b"1", 0);
    }

    /// Kills everything in it if that is more than one process or thread.
    ///
    /// Cost: 1 µs for one.
    pub(in super::super) fn kill_several(&self) {
        if self.counters.tasks().is_ok_and(|tasks| tasks > 1) {
            self.kill_all();
        }
    }

    /// Makes sure that nothing of the contestant is left, and says what it used.
    ///
    /// Cost: 5 µs where nothing was left.
    ///
    /// # Errors
    /// If something does not end.
    pub(in super::super) fn end(&mut self) -> io::Result<Ended> {
        self.wait_until_empty()?;
        let now = Counts {
            cpu: self.counters.cpu()?,
            memory_kills: self.counters.memory_kills()?,
            charged_kib: self.counters.charged_kib()?,
        };
        let before = std::mem::replace(&mut self.before, now);
        let killed = now.memory_kills > before.memory_kills;
        let most = self.limits.map(|limits| hard_limit_kib(limits.memory_kib));
        Ok(Ended {
            cpu: now.cpu.saturating_sub(before.cpu),
            killed_at_kib: most.filter(|_| killed),
        })
    }

    fn wait_until_empty(&self) -> io::Result<()> {
        let begun = Instant::now();
        while self.counters.is_populated()? {
            if begun.elapsed() > PATIENCE {
                return Err(does_not_end());
            }
            self.kill_all();
            // The kernel says when this file changes; it is read above, so that no change is missed.
            let mut fds = [PollFd::new(&self.counters.events, PollFlags::PRI)];
            let pause = Duration::from_millis(10).try_into().ok();
            let _ = poll(&mut fds, pause.as_ref());
        }
        Ok(())
    }

    /// Keeps it for the next contestant, or removes it if something of this one stays with it.
    pub(in super::super) fn put_back(self) {
        let was_killed = self.killed.load(Ordering::Relaxed);
        if !was_killed && self.before.charged_kib <= MOST_LEFT_KIB {
            let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
            pool.idle.push(self);
        }
    }

    /// Leaves it as it is, with something in it that does not end. The next run removes it.
    pub(in super::super) fn abandon(self) {
        std::mem::forget(self);
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        let _ = remove(&self.path);
    }
}
