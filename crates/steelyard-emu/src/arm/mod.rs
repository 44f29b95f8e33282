//! The ARM family: A32 and Thumb-1 in user mode, with a pipeline whose times are data, in front of a memory system.
//!
//! Coprocessor instructions and `swi` are refused because nothing would answer them.

pub mod abi;
pub mod cpu;
pub mod decode;
pub mod exec;
pub mod isa;
pub mod operand;
pub mod pipeline;
mod run;
pub mod timing;

use crate::description::Description;
use crate::emulated::Emulated;
use crate::error::{refuse, Error};
use crate::fault::Trap;
use crate::isa::{listed, Listed};
use crate::machine::{Argument, Machine, Window};
use crate::memory::Memory;
use crate::memory_system::{Hierarchy, Immediate, MemoryCounters, MemorySystem};
use crate::observe::Observer;
use crate::processor::{self, Executed, Exit, OneSpace, Parts, PartsMut, Processor, Settable};
use crate::profile::Spent;
use crate::program::Program;
use crate::symbols::{Symbol, Symbols};
use crate::value::HeldWord;
use crate::windows::Windows;
use cpu::{Cpu, RETURN_ADDRESS};
use decode::Decoded;
use object::elf::{self, EM_ARM};
use timing::{Architecture, Core};

/// Upper half of the call instruction's address, which branch prediction needs; no memory lies there.
const CALL_SITE: u32 = 0xfffe_0000;

const SP: usize = decode::SP as usize;
const LR: usize = decode::LR as usize;
const PC: usize = decode::PC as usize;

/// An ARM chip with a memory system of type `M`, whose registers hold `W`.
pub type Arm<M, W = u32> = Emulated<Cpu<M, W>>;

/// Registers and flags between runs.
pub struct Registers<W> {
    numbered: [W; 16],
    nzcv: W,
    saturated: W,
    thumb: bool,
}

/// Builds the chip of a description, with a memory hierarchy if it has caches or memories with a latency.
pub fn machine<W: HeldWord>(description: &Description) -> Result<Box<dyn Machine>, Error> {
    let hierarchy = Hierarchy::of(description)?;
    // Secrets are where they are whatever memory takes, and every memory system takes long to compile. What may be on
    // its way is known without one.
    if !W::PLAIN {
        return Ok(Box::new(chip::<_, W>(description, Immediate)?));
    }
    if hierarchy.has_caches() || description.memory.iter().any(|region| region.latency.is_some()) {
        return Ok(Box::new(chip::<_, W>(description, hierarchy)?));
    }
    Ok(Box::new(chip::<_, W>(description, Immediate)?))
}

/// Returns the instructions of a description's core.
pub fn instructions(description: &Description) -> Result<Vec<Listed>, Error> {
    let core = Core::from_data(&description.core)?;
    Ok(listed(isa::ROWS, |feature| core.architecture.has(feature)))
}

/// Builds the chip of a description with the given memory system.
pub fn chip<M: MemorySystem, W: HeldWord>(description: &Description, system: M) -> Result<Arm<M, W>, Error> {
    let core = Core::from_data(&description.core)?;
    let regions = &description.memory;
    if let Some(region) = regions.iter().find(|region| region.wait_read_cycles + region.wait_write_cycles > 0) {
        return refuse(format!("memory `{}`: give an ARM its latency, not wait cycles", region.name));
    }
    if let Some(region) = regions.iter().find(|region| region.end() > u64::from(CALL_SITE)) {
        return refuse(format!("memory `{}` lies where calls return to, above 0x{CALL_SITE:x}", region.name));
    }
    let mut cpu = Cpu::new(core, Memory::new(regions)?, system);
    cpu.goes_on_under_misses = description.cache.fill.outstanding > 0;
    Emulated::new(cpu, regions)
}

impl<M: MemorySystem, W: HeldWord> Processor for Cpu<M, W> {
    type Registers = Registers<W>;
    type Memory = Memory;
    type Program = Program<Decoded>;
    type Beside = W::Beside;

    const ELF_MACHINE: elf::Machine = EM_ARM;
    const NAME: &'static str = "ARM";
    const ADDRESS_DIGITS: usize = 8;
    const STACK_ALIGNMENT: u32 = 8;
    const PLAIN: bool = W::PLAIN;

