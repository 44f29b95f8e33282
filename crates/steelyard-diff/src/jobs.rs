//! Compiled images: the same calls on both machines, compared after every instruction.

use crate::chip::{Emulator, Target};
use crate::lockstep::{Pair, State, Subject};
use crate::simavr::Simavr;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use steelyard_emu::avr::abi;
use steelyard_emu::avr::table::{Op, ROWS};
use steelyard_emu::{Argument, Machine, Observe, Space};

/// The symbol at which an image's start-up code is done.
const READY: &str = "harness_ready";
/// simavr gets RAM up to the end of the data space, so that it has the lab memory too.
const REFERENCE_RAM_END: u16 = 0xFFFF;
/// Room for the planted call at the end of the flash.
const CALL_SITE_BYTES: usize = 8;
const MAX_CYCLES: u64 = 2_000_000_000;
/// The whole memory is compared this often and at the end of every call; the CPU after every instruction.
const MEMORY_EVERY_INSTRUCTIONS: u64 = 256;

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
    pub address: u16,
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

impl Contents {
    fn bytes(&self) -> Result<Vec<u8>, String> {
        let digits = self.hex.as_bytes();
        let pairs = digits.chunks(2).map(|pair| {
            let text = std::str::from_utf8(pair).ok().filter(|text| text.len() == 2)?;
            u8::from_str_radix(text, 16).ok()
        });
        pairs.collect::<Option<_>>().ok_or_else(|| format!("`{}` is not hexadecimal", self.hex))
    }
}

impl Job {
    fn image(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.elf).map_err(|error| format!("{}: {error}", self.elf.display()))
    }
}

impl Call {
    /// Registers and their values, as the C calling convention deals them.
    pub fn registers(&self) -> Result<Vec<(usize, u8)>, String> {
        let placement = abi::place(&self.arguments()).map_err(|error| error.to_string())?;
        if placement.stack.is_empty() {
            Ok(placement.registers)
        } else {
            Err(format!("{}: more arguments than registers", self.function))
        }
    }

    pub fn arguments(&self) -> Vec<Argument> {
        self.arguments.iter().map(|(value, size_bytes)| Argument { value: *value, size_bytes: *size_bytes }).collect()
    }
}

/// Both machines ran the job and agreed in everything.
#[derive(Debug)]
pub struct Agreement {
    /// Start-up code and calls.
    pub instructions: u64,
    /// Of each call, call and return included.
    pub call_cycles: Vec<u64>,
    /// The fault with which the emulator's own call ended the job: what a chip's limits forbid, stepping does not.
    pub fault: Option<String>,
}

/// Reads the jobs of a JSON file.
pub fn read(path: &Path) -> Result<Vec<Job>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Our machine with the job's image and memory in place, start-up code done.
pub fn prepare(target: &Target, job: &Job) -> Result<Box<dyn Machine>, String> {
    let mut machine = steelyard_emu::machine_from_json(&target.json()).map_err(|error| error.to_string())?;
    machine.load_elf(&job.image()?).map_err(|error| error.to_string())?;
    let ready = address_of(machine.as_ref(), READY)?;
    machine.run_until(ready, MAX_CYCLES).map_err(|error| error.to_string())?;
    for contents in &job.memory {
        machine
            .write(Space::Data, u32::from(contents.address), &contents.bytes()?)
            .map_err(|error| error.to_string())?;
    }
    Ok(machine)
}

