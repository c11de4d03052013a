//! What this machine offers to hold contestants: facts for `tester doctor`. It changes nothing, except that a cgroup
//! and a namespace are made and closed again.

use std::fs::read_to_string;

use super::bubblewrap::Bubblewrap;
use super::containment::Containment;
use super::kernel;
use super::landlock::{has_signal_scope, landlock_version};
use super::namespace::limits_processes;
use super::procfs::what_is_missing;

/// What was found.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The kernel's release, such as `6.1.0-18-amd64`.
    pub kernel: String,
    /// The processor's kind.
    pub architecture: &'static str,
    /// Whether this user is root.
    pub is_root: bool,
    /// The highest step of containment.
    pub containment: Containment,
    /// Why there is no cgroup, if there is none.
    pub no_cgroup: Option<String>,
    /// Why there is no namespace, if there is none.
    pub no_namespace: Option<String>,
    /// What may be the reason for that.
    pub obstacle: Option<Obstacle>,
    /// Whether a namespace, if there is one, limits processes.
    pub namespace_limits: bool,
    /// The version of Landlock; 0 if there is none.
    pub landlock: i32,
    /// Whether programs can be kept from sending signals to the judge.
    pub signal_scope: bool,
    /// Why bubblewrap cannot be used, if it cannot.
    pub no_bubblewrap: Option<String>,
    /// What is wrong with `/proc`, if something is.
    pub no_proc: Option<String>,
    /// Whether `/proc` hides other users' processes.
    pub hides_processes: bool,
    /// The name of the process with the number 1.
    pub first_process: Option<String>,
}

/// What keeps a user from making namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// AppArmor refuses them to programs that it does not know, as in Ubuntu 24.04.
    AppArmor,
    /// `user.max_user_namespaces` is 0.
    NoUserNamespaces,
    /// `kernel.unprivileged_userns_clone` is 0.
    OnlyPrivileged,
    /// A filter of system calls, as in a container.
    SystemCallFilter,
}

impl Machine {
    /// Looks at this machine.
    ///
    /// Cost: about 20 ms, most of it for bubblewrap.
    pub fn look() -> Self {
        let containment = Containment::find();
        Containment::close();
        Self {
            kernel: kernel::release(),
            architecture: std::env::consts::ARCH,
            is_root: rustix::process::geteuid().is_root(),
            containment,
            no_cgroup: Containment::why_no_cgroup().map(str::to_owned),
            no_namespace: Containment::why_no_namespace().map(str::to_owned),
            obstacle: Obstacle::find(&|path| read_to_string(path).ok()),
            namespace_limits: limits_processes(),
            landlock: landlock_version(),
            signal_scope: has_signal_scope(),
            no_bubblewrap: Bubblewrap::find(&[]).err(),
            no_proc: what_is_missing().map(str::to_owned),
            hides_processes: !std::path::Path::new("/proc/1/stat").exists(),
            first_process: read_to_string("/proc/1/comm")
                .ok()
                .map(|name| name.trim().to_owned()),
        }
    }
}

impl Obstacle {
    /// The first that is there; `read` gives the text of a file.
    fn find(read: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let is = |path: &str, value: &str| read(path).is_some_and(|text| text.trim() == value);
        let status = read("/proc/self/status").unwrap_or_default();
        let filtered = || status.lines().any(|line| line == "Seccomp:\t2");
        if is("/proc/sys/user/max_user_namespaces", "0") {
            Some(Self::NoUserNamespaces)
        } else if is("/proc/sys/kernel/unprivileged_userns_clone", "0") {
            Some(Self::OnlyPrivileged)
        } else if is(
            "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
            "1",
        ) {
            Some(Self::AppArmor)
        } else {
            filtered().then_some(Self::SystemCallFilter)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obstacles_are_read_from_the_kernels_switches() {
        let find = |files: &[(&str, &str)]| {
            Obstacle::find(&|path| {
                let mut found = files.iter().filter(|(name, _)| path.ends_with(name));
                found.next().map(|(_, text)| (*text).to_owned())
            })
        };
        assert_eq!(find(&[]), None);
        let free = [
            ("max_user_namespaces", "63000\n"),
            ("unprivileged_userns_clone", "1\n"),
            ("apparmor_restrict_unprivileged_userns", "0\n"),
            ("self/status", "Name:\ttester\nSeccomp:\t0\n"),
        ];
        assert_eq!(find(&free), None);
        for (at, text, obstacle) in [
            (0, "0\n", Obstacle::NoUserNamespaces),
            (1, "0\n", Obstacle::OnlyPrivileged),
            (2, "1\n", Obstacle::AppArmor),
            (3, "Seccomp:\t2\n", Obstacle::SystemCallFilter),
        ] {
            let mut files = free;
            files[at].1 = text;
            assert_eq!(find(&files), Some(obstacle));
        }
    }
}
