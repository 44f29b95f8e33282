//! The RISC-V family: RV32IMAC or parts of it, RV32EC among them, with Zicsr and Zifencei in machine and user mode, with
//! a pipeline whose times are data, in front of a memory system.
//!
//! There are no interrupts. An exception that a program raises itself (`ecall`, `ebreak`) goes to the handler that the
//! program has set up. Without a handler, and for every other cause, it ends the run as a fault.

pub mod abi;
pub mod control;
pub mod cpu;
pub mod decode;
pub mod exec;
pub mod isa;
pub mod pipeline;
pub mod predict;
mod run;
pub mod timer;
pub mod timing;
#[cfg(feature = "translate")]
mod translate;

use crate::description::Description;
use crate::emulated::Emulated;
use crate::error::{refuse, Error};
use crate::fault::Trap;
use crate::ignored::Ignored;
use crate::isa::{listed, Listed};
use crate::machine::{Argument, Machine};
use crate::memory::Memory;
use crate::memory_system::{Hierarchy, Immediate, MemoryCounters, MemorySystem};
use crate::observe::Observer;
use crate::processor::{self, Executed, Exit, Memories, OneSpace, Parts, PartsMut, Ports, Processor, Settable};
use crate::program::Program;
use crate::value::HeldWord;
use control::Control;
use cpu::{Cpu, RETURN_ADDRESS};
use decode::Decoded;
use object::elf::{self, EM_RISCV};
use predict::{Guess, Kind};
use timer::Timer;
use timing::Core;

/// Upper half of the call instruction's address, which branch prediction needs; no memory lies there.
const CALL_SITE: u32 = 0xfffe_0000;

const RA: usize = decode::RA as usize;
const SP: usize = decode::SP as usize;
const A0: usize = 10;

/// A RISC-V chip with a memory system of type `M`, whose registers hold `W`.
pub type RiscV<M, W = u32> = Emulated<Cpu<M, W>>;

/// Registers and timer between runs.
pub struct Registers<W> {
    numbered: [W; 32],
    control: Control,
    timer: Option<Timer>,
    reservation: Option<u32>,
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
    Ok(listed(isa::ROWS, |feature| core.has(feature)))
}

/// Builds the chip of a description with the given memory system.
pub fn chip<M: MemorySystem, W: HeldWord>(description: &Description, system: M) -> Result<RiscV<M, W>, Error> {
    let core = Core::from_data(&description.core)?;
    let regions = &description.memory;
    if let Some(region) = regions.iter().find(|region| region.wait_read_cycles + region.wait_write_cycles > 0) {
        return refuse(format!("memory `{}`: give a RISC-V its latency, not wait cycles", region.name));
    }
    if let Some(region) = regions.iter().find(|region| region.end() > u64::from(CALL_SITE)) {
        return refuse(format!("memory `{}` lies where calls return to, above 0x{CALL_SITE:x}", region.name));
    }
    Emulated::new(Cpu::new(core, Memory::new(regions)?, Timer::of(description)?, system), regions)
}

impl<M: MemorySystem, W: HeldWord> Processor for Cpu<M, W> {
    type Registers = Registers<W>;
    type Memory = Memory;
    type Program = Program<Decoded>;
    type Beside = W::Beside;

    const ELF_MACHINE: elf::Machine = EM_RISCV;
    const NAME: &'static str = "RISC-V";
    const ADDRESS_DIGITS: usize = 8;
    const STACK_ALIGNMENT: u32 = 16;
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
        self.registers = [W::of(0); 32];
        self.registers[SP] = W::of(stack_pointer);
        self.control.put_back(Control::new(&self.core));
        self.reservation = None;
    }

    fn registers(&self) -> Registers<W> {
        Registers {
            numbered: self.registers,
            control: self.control.clone(),
            timer: self.timer.clone(),
            reservation: self.reservation,
        }
    }

    fn set_registers(&mut self, registers: &Registers<W>) {
        self.registers = registers.numbered;
        self.control.put_back(registers.control.clone());
        self.timer = registers.timer.clone();
        self.reservation = registers.reservation;
    }

    fn stack_pointer(&self) -> u32 {
        self.registers[SP].plain()
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        self.registers[SP] = W::of(pointer);
        Ok(())
    }

    fn settable(&self) -> Vec<Settable> {
        Settable::numbered('x', 1..self.core.registers().into(), 32)
    }

    fn set(&mut self, place: usize, value: u32) -> Result<(), Error> {
        self.registers[place + 1] = W::of(value);
        Ok(())
    }

    fn ignore(&mut self, ignored: Option<Ignored>) -> Result<(), Error> {
        let own = self.timer.as_ref().map_or_else(Vec::new, |timer| timer.places().to_vec());
        self.memory.ignore(ignored.map(|ignored| ignored.without(&own)))
    }

    fn held(&self, all: &mut Vec<(u32, u32)>) {
        all.extend(self.registers[1..self.core.registers().into()].iter().map(|held| held.both()));
    }

    fn passed(&self) -> (u32, u32) {
        (self.registers[A0].plain(), self.registers[A0 + 1].plain())
    }

    fn pc(&self) -> u32 {
        self.pc
    }

    fn set_pc(&mut self, address: u32) {
        self.pc = address;
    }

    fn is_code(&self, address: u32) -> bool {
        address % 2 == 0 && self.memory.region(address).is_some()
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
        let placement = abi::place(arguments, self.core.embedded)?;
        for (register, &argument) in self.registers[A0..].iter_mut().zip(&placement.registers) {
            *register = W::of(argument);
        }
        Ok(placement.stack.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    fn call(&mut self, function: u32) -> Result<(), Trap> {
        self.pc = function;
        self.registers[RA] = W::of(RETURN_ADDRESS);
        self.control.instructions += 1;
        let cost = &self.core.cost;
        let guess = self.branches.executed(predict::Executed {
            kind: Kind::Jump,
            address: CALL_SITE | function & 0xfffe,
            taken: true,
            target: function,
            backward: true,
            link: Some(RETURN_ADDRESS),
        });
        let more = match guess {
            Guess::Right => 0,
            Guess::Late => cost.late,
            Guess::Wrong => cost.mispredicted,
        };
        let straddling = cost.straddling_target;
        self.cycles += u64::from(cost.jump.issue) + u64::from(more);
        if function & 2 != 0 && self.instruction(function).is_some_and(|(_, length_bytes)| length_bytes == 4) {
            self.cycles += u64::from(straddling);
        }
        Ok(())
    }

    fn return_value(&self) -> u64 {
        u64::from(self.registers[A0].plain()) | u64::from(self.registers[A0 + 1].plain()) << 32
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
        Some((isa::text(word, 8 * length_bytes, address)?, length_bytes))
    }

    fn refusal(&self, place: &str) -> String {
        let core = &self.core.id;
        let Some((word, length_bytes)) = self.instruction(self.pc) else {
            return format!("no instruction at {place}");
        };
        let shown = format!("0x{word:0digits$x} at {place}", digits = 2 * length_bytes as usize);
        match decode::decode(word, 8 * length_bytes, self.pc, 32, |_| true).op {
            decode::Op::Break => format!("a breakpoint at {place}, and no debugger is there"),
            decode::Op::Call => format!("{shown} calls an operating system, and there is none"),
            decode::Op::Csr => format!("{shown} wants control register 0x{:03x} of the {core} core", word >> 20),
            _ => format!("{shown} is no instruction of the {core} core"),
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
