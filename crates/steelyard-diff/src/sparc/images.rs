//! Compiled images of an ERC32 beside sis: what they do, and how fast both do it.

use super::{Erc32, LAYOUT, NPC, PC, PSR, PSR_INDEX, SP};
use crate::catalogue;
use crate::compiled::{processor_time, Agreement, Call, Job, Speed};
use crate::simulator::{Batch, Reference, Simulator};
use crate::stream::{self, Pair, Subject};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};
use steelyard_emu::sparc::{abi, cpu::RETURN_ADDRESS};
use steelyard_emu::{Description, Machine, Observe, Space};

/// The chip of the catalogue that sis is.
const TARGET: &str = "erc32";
const READY: &str = "harness_ready";
const MAX_CYCLES: u64 = 20_000_000_000;
/// States are compared this often.
const FOLLOWED_EVERY_INSTRUCTIONS: u32 = 8;
const O7: usize = 15;
const FIRST_ARGUMENT: usize = 8;

/// Each speed is the median of this many, of calls for so long.
const REPETITIONS: usize = 9;
const REPETITION_TIME: Duration = Duration::from_millis(150);
/// So many calls are asked of the simulator at one go.
const CALLS_AT_ONCE: u32 = 64;

fn text<E: ToString>(error: E) -> String {
    error.to_string()
}

fn loaded(targets: &Path, job: &Job) -> Result<Erc32, String> {
    let target = catalogue::Chip::load(targets, TARGET)?;
    let description = Description::from_json(&target.description(&target.core).to_string()).map_err(text)?;
    let mut emulator = Erc32::of(&description)?;
    let image = std::fs::read(&job.elf).map_err(|error| format!("{}: {error}", job.elf.display()))?;
    emulator.0.load_elf(&image).map_err(text)?;
    Ok(emulator)
}

/// The emulator alone, start-up code done and memory in place.
fn prepared(targets: &Path, job: &Job) -> Result<Erc32, String> {
    let mut prepared = loaded(targets, job)?;
    let ready = address_of(&prepared, READY)?;
    prepared.0.run_until(ready, MAX_CYCLES).map_err(text)?;
    for contents in &job.memory {
        prepared.0.write(Space::Data, contents.address, &contents.bytes()?).map_err(text)?;
    }
    Ok(prepared)
}

fn address_of(emulator: &Erc32, name: &str) -> Result<u32, String> {
    let symbol = emulator.0.symbols().get(name).ok_or_else(|| format!("the image has no symbol `{name}`"))?;
    Ok(symbol.address)
}

/// Memories by name.
fn memory(name: &str, emulator: &Erc32) -> Result<Range<u32>, String> {
    let region = emulator.0.regions().iter().find(|region| region.name == name);
    let region = region.ok_or_else(|| format!("{TARGET} has no memory `{name}`"))?;
    Ok(region.base..region.end() as u32)
}

/// What a program writes: static data and the caller's buffers, and with them the stack.
fn written(emulator: &Erc32) -> Result<[Range<u32>; 2], String> {
    Ok([memory("dram", emulator)?, memory("lab", emulator)?])
}

/// Both with the memories and registers that the emulator has.
fn side_by_side(emulator: Erc32) -> Result<Pair<Erc32>, String> {
    let [dram, lab] = written(&emulator)?;
    let mut pair = Pair::new(emulator, LAYOUT);
    for range in [memory("program", &pair.subject)?, dram, lab] {
        let bytes = pair.subject.read(range.start, range.end - range.start);
        pair.write(range.start, &bytes);
    }
    pair.set(PSR_INDEX, PSR);
    for index in 0..LAYOUT.registers.len() {
        pair.set(index, pair.register(index));
    }
    Ok(pair)
}

fn set_flow(pair: &mut Pair<Erc32>, address: u32) {
    pair.set(PC, address);
    pair.set(NPC, address.wrapping_add(4));
}

/// Puts a call's arguments where they belong and the flow at the function; the stack pointer before.
fn enter(pair: &mut Pair<Erc32>, call: &Call) -> Result<u32, String> {
    let function = address_of(&pair.subject, &call.function)?;
    let placement = abi::place(&call.arguments()).map_err(text)?;
    let behind: Vec<u8> = placement.stack.iter().flat_map(|word| word.to_be_bytes()).collect();
    let top = pair.register(SP);
    let stack = (top - (abi::FRAME_BYTES + behind.len()) as u32) & !7;
    pair.write(stack + abi::FRAME_BYTES as u32, &behind);
    for (number, value) in placement.registers.iter().enumerate() {
        pair.set(FIRST_ARGUMENT + number, *value);
    }
    pair.set(SP, stack);
    pair.set(O7, RETURN_ADDRESS - 8);
    set_flow(pair, function);
    Ok(top)
}

fn simulator() -> Result<Simulator, String> {
    let mut simulator = Simulator::start(super::ERC32.simulator, &[])?;
    super::reset(&mut simulator)?;
    Ok(simulator)
}

