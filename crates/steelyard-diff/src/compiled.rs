//! Compiled images beside one of gdb's simulators: start-up code and calls, registers and clocks compared every few
//! instructions, memories behind every call; and both timed on the same call.

use crate::catalogue;
use crate::simulator::{Answer, Batch, Layout, Reference, Simulator};
use crate::stream::{self, Pair, Subject};
use crate::{m16c, msp430, rl78, sparc};
use serde::Deserialize;
use serde_json::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use steelyard_emu::emulated::Emulated;
use steelyard_emu::processor::Processor;
use steelyard_emu::{Argument, Description, FaultKind, Machine, Observe, Space};

/// States are compared this often.
const EVERY_INSTRUCTIONS: u32 = 8;
/// The symbol at which an image's start-up code is done.
const READY: &str = "harness_ready";
const MAX_CYCLES: u64 = 20_000_000_000;
/// The best of so many calls counts as the speed.
const TIMED_CALLS: usize = 5;

/// A chip of a family for images, stepped beside the family's simulator.
pub trait Chip: Subject + Sized {
    type Cpu: Processor;

    /// Of `tools/simulators/build.sh`.
    const SIMULATOR: &'static str;
    const LAYOUT: Layout;
    /// Index of the program counter in the layout.
    const PC: usize;
    /// Index of the flags, some of which every one of the simulators has wrong: they are not compared by themselves.
    const FLAGS: usize;
    /// Whether the simulator's clocks are compared.
    const CLOCKS: bool;
    /// In a copy of the flags these bits differ, where the simulator keeps a flag in another place.
    const FLAG_COPIES: u32 = 0;
    const RETURN_ADDRESS: u32;
    /// An instruction at which the simulator stops by itself.
    const BREAKPOINT: &'static [u8];

    /// The simulator's own options for a target.
    fn options(target: &str) -> Result<&'static [&'static str], String>;
    /// Gives a core the clocks that the simulator counts.
    fn as_simulated(core: &mut Value) -> Result<(), String>;
    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, steelyard_emu::Error>;
    fn new(chip: Emulated<Self::Cpu>) -> Self;
    fn emulated(&mut self) -> &mut Emulated<Self::Cpu>;
}

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
    /// A call whose stack the chip has no room for ends the job.
    pub fault: Option<String>,
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

/// Runs a job beside the simulator of its target's family, and its calls once more with the clocks of the chip.
pub fn compare(targets: &Path, job: &Job) -> Result<Agreement, String> {
    let target = Target::load(targets, &job.target)?;
    match target.family() {
        "m16c" => compare_with::<m16c::Emulator>(&target, job),
        "msp430" => compare_with::<msp430::Emulated>(&target, job),
        "rl78" => compare_with::<rl78::Emulator>(&target, job),
        "sparc" => sparc::images::compare(targets, job),
        other => Err(no_comparison(other)),
    }
}

/// Times the last call of a job on both, each at its full speed.
pub fn speed(targets: &Path, job: &Job) -> Result<Speed, String> {
    let target = Target::load(targets, &job.target)?;
    match target.family() {
        "m16c" => speed_with::<m16c::Emulator>(&target, job),
        "msp430" => speed_with::<msp430::Emulated>(&target, job),
        "rl78" => speed_with::<rl78::Emulator>(&target, job),
        "sparc" => sparc::images::speed(targets, job),
        other => Err(no_comparison(other)),
    }
}

/// Time a process (its number, or `self`) has had a processor to itself, where the system tells: other programs then
/// count less.
pub fn processor_time(process: &str) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

fn no_comparison(family: &str) -> String {
    format!("images of the family {family} are not compared with a simulator of gdb's")
}

/// A chip of the catalogue.
struct Target(catalogue::Chip);

impl Target {
    fn load(targets: &Path, id: &str) -> Result<Self, String> {
        catalogue::Chip::load(targets, id).map(Self)
    }

    fn family(&self) -> &str {
        self.0.core["family"].as_str().unwrap_or_default()
    }

    /// The chip with the clocks of its core, or with the simulator's.
    fn chip<C: Chip>(&self, simulated: bool) -> Result<Emulated<C::Cpu>, String> {
        let mut core = self.0.core.clone();
        if simulated {
            C::as_simulated(&mut core)?;
        }
        let description =
            Description::from_json(&self.0.description(&core).to_string()).map_err(|error| error.to_string())?;
        C::chip(&description).map_err(|error| error.to_string())
    }

