//! Random instructions on the emulator and on one of gdb's simulators, compared after every instruction.
//!
//! The emulator runs ahead: a generator looks at its state and places the next instruction; whatever is done to the
//! emulator is noted for the reference, which carries out some hundred instructions at one go. Then the states are
//! compared in their order, and the memories.

use crate::rng::Rng;
use crate::simulator::{digest, Answer, Batch, Layout, Reference, State};
use crate::{m16c, msp430, rl78, sparc};
use std::fmt;
use std::ops::Range;

/// Instructions between two fillings of memories and registers, and of a batch.
const BATCH_INSTRUCTIONS: u64 = 512;
/// States compared at one go while a compiled image runs.
const FOLLOWED_STATES: u32 = 1024;

/// The CPUs that are compared with one of gdb's simulators.
pub const CPUS: &[Cpu] =
    &[m16c::CPU, msp430::MSP430, msp430::MSP430X, rl78::CPU_G10, rl78::CPU_G13, rl78::CPU_G14, sparc::ERC32, sparc::V8];

/// A CPU beside its simulator.
#[derive(Clone, Copy)]
pub struct Cpu {
    /// Of the command and the recording: `rl78-g13`.
    pub name: &'static str,
    /// Of `tools/simulators/build.sh`: `rl78`.
    pub simulator: &'static str,
    /// The simulator's own: `g13`.
    pub options: &'static [&'static str],
    pub layout: Layout,
    /// Runs a stream of so many instructions from a seed: a call of [`run`].
    pub stream: fn(&mut dyn Reference, u64, u64) -> Result<Outcome, String>,
}

/// The emulator's CPU.
pub trait Subject {
    /// A register by its index in the layout.
    fn register(&self, index: usize) -> u32;
    fn set_register(&mut self, index: usize, value: u32);
    fn read(&self, address: u32, length_bytes: u32) -> Vec<u8>;
    fn write(&mut self, address: u32, bytes: &[u8]);
    /// One instruction; the error is the fault in words.
    fn step(&mut self) -> Result<(), String>;
    /// Cycles since the start.
    fn clocks(&self) -> u64;
}

/// An instruction at the program counter.
#[derive(Debug, Default, Clone)]
pub struct Placed {
    /// Its number among [`Generator::kinds`].
    pub kind: usize,
    /// For the message about a difference.
    pub code: Vec<u8>,
    /// Bits of registers (index in the layout, mask) in which the reference is known to be wrong, or the manual leaves
    /// open what they are: not compared, the emulator's value counts from then on.
    pub ignored: Vec<(usize, u32)>,
    /// What differs in just these bits holds a copy of flags, of which the reference keeps one elsewhere.
    pub flag_copies: u32,
    /// Whether the clocks are compared.
    pub clocks: bool,
}

/// Chooses instructions.
pub trait Generator<S> {
    /// Names of the kinds of instructions; each must be executed in a long stream.
    fn kinds(&self) -> Vec<String>;
    /// Memories that instructions may write, compared after every batch.
    fn memories(&self) -> Vec<Range<u32>>;
    /// Fills memories and registers, at the start and now and then.
    fn fill(&mut self, pair: &mut Pair<S>, rng: &mut Rng);
    /// Puts one instruction at the program counter, and what it needs into registers and memory.
    fn place(&mut self, pair: &mut Pair<S>, rng: &mut Rng) -> Placed;
}

struct Step {
    placed: Placed,
    before: Vec<u32>,
    after: Vec<u32>,
    clocks: u64,
    fault: Option<String>,
}

/// The emulator, and the commands by which the reference follows it.
pub struct Pair<S> {
    pub subject: S,
    layout: Layout,
    batch: Batch,
    steps: Vec<Step>,
    /// Of the reference, at the end of the last batch.
    clocks: Option<u64>,
}

impl<S: Subject> Pair<S> {
    pub fn new(subject: S, layout: Layout) -> Self {
        let mut batch = Batch::default();
        batch.layout(&layout);
        Self { subject, layout, batch, steps: Vec::new(), clocks: None }
    }

    pub fn register(&self, index: usize) -> u32 {
        self.subject.register(index)
    }

    /// Sets a register of both.
    pub fn set(&mut self, index: usize, value: u32) {
        self.subject.set_register(index, value);
        self.batch.set(index, value);
    }

    /// Writes into the memory of both.
    pub fn write(&mut self, address: u32, bytes: &[u8]) {
        self.subject.write(address, bytes);
        self.batch.write(address, bytes);
    }

    /// What the reference has still to do, for one that is not compared.
    pub fn take_batch(&mut self) -> Batch {
        std::mem::take(&mut self.batch)
    }