/// Runs a job beside the simulator, and its calls once more at full speed.
pub fn compare(targets: &Path, job: &Job) -> Result<Agreement, String> {
    let mut reference = simulator()?;
    let emulator = loaded(targets, job)?;
    let (start, ready) = (address_of(&emulator, "_start")?, address_of(&emulator, READY)?);
    let memories = written(&emulator)?;
    // Behind a call the stack holds windows that the simulator, which has no invalid one, never spills.
    let static_data = memories[0].start..address_of(&emulator, "_end")?;
    let kept = [static_data, memories[1].clone()];
    let mut pair = side_by_side(emulator)?;
    set_flow(&mut pair, start);
    let mut run = |pair: &mut Pair<Erc32>, end: u32| {
        let there = |subject: &Erc32| subject.register(PC) == end;
        let how = stream::Following {
            every_instructions: FOLLOWED_EVERY_INSTRUCTIONS,
            clocks: true,
            ignored: &[],
            flag_copies: 0,
        };
        let followed = stream::follow(pair, &mut reference, &memories, how, there);
        followed?.map_err(|difference| difference.to_string())
    };
    let mut instructions = run(&mut pair, ready)?;
    for contents in &job.memory {
        pair.write(contents.address, &contents.bytes()?);
    }
    let mut alone = prepared(targets, job)?.0;
    let mut call_cycles = Vec::new();
    for call in &job.calls {
        let top = enter(&mut pair, call)?;
        instructions += run(&mut pair, RETURN_ADDRESS).map_err(|error| format!("{}: {error}", call.function))?;
        pair.set(SP, top);
        let function = alone.symbols().get(&call.function).map_or(0, |symbol| symbol.address);
        let result = alone.call(function, &call.arguments(), MAX_CYCLES, Observe::Nothing).map_err(text)?;
        if let Some(fault) = result.fault {
            return Err(format!("{}: alone: {fault}", call.function));
        }
        for range in &kept {
            let length = range.end - range.start;
            let bytes = alone.read(Space::Data, range.start, length as usize).map_err(text)?;
            if bytes != pair.subject.read(range.start, length) {
                return Err(format!("{}: memory differs between a call and the steps of it", call.function));
            }
        }
        call_cycles.push(result.cycles);
    }
    Ok(Agreement { instructions, call_cycles, fault: None })
}

/// Times the last call of a job on both, again and again, each at its full speed.
pub fn speed(targets: &Path, job: &Job) -> Result<Speed, String> {
    let mut emulator = prepared(targets, job)?;
    let (last, before) = job.calls.split_last().ok_or("the job calls nothing")?;
    for call in before {
        let function = address_of(&emulator, &call.function)?;
        emulator.0.call(function, &call.arguments(), MAX_CYCLES, Observe::Nothing).map_err(text)?;
    }
    let function = address_of(&emulator, &last.function)?;
    let mut pair = side_by_side(emulator)?;
    pair.subject.0.snapshot();
    let top = enter(&mut pair, last)?;
    let mut reference = simulator()?;
    reference.exchange(pair.take_batch().bytes())?;
    // The call as the simulator counts it, an annulled instruction being part of the next one's step.
    let mut steps = 0;
    while pair.register(PC) != RETURN_ADDRESS {
        pair.subject.step()?;
        steps += 1;
    }
    pair.set(SP, top);
    enter(&mut pair, last)?;
    let mut batch = pair.take_batch();
    batch.run(steps);
    let once = batch;
    let emulator = &mut pair.subject.0;
    let mut call = |observe| -> Result<u64, String> {
        emulator.restore().map_err(text)?;
        let result = emulator.call(function, &last.arguments(), MAX_CYCLES, observe).map_err(text)?;
        result.fault.map_or(Ok(result.instructions), |fault| Err(fault.to_string()))
    };
    let instructions = call(Observe::Stack)?;
    let process = reference.process_id().to_string();
    let mut simulated = || -> Result<(), String> {
        let mut batch = Batch::default();
        for _ in 0..CALLS_AT_ONCE {
            batch.append(&once);
        }
        reference.exchange(batch.bytes()).map(drop)
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // In turn, so that a change of the machine's pace meets both.
    for _ in 0..REPETITIONS {
        ours.push(seconds("self", || call(Observe::Nothing).map(drop))?);
        theirs.push(seconds(&process, &mut simulated)? / f64::from(CALLS_AT_ONCE));
    }
    let million = |mut seconds: Vec<f64>| {
        seconds.sort_by(f64::total_cmp);
        instructions as f64 / seconds[REPETITIONS / 2] / 1e6
    };
    Ok(Speed { instructions, emulator_million_per_s: million(ours), simulator_million_per_s: million(theirs) })
}

/// Of one call, over many, on the process that makes it.
fn seconds(process: &str, mut call: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let start = Instant::now();
    let busy = processor_time(process);
    let mut calls = 0_u32;
    while start.elapsed() < REPETITION_TIME {
        call()?;
        calls += 1;
    }
    let spent = match (busy, processor_time(process)) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed(),
    };
    Ok(spent.as_secs_f64() / f64::from(calls))
}
