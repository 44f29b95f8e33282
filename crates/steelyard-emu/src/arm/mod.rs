//! The ARM family: A32 and Thumb-1 in user mode, on a pipeline whose times are data, before a memory system.
//!
//! Coprocessor instructions and `swi` are refused: nothing would answer them.

pub mod abi;
pub mod cpu;
pub mod decode;
pub mod memory;
pub mod predict;
pub mod program;
mod tally;
pub mod thumb;
pub mod timing;

use crate::bus::{Region, RegionKind};
use crate::description::Description;
use crate::elf;
use crate::error::{refuse, Error};
use crate::fault::{Fault, FaultKind, Trap};
use crate::machine::{Argument, CallResult, Machine, Observe, Space};
use crate::memory_system::{Hierarchy, Immediate, MemorySystem};
use crate::observe::{Nothing, Observer, StackPeak};
use crate::profile::{Class, Spent};
use crate::symbols::Symbols;
use cpu::{Cpu, Exit, RETURN_ADDRESS};
use memory::Memory;
use object::elf::EM_ARM;
use tally::{Tally, Totals};
use timing::{Architecture, Core};

/// Region that holds the caller's buffers beyond the chip's own memories.
const LAB: &str = "lab";
/// Where an image begins.
const START_SYMBOL: &str = "_start";
/// First free RAM address of an image: the stack must not grow below it.
const END_SYMBOL: &str = "_end";
/// At a call the stack pointer is a multiple of it.
const STACK_ALIGNMENT: u32 = 8;
/// Upper half of the address of the call instruction, for branch prediction; no memory lies there.
const CALL_SITE: u32 = 0xfffe_0000;

const SP: usize = decode::SP as usize;
const LR: usize = decode::LR as usize;
const PC: usize = decode::PC as usize;

/// An ARM chip with a kind of memory system.
pub struct Arm<M> {
    cpu: Cpu<M>,
    regions: Vec<Region>,
    symbols: Symbols,
    stack_top: u32,
    counts_memory: bool,
    snapshot: Option<Snapshot>,
}

/// The registers; memory keeps its own part.
struct Snapshot {
    registers: [u32; 16],
    nzcv: u32,
    saturated: bool,
    thumb: bool,
}

/// The chip of a description: with caches if it has any, or memories whose latency is known.
pub fn machine(description: &Description) -> Result<Box<dyn Machine>, Error> {
    let hierarchy = Hierarchy::of(description)?;
    if hierarchy.has_caches() || description.memory.iter().any(|region| region.latency.is_some()) {
        return Ok(Box::new(Arm::new(description, hierarchy, true)?));
    }
    Ok(Box::new(Arm::new(description, Immediate, false)?))
}

impl<M: MemorySystem> Arm<M> {
    /// Builds a chip with zeroed memories; `counts_memory` is whether its memory system has something to tell.
    pub fn new(description: &Description, system: M, counts_memory: bool) -> Result<Self, Error> {
        let core = Core::from_data(&description.core)?;
        let regions = &description.memory;
        if let Some(region) = regions.iter().find(|region| region.wait_read_cycles + region.wait_write_cycles > 0) {
            return refuse(format!("memory `{}`: give an ARM its latency, not wait cycles", region.name));
        }
        if let Some(region) = regions.iter().find(|region| region.end() > u64::from(CALL_SITE)) {
            return refuse(format!("memory `{}` lies where calls return to, above 0x{CALL_SITE:x}", region.name));
        }
        let Some(ram) = regions.iter().find(|region| region.kind == RegionKind::Ram && region.name != LAB) else {
            return refuse("the chip has no RAM of its own");
        };
        let stack_top = ram.end() as u32 & !(STACK_ALIGNMENT - 1);
        let memory = Memory::new(regions)?;
        let mut arm = Arm {
            cpu: Cpu::new(core, memory, system),
            regions: regions.clone(),
            symbols: Symbols::default(),
            stack_top,
            counts_memory,
            snapshot: None,
        };
        arm.reset();
        Ok(arm)
    }

    /// The processor, for a tester that sets up its state.
    pub fn cpu_mut(&mut self) -> &mut Cpu<M> {
        &mut self.cpu
    }

    fn reset(&mut self) {
        self.cpu.registers = [0; 16];
        self.cpu.registers[SP] = self.stack_top;
        self.cpu.nzcv = 0;
        self.cpu.saturated = false;
        self.cpu.thumb = false;
    }

    /// Lowest address the stack may use from where it points now: the start of its RAM, or the end of the
    /// image's static data where that lies below.
    fn stack_limit(&self) -> u32 {
        let sp = self.cpu.registers[SP];
        // RAM regions that touch are one to the stack.
        let mut base = sp;
        while let Some(region) = self.regions.iter().find(|region| {
            let below = base.wrapping_sub(1);
            region.kind == RegionKind::Ram
                && region.contains(below)
                && (region.contains(sp.wrapping_sub(1)) || region.name != LAB)
        }) {
            base = region.base;
        }
        match self.symbols.get(END_SYMBOL) {
            Some(end) if end.address <= sp => base.max(end.address),
            _ => base,
        }
    }

