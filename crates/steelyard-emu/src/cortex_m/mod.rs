//! The Cortex-M family: Thumb and Thumb-2 in thread mode (ARMv6-M, ARMv7-M, ARMv7E-M, ARMv8-M mainline), with times
//! that are data, in front of a memory system.
//!
//! A core may have a floating-point unit of single precision, which is enabled. Coprocessor instructions, arithmetic of
//! double precision, `svc` and `bkpt` are refused because nothing would answer them.

pub mod abi;
pub mod cpu;
pub mod decode;
pub mod dsp;
pub mod exec;
pub mod fetch;
pub mod float;
mod float_isa;
mod float_run;
pub mod isa;
pub mod operand;
pub mod pipeline;
mod run;
pub mod timers;
pub mod timing;

use crate::description::Description;
use crate::emulated::Emulated;
use crate::error::{refuse, Error};
use crate::fault::Trap;
use crate::isa::{listed, Listed};
use crate::machine::{Argument, Machine, Space};
use crate::memory::Memory;
use crate::memory_system::{FlashPath, Immediate, MemoryCounters, MemorySystem};
use crate::observe::Observer;
use crate::processor::{self, Executed, Exit, OneSpace, Parts, PartsMut, Ports, Processor, Settable};
use crate::program::Program;
use crate::symbols::{Symbol, Symbols};
use crate::value::HeldWord;
use cpu::{Cpu, Special, RETURN_ADDRESS};
use decode::Packed;
use float::Unit;
use object::elf::{self, EM_ARM};
use timing::Core;

const SP: usize = decode::SP as usize;
const LR: usize = decode::LR as usize;
const PC: usize = decode::PC as usize;

/// A Cortex-M chip with a memory system of type `M`, whose registers hold `W`.
pub type CortexM<M, W = u32> = Emulated<Cpu<M, W>>;

/// Registers and flags between runs.
pub struct Registers<W> {
    numbered: [W; 16],
    nzcv: W,
    saturated: W,
    greater_or_equal: W,
    special: Special,
    float: Unit<W>,
}

/// Builds the chip of a description, with flash timing if its flash makes the core wait.
pub fn machine<W: HeldWord>(description: &Description) -> Result<Box<dyn Machine>, Error> {
    let path = FlashPath::of(description)?;
    // Secrets are where they are whatever memory takes, and every memory system takes long to compile.
    if !W::PLAIN {
        return Ok(Box::new(chip::<_, W>(description, Immediate)?));
    }
    match path {
        Some(path) => Ok(Box::new(chip::<_, W>(description, path)?)),
        None => Ok(Box::new(chip::<_, W>(description, Immediate)?)),
    }
}

/// Returns the instructions of a description's core.
pub fn instructions(description: &Description) -> Result<Vec<Listed>, Error> {
    let core = Core::from_data(&description.core, &description.core_options)?;
    Ok(listed(isa::ROWS, |feature| core.has(feature)))
}

/// Builds the chip of a description with the given memory system.
pub fn chip<M: MemorySystem, W: HeldWord>(description: &Description, system: M) -> Result<CortexM<M, W>, Error> {
    let core = Core::from_data(&description.core, &description.core_options)?;
    let regions = &description.memory;
    for region in regions {
        if region.wait_read_cycles + region.wait_write_cycles > 0 || region.latency.is_some() {
            return refuse(format!("memory `{}`: what a Cortex-M waits for is its flash, in `flash`", region.name));
        }
        if region.contains(RETURN_ADDRESS) {
            return refuse(format!("memory `{}` lies where calls return to, at 0x{RETURN_ADDRESS:x}", region.name));
        }
    }
    Emulated::new(Cpu::new(core, Memory::new(regions)?, system), regions)
}