    /// Memories of these kinds.
    fn memories(&self, kinds: &[&str]) -> Vec<Range<u32>> {
        let wanted =
            self.0.memories().filter(|memory| memory["kind"].as_str().is_some_and(|kind| kinds.contains(&kind)));
        let range = |memory: &Value| {
            let base = memory["base"].as_u64()? as u32;
            Some(base..base + memory["size"].as_u64()? as u32)
        };
        wanted.filter_map(range).collect()
    }

    /// With the image of a job.
    fn loaded<C: Chip>(&self, job: &Job, simulated: bool) -> Result<Emulated<C::Cpu>, String> {
        let mut loaded = self.chip::<C>(simulated)?;
        let image = std::fs::read(&job.elf).map_err(|error| format!("{}: {error}", job.elf.display()))?;
        loaded.load_elf(&image).map_err(|error| error.to_string())?;
        Ok(loaded)
    }

    /// The emulator alone, start-up code done and the job's memory in place.
    fn prepared<C: Chip>(&self, job: &Job) -> Result<Emulated<C::Cpu>, String> {
        let mut prepared = self.loaded::<C>(job, false)?;
        let ready = address_of(&prepared, READY)?;
        prepared.run_until(ready, MAX_CYCLES).map_err(|error| error.to_string())?;
        for contents in &job.memory {
            prepared.write(Space::Data, contents.address, &contents.bytes()?).map_err(|error| error.to_string())?;
        }
        Ok(prepared)
    }
}

fn address_of(chip: &dyn Machine, name: &str) -> Result<u32, String> {
    let symbol = chip.symbols().get(name).ok_or_else(|| format!("the image has no symbol `{name}`"))?;
    Ok(symbol.address)
}

/// Gives the simulator memories and all registers of the emulator.
fn hand_over<C: Chip>(pair: &mut Pair<C>, memories: &[Range<u32>]) {
    for range in memories {
        let bytes = pair.subject.read(range.start, range.end - range.start);
        pair.write(range.start, &bytes);
    }
    for index in 0..C::LAYOUT.registers.len() {
        pair.set(index, pair.register(index));
    }
}

/// Both at the first instruction of a call; the stack pointer before.
fn enter<C: Chip>(pair: &mut Pair<C>, call: &Call, written: &[Range<u32>]) -> Result<u32, String> {
    let words = |error: steelyard_emu::Error| error.to_string();
    let chip = pair.subject.emulated();
    let function = address_of(chip, &call.function)?;
    let cpu = chip.processor_mut();
    let top = cpu.stack_pointer();
    let arguments = cpu.place(&call.arguments()).map_err(words)?;
    let at_call = (top - arguments.len() as u32) & !(C::Cpu::STACK_ALIGNMENT - 1);
    if !cpu.poke(at_call, &arguments) {
        return Err(format!("the arguments of {} do not fit the stack", call.function));
    }
    cpu.set_stack_pointer(at_call).map_err(words)?;
    cpu.call(function).map_err(|trap| format!("{}: {trap:?}", call.function))?;
    hand_over(pair, written);
    Ok(top)
}