    fn fault(&self, trap: Trap) -> Fault {
        let pc = self.cpu.registers[PC];
        let place = self.symbols.locate(pc);
        let address = trap.address.unwrap_or(0);
        let message = match trap.kind {
            FaultKind::IllegalOpcode => self.refusal(pc, &place),
            FaultKind::UnmappedAddress if address == pc => format!("the flow reached {place}, where nothing lies"),
            FaultKind::UnmappedAddress => format!("nothing answers at address 0x{address:08x}, wanted at {place}"),
            FaultKind::UnalignedAddress => {
                format!("a pair of words at 0x{address:08x}, no multiple of eight, wanted at {place}")
            }
            FaultKind::StackOverflow => format!(
                "the stack reached 0x{address:08x}, below 0x{:08x} where it must end, at {place}",
                self.cpu.stack_limit
            ),
            FaultKind::CycleBudget => format!("the cycle budget ran out at {place}"),
            FaultKind::BadReturn => format!(
                "the function returned with the stack pointer at 0x{:08x} instead of 0x{address:08x}",
                self.cpu.registers[SP]
            ),
            FaultKind::Sleep => format!("the CPU sleeps at {place} and nothing would wake it"),
            FaultKind::WriteToFlash => format!("a store to flash at address 0x{address:08x}, at {place}"),
        };
        Fault { kind: trap.kind, message, pc, address: trap.address }
    }

    /// Why the instruction at an address is refused.
    fn refusal(&self, pc: u32, place: &str) -> String {
        let core = &self.cpu.core.id;
        let size = if self.cpu.thumb { 2 } else { 4 };
        let Some(bytes) = self.cpu.memory.peek(pc, size) else { return format!("no instruction at {place}") };
        if self.cpu.thumb {
            let half = u16::from_le_bytes([bytes[0], bytes[1]]);
            if self.cpu.core.architecture < Architecture::Armv4t {
                return format!("the {core} core has no Thumb instructions, wanted at {place}");
            }
            return format!("0x{half:04x} at {place} is no instruction of the {core} core");
        }
        let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        if word >> 24 & 0x0f == 0x0f && word >> 28 != 0x0f {
            return format!("0x{word:08x} at {place} calls an operating system, and there is none");
        }
        format!("0x{word:08x} at {place} is no instruction of the {core} core")
    }

    /// Runs a call that is set up to its end.
    fn run_call<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64, return_sp: u32) -> Option<Trap> {
        match self.cpu.run(observer, cycle_limit) {
            Exit::Trap(trap) => Some(trap),
            Exit::Limit => Some(Trap::of(FaultKind::CycleBudget)),
            Exit::Stop if self.cpu.registers[SP] != return_sp => Some(Trap::at(FaultKind::BadReturn, return_sp)),
            Exit::Stop => None,
        }
    }

    /// An address of code, and whether it is Thumb.
    fn code(&self, address: u32) -> Option<(u32, bool)> {
        let thumb = address & 1 == 1;
        let aligned = thumb || address % 4 == 0;
        (aligned && self.cpu.memory.region(address).is_some()).then_some((address & !1, thumb))
    }
}

impl<M: MemorySystem> Machine for Arm<M> {
    fn load_elf(&mut self, image: &[u8]) -> Result<(), Error> {
        let image = elf::parse(image, EM_ARM, "ARM")?;
        self.snapshot = None;
        self.cpu.memory.erase();
        self.cpu.program.clear();
        self.symbols = Symbols::default();
        for segment in &image.segments {
            // Initial values also where the program finds them, so that a function can be called without running
            // the image's start-up code.
            for address in [segment.physical_address, segment.virtual_address] {
                self.write(Space::Data, address, &segment.data)
                    .map_err(|error| Error::Elf(format!("the image does not fit the chip: {error}")))?;
            }
        }
        self.symbols = Symbols::of_arm(image.symbols);
        self.reset();
        Ok(())
    }

    fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    fn address(&self, linked_address: u32) -> u32 {
        linked_address
    }

    fn run_until(&mut self, address: u32, max_cycles: u64) -> Result<(), Error> {
        let Some((stop, stop_in_thumb)) = self.code(address) else {
            return refuse(format!("0x{address:x} is no address of an instruction"));
        };
        let start = self.symbols.get(START_SYMBOL).and_then(|symbol| self.code(symbol.address));
        let Some((start, thumb)) = start else {
            return refuse(format!("the image has no code at a symbol `{START_SYMBOL}`"));
        };
        self.reset();
        self.cpu.registers[PC] = start;
        self.cpu.thumb = thumb;
        self.cpu.stack_limit = 0;
        self.cpu.program.plant_stop(stop, stop_in_thumb);
        let limit = self.cpu.cycles.saturating_add(max_cycles);
        let exit = self.cpu.run(&mut Nothing, limit);
        self.cpu.program.clear_stop();
        let trap = match exit {
            Exit::Stop => return Ok(()),
            Exit::Trap(trap) => trap,
            Exit::Limit => Trap::of(FaultKind::CycleBudget),
        };
        refuse(format!("the start-up code failed: {}", self.fault(trap).message))
    }

