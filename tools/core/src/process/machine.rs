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
    /// What kind of machine it is.
    pub place: Place,
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

/// What kind of machine it is, as far as that changes what works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A machine, or a virtual one, of its own.
    Own,
    /// A container, and what runs it.
    Container {
        /// Such as Docker.
        engine: String,
        /// The system outside, where the kernel's name tells it.
        host: Option<&'static str>,
    },
    /// Windows Subsystem for Linux 2: a kernel of its own.
    Wsl2,
    /// Windows Subsystem for Linux 1: Windows, which imitates Linux.
    Wsl1,
}

impl Place {
    /// From the kernel's release and files; `read` gives the text of a file.
    fn find(release: &str, read: &dyn Fn(&str) -> Option<String>) -> Self {
        let is_wsl2 =
            release.to_lowercase().contains("microsoft-standard") || release.contains("WSL2");
        let host = match release {
            release if release.contains("linuxkit") => Some("Docker Desktop"),
            _ if is_wsl2 => Some("WSL 2 or Docker Desktop"),
            _ => None,
        };
        let named = read("/run/systemd/container").map(|name| name.trim().to_owned());
        let engine = if read("/.dockerenv").is_some() {
            Some("Docker".to_owned())
        } else if read("/run/.containerenv").is_some() {
            Some("Podman".to_owned())
        } else {
            named.filter(|name| !name.is_empty() && name != "wsl")
        };
        match engine {
            Some(engine) => Self::Container { engine, host },
            None if is_wsl2 => Self::Wsl2,
            // Releases such as 4.4.0-19041-Microsoft.
            None if release.ends_with("-Microsoft") => Self::Wsl1,
            None => Self::Own,
        }
    }

    /// Whether it is a container.
    pub fn is_container(&self) -> bool {
        matches!(self, Self::Container { .. })
    }
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
            place: Place::find(&kernel::release(), &|path| read_to_string(path).ok()),
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
    fn containers_and_wsl_are_told_from_a_machine_of_its_own() {
        let find = |release: &str, files: &[(&str, &str)]| {
            Place::find(release, &|path| {
                let mut found = files.iter().filter(|(name, _)| *name == path);
                found.next().map(|(_, text)| (*text).to_owned())
            })
        };
        let container = |engine: &str, host| Place::Container {
            engine: engine.to_owned(),
            host,
        };
        let docker = [("/.dockerenv", "")];
        for (release, files, expected) in [
            ("6.1.0-18-amd64", &[][..], Place::Own),
            ("6.1.0-18-amd64", &docker[..], container("Docker", None)),
            (
                "6.10.14-linuxkit",
                &docker,
                container("Docker", Some("Docker Desktop")),
            ),
            (
                "6.1.0",
                &[("/run/.containerenv", "engine=\"podman-4.3.1\"\n")],
                container("Podman", None),
            ),
            (
                "6.1.0",
                &[("/run/systemd/container", "lxc\n")],
                container("lxc", None),
            ),
            ("5.15.167.4-microsoft-standard-WSL2", &[], Place::Wsl2),
            (
                "5.15.167.4-microsoft-standard-WSL2",
                &[("/run/systemd/container", "wsl\n")],
                Place::Wsl2,
            ),
            (
                "5.15.167.4-microsoft-standard-WSL2",
                &docker,
                container("Docker", Some("WSL 2 or Docker Desktop")),
            ),
            ("4.4.0-19041-Microsoft", &[], Place::Wsl1),
        ] {
            assert_eq!(find(release, files), expected, "{release}");
        }
    }

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
