//! Compiled images beside the RTL of their core: every instruction of the start-up code and of the calls begins in the
//! same cycle, and a call takes as many cycles on the emulator as it is shipped.

use super::{compare as same, reference, traced};
use crate::chip::{words, Chip, Family, Target, MAX_CYCLES};
use crate::images::{address_of, read, Agreement, Failure, Job, READY};
use crate::protocol::Reference;
use crate::stream::{Pair, Subject};
use serde_json::Value;
use std::ops::Range;
use steelyard_emu::processor::Processor;
use steelyard_emu::{Argument, FaultKind, Machine, Observe, Space};

/// A family of which a core has its RTL beside it.
pub trait Called: Family {
    /// Where a program that calls lies, behind the code of images.
    const CALLER: Range<u32>;

    /// A program that calls a function with the registers as they are, but for the stack pointer; the number of
    /// instructions before the call, and an instruction that goes nowhere.
    fn caller(cpu: &Self::Cpu, stack_pointer: u32, function: u32) -> (Vec<u8>, usize, Vec<u8>);

    /// The memory of that program, where the chip has none there.
    fn memory() -> Option<Value> {
        None
    }
}

/// The core of a target that is compared with its own RTL.
pub fn core(target: &Target) -> &str {
    target.description["core"]["id"].as_str().unwrap_or_default()
}

struct Run<'a, F: Called> {
    target: &'a Target,
    pair: Pair<Chip<F>>,
    reference: Box<dyn Reference>,
}

impl<F: Called> Run<'_, F> {
    /// Runs both from one address to another; the address and the cycles of each instruction.
    fn follow(&mut self, start: u32, end: u32) -> Result<Vec<(u32, u32)>, String> {
        self.pair.set(0, start);
        let ours = traced(&mut self.pair.subject, end)?;
        let memories = self.target.memories(&["ram"]);
        match same(&mut self.pair, start, &ours, &memories, self.reference.as_mut())? {
            Some(difference) => Err(difference.to_string()),
            None => Ok(ours),
        }
    }

    /// Calls a function; the address and the cycles of each instruction, the first one that of the call.
    fn call(&mut self, function: u32, arguments: &[Argument]) -> Result<Vec<(u32, u32)>, String> {
        let cpu = self.pair.subject.cpu_mut();
        let top = cpu.stack_pointer();
        let on_stack = cpu.place(arguments).map_err(words)?;
        let at_call = (top - on_stack.len() as u32) & !(F::Cpu::STACK_ALIGNMENT - 1);
        let (code, before, idle) = F::caller(cpu, at_call, function);
        self.pair.write(at_call, &on_stack);
        let end = F::CALLER.start + code.len() as u32;
        // The return address leads into a program that goes nowhere.
        self.pair.write(F::CALLER.start, &[code, idle].concat());
        let ran = self.follow(F::CALLER.start, end)?;
        self.pair.subject.cpu_mut().set_stack_pointer(top).map_err(words)?;
        Ok(ran[before..].to_vec())
    }
}

/// The chip with the memory of the program that calls, and an image in it.
fn loaded<F: Called>(target: &Target, image: &[u8]) -> Result<Chip<F>, String> {
    let mut target = target.clone();
    if let Some(memories) = target.description["memory"].as_array_mut() {
        memories.extend(F::memory());
    }
    let mut chip = Chip::<F>::new(&target.description()?)?;
    chip.0.load_elf(image).map_err(words)?;
    Ok(chip)
}

/// Runs a job beside the RTL of its target's core, and its calls once more on the emulator as it is shipped.
pub fn compare<F: Called>(target: &Target, job: &Job) -> Result<Agreement, Failure> {
    let mut alone = job.machine(&target.description)?;
    let reference = reference(core(target)).map_err(Failure::Missing)?;
    let image = read(job.reference_elf.as_ref().unwrap_or(&job.elf))?;
    let mut pair = Pair::new(loaded::<F>(target, &image)?, F::LAYOUT);
    pair.share_memories(&target.memories(&["flash"]));
    if job.reference_elf.is_some() {
        pair.subject = loaded::<F>(target, &read(&job.elf)?)?;
    }
    let mut run = Run { target, pair, reference };
    run.follow(address_of(alone.as_ref(), "_start")?, address_of(alone.as_ref(), READY)?)?;
    for contents in &job.memory {
        run.pair.write(contents.address, &contents.bytes()?);
    }
    let static_end = address_of(alone.as_ref(), "_end")?;
    let (mut instructions, mut call_cycles) = (0, Vec::new());
    for call in &job.calls {
        let named = |error: String| format!("{}: {error}", call.function);
        let function = address_of(alone.as_ref(), &call.function)?;
        let result = alone.call(function, &call.arguments(), MAX_CYCLES, Observe::Stack).map_err(words)?;
        match result.fault {
            Some(fault) if fault.kind == FaultKind::StackOverflow => {
                return Ok(Agreement { instructions, call_cycles, fault: Some(named(fault.message)) });
            }
            Some(fault) => return Err(named(format!("alone: {fault}")).into()),
            None => {}
        }
        let ran = run.call(function, &call.arguments()).map_err(named)?;
        let cycles: u64 = ran.iter().map(|&(_, cycles)| u64::from(cycles)).sum();
        if (result.cycles, result.instructions) != (cycles, ran.len() as u64) {
            return Err(named(format!(
                "a call gives {} cycles and {} instructions, its steps {cycles} and {}",
                result.cycles,
                result.instructions,
                ran.len()
            ))
            .into());
        }
        instructions += result.instructions;
        call_cycles.push(result.cycles);
        for ram in target.memories(&["ram"]) {
            let end = if ram.contains(&static_end) { static_end } else { ram.end };
            let bytes = alone.read(Space::Data, ram.start, (end - ram.start) as usize).map_err(words)?;
            if bytes != run.pair.subject.read(ram.start, end - ram.start) {
                return Err(named("memory differs between a call and the steps of it".into()).into());
            }
        }
    }
    Ok(Agreement { instructions, call_cycles, fault: None })
}
