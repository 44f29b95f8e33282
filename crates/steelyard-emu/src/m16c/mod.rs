//! The processor of the M16C/60 series, which the M16C/20 and M16C/10 series also have, on internal memory.
//!
//! Cycles come from the manufacturer's tables by kind of operand, plus those for words at odd addresses and for the
//! instruction queue. Only instructions raise interrupts.

pub mod abi;
pub mod cpu;
pub mod decode;
pub mod exec;
pub mod isa;
pub mod memory;
pub mod operand;
pub mod pipeline;
pub mod program;
mod run;
pub mod timing;

use crate::description::Description;
use crate::emulated::Emulated;
use crate::error::{refuse, Error};
use crate::fault::{FaultKind, Trap};
use crate::isa::{listed, Listed};
use crate::machine::{Argument, Machine};
use crate::memory_system::Hierarchy;
use crate::observe::Observer;
use crate::processor::{self, Executed, Exit, OneSpace, Parts, PartsMut, Ports, Processor, Settable};
use crate::value::Held;
use cpu::{Cpu, Registers, RETURN_ADDRESS};
use decode::{Decoded, Op, R0, R1, R2, SP};
use exec::{Register, Wide};
use memory::Memory;
use object::elf::{self, EM_M32C};
use program::Program;
use timing::Core;

/// An M16C chip, whose registers hold `W`.
pub type M16c<W = u16> = Emulated<Cpu<W>>;

/// Builds the chip of a description.
pub fn machine<W: Register>(description: &Description) -> Result<Box<dyn Machine>, Error> {
    Ok(Box::new(chip::<W>(description)?))
}

/// Builds the chip of a description as its concrete type, for a tester that inspects its state.
pub fn chip<W: Register>(description: &Description) -> Result<M16c<W>, Error> {
    if Hierarchy::of(description)?.has_caches() {
        return refuse("an M16C has no caches");
    }
    let core = Core::from_data(&description.core)?;
    let regions = &description.memory;
    Emulated::new(Cpu::new(core, Memory::new(regions)?), regions)
}

/// Returns the instructions of a description's core: all cores have the same.
pub fn instructions(description: &Description) -> Result<Vec<Listed>, Error> {
    Core::from_data(&description.core)?;
    Ok(listed(isa::ROWS, |_| true))
}

impl<W: Register> Processor for Cpu<W> {
    type Registers = Registers<W>;
    type Memory = Memory;
    type Program = Program;
    type Beside = <Wide<W> as Held>::Beside;

    const ELF_MACHINE: elf::Machine = EM_M32C;
    const NAME: &'static str = "M16C";
    const ADDRESS_DIGITS: usize = 5;
    const STACK_ALIGNMENT: u32 = 1;
    const PLAIN: bool = <Wide<W> as Held>::PLAIN;

    fn parts(&self) -> Parts<'_, Self> {
        let Cpu { cycles, stack_limit, memory, program, beside, .. } = self;
        Parts { cycles: *cycles, stack_limit: *stack_limit, memory, program, beside }
    }

    fn parts_mut(&mut self) -> PartsMut<'_, Self> {
        let Cpu { stack_limit, memory, program, beside, .. } = self;
        PartsMut { stack_limit, memory, program, beside }
    }

    fn reset(&mut self, stack_pointer: u32) {
        self.registers = Registers::new(stack_pointer as u16);
    }

    fn registers(&self) -> Registers<W> {
        self.registers
    }

    fn set_registers(&mut self, registers: &Registers<W>) {
        self.registers = *registers;
    }

    fn stack_pointer(&self) -> u32 {
        self.registers.file[SP as usize].plain().into()
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        let Ok(pointer) = u16::try_from(pointer) else {
            return refuse(format!("0x{pointer:x} is no stack pointer: it has 16 bits"));
        };
        self.registers.file[SP as usize] = W::of(pointer);
        Ok(())
    }

    fn settable(&self) -> Vec<Settable> {
        Settable::named(["r0", "r1", "r2", "r3", "a0", "a1", "fb", "sb", "sp"], 16)
    }

    fn set(&mut self, place: usize, value: u32) -> Result<(), Error> {
        let register = if place > usize::from(decode::SB) { SP } else { place as u8 };
        self.registers.file[usize::from(register)] = W::of(value as u16);
        Ok(())
    }

    fn held(&self, all: &mut Vec<(u32, u32)>) {
        let of = |held: W| (u32::from(held.both().0), u32::from(held.both().1));
        let named = [R0, R1, decode::R2, decode::R3, decode::A0, decode::A1, decode::FB, decode::SB, SP];
        all.extend(named.map(|number| of(self.registers.file[usize::from(number)])));
        all.push(self.registers.flags.both());
    }

    fn passed(&self) -> (u32, u32) {
        let of = |number: u8| u32::from(self.registers.file[usize::from(number)].plain());
        (of(R1), of(R2))
    }

    fn pc(&self) -> u32 {
        self.registers.pc
    }

    fn set_pc(&mut self, address: u32) {
        self.registers.pc = address;
    }

    fn is_code(&self, address: u32) -> bool {
        self.memory.is_mapped(address) && address != RETURN_ADDRESS
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
        for (register, value) in [(R1, placement.r1), (R2, placement.r2)] {
            if let Some(value) = value {
                self.registers.file[register as usize] = W::of(value);
            }
        }
        Ok(placement.stack)
    }

    fn call(&mut self, function: u32) -> Result<(), Trap> {
        let cost = u32::from(self.core.cycles.call_absolute);
        let sp = self.registers.file[SP as usize].plain().wrapping_sub(3);
        self.registers.file[SP as usize] = W::of(sp);
        self.registers.pc = function;
        let sp = u32::from(sp);
        if sp < self.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, sp));
        }
        self.memory.store_word(sp, RETURN_ADDRESS as u16)?;
        self.memory.store_byte(sp + 2, (RETURN_ADDRESS >> 16) as u8)?;
        self.cycles += u64::from(cost + self.word_split(sp));
        Ok(())
    }

    fn return_value(&self) -> u64 {
        u64::from(self.registers.file[R0 as usize].plain())
    }

    fn address_at(&self, place: u32) -> u32 {
        self.program.address(place as usize)
    }

    fn executed(&self, place: usize) -> Option<Executed> {
        let decoded: &Decoded = self.program.ops.get(place).filter(|decoded| decoded.op != Op::Undecoded)?;
        let (loads, stores) = decoded.transfers();
        Some(Executed {
            address: self.program.address(place),
            class: decoded.class(),
            loads,
            stores,
            conditional_branch: decoded.conditional_branch(),
            ports: Ports::default(),
        })
    }

    fn text(&self, address: u32) -> Option<(String, u32)> {
        decode::text(&self.bytes_at(address)?, address)
    }

    fn refusal(&self, place: &str) -> String {
        let pc = self.registers.pc;
        let Some(bytes) = self.bytes_at(pc) else { return format!("no instruction at {place}") };
        let decoded = decode::decode(&bytes, pc, &self.core.cycles);
        if decoded.op == Op::Illegal {
            let text: Vec<String> = bytes.iter().take(2).map(|byte| format!("{byte:02x}")).collect();
            return format!("{} at {place} is no instruction of the {} core", text.join(" "), self.core.id);
        }
        format!("the instruction at {place} calls an interrupt routine, and there is none")
    }
}
