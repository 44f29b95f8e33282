//! Random instructions on the emulator and on a reference, compared as they run.
//!
//! The emulator runs ahead: a generator looks at its state and places the next instruction or program; whatever is done
//! to the emulator is noted for the reference, which carries out a whole batch. Then the states are compared in their
//! order, and the memories.

use crate::chip::Catalogue;
use crate::protocol::{digest, Answer, Batch, Layout, Reference, State, Until};
use crate::rng::Rng;
use std::fmt;
use std::ops::Range;

/// Instructions between two fillings of memories and registers, and of a batch.
const BATCH_INSTRUCTIONS: u64 = 512;
/// States compared together while a compiled image runs.
const FOLLOWED_STATES: u32 = 1024;

/// A random stream of one CPU beside its reference.
pub struct Stream {
    /// The name of the command and of the recording, like `rl78-g13`.
    pub name: &'static str,
    pub layout: Layout,
    /// Starts the reference for the stream of that name; the error says what is missing.
    pub reference: fn(&str) -> Result<Box<dyn Reference>, String>,
    pub run: fn(&Asked, &mut dyn Reference) -> Result<Outcome, String>,
}

/// What is asked of a stream.
pub struct Asked<'a> {
    pub catalogue: &'a Catalogue,
    /// The stream's name.
    pub name: &'a str,
    pub seed: u64,
    pub instructions: u64,
}

/// The emulator's CPU.
pub trait Subject {
    /// A register by its index in the layout.
    fn register(&self, index: usize) -> u32;
    fn set_register(&mut self, index: usize, value: u32);
    fn pc(&self) -> u32;
    fn read(&self, address: u32, length_bytes: u32) -> Vec<u8>;
    fn write(&mut self, address: u32, bytes: &[u8]);
    /// Executes one instruction; the error is the fault in words.
    fn step(&mut self) -> Result<(), String>;
    /// Runs at full speed to an address; the error is the fault in words.
    fn run_to(&mut self, address: u32) -> Result<(), String>;
    /// Cycles since the start.
    fn clocks(&self) -> u64;
}

/// An instruction at the program counter.
#[derive(Debug, Default, Clone)]
pub struct Placed {
    /// The instruction's number among [`Generator::kinds`]; none of a program.
    pub kind: Option<usize>,
    /// The bytes that the message about a difference shows.
    pub code: Vec<u8>,
    /// Bits of registers (index in the layout, mask) in which the reference is known to be wrong, or which the manual
    /// leaves open: they are not compared, and the emulator's value counts from then on.
    pub ignored: Vec<(usize, u32)>,
    /// Whether the clocks are compared.
    pub clocks: bool,
    /// A value that differs in just these bits holds a copy of flags, of which the reference keeps one elsewhere.
    pub flag_copies: u32,
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
    /// The reference's clocks at the end of the last batch.
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

    /// Gives the reference the emulator's bytes of these ranges.
    pub fn share_memories(&mut self, memories: &[Range<u32>]) {
        for range in memories {
            self.batch.write(range.start, &self.subject.read(range.start, range.end - range.start));
        }
    }

    /// Gives the reference the emulator's registers: the last of the layout first, since a status register may choose
    /// what the others mean.
    pub fn share_registers(&mut self) {
        for index in (0..self.layout.registers.len()).rev() {
            self.batch.set(index, self.register(index));
        }
    }

    /// What the reference has still to do, for one that is not compared.
    pub fn take_batch(&mut self) -> Batch {
        std::mem::take(&mut self.batch)
    }

    fn registers(&self) -> Vec<u32> {
        (0..self.layout.registers.len()).map(|index| self.subject.register(index)).collect()
    }

    /// Lets the emulator execute something and notes its states for the comparison; false where it stopped with a
    /// fault.
    fn execute(&mut self, placed: Placed, before: Vec<u32>, go: impl FnOnce(&mut S) -> Result<(), String>) -> bool {
        let clocks = self.subject.clocks();
        let fault = go(&mut self.subject).err();
        let clocks = self.subject.clocks().wrapping_sub(clocks);
        let going = fault.is_none();
        self.steps.push(Step { placed, before, after: self.registers(), clocks, fault });
        going
    }

