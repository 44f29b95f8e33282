//! Programs that are run to their end: confined to folders, limited, and ended together if need be.

mod confine;
mod limit;
mod wait;

pub use confine::{can_confine, Places};
pub use limit::Limits;

use rustix::process::{kill_process_group, Pid, Signal};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Of what a program says no more than this is read.
const PRINTED_LIMIT_BYTES: u64 = 16 << 20;

/// Programs that run, each the leader of its process group.
static RUNNING: LazyLock<Mutex<HashSet<Pid>>> = LazyLock::new(Mutex::default);

/// A program and its arguments, where it is started and with which environment.
pub struct Program<'a> {
    pub command: &'a [OsString],
    pub folder: &'a Path,
    pub environment: &'a [(OsString, OsString)],
    /// What it and all that it starts are confined to; without it they reach everything.
    pub places: Option<&'a Places>,
    pub limits: Limits,
}

/// How a program ended, and the beginning of what it said.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status, negative for the signal that ended it.
    pub status: i32,
    pub printed: Vec<u8>,
    pub complaints: Vec<u8>,
    /// Whether it ended before `Limits::wall`.
    pub in_time: bool,
}

/// Why a program was not run to its end.
#[derive(Debug)]
pub enum Failure {
    /// It cannot be started.
    Start(io::Error),
    /// The kernel does not confine it.
    Confinement(String),
    /// `end_all` ended it, or the caller wanted no more of it.
    Interrupted,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Start(error)
    }
}

impl From<rustix::io::Errno> for Failure {
    fn from(error: rustix::io::Errno) -> Self {
        Failure::Start(error.into())
    }
}

/// Runs a program; all programs that it starts end with it.
///
/// `interrupted` is asked now and then, and whenever a signal reaches this thread.
pub fn run(program: &Program, interrupted: impl FnMut() -> bool) -> Result<Ended, Failure> {
    let (mut printed, mut complaints) = (unnamed_file("printed")?, unnamed_file("complaints")?);
    let mut child = match program.places {
        None => start(program, &printed, &complaints)?,
        Some(places) => confine::apart(places, || Ok(start(program, &printed, &complaints)?))?,
    };
    let group = Pid::from_child(&child);
    running().insert(group);
    limit::limit(group, &program.limits);
    let in_time = wait::ends(group, program.limits.wall, interrupted);
    // Its number is its own until it is waited for: nothing is sent to it behind that.
    let wanted = running().remove(&group);
    let _ = kill_process_group(group, Signal::KILL);
    let status = child.wait()?;
    let in_time = in_time?;
    if !wanted {
        return Err(Failure::Interrupted);
    }
    Ok(Ended {
        status: status.code().unwrap_or_else(|| -status.signal().unwrap_or_default()),
        printed: beginning(&mut printed, &program.limits)?,
        complaints: beginning(&mut complaints, &program.limits)?,
        in_time,
    })
}

/// Ends what `run` runs, on all threads.
pub fn end_all() {
    for group in running().drain() {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn start(program: &Program, printed: &File, complaints: &File) -> io::Result<Child> {
    let (name, arguments) = program.command.split_first().ok_or(io::ErrorKind::NotFound)?;
    Command::new(name)
        .args(arguments)
        .current_dir(program.folder)
        .env_clear()
        .envs(program.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(printed.try_clone()?)
        .stderr(complaints.try_clone()?)
        .process_group(0)
        .spawn()
}

fn running() -> MutexGuard<'static, HashSet<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an empty file without a name; in memory where there is such, since most programs say nothing.
#[cfg(target_os = "linux")]
fn unnamed_file(what: &str) -> io::Result<File> {
    use rustix::fs::{memfd_create, MemfdFlags};
    Ok(memfd_create(what, MemfdFlags::CLOEXEC)?.into())
}

#[cfg(not(target_os = "linux"))]
fn unnamed_file(_what: &str) -> io::Result<File> {
    tempfile::tempfile()
}

/// Returns what was said, up to the limit of a file, which a program may pass before it is limited.
fn beginning(file: &mut File, limits: &Limits) -> io::Result<Vec<u8>> {
    let mut said = Vec::new();
    file.rewind()?;
    file.take(PRINTED_LIMIT_BYTES.min(limits.file_bytes)).read_to_end(&mut said)?;
    Ok(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn what_is_ended_from_another_thread_was_interrupted() {
        let command = ["/bin/sleep", "60"].map(OsString::from);
        let limits = Limits { memory_bytes: 1 << 30, file_bytes: 1 << 20, cpu_s: 60, wall: Duration::from_secs(60) };
        let program = Program { command: &command, folder: Path::new("/"), environment: &[], places: None, limits };
        let ended = thread::scope(|scope| {
            let runs = scope.spawn(|| run(&program, || false));
            while running().is_empty() {
                thread::yield_now();
            }
            end_all();
            runs.join().expect("it returns")
        });
        assert!(matches!(ended, Err(Failure::Interrupted)), "{ended:?}");
    }
}
