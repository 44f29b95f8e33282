//! Compiled images beside a reference: start-up code and calls, registers and clocks compared as they run, memories
//! behind every call.

use crate::chip::{words, Chip, Family, Target, MAX_CYCLES};
use crate::protocol::{Layout, Reference};
use crate::references::unicorn::{self, Model};
use crate::stream::{follow, Following, Pair, Placed, Subject};
use serde::Deserialize;
use serde_json::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};
use steelyard_emu::processor::Processor;
use steelyard_emu::{machine_from_json, Argument, FaultKind, Machine, Observe, Space};

/// The symbol at which an image's start-up code is done.
pub const READY: &str = "harness_ready";

/// One image and what to call in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Shown beside the result.
    pub name: String,
    pub target: String,
    pub elf: PathBuf,
    /// The reference's image, where it is another one: so a test plants a fault.
    pub reference_elf: Option<PathBuf>,
    /// Placed in data memory before the first call.
    pub memory: Vec<Contents>,
    pub calls: Vec<Call>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    pub address: u32,
    /// Two digits a byte.
    pub hex: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    pub function: String,
    /// Value and size in bytes of each.
    pub arguments: Vec<(u64, u32)>,
}

impl Job {
    /// Reads the jobs of a JSON file.
    pub fn read(path: &Path) -> Result<Vec<Self>, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The image on the emulator as it is shipped, start-up code done and the job's memory in place.
    pub fn machine(&self, description: &Value) -> Result<Box<dyn Machine>, String> {
        let mut machine = machine_from_json(&description.to_string()).map_err(words)?;
        machine.load_elf(&read(&self.elf)?).map_err(words)?;
        machine.run_until(address_of(machine.as_ref(), READY)?, MAX_CYCLES).map_err(words)?;
        for contents in &self.memory {
            machine.write(Space::Data, contents.address, &contents.bytes()?).map_err(words)?;
        }
        Ok(machine)
    }
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
    /// The arguments as the emulator takes them.
    pub fn arguments(&self) -> Vec<Argument> {
        self.arguments.iter().map(|&(value, size_bytes)| Argument { value, size_bytes }).collect()
    }
}

/// An image's bytes.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A symbol's address as the machine takes it.
pub fn address_of(machine: &dyn Machine, name: &str) -> Result<u32, String> {
    let symbol = machine.symbols().get(name).ok_or_else(|| format!("the image has no symbol `{name}`"))?;
    Ok(machine.address(symbol.address))
}

/// A reference that runs a chip's images.
pub struct Beside {
    /// Shown beside the reference's speed.
    pub name: &'static str,
    pub reference: Box<dyn Reference>,
    pub layout: Layout,
    pub how: Following,
    /// Whether the stack is compared with the reference's.
    pub stack: bool,
    pub go: Go,
}

/// Starts a reference of a target; the error says what is missing.
pub type Start = fn(&Target) -> Result<Beside, String>;

/// How a reference is made to run a whole call.
pub enum Go {
    /// Behind the call stands an instruction at which it stops. The register of that number holds the address.
    Breakpoint(&'static [u8], Option<usize>),
    /// It stops at an address.
    Address,
    /// It stops after as many instructions.
    Count,
}

impl Beside {
    /// A reference that is asked for its state every few instructions and has breakpoints.
    pub fn stepped(reference: Box<dyn Reference>, layout: Layout, breakpoint: &'static [u8]) -> Self {
        let how = Following { every_instructions: Some(8), placed: Placed::default() };
        let go = Go::Breakpoint(breakpoint, None);
        Self { name: "gdb's simulator", reference, layout, how, stack: true, go }
    }

    /// Unicorn with a target's memories, which runs to an address.
    pub fn unicorn(model: Model, target: &Target, returns_to: u32, layout: Layout) -> Result<Self, String> {
        let mut memories: Vec<_> =
            target.description()?.memory.iter().map(|region| region.base..region.end() as u32).collect();
        memories.push(returns_to..returns_to + 1);
        let reference = unicorn::start(model, &memories)?;
        let how = Following { every_instructions: None, placed: Placed::default() };
        Ok(Self { name: "Unicorn", reference, layout, how, stack: true, go: Go::Address })
    }
}

/// A chip that runs images beside references.
pub trait Compiled: Subject + Sized {
    /// Whether the cycles of the steps of a call are those of the call.
    const EXACT: bool = false;
    /// What data addresses have here besides themselves.
    const DATA: u32 = 0;

    /// Starts the references. Images are compared with the first; all that there are are timed.
    const BESIDE: &'static [Start];

    /// The chip at the start of an image, with the clocks that its references count.
    fn load(target: &Target, image: &[u8]) -> Result<Self, String>;
    /// Memories that the reference is given as the image leaves them; its start-up code makes the others.
    fn initial(target: &Target) -> Vec<Range<u32>>;
    /// Memories that a program writes.
    fn written(target: &Target) -> Vec<Range<u32>> {
        target.memories(&["ram"])
    }
    /// The parts of a RAM that a call leaves as its steps do; static data end at `end`, the stack begins at `sp`.
    fn alike(ram: Range<u32>, _end: u32, _sp: u32) -> Vec<Range<u32>> {
        vec![ram]
    }
    /// An address of code as the program counter has it.
    fn place(address: u32) -> u32 {
        address
    }
    fn stack_pointer(&self) -> u32;
    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), String>;
    /// Puts both at the first instruction of a call; gives the place behind it.
    fn enter(pair: &mut Pair<Self>, function: u32, call: &Call) -> Result<u32, String>;
}

