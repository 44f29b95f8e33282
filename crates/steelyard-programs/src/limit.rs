//! What a program may take.

use rustix::process::Pid;
use std::time::Duration;

/// Limits of a program and of each program that it starts; `wall` limits all of them together.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Bytes of address space.
    pub memory_bytes: u64,
    /// Bytes of a file that it writes.
    pub file_bytes: u64,
    /// Seconds of processor time.
    pub cpu_s: u64,
    /// From start to end.
    pub wall: Duration,
}

/// Limits a program that runs, and what it has started.
///
/// Limits set before exec would need code between fork and exec, which is unsafe with threads, or a wrapper, which costs
/// as much as a small link. The program runs for microseconds without limits; what it has started in that time is
/// limited here, what it starts later inherits them.
#[cfg(target_os = "linux")]
pub(crate) fn limit(process: Pid, limits: &Limits) {
    use rustix::process::{getrlimit, prlimit, Resource, Rlimit};
    // At the soft limit of time a program is told why it ends, at the hard one it is not.
    for (kind, soft, hard) in [
        (Resource::As, limits.memory_bytes, limits.memory_bytes),
        (Resource::Fsize, limits.file_bytes, limits.file_bytes),
        (Resource::Cpu, limits.cpu_s, limits.cpu_s + 5),
    ] {
        let hard = getrlimit(kind).maximum.map_or(hard, |inherited| inherited.min(hard));
        // The program may have ended.
        let _ = prlimit(Some(process), kind, Rlimit { current: Some(soft.min(hard)), maximum: Some(hard) });
    }
    let number = process.as_raw_nonzero();
    let listed = std::fs::read_to_string(format!("/proc/{number}/task/{number}/children")).unwrap_or_default();
    for child in listed.split_whitespace().filter_map(|child| Pid::from_raw(child.parse().ok()?)) {
        limit(child, limits);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn limit(_process: Pid, _limits: &Limits) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::process::{kill_process, Signal};
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn limits_reach_what_was_started_before_them() {
        let mut shell = Command::new("/bin/sh")
            .args(["-c", "sleep 60 & echo $!; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell starts");
        let mut line = String::new();
        BufReader::new(shell.stdout.take().expect("piped")).read_line(&mut line).expect("a number");
        let limits = Limits { memory_bytes: 1 << 30, file_bytes: 1 << 20, cpu_s: 7, wall: Duration::from_secs(1) };
        limit(Pid::from_child(&shell), &limits);
        let child = line.trim().parse().ok().and_then(Pid::from_raw).expect("a number");
        let found = std::fs::read_to_string(format!("/proc/{}/limits", child.as_raw_nonzero())).expect("it runs");
        shell.kill().expect("the shell is ended");
        shell.wait().expect("the shell has ended");
        kill_process(child, Signal::KILL).expect("its child is ended");
        let cpu: Vec<&str> = found.lines().nth(1).expect("a second line").split_whitespace().skip(3).take(2).collect();
        assert_eq!(cpu, ["7", "12"], "{found}");
    }
}
