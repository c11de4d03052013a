//! System calls that Landlock has no rules for, refused in its sandbox; sockets, also in bubblewrap (seccomp).
//!
//! By them a program could use the network and services of the machine, and learn which case is opened. It could also
//! leave notes for a later case: in attributes and times of files, in keyrings of the kernel, in System V objects and in
//! POSIX queues. No honest contestant needs them: C libraries and runtimes share memory and semaphores by files and
//! mappings.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, apply_filter,
};

/// Filters, as the kernel takes them: one for each error. A program that makes system calls of another architecture
/// (32 bits) is killed.
#[derive(Clone, Debug)]
pub(super) struct CallFilter(Arc<[BpfProgram]>);

impl CallFilter {
    /// Refuses all that Landlock has no rules for; `None` where this project has no filter for the kind of processor.
    pub(super) fn new() -> Option<Self> {
        let refused = program(refused().ok()?, libc::EPERM)?;
        let unknown = program(unknown(), libc::ENOSYS)?;
        Some(Self(Arc::new([refused, unknown])))
    }

    /// Refuses all sockets except pairs, for a sandbox that has other means for the rest; `None` as above.
    pub(super) fn of_sockets() -> Option<Self> {
        let refused = program(sockets().ok()?, libc::EPERM)?;
        Some(Self(Arc::new([refused])))
    }

    /// Whether the kernel takes it.
    ///
    /// Cost: a thread, in which it is tried.
    ///
    /// # Errors
    /// If the machine has no room for another thread.
    pub(super) fn works(&self) -> io::Result<bool> {
        let tried = self.clone();
        let thread = std::thread::Builder::new().spawn(move || tried.apply().is_ok())?;
        Ok(thread.join().is_ok_and(|works| works))
    }

    /// Puts the calling thread, and what it executes, under the filter. Two system calls for each error, and no memory.
    pub(super) fn apply(&self) -> io::Result<()> {
        let applied = self.0.iter().try_for_each(|program| apply_filter(program));
        applied.map_err(|_| io::Error::last_os_error())
    }
}

/// What is refused: a call, and when. An empty list means always.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn program(rules: Rules, error: libc::c_int) -> Option<BpfProgram> {
    let rules = with_short_addresses(rules);
    let refuse = SeccompAction::Errno(error.cast_unsigned());
    let architecture = std::env::consts::ARCH.try_into().ok()?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture);
    filter.ok()?.try_into().ok()
}

/// When an argument of a call is so.
fn when(argument: u8, is: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, is, value)?;
    SeccompRule::new(vec![condition])
}

/// All sockets except pairs, and what makes sockets without a call for each.
fn sockets() -> Result<Rules, BackendError> {
    // A pair for datagrams could send to any service. The kernel takes raw pairs for the same.
    let kind_is = |kind: libc::c_int| when(1, SeccompCmpOp::MaskedEq(0xf), kind as u64);
    let sends_anywhere = vec![
        kind_is(libc::SOCK_DGRAM)?,
        kind_is(libc::SOCK_RAW)?,
        when(0, SeccompCmpOp::Ne, libc::AF_UNIX as u64)?,
    ];
    let rules = [
        // Networks, and services of this machine: some start programs for others, such as systemd's for each user, and
        // terminals that are shared (tmux).
        (libc::SYS_socket, vec![]),
        (libc::SYS_socketpair, sends_anywhere),
        // Operations that no filter sees, sockets among them.
        (libc::SYS_io_uring_setup, vec![]),
    ];
    Ok(rules.into())
}

/// Calls that fail as on a kernel which does not have them: callers then go on with an older call.
///
/// Opening by the second call empties files before Linux 6.2, and no filter sees its flags. With EPERM, callers such as
/// systemd, runc and cap-std report an error; with ENOSYS they use `openat`. All other calls get EPERM. Either they have
/// no older form, or that is refused too (`fchmodat2`, `setxattrat`, `inotify_init1`), or callers know EPERM as a
/// machine's own refusal: `io_uring_setup` gets it under `kernel.io_uring_disabled`.
fn unknown() -> Rules {
    [(libc::SYS_openat2, vec![])].into()
}