/// A family whose images are compared.
pub trait Images: Family {
    /// The place that calls return to.
    const RETURN_ADDRESS: u32;
    /// A bit that addresses of code have besides the program counter.
    const CODE_MARK: u32 = 0;
    /// Kinds of memories that the reference is given before the start-up code runs.
    const INITIAL: &'static [&'static str] = &["flash"];

    /// How a call starts, chip by chip, as [`Compiled::BESIDE`] has it.
    const BESIDE: &'static [Start];

    /// Gives a core the clocks that the reference counts.
    fn as_simulated(_core: &mut Value) -> Result<(), String> {
        Ok(())
    }
    /// The part of the RAM that both machines must leave alike, as [`Compiled::alike`] has it.
    fn alike(ram: Range<u32>, _end: u32) -> Range<u32> {
        ram
    }
}

impl<F: Images> Compiled for Chip<F> {
    const BESIDE: &'static [Start] = F::BESIDE;

    fn load(target: &Target, image: &[u8]) -> Result<Self, String> {
        let mut simulated = target.clone();
        F::as_simulated(&mut simulated.description["core"])?;
        let mut chip = Self::new(&simulated.description()?)?;
        chip.0.load_elf(image).map_err(words)?;
        let start = address_of(&chip.0, "_start")?;
        chip.cpu_mut().set_pc(start);
        Ok(chip)
    }

    fn initial(target: &Target) -> Vec<Range<u32>> {
        target.memories(F::INITIAL)
    }

    fn alike(ram: Range<u32>, end: u32, _: u32) -> Vec<Range<u32>> {
        vec![F::alike(ram, end)]
    }

    fn place(address: u32) -> u32 {
        address & !F::CODE_MARK
    }

    fn stack_pointer(&self) -> u32 {
        self.cpu().stack_pointer()
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), String> {
        self.cpu_mut().set_stack_pointer(pointer).map_err(words)
    }

    fn enter(pair: &mut Pair<Self>, function: u32, call: &Call) -> Result<u32, String> {
        let cpu = pair.subject.cpu_mut();
        let top = cpu.stack_pointer();
        let arguments = cpu.place(&call.arguments()).map_err(words)?;
        let at_call = (top - arguments.len() as u32) & !(F::Cpu::STACK_ALIGNMENT - 1);
        if !cpu.poke(at_call, &arguments) {
            return Err(format!("the arguments of {} do not fit the stack", call.function));
        }
        cpu.set_stack_pointer(at_call).map_err(words)?;
        cpu.call(function).map_err(|trap| format!("{}: {trap:?}", call.function))?;
        let pushed = cpu.stack_pointer()..top;
        pair.share_memories(&[pushed]);
        pair.share_registers();
        Ok(Self::place(F::RETURN_ADDRESS))
    }
}

/// Both ran the job and agreed in everything.
#[derive(Debug)]
pub struct Agreement {
    /// Instructions of the calls.
    pub instructions: u64,
    /// Cycles of each call on the emulator as it is shipped, call and return included.
    pub call_cycles: Vec<u64>,
    /// A call whose stack the chip has no room for ends the job.
    pub fault: Option<String>,
}

/// Why a job did not come to an agreement.
#[derive(Debug)]
pub enum Failure {
    /// The reference is missing; what brings it.
    Missing(String),
    Different(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Different(message)
    }
}

/// Runs a job beside the first reference of its target, and its calls once more on the emulator as it is shipped.
pub fn compare<C: Compiled>(target: &Target, job: &Job) -> Result<Agreement, Failure> {
    let mut alone = job.machine(&target.description)?;
    let start = C::BESIDE.first().ok_or_else(|| format!("nothing is there to compare {} with", target.id))?;
    let Beside { mut reference, layout, how, stack, .. } = start(target).map_err(Failure::Missing)?;
    let mut pair = Pair::new(C::load(target, &read(job.reference_elf.as_ref().unwrap_or(&job.elf))?)?, layout);
    pair.share_memories(&C::initial(target));
    pair.share_registers();
    if job.reference_elf.is_some() {
        pair.subject = C::load(target, &read(&job.elf)?)?;
    }
    let static_end = address_of(alone.as_ref(), "_end")?;
    let clipped = |ram: &Range<u32>| ram.start..if ram.contains(&static_end) { static_end } else { ram.end };
    let mut written = C::written(target);
    if !stack {
        written = written.iter().map(clipped).collect();
    }
    let mut run = |pair: &mut Pair<C>, end: u32| {
        follow(pair, reference.as_mut(), &written, &how, end)?.map_err(|difference| difference.to_string())
    };
    run(&mut pair, C::place(address_of(alone.as_ref(), READY)?))?;
    for contents in &job.memory {
        pair.write(C::DATA + contents.address, &contents.bytes()?);
    }
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
        let (top, before) = (pair.subject.stack_pointer(), pair.subject.clocks());
        let end = C::enter(&mut pair, function, call)?;
        let steps = run(&mut pair, end).map_err(named)?;
        let cycles = pair.subject.clocks() - before;
        if C::EXACT && (result.cycles, result.instructions) != (cycles, steps) {
            return Err(named(format!(
                "a call gives {} cycles and {} instructions, its steps {cycles} and {steps}",
                result.cycles, result.instructions
            ))
            .into());
        }
        instructions += result.instructions;
        call_cycles.push(result.cycles);
        pair.subject.set_stack_pointer(top).map_err(named)?;
        for range in target.memories(&["ram"]).into_iter().flat_map(|ram| C::alike(ram, static_end, top)) {
            let length = range.end - range.start;
            let bytes = alone.read(Space::Data, range.start, length as usize).map_err(words)?;
            if bytes != pair.subject.read(C::DATA + range.start, length) {
                return Err(named("memory differs between a call and the steps of it".into()).into());
            }
        }
    }
    Ok(Agreement { instructions, call_cycles, fault: None })
}
