//! The SPARC family: the integer instructions of V7 and V8 in user mode, with a pipeline whose times are data, in front
//! of a memory system.
//!
//! Window overflow and underflow are handled as an operating system does: the oldest window is written to the address
//! in its stack pointer and read back from there. The handlers' cycles are data of the core. At a call all windows
//! except the caller's are free. Traps that a program requests are refused because nothing would answer them.

pub mod abi;
pub mod cpu;
pub mod decode;
pub mod exec;
pub mod isa;
pub mod pipeline;
mod run;
pub mod timing;
pub mod windows;

use crate::description::Description;
use crate::emulated::Emulated;
use crate::error::{refuse, Error};
use crate::fault::Trap;
use crate::isa::{listed, Listed};
use crate::machine::{Argument, Machine};
use crate::memory::Memory;
use crate::memory_system::{Hierarchy, Immediate, MemoryCounters, MemorySystem};
use crate::observe::Observer;
use crate::processor::{self, Executed, Exit, OneSpace, Parts, PartsMut, Ports, Processor, Settable};
use crate::program::Program;
use crate::value::HeldWord;
use cpu::{Cpu, RETURN_ADDRESS};
use decode::{Decoded, O7, SP};
use object::elf::{self, EM_SPARC};
use timing::{Architecture, Core};
use windows::Windows;

/// Address from which no memory may lie: the call instruction has an address there.
const CALL_SITE: u32 = 0xfffe_0000;

/// First register of arguments and results.
const O0: usize = 8;

/// A SPARC chip with a memory system of type `M`, whose registers hold `W`.
pub type Sparc<M, W = u32> = Emulated<Cpu<M, W>>;

/// Registers, windows and condition codes between runs.
pub struct Registers<W> {
    current: [W; 64],
    windows: Windows<W>,
    nzvc: W,
    y: W,
    pc: u32,
    npc: u32,
    annul: bool,
}

/// Builds the chip of a description, with a memory hierarchy if it has caches or memories with a latency.
pub fn machine<W: HeldWord>(description: &Description) -> Result<Box<dyn Machine>, Error> {
    let hierarchy = Hierarchy::of(description)?;
    // Secrets are where they are whatever memory takes, and every memory system takes long to compile.
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
    Ok(listed(isa::ROWS, |feature| core.architecture >= feature))
}

/// Builds the chip of a description with the given memory system.
pub fn chip<M: MemorySystem, W: HeldWord>(description: &Description, system: M) -> Result<Sparc<M, W>, Error> {
    let core = Core::from_data(&description.core)?;
    let regions = &description.memory;
    if let Some(region) = regions.iter().find(|region| region.wait_read_cycles + region.wait_write_cycles > 0) {
        return refuse(format!("memory `{}`: give a SPARC its latency, not wait cycles", region.name));
    }
    if let Some(region) = regions.iter().find(|region| region.end() > u64::from(CALL_SITE)) {
        return refuse(format!("memory `{}` lies where calls return to, above 0x{CALL_SITE:x}", region.name));
    }
    Emulated::new(Cpu::new(core, Memory::new(regions)?, system), regions)
}

impl<M: MemorySystem, W: HeldWord> Processor for Cpu<M, W> {
    type Registers = Registers<W>;
    type Memory = Memory;
    type Program = Program<Decoded>;
    type Beside = W::Beside;

    const ELF_MACHINE: elf::Machine = EM_SPARC;
    const NAME: &'static str = "SPARC";
    const ADDRESS_DIGITS: usize = 8;
    const STACK_ALIGNMENT: u32 = 8;
    const DELAYS: bool = true;
    const PLAIN: bool = W::PLAIN;
    const LEAST_RESULT_BYTES: usize = 4;