fn refused() -> Result<Rules, BackendError> {
    let mut rules = sockets()?;
    rules.extend(ALWAYS.iter().chain(OLD).map(|&call| (call, vec![])));
    // The limits of another process.
    let not_itself = when(0, SeccompCmpOp::Ne, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![not_itself]);
    for (open, flags) in OPENS {
        let mask = (libc::O_ACCMODE | libc::O_TRUNC) as u64;
        let empties = |mode| {
            let flags_are = SeccompCmpOp::MaskedEq(mask);
            when(*flags, flags_are, (mode | libc::O_TRUNC) as u64)
        };
        // To read, or for requests only (3): to write is a matter of Landlock's rules.
        rules.insert(
            *open,
            vec![empties(libc::O_RDONLY)?, empties(libc::O_ACCMODE)?],
        );
    }
    let noted = NOTES_BY_FCNTL.into_iter();
    let noted = noted.map(|command| when(1, SeccompCmpOp::Eq, command));
    rules.insert(libc::SYS_fcntl, noted.collect::<Result<_, _>>()?);
    // A request has the letter of its family in its second byte.
    let of_family = |letter: u64| when(1, SeccompCmpOp::MaskedEq(0xff00), letter << 8);
    let of_families = FILE_SYSTEM_REQUESTS.into_iter().map(of_family);
    rules.insert(libc::SYS_ioctl, of_families.collect::<Result<_, _>>()?);
    Ok(rules)
}

/// With the same calls as those of programs with short addresses (x32), which some kernels have.
fn with_short_addresses(mut rules: Rules) -> Rules {
    const X32: i64 = 0x4000_0000;
    const X32_IOCTL: i64 = 514;
    if cfg!(target_arch = "x86_64") {
        for (call, when) in rules.clone() {
            if call == libc::SYS_ioctl {
                rules.insert(X32 | X32_IOCTL, when.clone());
            }
            rules.insert(X32 | call, when);
        }
    }
    rules
}

/// Calls by which a program could leave a note, or learn what others do.
const ALWAYS: &[c_long] = &[
    // Keyrings outlive the program.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // System V objects and POSIX queues outlive it too. Their numbers are valid in every process, and those of other
    // programs could be changed.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Attributes of files.
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
    // Modes, owners and times of files.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    // Before Linux 6.2, Landlock does not keep a program from emptying files.
    libc::SYS_truncate,
    // Who opens which file.
    libc::SYS_inotify_init1,
    libc::SYS_fanotify_init,
];

/// Newer calls, which have one number on all processors. The crate of the C library does not name them on each.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const FILE_SETATTR: c_long = 469;

/// Older forms of some of these calls.
#[cfg(target_arch = "x86_64")]
const OLD: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_inotify_init,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[c_long] = &[];

/// Calls that open a file and may empty it, and which of their arguments has the flags.
#[cfg(target_arch = "x86_64")]
const OPENS: &[(c_long, u8)] = &[(libc::SYS_openat, 2), (libc::SYS_open, 1)];
#[cfg(not(target_arch = "x86_64"))]
const OPENS: &[(c_long, u8)] = &[(libc::SYS_openat, 2)];

/// The first one tells who opens a file of a folder. Hints are remembered with a file.
const NOTES_BY_FCNTL: [u64; 3] = [libc::F_NOTIFY as u64, F_SET_RW_HINT, F_SET_FILE_RW_HINT];
const F_SET_RW_HINT: u64 = 1036;
const F_SET_FILE_RW_HINT: u64 = 1038;

