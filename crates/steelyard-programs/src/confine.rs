//! Programs confined to folders by Landlock, which Linux has without root since version 5.19.
//!
//! A thread confines itself and then starts the program, which inherits the limits of the thread that started it.
//! Nothing runs between fork and exec, so any number of threads may do this, and no wrapper is executed.

use crate::Failure;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;

/// Files and folders that a program may read and those that it may change; each with all that is below.
///
/// What cannot be opened is not reached.
#[derive(Default)]
pub struct Places {
    pub readable: Vec<PathBuf>,
    pub writable: Vec<PathBuf>,
}

/// Returns whether this machine confines programs; an error if that cannot be tried.
pub fn can_confine() -> Result<bool, Failure> {
    match apart(&Places::default(), || Ok(())) {
        Ok(()) => Ok(true),
        Err(Failure::Confinement(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Calls a function on a thread of its own that reaches nothing but `places`.
pub(crate) fn apart<T: Send>(places: &Places, call: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    thread::scope(|scope| {
        let confined = thread::Builder::new().spawn_scoped(scope, || {
            confine(places).map_err(|error| Failure::Confinement(error.to_string()))?;
            call()
        })?;
        confined.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Confines the calling thread for good.
#[cfg(target_os = "linux")]
fn confine(places: &Places) -> Result<(), landlock::RulesetError> {
    use landlock::{
        path_beneath_rules, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, ABI,
    };
    // Of later versions whatever the kernel has.
    let all = AccessFs::from_all(ABI::V5);
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        // The first version forbids what compilers do: to move a file from one folder to another.
        .handle_access(AccessFs::from_all(ABI::V2))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .create()?
        .add_rules(path_beneath_rules(&places.readable, AccessFs::from_read(ABI::V5)))?
        .add_rules(path_beneath_rules(&places.writable, all))?
        .restrict_self()?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn confine(_places: &Places) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