    fn parts(&self) -> Parts<'_, Self> {
        let Cpu { cycles, stack_limit, memory, program, beside, .. } = self;
        Parts { cycles: *cycles, stack_limit: *stack_limit, memory, program, beside }
    }

    fn parts_mut(&mut self) -> PartsMut<'_, Self> {
        let Cpu { stack_limit, memory, program, beside, .. } = self;
        PartsMut { stack_limit, memory, program, beside }
    }

    fn reset(&mut self, stack_pointer: u32) {
        let zero = W::of(0);
        let mut current = [zero; 64];
        current[SP as usize] = W::of(stack_pointer);
        let windows = Windows::default();
        self.set_registers(&Registers { current, windows, nzvc: zero, y: zero, pc: 0, npc: 4, annul: false });
    }

    fn registers(&self) -> Registers<W> {
        Registers {
            current: self.registers,
            windows: self.windows,
            nzvc: self.nzvc,
            y: self.y,
            pc: self.pc,
            npc: self.npc,
            annul: self.annul,
        }
    }

    fn set_registers(&mut self, registers: &Registers<W>) {
        self.registers = registers.current;
        self.windows = registers.windows;
        self.nzvc = registers.nzvc;
        self.y = registers.y;
        self.pc = registers.pc;
        self.npc = registers.npc;
        self.annul = registers.annul;
        self.drain();
    }

    fn stack_pointer(&self) -> u32 {
        self.registers[SP as usize].plain()
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        if pointer % Self::STACK_ALIGNMENT != 0 {
            return refuse(format!("0x{pointer:08x} is no stack pointer: it is no multiple of eight"));
        }
        self.registers[SP as usize] = W::of(pointer);
        Ok(())
    }

    fn settable(&self) -> Vec<Settable> {
        let names: Vec<String> = (1..32).map(isa::register).collect();
        Settable::named(names.iter().map(String::as_str), 32)
    }

    fn set(&mut self, place: usize, value: u32) -> Result<(), Error> {
        match place + 1 {
            number if number == usize::from(SP) => self.set_stack_pointer(value)?,
            number => self.registers[number] = W::of(value),
        }
        Ok(())
    }

    fn held(&self, all: &mut Vec<(u32, u32)>) {
        all.extend(self.registers[1..32].iter().chain([&self.nzvc, &self.y]).map(|held| held.both()));
    }

    fn passed(&self) -> (u32, u32) {
        (self.registers[O0].plain(), self.registers[O0 + 1].plain())
    }

    fn pc(&self) -> u32 {
        self.pc
    }

    fn set_pc(&mut self, address: u32) {
        self.pc = address;
        self.npc = address.wrapping_add(4);
        self.annul = false;
    }

    fn is_code(&self, address: u32) -> bool {
        address % 4 == 0 && self.memory.region(address).is_some()
    }

    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        self.memory.peek(address, length)
    }

    fn poke(&mut self, address: u32, data: &[u8]) -> bool {
        processor::poke(self, address, data)
    }

    fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        Cpu::run(self, observer, cycle_limit)
    }

    fn place(&mut self, arguments: &[Argument]) -> Result<Vec<u8>, Error> {
        let placement = abi::place(arguments)?;
        for (register, &argument) in self.registers[O0..].iter_mut().zip(&placement.registers) {
            *register = W::of(argument);
        }
        let mut frame = vec![0; abi::FRAME_BYTES];
        frame.extend(placement.stack.iter().flat_map(|word| word.to_be_bytes()));
        Ok(frame)
    }

    fn call(&mut self, function: u32) -> Result<(), Trap> {
        self.drain();
        self.windows.claim();
        self.set_pc(function);
        self.registers[O7 as usize] = W::of(RETURN_ADDRESS - 8);
        // The call and a `nop` in its delay slot.
        self.cycles += u64::from(self.core.cost.call.issue) + u64::from(self.core.cost.alu.issue);
        Ok(())
    }

    fn return_value(&self) -> u64 {
        u64::from(self.registers[O0].plain()) << 32 | u64::from(self.registers[O0 + 1].plain())
    }

    fn address_at(&self, place: u32) -> u32 {
        self.program.address(place as usize)
    }

    fn executed(&self, place: usize) -> Option<Executed> {
        let decoded = self.program.ops.get(place)?;
        let (loads, stores) = decoded.transfers();
        let conditional_branch = decoded.op == decode::Op::Branch;
        Some(Executed {
            address: self.program.address(place),
            class: decoded.class,
            loads,
            stores,
            conditional_branch,
            ports: Ports::default(),
        })
    }

    fn text(&self, address: u32) -> Option<(String, u32)> {
        Some((isa::text(self.word(address)?, address)?, 4))
    }

    fn refusal(&self, place: &str) -> String {
        let core = &self.core.id;
        let Some(word) = self.word(self.pc) else {
            return format!("no instruction at {place}");
        };
        match decode::decode(word, self.pc, Architecture::V8).op {
            decode::Op::Ticc => format!("0x{word:08x} at {place} calls an operating system, and there is none"),
            decode::Op::TaddCcTv | decode::Op::TsubCcTv => format!("a tagged overflow at {place}"),
            decode::Op::Udiv | decode::Op::Sdiv | decode::Op::UdivCc | decode::Op::SdivCc
                if self.has(Architecture::V8) =>
            {
                format!("a division by zero at {place}")
            }
            _ => format!("0x{word:08x} at {place} is no instruction of the {core} core"),
        }
    }

    fn empty_caches(&mut self) {
        self.system.flush();
        self.branches.flush();
    }

    fn take_counters(&mut self) -> Option<MemoryCounters> {
        self.system.take_counters()
    }
}
