//! Speed beside simavr: the same calls of the same image, one after the other in one run.

use crate::chip::Target;
use crate::compiled::processor_time;
use crate::jobs::{self, address_of, call_site, Job};
use crate::simavr::Simavr;
use std::path::Path;
use std::time::{Duration, Instant};
use steelyard_emu::{Machine, Observe, Space};

/// Each figure is the median of this many.
const REPETITIONS: usize = 9;
/// A repetition calls until it has run this long.
const REPETITION_TIME: Duration = Duration::from_millis(150);
const MAX_CYCLES: u64 = 2_000_000_000;
/// How long simavr may run between looks at its timers: one cycle is its default; the other lets it run free.
const BURST_CYCLES: [(&str, u64); 2] = [("simavr", 1), ("simavr, long bursts", 1_000_000)];
const OBSERVERS: [(&str, Observe); 3] = [
    ("steelyard, cycles only", Observe::Nothing),
    ("steelyard, cycles and stack", Observe::Stack),
    ("steelyard, cycles, mix and stack", Observe::Profile),
];

/// A way to run the call and its speed.
pub struct Figure {
    pub name: &'static str,
    pub million_instructions_per_s: f64,
}

/// Times the last call of a job; the earlier ones prepare it.
pub fn run(targets: &Path, job: &Job) -> Result<Vec<Figure>, String> {
    let target = Target::load(targets, &job.target)?;
    let mut machine = jobs::prepare(&target, job)?;
    let (last, first) = job.calls.split_last().ok_or("the job calls nothing")?;
    for call in first {
        let function = address_of(machine.as_ref(), &call.function)?;
        let result = machine
            .call(function, &call.arguments(), MAX_CYCLES, Observe::Nothing)
            .map_err(|error| error.to_string())?;
        if let Some(fault) = result.fault {
            return Err(fault.to_string());
        }
    }
    let function = address_of(machine.as_ref(), &last.function)?;
    machine.snapshot();
    let mut reference = Prepared::new(&target, machine.as_ref(), function, last)?;
    let mut call = |observe| -> Result<u64, String> {
        machine.restore().map_err(|error| error.to_string())?;
        let result =
            machine.call(function, &last.arguments(), MAX_CYCLES, observe).map_err(|error| error.to_string())?;
        result.fault.map_or(Ok(result.instructions), |fault| Err(fault.to_string()))
    };
    let instructions = call(Observe::Profile)?;
    let mut speeds = vec![Vec::new(); BURST_CYCLES.len() + OBSERVERS.len()];
    // In turn, so that a change of the machine's pace meets all of them.
    for _ in 0..REPETITIONS {
        let mut slots = speeds.iter_mut();
        let mut keep = |speed: f64| slots.next().map(|speeds| speeds.push(speed));
        for (_, burst) in BURST_CYCLES {
            keep(speed(|| reference.call(burst), instructions)?);
        }
        for (_, observe) in OBSERVERS {
            keep(speed(|| call(observe).map(|_| ()), instructions)?);
        }
    }
    let names = BURST_CYCLES.iter().map(|(name, _)| *name).chain(OBSERVERS.iter().map(|(name, _)| *name));
    let figures = names.zip(speeds).map(|(name, mut speeds)| {
        speeds.sort_by(f64::total_cmp);
        Figure { name, million_instructions_per_s: speeds[REPETITIONS / 2] }
    });
    Ok(figures.collect())
}

/// Million instructions per second of processor time.
fn speed(mut call: impl FnMut() -> Result<(), String>, instructions: u64) -> Result<f64, String> {
    let start = Instant::now();
    let busy = processor_time("thread-self");
    let mut calls = 0u32;
    while start.elapsed() < REPETITION_TIME {
        call()?;
        calls += 1;
    }
    let seconds = match (busy, processor_time("thread-self")) {
        (Some(before), Some(after)) => (after - before).as_secs_f64(),
        _ => start.elapsed().as_secs_f64(),
    };
    Ok(instructions as f64 * f64::from(calls) / seconds / 1e6)
}

/// simavr with the state from which the call is made.
struct Prepared {
    simavr: Simavr,
    data: Vec<u8>,
    start: u32,
}

impl Prepared {
    fn new(target: &Target, machine: &dyn Machine, function: u32, call: &jobs::Call) -> Result<Self, String> {
        let mut simavr = jobs::reference(&target.id)?;
        let flash_bytes = simavr.flash_bytes();
        let flash = machine.read(Space::Program, 0, flash_bytes).map_err(|error| error.to_string())?;
        simavr.flash_mut().copy_from_slice(&flash);
        let (site, code) = call_site(flash_bytes as u32, function);
        let start = site.start as usize;
        simavr.flash_mut()[start..start + code.len()].copy_from_slice(&code);
        let mut data = simavr.data().to_vec();
        for (_, range) in target.data_memories() {
            let bytes = machine.read(Space::Data, range.start, range.len()).map_err(|error| error.to_string())?;
            data[range.start as usize..range.end as usize].copy_from_slice(&bytes);
        }
        for (register, value) in call.registers()? {
            data[register] = value;
        }
        Ok(Self { simavr, data, start: site.start })
    }

    fn call(&mut self, burst_cycles: u64) -> Result<(), String> {
        self.simavr.data_mut().copy_from_slice(&self.data);
        self.simavr.set_sreg(0);
        self.simavr.set_pc(self.start);
        if self.simavr.run_until_sleep(burst_cycles) {
            Ok(())
        } else {
            Err("simavr did not come back from the call".into())
        }
    }
}