    fn parts(&self) -> Parts<'_, Self> {
        let Cpu { cycles, stack_limit, memory, program, beside, .. } = self;
        Parts { cycles: *cycles, stack_limit: *stack_limit, memory, program, beside }
    }

    fn parts_mut(&mut self) -> PartsMut<'_, Self> {
        let Cpu { stack_limit, memory, program, beside, .. } = self;
        PartsMut { stack_limit, memory, program, beside }
    }

    fn reset(&mut self, stack_pointer: u32) {
        let mut numbered = [W::of(0); 16];
        numbered[SP] = W::of(stack_pointer);
        self.set_registers(&Registers { numbered, nzcv: W::of(0), saturated: W::of(0), thumb: false });
    }

    fn registers(&self) -> Registers<W> {
        Registers { numbered: self.registers, nzcv: self.nzcv, saturated: self.saturated, thumb: self.thumb }
    }

    fn set_registers(&mut self, registers: &Registers<W>) {
        self.registers = registers.numbered;
        self.nzcv = registers.nzcv;
        self.saturated = registers.saturated;
        self.thumb = registers.thumb;
    }

    fn stack_pointer(&self) -> u32 {
        self.registers[SP].plain()
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        self.registers[SP] = W::of(pointer);
        Ok(())
    }

    fn settable(&self) -> Vec<Settable> {
        Settable::named(operand::REGISTERS[..PC].iter().copied(), 32)
    }

    fn set(&mut self, place: usize, value: u32) -> Result<(), Error> {
        self.registers[place] = W::of(value);
        Ok(())
    }

    fn held(&self, all: &mut Vec<(u32, u32)>) {
        all.extend(self.registers[..PC].iter().chain([&self.nzcv, &self.saturated]).map(|held| held.both()));
    }

    fn passed(&self) -> (u32, u32) {
        (self.registers[0].plain(), self.registers[1].plain())
    }

    fn pc(&self) -> u32 {
        self.registers[PC].plain()
    }

    fn set_pc(&mut self, address: u32) {
        self.thumb = is_thumb(address);
        self.registers[PC] = W::of(address & !1);
    }

    fn is_code(&self, address: u32) -> bool {
        (is_thumb(address) || address % 4 == 0) && self.memory.region(address).is_some()
    }

    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        self.memory.peek(address, length)
    }

    fn symbols(symbols: Vec<Symbol>) -> Symbols {
        Symbols::of_arm(symbols)
    }

    fn poke(&mut self, address: u32, data: &[u8]) -> bool {
        processor::poke(self, address, data)
    }

    fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        Cpu::run(self, observer, cycle_limit)
    }

    fn run_in_windows(
        &mut self,
        cycle_limit: u64,
        window_cycles: u64,
        call: Spent,
    ) -> Result<(Exit, Vec<Window>), Error> {
        let mut windows = Windows::new(window_cycles, call.cycles);
        let exit = Cpu::run(self, &mut windows, cycle_limit);
        Ok((exit, windows.finish(self)))
    }

    fn place(&mut self, arguments: &[Argument]) -> Result<Vec<u8>, Error> {
        let placement = abi::place(arguments)?;
        for (register, &argument) in self.registers.iter_mut().zip(&placement.registers) {
            *register = W::of(argument);
        }
        Ok(placement.stack.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    fn call(&mut self, function: u32) -> Result<(), Trap> {
        self.set_pc(function);
        self.registers[LR] = W::of(RETURN_ADDRESS);
        let predicted = self.branches.decided(CALL_SITE | self.pc() & 0xffff, true);
        let cost = if predicted { self.core.cost.branch } else { self.core.cost.branch_refill };
        self.cycles += u64::from(cost.issue);
        Ok(())
    }

    fn return_value(&self) -> u64 {
        u64::from(self.registers[0].plain()) | u64::from(self.registers[1].plain()) << 32
    }

    fn address_at(&self, place: u32) -> u32 {
        self.program.address(place as usize)
    }

    fn text_at(&self, place: u32) -> Option<String> {
        let mark = u32::from(self.program.is_thumb(place as usize));
        self.text(self.address_at(place) | mark).map(|(text, _)| text)
    }

    fn executed(&self, place: usize) -> Option<Executed> {
        let decoded = self.program.ops.get(place)?;
        let (loads, stores) = decoded.transfers();
        Some(Executed {
            address: self.program.address(place),
            class: decoded.class,
            loads,
            stores,
            conditional_branch: decoded.conditional_branch(),
            ports: decoded.ports(),
        })
    }

    /// The lowest bit of an address marks Thumb.
    fn text(&self, address: u32) -> Option<(String, u32)> {
        let read = |address: u32, length: usize| {
            let bytes = self.memory.peek(address, length)?;
            Some(bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)))
        };
        if !is_thumb(address) {
            return Some((isa::text(read(address, 4)?, 32, address)?, 4));
        }
        let address = address & !1;
        let first = read(address, 2)?;
        let second = read(address.wrapping_add(2), 2);
        if let Some(text) = second.and_then(|second| isa::long_call_text(first, second, address)) {
            return Some((text, 4));
        }
        Some((isa::text(first, 16, address)?, 2))
    }

    fn refusal(&self, place: &str) -> String {
        let core = &self.core.id;
        let size = if self.thumb { 2 } else { 4 };
        let Some(bytes) = self.memory.peek(self.pc(), size) else {
            return format!("no instruction at {place}");
        };
        if self.thumb {
            let half = u16::from_le_bytes([bytes[0], bytes[1]]);
            if self.core.architecture < Architecture::Armv4t {
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

    fn misalignment(&self, address: u32, place: &str) -> String {
        format!("a pair of words at 0x{address:08x}, no multiple of eight, wanted at {place}")
    }

    fn empty_caches(&mut self) {
        self.system.flush();
        self.branches.flush();
    }

    fn take_counters(&mut self) -> Option<MemoryCounters> {
        self.system.take_counters()
    }
}

/// Whether a code address marks Thumb instructions (bit 0 is set).
fn is_thumb(address: u32) -> bool {
    address & 1 == 1
}