fn compare_with<C: Chip>(target: &Target, job: &Job) -> Result<Agreement, String> {
    let mut reference = Simulator::start(C::SIMULATOR, C::options(&target.0.id)?)?;
    let loaded = target.loaded::<C>(job, true)?;
    let (start, ready) = (address_of(&loaded, "_start")?, address_of(&loaded, READY)?);
    let mut pair = Pair::new(C::new(loaded), C::LAYOUT);
    let written = target.memories(&["ram"]);
    hand_over(&mut pair, &target.memories(&["flash", "ram"]));
    pair.set(C::PC, start);
    let ignored = [(C::FLAGS, u32::MAX)];
    let mut run = |pair: &mut Pair<C>, end: u32| {
        let there = |subject: &C| subject.register(C::PC) == end;
        let how = stream::Following {
            every_instructions: EVERY_INSTRUCTIONS,
            clocks: C::CLOCKS,
            ignored: &ignored,
            flag_copies: C::FLAG_COPIES,
        };
        stream::follow(pair, &mut reference, &written, how, there)?.map_err(|difference| difference.to_string())
    };
    let mut instructions = run(&mut pair, ready)?;
    for contents in &job.memory {
        pair.write(contents.address, &contents.bytes()?);
    }
    let mut alone = target.prepared::<C>(job)?;
    let mut call_cycles = Vec::new();
    for call in &job.calls {
        let named = |error: String| format!("{}: {error}", call.function);
        let function = address_of(&alone, &call.function)?;
        let result = alone.call(function, &call.arguments(), MAX_CYCLES, Observe::Nothing);
        let result = result.map_err(|error| error.to_string())?;
        match result.fault {
            Some(fault) if fault.kind == FaultKind::StackOverflow => {
                return Ok(Agreement { instructions, call_cycles, fault: Some(named(fault.message)) });
            }
            Some(fault) => return Err(named(format!("alone: {fault}"))),
            None => {}
        }
        let top = enter(&mut pair, call, &written)?;
        instructions += run(&mut pair, C::RETURN_ADDRESS).map_err(named)?;
        let stepped = pair.subject.emulated().processor_mut();
        stepped.set_stack_pointer(top).map_err(|error| named(error.to_string()))?;
        for range in &written {
            let length = range.end - range.start;
            if alone.processor().peek(range.start, length as usize) != Some(pair.subject.read(range.start, length)) {
                return Err(named("memory differs between a call and the steps of it".into()));
            }
        }
        call_cycles.push(result.cycles);
    }
    Ok(Agreement { instructions, call_cycles, fault: None })
}

fn speed_with<C: Chip>(target: &Target, job: &Job) -> Result<Speed, String> {
    let words = |error: steelyard_emu::Error| error.to_string();
    let mut emulator = target.prepared::<C>(job)?;
    let Some((last, before)) = job.calls.split_last() else { return Err("the job calls nothing".into()) };
    for call in before {
        let function = address_of(&emulator, &call.function)?;
        emulator.call(function, &call.arguments(), MAX_CYCLES, Observe::Nothing).map_err(words)?;
    }
    emulator.snapshot();
    let mut pair = Pair::new(C::new(emulator), C::LAYOUT);
    enter(&mut pair, last, &target.memories(&["flash", "ram"]))?;
    let mut state = pair.take_batch();
    state.write(C::RETURN_ADDRESS, C::BREAKPOINT);
    let mut reference = Simulator::start(C::SIMULATOR, C::options(&target.0.id)?)?;
    let mut go = Batch::default();
    go.go();
    let mut simulated_s = f64::INFINITY;
    for _ in 0..TIMED_CALLS {
        reference.exchange(state.bytes())?;
        let start = Instant::now();
        let answer = reference.exchange(go.bytes())?;
        simulated_s = simulated_s.min(start.elapsed().as_secs_f64());
        let stopped_at = match &go.answers(&C::LAYOUT, &answer)?[..] {
            [Answer::State(state)] => state.registers[C::PC],
            _ => return Err("the simulator did not tell its state".into()),
        };
        // Some count the breakpoint's own bytes.
        if !(C::RETURN_ADDRESS..=C::RETURN_ADDRESS + C::BREAKPOINT.len() as u32).contains(&stopped_at) {
            return Err(format!("the simulator stopped at {stopped_at:#x}, not behind the call"));
        }
    }

    let emulator = pair.subject.emulated();
    let function = address_of(emulator, &last.function)?;
    let mut counted = 0;
    let mut emulated_s = f64::INFINITY;
    for observe in [Observe::Stack].into_iter().chain([Observe::Nothing; TIMED_CALLS]) {
        emulator.restore().map_err(words)?;
        let start = Instant::now();
        let result = emulator.call(function, &last.arguments(), MAX_CYCLES, observe).map_err(words)?;
        if let Some(fault) = result.fault {
            return Err(format!("{}: {fault}", last.function));
        }
        if result.instructions > 0 {
            counted = result.instructions;
        } else {
            emulated_s = emulated_s.min(start.elapsed().as_secs_f64());
        }
    }
    let million = |seconds: f64| counted as f64 / seconds / 1e6;
    Ok(Speed {
        instructions: counted,
        emulator_million_per_s: million(emulated_s),
        simulator_million_per_s: million(simulated_s),
    })
}