    fn read(&self, space: Space, address: u32, length: usize) -> Result<Vec<u8>, Error> {
        if space == Space::Eeprom {
            return refuse("the chip has no EEPROM");
        }
        match self.cpu.memory.peek(address, length) {
            Some(bytes) => Ok(bytes),
            None => refuse(format!("{length} bytes at 0x{address:08x} reach where no memory lies")),
        }
    }

    fn write(&mut self, space: Space, address: u32, data: &[u8]) -> Result<(), Error> {
        if space == Space::Eeprom {
            return refuse("the chip has no EEPROM");
        }
        if !self.cpu.memory.poke(address, data) {
            return refuse(format!("{} bytes at 0x{address:08x} reach where no memory lies", data.len()));
        }
        self.cpu.program.forget(address, data.len());
        Ok(())
    }

    fn snapshot(&mut self) {
        self.cpu.memory.snapshot();
        let Cpu { registers, nzcv, saturated, thumb, .. } = self.cpu;
        self.snapshot = Some(Snapshot { registers, nzcv, saturated, thumb });
    }

    fn restore(&mut self) -> Result<(), Error> {
        let (Some(snapshot), Some(code_changed)) = (&self.snapshot, self.cpu.memory.restore()) else {
            return refuse("there is no snapshot to go back to");
        };
        self.cpu.registers = snapshot.registers;
        self.cpu.nzcv = snapshot.nzcv;
        self.cpu.saturated = snapshot.saturated;
        self.cpu.thumb = snapshot.thumb;
        if code_changed {
            self.cpu.program.clear();
            self.cpu.memory.unmark_code();
        }
        Ok(())
    }

    fn stack_pointer(&self) -> u32 {
        self.cpu.registers[SP]
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        self.cpu.registers[SP] = pointer;
        Ok(())
    }

    fn empty_stack(&self, end: u32) -> u32 {
        // It points at the last used word.
        end & !(STACK_ALIGNMENT - 1)
    }

    fn results_end_high(&self) -> bool {
        false
    }

    fn empty_caches(&mut self) {
        self.cpu.system.flush();
        self.cpu.branches.flush();
    }

    fn call(
        &mut self,
        function: u32,
        arguments: &[Argument],
        max_cycles: u64,
        observe: Observe,
    ) -> Result<CallResult, Error> {
        let Some((entry, thumb)) = self.code(function) else {
            return refuse(format!("0x{function:x} is no address of a function"));
        };
        let placement = abi::place(arguments)?;
        let caller_sp = self.cpu.registers[SP];
        self.cpu.stack_limit = self.stack_limit();
        let stack_bytes = placement.stack.len() as u32 * 4;
        let call_sp = caller_sp.wrapping_sub(stack_bytes) & !(STACK_ALIGNMENT - 1);
        let stack: Vec<u8> = placement.stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.write(Space::Data, call_sp, &stack)?;
        self.cpu.registers[..placement.registers.len()].copy_from_slice(&placement.registers);
        self.cpu.registers[SP] = call_sp;
        self.cpu.registers[LR] = RETURN_ADDRESS;
        self.cpu.registers[PC] = entry;
        self.cpu.thumb = thumb;
        let cycles_before = self.cpu.cycles;
        let limit = cycles_before.saturating_add(max_cycles);
        let predicted = self.cpu.branches.decided(CALL_SITE | entry & 0xffff, true);
        let costs = self.cpu.core.cost;
        let call_cost = if predicted { costs.branch } else { costs.branch_refill };
        self.cpu.cycles += u64::from(call_cost.issue);
        self.cpu.system.take_counters();
        let mut totals = Totals::default();
        let (trap, instructions, lowest) = match observe {
            Observe::Nothing => (self.run_call(&mut Nothing, limit, call_sp), 0, call_sp),
            Observe::Stack => {
                let mut stack = StackPeak::new(call_sp);
                (self.run_call(&mut stack, limit, call_sp), stack.instructions + 1, stack.lowest)
            }
            Observe::Profile => {
                let mut tally = Tally::new(call_sp, self.cpu.program.ops.len());
                let trap = self.run_call(&mut tally, limit, call_sp);
                let call = Spent { cycles: u64::from(call_cost.issue), instructions: 1 };
                totals = tally.finish(&self.cpu.program, &self.symbols, call);
                totals.mix[Class::Call as usize] += 1;
                (trap, totals.instructions + 1, tally.lowest)
            }
        };
        let fault = trap.map(|trap| self.fault(trap));
        if fault.is_none() {
            self.cpu.registers[SP] = caller_sp;
        }
        let counters = self.cpu.system.take_counters();
        Ok(CallResult {
            fault,
            cycles: self.cpu.cycles - cycles_before,
            instructions,
            stack_bytes: call_sp.saturating_sub(lowest),
            mix: totals.mix,
            loads: totals.loads,
            stores: totals.stores,
            branches: totals.branches,
            branches_taken: totals.branches_taken,
            functions: totals.functions,
            return_value: u64::from(self.cpu.registers[0]) | u64::from(self.cpu.registers[1]) << 32,
            memory: self.counts_memory.then_some(counters),
        })
    }
}
