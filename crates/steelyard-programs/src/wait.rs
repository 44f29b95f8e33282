//! Waiting for a program's end.

use crate::Failure;
use rustix::io::{Errno, Result};
use rustix::process::{waitid, Pid, WaitId, WaitIdOptions};
use std::os::fd::OwnedFd;
use std::thread;
use std::time::{Duration, Instant};

/// How often the caller is asked whether it still wants to wait.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(100);
/// How often a kernel without handles of processes is asked.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// Returns whether a program ends within a time; it can still be waited for.
pub(crate) fn ends(
    process: Pid,
    wall: Duration,
    mut interrupted: impl FnMut() -> bool,
) -> std::result::Result<bool, Failure> {
    let end = Instant::now() + wall;
    let handle = handle(process);
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(false);
        }
        match ends_within(process, handle.as_ref(), left.min(BETWEEN_QUESTIONS)) {
            Ok(true) => return Ok(true),
            Ok(false) | Err(Errno::INTR) if interrupted() => return Err(Failure::Interrupted),
            Ok(false) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(target_os = "linux")]
fn handle(process: Pid) -> Option<OwnedFd> {
    use rustix::process::{pidfd_open, PidfdFlags};
    // Kernels have them since 5.3.
    pidfd_open(process, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn handle(_process: Pid) -> Option<OwnedFd> {
    None
}

fn ends_within(process: Pid, handle: Option<&OwnedFd>, time: Duration) -> Result<bool> {
    use rustix::event::{poll, PollFd, PollFlags, Timespec};
    if let Some(handle) = handle {
        let time = Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
        return Ok(poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&time))? > 0);
    }
    let ended = waitid(WaitId::Pid(process), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG)?;
    if ended.is_none() {
        thread::sleep(time.min(BETWEEN_LOOKS));
    }
    Ok(ended.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn end_is_seen_with_a_handle_and_without() {
        for with_handle in [true, false] {
            let mut child = Command::new("/bin/sleep").arg("60").spawn().expect("it starts");
            let process = Pid::from_child(&child);
            let handle = handle(process).filter(|_| with_handle);
            let time = Duration::from_millis(5);
            assert_eq!(ends_within(process, handle.as_ref(), time), Ok(false));
            child.kill().expect("it runs");
            let seen = (0..1000).any(|_| ends_within(process, handle.as_ref(), time) == Ok(true));
            child.wait().expect("it can still be waited for");
            assert!(seen);
        }
    }
}
