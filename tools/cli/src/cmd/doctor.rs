//! `tester doctor`: how safely this machine can judge, and what would help.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use tester_core::process::machine::{Machine, Obstacle, Place};
use tester_core::process::{Command, Containment};
use tester_core::run::calibrate::calibration_ms;
use tester_core::util::tester_word::tester_word;

use crate::args;
use crate::cmd::run_spec::physical_cores;
use crate::print::print;

/// A line of the answer.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Check {
    fn new(name: &'static str, ok: bool, text: impl Into<String>) -> Self {
        Self {
            name,
            ok,
            text: text.into(),
            hint: None,
        }
    }

    /// What would help, if something is missing.
    fn or_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = (!self.ok).then(|| hint.into());
        self
    }
}

pub(crate) fn run(args: &args::Doctor) -> Result<ExitCode> {
    let machine = Machine::look();
    let mut checks = checks(&machine);
    checks.extend([cores(), git(), debuggers()]);
    let text = match args.json {
        true => serde_json::to_string(&checks)? + "\n",
        false => text(&checks, is_safe(&machine)),
    };
    print(&text)?;
    Ok(ExitCode::from(u8::from(!is_safe(&machine))))
}

/// Whether nothing of a program can outlive its case.
fn is_safe(machine: &Machine) -> bool {
    machine.no_proc.is_none() && machine.containment != Containment::Tree
}

fn text(checks: &[Check], is_safe: bool) -> String {
    let mut text = String::new();
    for Check {
        name,
        ok,
        text: what,
        hint,
    } in checks
    {
        let state = if *ok { "ok" } else { "missing" };
        text.push_str(&format!("{name:<17}{state:<9}{what}\n"));
        if let Some(hint) = hint {
            text.push_str(&format!("{:17}hint: {hint}\n", ""));
        }
    }
    text.push_str(match is_safe {
        true => "Judging is safe here: nothing that a program starts can outlive its case.\n",
        false => {
            "Judging is not safe here: a program that forks without end may outlive its case.\n"
        }
    });
    text
}

/// What can be said of the machine's facts alone.
fn checks(machine: &Machine) -> Vec<Check> {
    vec![
        judging(machine),
        sandbox(machine),
        place(machine),
        kernel(machine),
        proc(machine),
        cgroup(machine),
        namespace(machine),
        processes(machine),
        memory(machine),
        memory_in_files(machine),
        processor_time(machine),
        end(machine),
        landlock(machine),
        signals(machine),
        bubblewrap(machine),
        first_process(machine),
    ]
}

/// The options that give a container what a judge can use, as in `.devcontainer`.
const CONTAINER_OPTIONS: &str =
    "--init --security-opt seccomp=unconfined --security-opt systempaths=unconfined";

fn judging(machine: &Machine) -> Check {
    let ok = machine.no_proc.is_none() && machine.place != Place::Wsl1;
    let text = match ok {
        true => "all commands work; each line below says how, and what is missing",
        false => {
            "no program can be judged; history, show, compare, report, vis, judge, gen and play work"
        }
    };
    Check::new("judging", ok, text).or_hint("the line that is missing below says what to do")
}

fn sandbox(machine: &Machine) -> Check {
    let by_bubblewrap = machine.no_bubblewrap.is_none();
    let text = match (by_bubblewrap, machine.landlock > 0) {
        (true, _) => "--sandbox works, by bubblewrap",
        (false, true) => "--sandbox works, by Landlock, which hides less than bubblewrap",
        (false, false) => "--sandbox does not work: it needs bubblewrap or Landlock",
    };
    let ok = by_bubblewrap || machine.landlock > 0;
    Check::new("sandbox", ok, text).or_hint(match machine.place.is_container() {
        true => format!("install bubblewrap, and start the container with {CONTAINER_OPTIONS}"),
        false => "see Landlock and bubblewrap below".to_owned(),
    })
}

fn place(machine: &Machine) -> Check {
    let text = match &machine.place {
        Place::Own => "no container".to_owned(),
        Place::Container { engine, host: None } => format!("a container ({engine})"),
        Place::Container {
            engine,
            host: Some(host),
        } => format!("a container ({engine}) in the virtual machine of {host}: files of the host are slow"),
        Place::Wsl2 => {
            "WSL 2, with a kernel of its own: files below /mnt/c are slow, those in your home are not"
                .to_owned()
        }
        Place::Wsl1 => "WSL 1, where Windows imitates Linux: no pidfd, no namespaces".to_owned(),
    };
    Check::new("machine", machine.place != Place::Wsl1, text)
        .or_hint("in Windows: wsl --set-version DISTRIBUTION 2")
}