/// Runs a job in lockstep and then through the emulator's own `call`; all three counts must agree.
pub fn compare(targets: &Path, job: &Job) -> Result<Agreement, String> {
    let target = Target::load(targets, &job.target)?;
    let mut machine = prepare(&target, job)?;
    let subject = Emulator::with_image(&target, &job.image()?)?;
    let mut pair = Pair::new(subject, reference(&job.target)?);
    pair.memory_every_instructions = MEMORY_EVERY_INSTRUCTIONS;
    if pair.subject.flash().iter().rev().take(CALL_SITE_BYTES).any(|byte| *byte != 0xFF) {
        return Err("the image leaves no room for a call at the end of the flash".into());
    }
    pair.copy_to_reference();
    let ready = address_of(machine.as_ref(), READY)?;
    let mut instructions = run_to(&mut pair, ready, None)?;
    for contents in &job.memory {
        for (offset, byte) in contents.bytes()?.into_iter().enumerate() {
            pair.poke(contents.address + offset as u16, byte);
        }
    }
    let mut call_cycles = Vec::new();
    for call in &job.calls {
        let function = address_of(machine.as_ref(), &call.function)?;
        let before = pair.state();
        let site = plant_call(&mut pair, function);
        let mut state = State { pc: site.start, ..before };
        for (register, value) in call.registers()? {
            state.registers[register] = value;
        }
        pair.set_state(&state);
        pair.start_cycles();
        let steps = run_to(&mut pair, site.end, Some(before.sp))?;
        let cycles = pair.state().cycles;
        let result = machine
            .call(function, &call.arguments(), MAX_CYCLES, Observe::Profile)
            .map_err(|error| error.to_string())?;
        instructions += steps;
        if let Some(fault) = result.fault {
            return Ok(Agreement { instructions, call_cycles, fault: Some(fault.to_string()) });
        }
        if (result.cycles, result.instructions) != (cycles, steps) {
            return Err(format!(
                "{}: a call gives {} cycles and {} instructions, simavr {cycles} and {steps}",
                call.function, result.cycles, result.instructions
            ));
        }
        for (name, range) in target.data_memories().filter(|(name, _)| *name != "io") {
            let ours = machine.read(Space::Data, range.start, range.len()).map_err(|error| error.to_string())?;
            let theirs = &pair.reference.data()[range.start as usize..range.end as usize];
            // The return address lies where each machine had the call.
            let below_stack = usize::from(before.sp - 1).saturating_sub(range.start as usize);
            let return_address = below_stack..below_stack + 2;
            let differing = (0..ours.len()).find(|&at| ours[at] != theirs[at] && !return_address.contains(&at));
            if let Some(at) = differing {
                let address = range.start as usize + at;
                return Err(format!("{}: a call leaves other bytes in {name} at {address:#06x}", call.function));
            }
        }
        call_cycles.push(cycles);
        let after = pair.state();
        pair.set_state(&State { pc: ready, ..after });
    }
    Ok(Agreement { instructions, call_cycles, fault: None })
}

/// simavr's chip of that name, with lab memory.
pub fn reference(target: &str) -> Result<Simavr, String> {
    Simavr::new(target, REFERENCE_RAM_END).ok_or_else(|| format!("simavr does not know `{target}`"))
}

/// A call instruction and the address behind it.
pub struct CallSite {
    pub start: u32,
    pub end: u32,
}

/// Writes the call a compiler would use, CALL where the core has it, at the end of the flash.
fn plant_call<S: Subject>(pair: &mut Pair<S>, function: u32) -> CallSite {
    let flash_bytes = pair.reference.flash_bytes() as u32;
    let (site, code) = call_site(flash_bytes, function);
    pair.write_flash(site.start, &code);
    site
}

/// Where a call to `function` is planted in a flash of that size, and its code: the call, then SLEEP.
pub fn call_site(flash_bytes: u32, function: u32) -> (CallSite, Vec<u8>) {
    const SLEEP: u16 = 0x9588;
    let row = |op: Op| ROWS[op as usize].fixed_bits().1;
    let start = flash_bytes - CALL_SITE_BYTES as u32;
    let words = if flash_bytes > 0x2000 {
        vec![row(Op::Call), (function / 2) as u16, SLEEP]
    } else {
        let offset = (function / 2).wrapping_sub(start / 2 + 1) as u16 & 0x0FFF;
        vec![row(Op::Rcall) | offset, SLEEP]
    };
    let end = start + 2 * (words.len() as u32 - 1);
    (CallSite { start, end }, words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// Steps both to an address, and to a stack pointer where one is given.
fn run_to<S: Subject>(pair: &mut Pair<S>, address: u32, sp: Option<u16>) -> Result<u64, String> {
    let mut steps = 0;
    while pair.reference.pc() != address || sp.is_some_and(|sp| pair.reference.sp() != sp) {
        pair.step().map_err(|difference| difference.to_string())?;
        steps += 1;
        if pair.state().cycles > MAX_CYCLES {
            return Err("the call does not return".into());
        }
    }
    pair.check_memory().map_err(|difference| difference.to_string())?;
    Ok(steps)
}

pub fn address_of(machine: &dyn Machine, symbol: &str) -> Result<u32, String> {
    let found = machine.symbols().get(symbol).ok_or_else(|| format!("the image has no symbol `{symbol}`"))?;
    Ok(machine.address(found.address))
}