    fn registers(&self) -> Vec<u32> {
        (0..self.layout.registers.len()).map(|index| self.subject.register(index)).collect()
    }

    /// Executes the placed instruction; false where the emulator stopped with a fault.
    fn step(&mut self, placed: Placed) -> bool {
        let before = self.registers();
        let clocks = self.subject.clocks();
        let fault = self.subject.step().err();
        let after = self.registers();
        self.batch.step(1);
        for (index, _) in &placed.ignored {
            self.batch.set(*index, after[*index]);
        }
        let clocks = self.subject.clocks().wrapping_sub(clocks);
        let going = fault.is_none();
        self.steps.push(Step { placed, before, after, clocks, fault });
        going
    }

    /// Lets the reference catch up; the first difference in the states, then in the memories.
    fn catch_up(
        &mut self,
        reference: &mut dyn Reference,
        memories: &[Range<u32>],
    ) -> Result<Option<Difference>, String> {
        for range in memories {
            self.batch.digest(range.start, range.end - range.start);
        }
        let batch = std::mem::take(&mut self.batch);
        let answer = reference.exchange(batch.bytes())?;
        let answers = batch.answers(&self.layout, &answer)?;
        let steps = std::mem::take(&mut self.steps);
        let mut digests = Vec::new();
        let mut states = Vec::new();
        for answer in answers {
            match answer {
                Answer::States(mut of_step) => states.append(&mut of_step),
                Answer::State(state) => states.push(state),
                Answer::Digest(digest) => digests.push(digest),
                Answer::Bytes(_) => {}
            }
        }
        for (step, state) in steps.iter().zip(&states) {
            let details = self.compare(step, state);
            self.clocks = Some(state.clocks);
            if !details.is_empty() {
                return Ok(Some(self.difference(step, details)));
            }
        }
        for (range, theirs) in memories.iter().zip(digests) {
            if digest(&self.subject.read(range.start, range.end - range.start)) != theirs {
                let copies = steps.last().map_or(0, |step| step.placed.flag_copies);
                if let Some(difference) = self.memory_difference(reference, range, theirs, copies, steps.len()) {
                    return Ok(Some(difference));
                }
            }
        }
        Ok(None)
    }

    fn compare(&self, step: &Step, theirs: &State) -> Vec<String> {
        let mut details = Vec::new();
        match (&step.fault, theirs.stop) {
            (None, 0) => {}
            (Some(fault), stop) => {
                details.push(format!("the emulator stopped: {fault}; the reference's stop is {stop}"))
            }
            (None, stop) => details.push(format!("the reference stopped with signal {stop}")),
        }
        for (index, register) in self.layout.registers.iter().enumerate() {
            let ignored =
                step.placed.ignored.iter().filter(|(at, _)| *at == index).fold(0, |all, (_, mask)| all | mask);
            let (our, their) = (step.after[index], theirs.registers[index]);
            if (our ^ their) & !(ignored | step.placed.flag_copies) != 0 {
                details.push(format!("{} {our:#x}, reference {their:#x}", register.name));
            }
        }
        // Some simulators count in 32 bits.
        let their_clocks = self.clocks.map(|before| theirs.clocks.wrapping_sub(before) as u32);
        if let Some(clocks) = their_clocks.filter(|clocks| step.placed.clocks && *clocks != step.clocks as u32) {
            details.push(format!("{} clocks, reference {clocks}", step.clocks));
        }
        details
    }

    fn difference(&self, step: &Step, details: Vec<String>) -> Difference {
        let registers = self.layout.registers.iter().zip(&step.before);
        let before = registers.map(|(register, value)| format!("{} {value:x}", register.name));
        let placed = step.placed.clone();
        Difference { kind: Some(placed.kind), code: placed.code, details, before: before.collect() }
    }

    /// `None` where only copies of flags differ, in aligned words.
    fn memory_difference(
        &self,
        reference: &mut dyn Reference,
        range: &Range<u32>,
        expected: u64,
        copies: u32,
        instructions: usize,
    ) -> Option<Difference> {
        let ours = self.subject.read(range.start, range.end - range.start);
        let mut batch = Batch::default();
        batch.read(range.start, range.end - range.start);
        let theirs = reference.exchange(batch.bytes()).and_then(|answer| batch.answers(&self.layout, &answer));
        let details = match theirs.as_deref() {
            // A recording knows no bytes that were not asked for then.
            Ok([Answer::Bytes(theirs)]) if digest(theirs) == expected => {
                let word = |bytes: &[u8], at: usize| u32::from(bytes[at]) | u32::from(bytes[at + 1]) << 8;
                let copied = |at: usize| {
                    let at = at & !1;
                    at + 1 < ours.len() && (word(&ours, at) ^ word(theirs, at)) & !copies == 0
                };
                let differing = (0..ours.len()).filter(|at| ours[*at] != theirs[*at] && !copied(*at)).take(8);
                let show = |at: usize| {
                    let address = range.start as usize + at;
                    format!("memory {address:#x} {:#04x}, reference {:#04x}", ours[at], theirs[at])
                };
                differing.map(show).collect::<Vec<_>>()
            }
            _ => vec![format!("memory {:#x} to {:#x} differs", range.start, range.end)],
        };
        let place = format!("behind the last {instructions} instructions");
        (!details.is_empty()).then(|| Difference { kind: None, code: Vec::new(), details, before: vec![place] })
    }
}