fn has_cgroup(machine: &Machine) -> bool {
    matches!(
        machine.containment,
        Containment::Cgroup | Containment::CgroupAndNamespace
    )
}

fn has_namespace(machine: &Machine) -> bool {
    matches!(
        machine.containment,
        Containment::Namespace | Containment::CgroupAndNamespace
    )
}

fn kernel(machine: &Machine) -> Check {
    let text = format!("Linux {} on {}", machine.kernel, machine.architecture);
    Check::new("kernel", true, text)
}

fn proc(machine: &Machine) -> Check {
    let name = "/proc";
    if let Some(found) = &machine.no_proc {
        let text = format!("expected the /proc of this PID namespace, found {found}");
        return Check::new(name, false, text).or_hint("mount -t proc proc /proc");
    }
    let text = match machine.hides_processes {
        false => "mounted and complete",
        true => "mounted, but hides processes of other users, which a program may start (setuid)",
    };
    Check::new(name, !machine.hides_processes, text)
        .or_hint("mount -o remount,hidepid=0 /proc, as root")
}

fn cgroup(machine: &Machine) -> Check {
    let name = "cgroup";
    if has_cgroup(machine) {
        let text = "batches and duels judge each program in a cgroup of its own";
        return Check::new(name, true, text);
    }
    let why = machine.no_cgroup.as_deref().unwrap_or("not tried");
    let tester = tester_word();
    let text = format!("no cgroup can be made: {why}");
    Check::new(name, false, text).or_hint(match machine.is_root {
        _ if machine.place.is_container() => {
            "a container has none of its own; to limit all of it: docker run --memory 4g --pids-limit 1000"
                .to_owned()
        }
        false => format!("with systemd: systemd-run --user --scope -p Delegate=yes {tester} ..."),
        true => format!(
            "with systemd: systemd-run --scope -p Delegate=yes {tester} ...; else, with cgroups of version 2: \
             echo +memory +pids > /sys/fs/cgroup/cgroup.subtree_control"
        ),
    })
}

fn namespace(machine: &Machine) -> Check {
    let name = "namespace";
    if has_namespace(machine) {
        return Check::new(name, true, "each program is judged in a PID namespace");
    }
    let why = machine.no_namespace.as_deref().unwrap_or("not tried");
    let hint = match machine.obstacle {
        Some(Obstacle::AppArmor) => {
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for this program with \
             `userns,`; as root"
        }
        Some(Obstacle::NoUserNamespaces) => "sysctl user.max_user_namespaces=10000, as root",
        Some(Obstacle::OnlyPrivileged) => "sysctl kernel.unprivileged_userns_clone=1, as root",
        Some(Obstacle::SystemCallFilter) => {
            "a filter of system calls is in force, as in a container: docker run --security-opt \
             seccomp=unconfined, or a profile that allows clone with namespaces, and mount"
        }
        None if machine.place.is_container() => {
            "if this user is root, judge as another one, or start the container with --cap-add SYS_ADMIN"
        }
        None => "judge on the machine itself, and not in a container or chroot",
    };
    Check::new(name, false, format!("no PID namespace can be made: {why}")).or_hint(hint)
}

fn processes(machine: &Machine) -> Check {
    let by_namespace = has_namespace(machine) && machine.namespace_limits;
    let ok = has_cgroup(machine) || by_namespace;
    let text = match ok {
        true => "the kernel limits processes",
        false if has_namespace(machine) => {
            "processes are counted every 20 ms: for root, a PID namespace limits them since Linux 6.14"
        }
        false => "processes are counted every 20 ms",
    };
    Check::new("processes", ok, text).or_hint(match machine.is_root {
        true => "judge as another user, or in a cgroup",
        false => "see cgroup and namespace above",
    })
}

fn memory(machine: &Machine) -> Check {
    let ok = has_cgroup(machine);
    let text = match ok {
        true => "the kernel limits memory, a sixteenth and 16 MiB above the limit that is judged",
        false => "memory is measured every 20 ms, and not limited by the kernel",
    };
    Check::new("memory", ok, text)
}