/// Requests to file systems. They set attributes, versions and keys, and Btrfs makes folders and copies of folders by
/// them, without write access to anything. Reading by them is refused too: no program depends on it.
const FILE_SYSTEM_REQUESTS: [u64; 7] = [
    b'f' as u64, // attributes, encryption; of ext4, versions
    b'v' as u64, // versions
    b'X' as u64, // more attributes; of XFS
    b'r' as u64, // attributes on FAT
    0x94,        // Btrfs; shared parts of files
    0xbc,        // bcachefs
    0xf5,        // F2FS
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the kernel can refuse calls; says so where it cannot.
    fn kernel_has_filters() -> bool {
        const SECCOMP_GET_ACTION_AVAIL: c_long = 2;
        let refuse = libc::SECCOMP_RET_ERRNO;
        // SAFETY: the call reads one number.
        let answer =
            unsafe { libc::syscall(libc::SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &refuse) };
        if answer != 0 {
            eprintln!("not tested: this kernel has no filters of system calls (seccomp)");
        }
        answer == 0
    }

    /// What a thread under the filter gets from a call.
    fn errno(call: impl FnOnce() -> c_long + Send + 'static) -> i32 {
        let filter = CallFilter::new().expect("the kernel has filters");
        let thread = std::thread::spawn(move || {
            filter.apply().unwrap();
            match call() {
                -1 => io::Error::last_os_error().raw_os_error().unwrap(),
                _ => 0,
            }
        });
        thread.join().unwrap()
    }

    #[test]
    fn sockets_are_refused_except_pairs_that_lead_nowhere_else() {
        if !kernel_has_filters() {
            return;
        }
        let socket = |family, kind, protocol| {
            // SAFETY: a system call on numbers.
            errno(move || unsafe { libc::socket(family, kind, protocol) }.into())
        };
        const MPTCP: i32 = 262;
        assert_eq!(socket(libc::AF_UNIX, libc::SOCK_STREAM, 0), libc::EPERM);
        assert_eq!(socket(libc::AF_UNIX, libc::SOCK_DGRAM, 0), libc::EPERM);
        assert_eq!(socket(libc::AF_INET, libc::SOCK_STREAM, 0), libc::EPERM);
        assert_eq!(socket(libc::AF_INET, libc::SOCK_STREAM, MPTCP), libc::EPERM);
        assert_eq!(socket(libc::AF_INET6, libc::SOCK_DGRAM, 0), libc::EPERM);
        assert_eq!(socket(libc::AF_NETLINK, libc::SOCK_RAW, 0), libc::EPERM);
        let pair = |kind| {
            errno(move || {
                let mut ends = [0; 2];
                // SAFETY: two numbers, valid to write to.
                unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) }.into()
            })
        };
        assert_eq!(pair(libc::SOCK_STREAM | libc::SOCK_CLOEXEC), 0);
        assert_eq!(pair(libc::SOCK_SEQPACKET), 0);
        assert_eq!(pair(libc::SOCK_DGRAM), libc::EPERM);
        assert_eq!(pair(libc::SOCK_DGRAM | libc::SOCK_NONBLOCK), libc::EPERM);
        assert_eq!(pair(libc::SOCK_RAW), libc::EPERM);
    }

    #[test]
    fn only_its_own_limits_can_be_changed() {
        if !kernel_has_filters() {
            return;
        }
        let limit_of = |pid: i32| {
            let (call, limit) = (libc::SYS_prlimit64, libc::RLIMIT_CORE);
            // SAFETY: no structure is read or written.
            errno(move || unsafe { libc::syscall(call, pid, limit, 0, 0) })
        };
        assert_eq!(limit_of(0), 0);
        let parent = std::os::unix::process::parent_id();
        assert_eq!(limit_of(parent.cast_signed()), libc::EPERM);
    }

    #[test]
    fn no_call_leaves_a_note_in_a_file() {
        if !kernel_has_filters() {
            return;
        }
        // Calls of numbers that no file has: without the filter the error is another one.
        let calls: [[c_long; 3]; 9] = [
            [libc::SYS_fchmod, -1, 0o600],
            [libc::SYS_keyctl, 0, -1],
            [libc::SYS_fcntl, -1, 1036],
            [libc::SYS_ioctl, -1, 0x4008_6602],
            [libc::SYS_ioctl, -1, 0x401c_5820], // FS_IOC_FSSETXATTR
            [libc::SYS_ioctl, -1, 0x5000_940e], // BTRFS_IOC_SUBVOL_CREATE
            [libc::SYS_ioctl, -1, 0xc050_6617], // FS_IOC_ADD_ENCRYPTION_KEY
            [libc::SYS_ioctl, -1, 0x4008_6604], // EXT4_IOC_SETVERSION
            [libc::SYS_io_uring_setup, 0, 0],
        ];
        for [call, first, second] in calls {
            // SAFETY: a system call on numbers; no pointer is followed before it is refused.
            let error = errno(move || unsafe { libc::syscall(call, first, second, 0, 0) });
            assert_eq!(error, libc::EPERM, "{call}");
        }
        let allowed: [[c_long; 3]; 3] = [
            [libc::SYS_fcntl, -1, libc::F_GETFD as c_long],
            [libc::SYS_ioctl, -1, libc::TCGETS as c_long],
            [libc::SYS_ioctl, -1, libc::FIONREAD as c_long],
        ];
        for [call, first, second] in allowed {
            // SAFETY: as above.
            let error = errno(move || unsafe { libc::syscall(call, first, second, 0, 0) });
            assert_eq!(error, libc::EBADF, "{call}");
        }
    }

    #[test]
    fn no_call_makes_or_reaches_an_object_that_outlives_the_program() {
        if !kernel_has_filters() {
            return;
        }
        let calls = [
            libc::SYS_shmget,
            libc::SYS_shmat,
            libc::SYS_shmctl,
            libc::SYS_msgget,
            libc::SYS_msgsnd,
            libc::SYS_msgrcv,
            libc::SYS_msgctl,
            libc::SYS_semget,
            libc::SYS_semop,
            libc::SYS_semtimedop,
            libc::SYS_semctl,
            libc::SYS_mq_open,
            libc::SYS_mq_unlink,
        ];
        for call in calls {
            // SAFETY: numbers that no object has, and null pointers: without the filter the error is another one.
            let error = errno(move || unsafe { libc::syscall(call, -1, 0, 0, 0, 0, 0) });
            assert_eq!(error, libc::EPERM, "{call}");
        }
    }

    #[test]
    fn no_call_empties_a_file_without_writing_to_it() {
        if !kernel_has_filters() {
            return;
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "text").unwrap();
        let path = file.path().as_os_str().as_encoded_bytes();
        let path = std::ffi::CString::new(path).unwrap();
        let opened = |call: c_long, mode: libc::c_int| {
            let (path, folder) = (path.clone(), libc::AT_FDCWD);
            // SAFETY: a text that ends with a zero, and numbers.
            errno(move || unsafe {
                match call {
                    libc::SYS_openat => libc::syscall(call, folder, path.as_ptr(), mode),
                    _ => libc::syscall(call, path.as_ptr(), c_long::from(mode), 0),
                }
            })
        };
        for mode in [libc::O_RDONLY, libc::O_ACCMODE] {
            let mode = mode | libc::O_TRUNC;
            assert_eq!(opened(libc::SYS_openat, mode), libc::EPERM);
            #[cfg(target_arch = "x86_64")]
            assert_eq!(opened(libc::SYS_open, mode), libc::EPERM);
        }
        assert_eq!(opened(libc::SYS_truncate, 0), libc::EPERM);
        // As on a kernel without it: callers then use `openat`.
        assert_eq!(opened(libc::SYS_openat2, 0), libc::ENOSYS);
        assert_eq!(std::fs::read(file.path()).unwrap(), b"text");
        // Where files may be written, such as `/dev/null`, this is how shells do it.
        for mode in [libc::O_RDONLY, libc::O_WRONLY | libc::O_TRUNC] {
            assert_eq!(opened(libc::SYS_openat, mode), 0);
        }
    }
}