/// What was not the same.
#[derive(Debug)]
pub struct Difference {
    /// Of the instruction; none where memories differ at the end of a batch.
    pub kind: Option<usize>,
    pub code: Vec<u8>,
    /// Each with both values.
    pub details: Vec<String>,
    /// The registers before.
    pub before: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in &self.code {
            write!(formatter, "{byte:02x} ")?;
        }
        write!(formatter, "{} (before: {})", self.details.join("; "), self.before.join(", "))
    }
}

/// What a stream came to.
#[derive(Debug)]
pub struct Outcome {
    /// Name of each kind of instruction and how often it was executed.
    pub executions: Vec<(String, u64)>,
    pub difference: Option<Difference>,
}

impl Outcome {
    pub fn instructions(&self) -> u64 {
        self.executions.iter().map(|(_, count)| count).sum()
    }

    /// Kinds that never ran.
    pub fn starved(&self) -> impl Iterator<Item = &str> {
        self.executions.iter().filter(|(_, count)| *count == 0).map(|(name, _)| name.as_str())
    }
}

/// Runs a stream of random instructions; the first difference ends it.
pub fn run<S: Subject>(
    pair: &mut Pair<S>,
    generator: &mut dyn Generator<S>,
    reference: &mut dyn Reference,
    seed: u64,
    instructions: u64,
) -> Result<Outcome, String> {
    let mut rng = Rng::new(seed);
    let mut executions: Vec<(String, u64)> = generator.kinds().into_iter().map(|name| (name, 0)).collect();
    let memories = generator.memories();
    let mut left = instructions;
    while left > 0 {
        let count = left.min(BATCH_INSTRUCTIONS);
        left -= count;
        generator.fill(pair, &mut rng);
        for _ in 0..count {
            let placed = generator.place(pair, &mut rng);
            let kind = placed.kind;
            if !pair.step(placed) {
                break;
            }
            executions[kind].1 += 1;
        }
        if let Some(difference) = pair.catch_up(reference, &memories)? {
            return Ok(Outcome { executions, difference: Some(difference) });
        }
    }
    Ok(Outcome { executions, difference: None })
}

/// How a program is followed.
#[derive(Debug, Clone, Copy)]
pub struct Following<'a> {
    /// States are compared this often.
    pub every_instructions: u32,
    /// Whether the clocks are compared.
    pub clocks: bool,
    /// As in [`Placed`], but that the reference keeps its own values.
    pub ignored: &'a [(usize, u32)],
    /// As in [`Placed`].
    pub flag_copies: u32,
}

/// Lets both run until the emulator is at a place, comparing registers and clocks as they run and the memories at the
/// end. Returns the instructions.
pub fn follow<S: Subject>(
    pair: &mut Pair<S>,
    reference: &mut dyn Reference,
    memories: &[Range<u32>],
    how: Following,
    mut there: impl FnMut(&S) -> bool,
) -> Result<Result<u64, Difference>, String> {
    let mut total = 0;
    let mut arrived = there(&pair.subject);
    while !arrived {
        for _ in 0..FOLLOWED_STATES {
            let before = pair.registers();
            let start = pair.subject.clocks();
            let mut count = 0;
            let mut fault = None;
            while count < how.every_instructions && !arrived && fault.is_none() {
                fault = pair.subject.step().err();
                count += 1;
                arrived = there(&pair.subject);
            }
            pair.batch.run(count);
            total += u64::from(count);
            let placed = Placed {
                clocks: how.clocks,
                ignored: how.ignored.to_vec(),
                flag_copies: how.flag_copies,
                ..Placed::default()
            };
            let clocks = pair.subject.clocks().wrapping_sub(start);
            let after = pair.registers();
            arrived |= fault.is_some();
            pair.steps.push(Step { placed, before, after, clocks, fault });
            if arrived {
                break;
            }
        }
        let compared = if arrived { memories } else { &[] };
        if let Some(difference) = pair.catch_up(reference, compared)? {
            return Ok(Err(difference));
        }
    }
    Ok(Ok(total))
}