fn memory_in_files(machine: &Machine) -> Check {
    let text = match machine.containment {
        Containment::Cgroup | Containment::CgroupAndNamespace => {
            "files in memory, sockets and pipes count"
        }
        Containment::Namespace => {
            "/dev/shm has no more room than the memory limit; other files in memory do not count"
        }
        Containment::Tree => "files in memory do not count",
    };
    Check::new("memory in files", has_cgroup(machine), text)
}

fn processor_time(machine: &Machine) -> Check {
    let ok = has_cgroup(machine);
    let text = match ok {
        true => "that of every process counts",
        false => "that of children counts, unless their parent ignores SIGCHLD",
    };
    Check::new("processor time", ok, text)
}

fn end(machine: &Machine) -> Check {
    let ok = machine.containment != Containment::Tree;
    let text = match ok {
        true => "one step ends everything that a program has started",
        false => "processes are found and killed one by one; one that forks fast enough may escape",
    };
    Check::new("end of a case", ok, text)
}

fn landlock(machine: &Machine) -> Check {
    let text = match machine.landlock {
        0 => "not in this kernel, or not switched on".to_owned(),
        version => format!("version {version}; --sandbox can use it"),
    };
    Check::new("Landlock", machine.landlock > 0, text)
        .or_hint("Linux 5.13 or later, started with lsm=landlock,...")
}

fn signals(machine: &Machine) -> Check {
    let text = match machine.signal_scope {
        true => "programs cannot signal or trace the judge",
        false => {
            "programs of the same user can signal the judge; in a PID namespace they do not see it"
        }
    };
    Check::new("signal scope", machine.signal_scope, text)
        .or_hint("Linux 6.12 or later, with Landlock")
}

fn bubblewrap(machine: &Machine) -> Check {
    let why = machine.no_bubblewrap.as_deref();
    Check::new(
        "bubblewrap",
        why.is_none(),
        why.unwrap_or("--sandbox uses it"),
    )
    .or_hint(match machine.place.is_container() {
        true => format!("install bubblewrap, and start the container with {CONTAINER_OPTIONS}"),
        false => "install bubblewrap; it must be allowed to make namespaces".to_owned(),
    })
}

/// Programs that reap what others leave to them.
const INITS: [&str; 11] = [
    "systemd",
    "init",
    "tini",
    "docker-init",
    "dumb-init",
    "catatonit",
    "podman-init",
    "s6-svscan",
    "runit",
    "openrc-init",
    "launchd",
];

/// What has lost its parent after the judge was killed comes to process 1, which must reap it.
fn first_process(machine: &Machine) -> Check {
    let name = machine.first_process.as_deref().unwrap_or("hidden");
    let is_init = INITS.iter().any(|init| name.starts_with(init));
    // In a namespace, nothing is left when the judge was killed.
    let ok = is_init || has_namespace(machine);
    let text = match ok {
        true => format!("process 1 is {name}; nothing is left if the judge is killed"),
        false => {
            format!("process 1 is {name}, which may not reap what is left if the judge is killed")
        }
    };
    Check::new("init", ok, text).or_hint("in a container: docker run --init")
}

fn cores() -> Check {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (cores, speed) = (physical_cores(), calibration_ms());
    let text = format!(
        "{cores} cores with {threads} threads; the fixed piece of work of shards takes {speed:.1} ms"
    );
    Check::new("processor", true, text)
}

fn git() -> Check {
    let ok = Command::from_line("git --version").is_ok_and(|command| command.check().is_ok());
    let text = match ok {
        true => "runs record which commit was judged",
        false => "runs do not record which commit was judged",
    };
    Check::new("git", ok, text).or_hint("install git")
}

/// Debuggers that `tester attach` prints commands for.
fn debuggers() -> Check {
    let is_there = |name: &&str| Command::from_line(name).is_ok_and(|line| line.check().is_ok());
    let found: Vec<&str> = ["gdb", "lldb"].into_iter().filter(is_there).collect();
    let text = match found.is_empty() {
        true => "neither gdb nor lldb is found".to_owned(),
        false => format!("{} for tester attach", found.join(" and ")),
    };
    Check::new("debugger", !found.is_empty(), text).or_hint("install gdb")
}

#[cfg(test)]
mod tests;
