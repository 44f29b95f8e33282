//! Speed beside the references: the same call of the same image, one after the other in one run.

use crate::chip::{words, Target, MAX_CYCLES};
use crate::images::{address_of, read, Beside, Call, Compiled, Go, Job, READY};
use crate::protocol::{Answer, Batch, Reference, Until};
use crate::stream::Pair;
use serde_json::Value;
use std::time::{Duration, Instant};
use steelyard_emu::{Machine, Observe};

/// Each figure is the median of this many.
const REPETITIONS: usize = 9;
/// A repetition calls until it has run this long.
const REPETITION_TIME: Duration = Duration::from_millis(150);
/// A reference is asked for this many calls together.
const CALLS_AT_ONCE: u32 = 16;
const OBSERVERS: [(&str, Observe); 3] =
    [("cycles", Observe::Nothing), ("cycles and stack", Observe::Stack), ("cycles, mix and stack", Observe::Profile)];

/// The speeds of a job.
pub struct Speeds {
    /// Instructions of the call that is timed.
    pub instructions: u64,
    /// Each way to run the call and its speed.
    pub emulator: Vec<Speed>,
    pub references: Vec<Speed>,
    /// Why a reference was not timed.
    pub left_out: Vec<String>,
}

/// A way to run a call.
pub struct Speed {
    pub name: String,
    /// Processor time of a call in each repetition.
    seconds: Vec<f64>,
}

impl Speed {
    fn of(name: String) -> Self {
        Self { name, seconds: Vec::new() }
    }

    /// Million instructions per second, for a call of so many.
    pub fn million_per_s(&self, instructions: u64) -> f64 {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        instructions as f64 / seconds[seconds.len() / 2] / 1e6
    }
}

/// Times the last call of a job on the emulator, with the chip's caches and without, and on every reference that is
/// there; the earlier calls prepare it.
pub fn speeds<C: Compiled>(target: &Target, job: &Job) -> Result<Speeds, String> {
    let last = job.calls.last().ok_or("the job calls nothing")?;
    let mut machines = vec![("steelyard", job.machine(&target.description)?)];
    if let Some(plain) = without_caches(&target.description) {
        machines.push(("steelyard without caches and waits", job.machine(&plain)?));
    }
    let (mut prepared, mut left_out) = (Vec::new(), Vec::new());
    for start in C::BESIDE {
        match start(target).and_then(|beside| Prepared::new::<C>(beside, target, job)) {
            Ok(reference) => prepared.push(reference),
            Err(why) => left_out.push(why),
        }
    }
    let mut instructions = 0;
    let mut emulator = Vec::new();
    for (chip, machine) in &mut machines {
        for call in &job.calls {
            instructions = execute(machine.as_mut(), call, Observe::Stack)?;
        }
        emulator.extend(OBSERVERS.map(|(what, _)| Speed::of(format!("{chip}, {what}"))));
    }
    let mut references: Vec<_> = prepared.iter().map(|one| Speed::of(one.name.to_owned())).collect();
    // In turn, so that a change of the machine's pace meets all of them.
    for _ in 0..REPETITIONS {
        for (number, way) in emulator.iter_mut().enumerate() {
            let machine = machines[number / OBSERVERS.len()].1.as_mut();
            let (_, observe) = OBSERVERS[number % OBSERVERS.len()];
            way.seconds.push(timed("thread-self", || execute(machine, last, observe).map(drop))?);
        }
        for (reference, way) in prepared.iter_mut().zip(&mut references) {
            let process = reference.reference.process();
            let calls = timed(&process, || reference.reference.exchange(reference.calls.bytes()).map(drop))?;
            way.seconds.push(calls / f64::from(CALLS_AT_ONCE));
        }
    }
    Ok(Speeds { instructions, emulator, references, left_out })
}

