//! Compiled images beside one of gdb's simulators: start-up code and calls, registers and clocks compared every few
//! instructions, memories behind every call; and both timed on the same call.

use crate::{rl78, sparc};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use steelyard_emu::Argument;

/// One image and what to call in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Shown beside the result.
    pub name: String,
    pub target: String,
    pub elf: PathBuf,
    /// Placed in data memory before the first call.
    #[serde(default)]
    pub memory: Vec<Contents>,
    pub calls: Vec<Call>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    pub address: u32,
    /// Two digits a byte.
    pub hex: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    pub function: String,
    /// Value and size in bytes of each.
    pub arguments: Vec<(u64, u32)>,
}

/// Both ran the job and agreed in everything.
#[derive(Debug)]
pub struct Agreement {
    /// Start-up code and calls.
    pub instructions: u64,
    /// Of each call on the emulator with the clocks of the chip, call and return included.
    pub call_cycles: Vec<u64>,
}

/// Speed on the last call of a job.
#[derive(Debug)]
pub struct Speed {
    pub instructions: u64,
    pub emulator_million_per_s: f64,
    pub simulator_million_per_s: f64,
}

impl Contents {
    /// The bytes that the digits are.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        let pairs = self.hex.as_bytes().chunks(2).map(|pair| {
            let text = std::str::from_utf8(pair).ok().filter(|text| text.len() == 2)?;
            u8::from_str_radix(text, 16).ok()
        });
        pairs.collect::<Option<_>>().ok_or_else(|| format!("`{}` is not hexadecimal", self.hex))
    }
}

impl Call {
    /// As the emulator takes them.
    pub fn arguments(&self) -> Vec<Argument> {
        self.arguments.iter().map(|&(value, size_bytes)| Argument { value, size_bytes }).collect()
    }
}

/// Reads the jobs of a JSON file.
pub fn read(path: &Path) -> Result<Vec<Job>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs a job beside the simulator of its chip, and its calls once more with the clocks of the chip.
pub fn compare(job: &Job) -> Result<Agreement, String> {
    match job.target.as_str() {
        sparc::images::TARGET => sparc::images::compare(job),
        _ => rl78::compare(job),
    }
}

/// Times the last call of a job on both, each at its full speed.
pub fn speed(job: &Job) -> Result<Speed, String> {
    match job.target.as_str() {
        sparc::images::TARGET => sparc::images::speed(job),
        _ => rl78::speed(job),
    }
}

/// Time a process (its number, or `self`) has had a processor to itself, where the system tells: other programs then
/// count less.
pub fn processor_time(process: &str) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}