impl<M: MemorySystem, W: HeldWord> Processor for Cpu<M, W> {
    type Registers = Registers<W>;
    type Memory = Memory;
    type Program = Program<Packed>;
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
        self.system.reset();
        let mut numbered = [W::of(0); 16];
        numbered[SP] = W::of(stack_pointer);
        self.timers = timers::Timers::new(&self.core);
        self.set_registers(&Registers {
            numbered,
            nzcv: W::of(0),
            saturated: W::of(0),
            greater_or_equal: W::of(0),
            special: Special::default(),
            float: Unit::at_reset(),
        });
    }

    fn registers(&self) -> Registers<W> {
        Registers {
            numbered: self.registers,
            nzcv: self.nzcv,
            saturated: self.saturated,
            greater_or_equal: self.greater_or_equal,
            special: self.special,
            float: self.float,
        }
    }

    fn set_registers(&mut self, registers: &Registers<W>) {
        self.registers = registers.numbered;
        self.nzcv = registers.nzcv;
        self.saturated = registers.saturated;
        self.greater_or_equal = registers.greater_or_equal;
        self.special = registers.special;
        self.float = registers.float;
    }

    fn stack_pointer(&self) -> u32 {
        self.registers[SP].plain()
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        if pointer % 4 != 0 {
            return refuse(format!("0x{pointer:08x} is no stack pointer: it is a multiple of four"));
        }
        self.registers[SP] = W::of(pointer);
        Ok(())
    }

    fn settable(&self) -> Vec<Settable> {
        let mut all = Settable::named(operand::REGISTERS[..PC].iter().copied(), 32);
        if self.core.float.is_some() {
            all.extend(Settable::numbered('s', 0..self.float.singles.len(), 32));
        }
        all
    }

    fn set(&mut self, place: usize, value: u32) -> Result<(), Error> {
        match place {
            SP => return self.set_stack_pointer(value),
            0..PC => self.registers[place] = W::of(value),
            _ => self.float.singles[place - PC] = W::of(value),
        }
        Ok(())
    }

    fn held(&self, all: &mut Vec<(u32, u32)>) {
        all.extend(self.registers[..PC].iter().map(|held| held.both()));
        if self.core.float.is_some() {
            all.extend(self.float.singles.iter().map(|held| held.both()));
        }
        all.extend([self.nzcv, self.saturated, self.greater_or_equal].map(W::both));
    }

    fn passed(&self) -> (u32, u32) {
        (self.registers[0].plain(), self.registers[1].plain())
    }

    fn pc(&self) -> u32 {
        self.registers[PC].plain()
    }

    fn set_pc(&mut self, address: u32) {
        self.left_thumb = false;
        self.registers[PC] = W::of(address & !1);
    }

    /// Takes the first stack pointer and the first instruction from the vector table.
    fn begin(&mut self, address: u32) -> Result<(), Error> {
        let word = |at: u32| Some(u32::from_le_bytes(self.memory.peek(at, 4)?.try_into().ok()?));
        let (Some(stack_pointer), Some(first)) = (word(address), word(address.wrapping_add(4))) else {
            return refuse(format!("no vector table fits at 0x{address:08x}"));
        };
        if first & 1 == 0 || !self.is_code(first) {
            return refuse(format!(
                "the reset vector at 0x{:08x} is 0x{first:08x}, where no Thumb code can be",
                address.wrapping_add(4)
            ));
        }
        self.set_stack_pointer(stack_pointer & !3)?;
        self.set_pc(first);
        Ok(())
    }

    fn is_code(&self, address: u32) -> bool {
        self.memory.region(address).is_some()
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

    fn place(&mut self, arguments: &[Argument]) -> Result<Vec<u8>, Error> {
        let placement = abi::place(arguments)?;
        for (register, &word) in self.registers.iter_mut().zip(&placement.registers) {
            *register = W::of(word);
        }
        Ok(placement.stack.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    fn call(&mut self, function: u32) -> Result<(), Trap> {
        self.set_pc(function);
        self.registers[LR] = W::of(RETURN_ADDRESS);
        let target = self.registers[PC].plain();
        let wide =
            self.core.fetch.is_none() && target % 4 == 2 && self.memory.code(target, 2).is_ok_and(decode::is_wide);
        let cost = &self.core.cost;
        self.cycles += u64::from(cost.branch_link) + if wide { u64::from(cost.target_unaligned_wide) } else { 0 };
        Ok(())
    }

    fn preset(&mut self, address: u32, data: &[u8]) -> Result<(), Error> {
        match <[u8; 4]>::try_from(data) {
            Ok(word) if self.memory.region(address).is_none() => {
                let word = u32::from_le_bytes(word);
                if timers::is_private(address) {
                    let stored = self.timers.store(address, 4, word, self.cycles);
                    stored.or_else(|_| refuse(format!("0x{address:08x} is no register that can be set")))
                } else if self.system.set_register(address, word) {
                    Ok(())
                } else {
                    self.write(Space::Data, address, data)
                }
            }
            _ => self.write(Space::Data, address, data),
        }
    }

    fn return_value(&self) -> u64 {
        u64::from(self.registers[0].plain()) | u64::from(self.registers[1].plain()) << 32
    }

    fn address_at(&self, place: u32) -> u32 {
        self.program.address(place as usize)
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
            ports: Ports::default(),
        })
    }

    fn text(&self, address: u32) -> Option<(String, u32)> {
        let (word, length_bytes) = self.instruction(address)?;
        let condition = self.ruling(address);
        let place = decode::Place { address, in_block: condition.is_some() };
        Some((isa::text(word, 8 * length_bytes, place, condition)?, length_bytes))
    }

    fn refusal(&self, place: &str) -> String {
        let core = &self.core.id;
        if self.left_thumb {
            return format!("the flow went to {place} as A32 code, which the {core} core has not");
        }
        let pc = self.registers[PC].plain();
        let half = |address| self.memory.peek(address, 2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        let Some(first) = half(pc) else {
            return format!("no instruction at {place}");
        };
        if first >> 8 == 0xdf {
            return format!("0x{first:04x} at {place} calls an operating system, and there is none");
        }
        match half(pc.wrapping_add(2)) {
            Some(second)
                if self.core.float.is_some() && float::is_double(u32::from(first) << 16 | u32::from(second)) =>
            {
                format!(
                    "0x{first:04x} 0x{second:04x} at {place} computes in double precision; the {core} core has single \
                     precision only"
                )
            }
            Some(second) if decode::is_wide(first.into()) => {
                format!("0x{first:04x} 0x{second:04x} at {place} is no instruction of the {core} core")
            }
            _ => format!("0x{first:04x} at {place} is no instruction of the {core} core"),
        }
    }

    fn empty_caches(&mut self) {
        self.system.flush();
    }

    fn take_counters(&mut self) -> Option<MemoryCounters> {
        self.system.take_counters()
    }
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    fn half(&self, address: u32) -> Option<u32> {
        self.memory.peek(address, 2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]).into())
    }

    /// Returns the instruction at an address and its length in bytes; its first halfword is the upper one.
    fn instruction(&self, address: u32) -> Option<(u32, u32)> {
        let first = self.half(address)?;
        if !decode::is_wide(first) {
            return Some((first, 2));
        }
        Some((first << 16 | self.half(address.wrapping_add(2))?, 4))
    }

    /// Whether an instruction begins at an address, judged by what lies before it: behind a halfword that begins no
    /// instruction of four bytes one begins, and from there on halfwords that do come in pairs.
    fn begins(&self, address: u32) -> bool {
        let before = (1..).map_while(|count| self.half(address.wrapping_sub(2 * count)));
        before.take_while(|&half| decode::is_wide(half)).count() % 2 == 0
    }

    /// Returns the condition that an `it` before an address gives to the instruction there.
    fn ruling(&self, address: u32) -> Option<u8> {
        // An `it` rules four instructions of up to four bytes.
        (1..=7).map(|halves| address.wrapping_sub(2 * halves)).find_map(|start| {
            let it = self.half(start)?;
            if it >> 8 != 0xbf || !self.begins(start) {
                return None;
            }
            let mut next = start.wrapping_add(2);
            decode::conditions_of(it)?.into_iter().find_map(|condition| {
                let here = next;
                next = next.wrapping_add(self.instruction(here)?.1);
                (here == address).then_some(condition)
            })
        })
    }
}
