//! What `tester doctor` says of machines of every kind.

use super::*;

/// A machine with all that there is.
fn best() -> Machine {
    Machine {
        kernel: "6.18.1".to_owned(),
        place: Place::Own,
        architecture: "x86_64",
        is_root: false,
        containment: Containment::CgroupAndNamespace,
        no_cgroup: None,
        no_namespace: None,
        obstacle: None,
        namespace_limits: true,
        landlock: 7,
        signal_scope: true,
        no_bubblewrap: None,
        no_proc: None,
        hides_processes: false,
        first_process: Some("systemd".to_owned()),
    }
}

fn shown(machine: &Machine) -> String {
    text(&checks(machine), is_safe(machine))
}

#[test]
fn nothing_is_missing_on_the_best_machine() {
    insta::assert_snapshot!(shown(&best()), @"
    judging          ok       all commands work; each line below says how, and what is missing
    sandbox          ok       --sandbox works, by bubblewrap
    machine          ok       no container
    kernel           ok       Linux 6.18.1 on x86_64
    /proc            ok       mounted and complete
    cgroup           ok       batches and duels judge each program in a cgroup of its own
    namespace        ok       each program is judged in a PID namespace
    processes        ok       the kernel limits processes
    memory           ok       the kernel limits memory, a sixteenth and 16 MiB above the limit that is judged
    memory in files  ok       files in memory, sockets and pipes count
    processor time   ok       that of every process counts
    end of a case    ok       one step ends everything that a program has started
    Landlock         ok       version 7; --sandbox can use it
    signal scope     ok       programs cannot signal or trace the judge
    bubblewrap       ok       --sandbox uses it
    init             ok       process 1 is systemd; nothing is left if the judge is killed
    Judging is safe here: nothing that a program starts can outlive its case.
    ");
}

#[test]
fn without_cgroups_a_namespace_is_safe() {
    let machine = Machine {
        containment: Containment::Namespace,
        no_cgroup: Some("/sys/fs/cgroup/user.slice/a is not delegated to this user".to_owned()),
        ..best()
    };
    insta::assert_snapshot!(shown(&machine), @"
    judging          ok       all commands work; each line below says how, and what is missing
    sandbox          ok       --sandbox works, by bubblewrap
    machine          ok       no container
    kernel           ok       Linux 6.18.1 on x86_64
    /proc            ok       mounted and complete
    cgroup           missing  no cgroup can be made: /sys/fs/cgroup/user.slice/a is not delegated to this user
                     hint: with systemd: systemd-run --user --scope -p Delegate=yes tester ...
    namespace        ok       each program is judged in a PID namespace
    processes        ok       the kernel limits processes
    memory           missing  memory is measured every 20 ms, and not limited by the kernel
    memory in files  missing  /dev/shm has no more room than the memory limit; other files in memory do not count
    processor time   missing  that of children counts, unless their parent ignores SIGCHLD
    end of a case    ok       one step ends everything that a program has started
    Landlock         ok       version 7; --sandbox can use it
    signal scope     ok       programs cannot signal or trace the judge
    bubblewrap       ok       --sandbox uses it
    init             ok       process 1 is systemd; nothing is left if the judge is killed
    Judging is safe here: nothing that a program starts can outlive its case.
    ");
}

#[test]
fn root_on_an_older_kernel_learns_what_would_limit_processes() {
    let machine = Machine {
        kernel: "6.1.0".to_owned(),
        is_root: true,
        containment: Containment::Namespace,
        no_cgroup: Some("/sys/fs/cgroup has no controller memory and pids".to_owned()),
        namespace_limits: false,
        landlock: 2,
        signal_scope: false,
        no_bubblewrap: Some("not installed".to_owned()),
        ..best()
    };
    insta::assert_snapshot!(shown(&machine), @"
    judging          ok       all commands work; each line below says how, and what is missing
    sandbox          ok       --sandbox works, by Landlock, which hides less than bubblewrap
    machine          ok       no container
    kernel           ok       Linux 6.1.0 on x86_64
    /proc            ok       mounted and complete
    cgroup           missing  no cgroup can be made: /sys/fs/cgroup has no controller memory and pids
                     hint: with systemd: systemd-run --scope -p Delegate=yes tester ...; else, with cgroups of version 2: echo +memory +pids > /sys/fs/cgroup/cgroup.subtree_control
    namespace        ok       each program is judged in a PID namespace
    processes        missing  processes are counted every 20 ms: for root, a PID namespace limits them since Linux 6.14
                     hint: judge as another user, or in a cgroup
    memory           missing  memory is measured every 20 ms, and not limited by the kernel
    memory in files  missing  /dev/shm has no more room than the memory limit; other files in memory do not count
    processor time   missing  that of children counts, unless their parent ignores SIGCHLD
    end of a case    ok       one step ends everything that a program has started
    Landlock         ok       version 2; --sandbox can use it
    signal scope     missing  programs of the same user can signal the judge; in a PID namespace they do not see it
                     hint: Linux 6.12 or later, with Landlock
    bubblewrap       missing  not installed
                     hint: install bubblewrap; it must be allowed to make namespaces
    init             ok       process 1 is systemd; nothing is left if the judge is killed
    Judging is safe here: nothing that a program starts can outlive its case.
    ");
}

#[test]
fn a_cgroup_without_a_namespace_is_safe_and_the_switch_is_named() {
    for (obstacle, switch) in [
        (
            Obstacle::AppArmor,
            "apparmor_restrict_unprivileged_userns=0",
        ),
        (Obstacle::NoUserNamespaces, "user.max_user_namespaces"),
        (Obstacle::OnlyPrivileged, "unprivileged_userns_clone=1"),
        (Obstacle::SystemCallFilter, "seccomp=unconfined"),
    ] {
        let machine = Machine {
            containment: Containment::Cgroup,
            no_namespace: Some("Permission denied".to_owned()),
            obstacle: Some(obstacle),
            ..best()
        };
        let shown = shown(&machine);
        assert!(shown.contains(switch), "{shown}");
        assert!(shown.contains("end of a case    ok"), "{shown}");
        assert!(shown.contains("processes        ok"), "{shown}");
        assert!(is_safe(&machine));
    }
}

#[test]
fn a_container_that_allows_nothing_is_not_safe() {
    let machine = Machine {
        containment: Containment::Tree,
        no_cgroup: Some("/sys/fs/cgroup is not delegated to this user".to_owned()),
        no_namespace: Some("Operation not permitted (os error 1)".to_owned()),
        obstacle: None,
        landlock: 0,
        signal_scope: false,
        no_bubblewrap: Some("not installed".to_owned()),
        no_proc: Some("no /proc/self (No such file or directory)".to_owned()),
        first_process: None,
        ..best()
    };
    assert!(!is_safe(&machine));
    insta::assert_snapshot!(shown(&machine), @"
    judging          missing  no program can be judged; history, show, compare, report, vis, judge, gen and play work
                     hint: the line that is missing below says what to do
    sandbox          missing  --sandbox does not work: it needs bubblewrap or Landlock
                     hint: see Landlock and bubblewrap below
    machine          ok       no container
    kernel           ok       Linux 6.18.1 on x86_64
    /proc            missing  expected the /proc of this PID namespace, found no /proc/self (No such file or directory)
                     hint: mount -t proc proc /proc
    cgroup           missing  no cgroup can be made: /sys/fs/cgroup is not delegated to this user
                     hint: with systemd: systemd-run --user --scope -p Delegate=yes tester ...
    namespace        missing  no PID namespace can be made: Operation not permitted (os error 1)
                     hint: judge on the machine itself, and not in a container or chroot
    processes        missing  processes are counted every 20 ms
                     hint: see cgroup and namespace above
    memory           missing  memory is measured every 20 ms, and not limited by the kernel
    memory in files  missing  files in memory do not count
    processor time   missing  that of children counts, unless their parent ignores SIGCHLD
    end of a case    missing  processes are found and killed one by one; one that forks fast enough may escape
    Landlock         missing  not in this kernel, or not switched on
                     hint: Linux 5.13 or later, started with lsm=landlock,...
    signal scope     missing  programs of the same user can signal the judge; in a PID namespace they do not see it
                     hint: Linux 6.12 or later, with Landlock
    bubblewrap       missing  not installed
                     hint: install bubblewrap; it must be allowed to make namespaces
    init             missing  process 1 is hidden, which may not reap what is left if the judge is killed
                     hint: in a container: docker run --init
    Judging is not safe here: a program that forks without end may outlive its case.
    ");
    let hidden = Machine {
        hides_processes: true,
        ..best()
    };
    assert!(shown(&hidden).contains("/proc            missing"));
}

/// What Docker gives by default to a user who is not root.
fn usual_container() -> Machine {
    Machine {
        kernel: "6.10.14-linuxkit".to_owned(),
        place: Place::Container {
            engine: "Docker".to_owned(),
            host: Some("Docker Desktop"),
        },
        architecture: "aarch64",
        containment: Containment::Tree,
        no_cgroup: Some("/sys/fs/cgroup is read-only".to_owned()),
        no_namespace: Some("Operation not permitted (os error 1)".to_owned()),
        obstacle: Some(Obstacle::SystemCallFilter),
        landlock: 0,
        signal_scope: false,
        no_bubblewrap: Some("not installed".to_owned()),
        first_process: Some("bash".to_owned()),
        ..best()
    }
}

#[test]
fn a_container_without_options_says_which_options_help() {
    insta::assert_snapshot!(shown(&usual_container()), @"
    judging          ok       all commands work; each line below says how, and what is missing
    sandbox          missing  --sandbox does not work: it needs bubblewrap or Landlock
                     hint: install bubblewrap, and start the container with --init --security-opt seccomp=unconfined --security-opt systempaths=unconfined
    machine          ok       a container (Docker) in the virtual machine of Docker Desktop: files of the host are slow
    kernel           ok       Linux 6.10.14-linuxkit on aarch64
    /proc            ok       mounted and complete
    cgroup           missing  no cgroup can be made: /sys/fs/cgroup is read-only
                     hint: a container has none of its own; to limit all of it: docker run --memory 4g --pids-limit 1000
    namespace        missing  no PID namespace can be made: Operation not permitted (os error 1)
                     hint: a filter of system calls is in force, as in a container: docker run --security-opt seccomp=unconfined, or a profile that allows clone with namespaces, and mount
    processes        missing  processes are counted every 20 ms
                     hint: see cgroup and namespace above
    memory           missing  memory is measured every 20 ms, and not limited by the kernel
    memory in files  missing  files in memory do not count
    processor time   missing  that of children counts, unless their parent ignores SIGCHLD
    end of a case    missing  processes are found and killed one by one; one that forks fast enough may escape
    Landlock         missing  not in this kernel, or not switched on
                     hint: Linux 5.13 or later, started with lsm=landlock,...
    signal scope     missing  programs of the same user can signal the judge; in a PID namespace they do not see it
                     hint: Linux 6.12 or later, with Landlock
    bubblewrap       missing  not installed
                     hint: install bubblewrap, and start the container with --init --security-opt seccomp=unconfined --security-opt systempaths=unconfined
    init             missing  process 1 is bash, which may not reap what is left if the judge is killed
                     hint: in a container: docker run --init
    Judging is not safe here: a program that forks without end may outlive its case.
    ");
}

/// As found in the container of `.devcontainer`, run by podman 4.3 for a user who is not root: with the options of the
/// recipe, or without any.
fn podman(with_options: bool) -> Machine {
    let refused = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted";
    Machine {
        place: Place::Container {
            engine: "Podman".to_owned(),
            host: None,
        },
        containment: Containment::Namespace,
        no_cgroup: Some("/sys/fs/cgroup has no controller memory and pids".to_owned()),
        no_bubblewrap: (!with_options).then(|| refused.to_owned()),
        first_process: Some(if with_options { "podman-init" } else { "bash" }.to_owned()),
        ..best()
    }
}

#[test]
fn a_container_with_the_options_of_the_recipe_has_both_sandboxes() {
    assert!(is_safe(&podman(true)) && is_safe(&podman(false)));
    insta::assert_snapshot!(shown(&podman(true)), @"
    judging          ok       all commands work; each line below says how, and what is missing
    sandbox          ok       --sandbox works, by bubblewrap
    machine          ok       a container (Podman)
    kernel           ok       Linux 6.18.1 on x86_64
    /proc            ok       mounted and complete
    cgroup           missing  no cgroup can be made: /sys/fs/cgroup has no controller memory and pids
                     hint: a container has none of its own; to limit all of it: docker run --memory 4g --pids-limit 1000
    namespace        ok       each program is judged in a PID namespace
    processes        ok       the kernel limits processes
    memory           missing  memory is measured every 20 ms, and not limited by the kernel
    memory in files  missing  /dev/shm has no more room than the memory limit; other files in memory do not count
    processor time   missing  that of children counts, unless their parent ignores SIGCHLD
    end of a case    ok       one step ends everything that a program has started
    Landlock         ok       version 7; --sandbox can use it
    signal scope     ok       programs cannot signal or trace the judge
    bubblewrap       ok       --sandbox uses it
    init             ok       process 1 is podman-init; nothing is left if the judge is killed
    Judging is safe here: nothing that a program starts can outlive its case.
    ");
    let (with, without) = (shown(&podman(true)), shown(&podman(false)));
    let differs = without
        .lines()
        .filter(|line| !with.lines().any(|other| other == *line));
    insta::assert_snapshot!(differs.collect::<Vec<_>>().join("\n"), @"
    sandbox          ok       --sandbox works, by Landlock, which hides less than bubblewrap
    bubblewrap       missing  bwrap: Can't mount proc on /newroot/proc: Operation not permitted
                     hint: install bubblewrap, and start the container with --init --security-opt seccomp=unconfined --security-opt systempaths=unconfined
    init             ok       process 1 is bash; nothing is left if the judge is killed
    ");
}

#[test]
fn wsl_1_cannot_judge_and_wsl_2_can() {
    let wsl = |place, kernel: &str, no_proc: Option<&str>| {
        let machine = Machine {
            kernel: kernel.to_owned(),
            place,
            no_proc: no_proc.map(str::to_owned),
            ..best()
        };
        shown(&machine)
            .lines()
            .take(5)
            .collect::<Vec<_>>()
            .join("\n")
    };
    insta::assert_snapshot!(wsl(Place::Wsl1, "4.4.0-19041-Microsoft", None), @"
    judging          missing  no program can be judged; history, show, compare, report, vis, judge, gen and play work
                     hint: the line that is missing below says what to do
    sandbox          ok       --sandbox works, by bubblewrap
    machine          missing  WSL 1, where Windows imitates Linux: no pidfd, no namespaces
                     hint: in Windows: wsl --set-version DISTRIBUTION 2
    ");
    insta::assert_snapshot!(wsl(Place::Wsl2, "5.15.167.4-microsoft-standard-WSL2", None), @"
    judging          ok       all commands work; each line below says how, and what is missing
    sandbox          ok       --sandbox works, by bubblewrap
    machine          ok       WSL 2, with a kernel of its own: files below /mnt/c are slow, those in your home are not
    kernel           ok       Linux 5.15.167.4-microsoft-standard-WSL2 on x86_64
    /proc            ok       mounted and complete
    ");
}