    /// Executes the placed instruction on both; false where the emulator stopped with a fault.
    fn step(&mut self, placed: Placed) -> bool {
        let done = self.execute(placed, self.registers(), S::step);
        self.batch.step(1);
        if let Some(Step { placed, after, .. }) = self.steps.last() {
            for (index, _) in &placed.ignored {
                self.batch.set(*index, after[*index]);
            }
        }
        done
    }

    /// Runs both at full speed.
    pub fn run(&mut self, placed: Placed, until: Until, go: impl FnOnce(&mut S) -> Result<(), String>) {
        self.execute(placed, self.registers(), go);
        self.batch.run(until);
    }

    /// Lets the reference catch up; the first difference in the states, then in the memories.
    pub fn catch_up(
        &mut self,
        reference: &mut dyn Reference,
        memories: &[Range<u32>],
    ) -> Result<Option<Difference>, String> {
        for range in memories {
            self.batch.digest(range.start, range.end - range.start);
        }
        let answers = self.take_batch().ask(&self.layout, reference)?;
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
        Difference { kind: placed.kind, code: placed.code, details, before: before.collect() }
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
        let details = match batch.ask(&self.layout, reference).as_deref() {
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
    /// The instruction's kind; none where memories differ at the end of a batch, or a program differs.
    pub kind: Option<usize>,
    pub code: Vec<u8>,
    /// What differs, each with both values.
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
    pub instructions: u64,
    /// Name of each kind of instruction and how often it was executed.
    pub executions: Vec<(String, u64)>,
    pub difference: Option<Difference>,
}

impl Outcome {
    /// An outcome without any execution yet.
    pub fn of(kinds: impl IntoIterator<Item = String>) -> Self {
        let executions = kinds.into_iter().map(|name| (name, 0)).collect();
        Self { instructions: 0, executions, difference: None }
    }

    /// Kinds that never ran.
    pub fn starved(&self) -> impl Iterator<Item = &str> {
        self.executions.iter().filter(|(_, count)| *count == 0).map(|(name, _)| name.as_str())
    }

    /// The difference in words, with the name of the instruction.
    pub fn difference(&self) -> Option<String> {
        let difference = self.difference.as_ref()?;
        let kind = difference.kind.map_or(String::new(), |kind| format!("{} ", self.executions[kind].0));
        Some(format!("{kind}{difference}"))
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
    let mut outcome = Outcome::of(generator.kinds());
    let memories = generator.memories();
    let mut left = instructions;
    while left > 0 && outcome.difference.is_none() {
        let count = left.min(BATCH_INSTRUCTIONS);
        left -= count;
        generator.fill(pair, &mut rng);
        for _ in 0..count {
            let placed = generator.place(pair, &mut rng);
            let kind = placed.kind;
            if !pair.step(placed) {
                break;
            }
            outcome.instructions += 1;
            if let Some(kind) = kind {
                outcome.executions[kind].1 += 1;
            }
        }
        outcome.difference = pair.catch_up(reference, &memories)?;
    }
    Ok(outcome)
}

/// How a program is followed.
#[derive(Debug, Clone)]
pub struct Following {
    /// States are compared this often; at the end alone where the reference runs to an address.
    pub every_instructions: Option<u32>,
    /// What is compared and what is left out. The reference keeps its own values of what is left out.
    pub placed: Placed,
}

/// Lets both run to an address, comparing registers and clocks as they run and the memories at the end. Returns the
/// instructions that were stepped.
pub fn follow<S: Subject>(
    pair: &mut Pair<S>,
    reference: &mut dyn Reference,
    memories: &[Range<u32>],
    how: &Following,
    end: u32,
) -> Result<Result<u64, Difference>, String> {
    let mut total = 0;
    let Some(every) = how.every_instructions else {
        pair.run(how.placed.clone(), Until::Address(end), |subject| subject.run_to(end));
        return Ok(pair.catch_up(reference, memories)?.map_or(Ok(0), Err));
    };
    let mut arrived = pair.subject.pc() == end;
    while !arrived {
        for _ in 0..FOLLOWED_STATES {
            let mut count = 0;
            let before = pair.steps.last().map_or_else(|| pair.registers(), |step| step.after.clone());
            let going = pair.execute(how.placed.clone(), before, |subject| {
                while count < every && !arrived {
                    count += 1;
                    subject.step()?;
                    arrived = subject.pc() == end;
                }
                Ok(())
            });
            pair.batch.run(Until::Instructions(count));
            total += u64::from(count);
            arrived |= !going;
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