/// The description without what makes accesses wait; `None` where nothing does.
fn without_caches(description: &Value) -> Option<Value> {
    let mut plain = description.clone();
    for field in ["cache", "flash"] {
        plain.as_object_mut()?.remove(field);
    }
    for memory in plain["memory"].as_array_mut()? {
        memory.as_object_mut()?.remove("latency");
    }
    (plain != *description).then_some(plain)
}

/// Calls a function; gives the instructions, where they are watched.
fn execute(machine: &mut dyn Machine, call: &Call, observe: Observe) -> Result<u64, String> {
    let function = address_of(machine, &call.function)?;
    let result = machine.call(function, &call.arguments(), MAX_CYCLES, observe).map_err(words)?;
    result.fault.map_or(Ok(result.instructions), |fault| Err(format!("{}: {fault}", call.function)))
}

/// A reference, and the commands for some calls.
struct Prepared {
    name: &'static str,
    reference: Box<dyn Reference>,
    calls: Batch,
}

impl Prepared {
    /// Brings the reference to where the last call of the job begins.
    fn new<C: Compiled>(beside: Beside, target: &Target, job: &Job) -> Result<Self, String> {
        let Beside { name, mut reference, layout, go, .. } = beside;
        let machine = job.machine(&target.description)?;
        let mut pair = Pair::new(C::load(target, &read(&job.elf)?)?, layout);
        pair.subject.run_to(C::place(address_of(machine.as_ref(), READY)?))?;
        for contents in &job.memory {
            pair.subject.write(C::DATA + contents.address, &contents.bytes()?);
        }
        let (mut end, mut pushed) = (0, 0..0);
        for (number, call) in job.calls.iter().enumerate() {
            let top = pair.subject.stack_pointer();
            end = C::enter(&mut pair, address_of(machine.as_ref(), &call.function)?, call)?;
            pushed = C::DATA + pair.subject.stack_pointer()..C::DATA + top;
            if number + 1 < job.calls.len() {
                pair.subject.run_to(end)?;
                pair.subject.set_stack_pointer(top)?;
            }
        }
        pair.share_memories(&[C::initial(target), C::written(target)].concat());
        let mut start = pair.take_batch();
        if let Go::Breakpoint(bytes, _) = &go {
            start.write(end, bytes);
        }
        start.ask(&layout, reference.as_mut())?;
        // A function may write over its arguments.
        pair.share_memories(&[pushed]);
        pair.share_registers();
        let mut once = pair.take_batch();
        if let Go::Breakpoint(_, Some(link)) = go {
            once.set(link, end);
        }
        once.run(match go {
            Go::Breakpoint(..) => Until::Stop,
            Go::Address => Until::Address(end),
            Go::Count => {
                let mut steps = 0;
                while pair.subject.pc() != end {
                    pair.subject.step()?;
                    steps += 1;
                }
                Until::Instructions(steps)
            }
        });
        let stops = layout.registers.iter().position(|register| register.name == "pc");
        match &once.ask(&layout, reference.as_mut())?[..] {
            // Unicorn tells by its stop where it is, the others by the program counter; some count the breakpoint's
            // own bytes.
            [Answer::State(state)] if state.stop == 0 && matches!(go, Go::Address) => {}
            [Answer::State(state)] if stops.is_some_and(|pc| (end..=end + 4).contains(&state.registers[pc])) => {}
            other => return Err(format!("{name} does not come back from {}: {other:x?}", job.name)),
        }
        let mut calls = Batch::default();
        (0..CALLS_AT_ONCE).for_each(|_| calls.append(&once));
        Ok(Self { name, reference, calls })
    }
}

/// Time a process (its number, or `thread-self`) has had a processor to itself, where the system tells: other programs
/// then count less.
fn processor_time(process: &str) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// Processor time of one run, in seconds, over many.
fn timed(process: &str, mut run: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let start = Instant::now();
    let busy = processor_time(process);
    let mut runs = 0_u32;
    while start.elapsed() < REPETITION_TIME {
        run()?;
        runs += 1;
    }
    let spent = match (busy, processor_time(process)) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed(),
    };
    Ok(spent.as_secs_f64() / f64::from(runs))
}
