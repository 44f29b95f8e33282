//! The RL78 family: the cores S1, S2 and S3, with register banks in memory, the mirror of the flash in the data, and
//! the multiplier and divider of RL78/G13.

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
pub mod unit;

use crate::description::Description;
use crate::emulated::Emulated;
use crate::error::{refuse, Error};
use crate::fault::{FaultKind, Trap};
use crate::isa::{listed, Listed};
use crate::machine::{Argument, Machine};
use crate::observe::Observer;
use crate::processor::{Executed, Exit, Instructions, Parts, PartsMut, Ports, Processor, Settable};
use crate::value::{Held, Value};
use cpu::{Cpu, Registers, RETURN_ADDRESS};
use decode::{row_of, SP};
use exec::{HeldByte, Pair};
use isa::Op;
use memory::{Attribute, Memory, NEAR};
use object::elf;
use program::Program;
use timing::Core;
use unit::Unit;

/// The program status word at reset.
const PSW_AT_RESET: u8 = 0x06;

/// An RL78 chip whose registers hold bytes `B`.
pub type Rl78<B = u8> = Emulated<Cpu<B>>;

/// Builds the chip of a description.
pub fn machine<B: HeldByte>(description: &Description) -> Result<Box<dyn Machine>, Error> {
    Ok(Box::new(chip::<B>(description)?))
}

/// Returns the instructions of a description's core.
pub fn instructions(description: &Description) -> Result<Vec<Listed>, Error> {
    let core = Core::from_data(&description.core)?;
    Ok(listed(isa::ROWS, |feature| core.has(feature)))
}

/// Builds the chip of a description as its concrete type, for a tester that inspects its state.
pub fn chip<B: HeldByte>(description: &Description) -> Result<Rl78<B>, Error> {
    let core = Core::from_data(&description.core)?;
    let memory = Memory::new(&description.memory, core.mirror)?;
    Emulated::new(Cpu::new(core, memory), &description.memory)
}

impl<B: HeldByte> Processor for Cpu<B> {
    type Registers = (Registers<B>, Unit<B>);
    type Memory = Memory;
    type Program = Program;
    type Beside = B::Beside;

    const ELF_MACHINE: elf::Machine = elf::EM_RL78;
    const NAME: &'static str = "RL78";
    const ADDRESS_DIGITS: usize = 5;
    const STACK_ALIGNMENT: u32 = 2;
    const PLAIN: bool = B::PLAIN;

    fn parts(&self) -> Parts<'_, Self> {
        let Cpu { cycles, stack_limit, memory, program, beside, .. } = self;
        Parts { cycles: *cycles, stack_limit: *stack_limit, memory, program, beside }
    }

    fn parts_mut(&mut self) -> PartsMut<'_, Self> {
        let Cpu { stack_limit, memory, program, beside, .. } = self;
        PartsMut { stack_limit, memory, program, beside }
    }

    fn reset(&mut self, stack_pointer: u32) {
        self.set_psw(B::of(PSW_AT_RESET));
        self.registers.pairs = [Pair::<B>::of(0); 8];
        self.registers.set_pair(SP, Pair::<B>::of(stack_pointer as u16));
        self.registers.es = B::of(0x0f);
        self.registers.cs = B::of(0);
        self.registers.pmc = B::of(0);
        self.unit = Unit::default();
    }

    fn registers(&self) -> (Registers<B>, Unit<B>) {
        (self.registers.clone(), self.unit.clone())
    }

    fn set_registers(&mut self, (registers, unit): &(Registers<B>, Unit<B>)) {
        self.select_bank(registers.bank);
        self.registers = registers.clone();
        self.unit = unit.clone();
    }

    fn stack_pointer(&self) -> u32 {
        NEAR | u32::from(self.registers.pair(SP).plain())
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        if pointer & !0xffff != NEAR || pointer & 1 == 1 {
            return refuse(format!(
                "the stack pointer of an RL78 is even and from 0x{NEAR:05x} on, not 0x{pointer:05x}"
            ));
        }
        self.registers.set_pair(SP, Pair::<B>::of(pointer as u16));
        Ok(())
    }

    fn settable(&self) -> Vec<Settable> {
        let mut all = Settable::named(operand::BYTE_REGISTERS.iter().copied(), 8);
        all.extend(Settable::named(operand::PAIRS.iter().copied().chain(["sp"]), 16));
        all
    }

    fn set(&mut self, place: usize, value: u32) -> Result<(), Error> {
        let bytes = operand::BYTE_REGISTERS.len();
        match place.checked_sub(bytes) {
            None => self.registers.set_byte(place as u8, B::of(value as u8)),
            Some(pair) if pair == usize::from(SP) => self.set_stack_pointer(NEAR | value)?,
            Some(pair) => self.registers.set_pair(pair as u8, Pair::<B>::of(value as u16)),
        }
        Ok(())
    }

    fn held(&self, all: &mut Vec<(u32, u32)>) {
        let of = |number: u8| {
            let (plain, secret) = self.registers.byte(number).both();
            (u32::from(plain), u32::from(secret))
        };
        let bytes: Vec<(u32, u32)> = (0..operand::BYTE_REGISTERS.len() as u8).map(of).collect();
        all.extend_from_slice(&bytes);
        all.extend(bytes.chunks(2).map(|pair| (pair[0].0 | pair[1].0 << 8, pair[0].1 | pair[1].1 << 8)));
        all.push((self.registers.pair(SP).plain().into(), 0));
        for flag in [self.registers.zero, self.registers.carry, self.registers.auxiliary_carry] {
            let (plain, secret) = B::from_truth(flag).both();
            all.push((plain.into(), secret.into()));
        }
    }

    fn passed(&self) -> (u32, u32) {
        let first = NEAR | u32::from(self.registers.pair(SP).plain().wrapping_add(4));
        let bytes = self.peek(first, 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok()).unwrap_or_default();
        let word = |at: usize| u32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        (NEAR | word(0), word(2))
    }

    fn pc(&self) -> u32 {
        self.registers.pc
    }

    fn set_pc(&mut self, address: u32) {
        self.registers.pc = address;
    }

    fn is_code(&self, address: u32) -> bool {
        self.holds_code(address)
    }

    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        if !self.memory.holds(address, length) {
            return None;
        }
        let bytes = (address..address + length as u32).map(|next| match self.memory.attribute(next) {
            Attribute::Claimed => self.claimed_byte(next).plain(),
            _ => self.memory.byte(next),
        });
        Some(bytes.collect())
    }

    fn poke(&mut self, address: u32, data: &[u8]) -> bool {
        if !self.memory.holds(address, data.len()) {
            return false;
        }
        for (offset, &value) in data.iter().enumerate() {
            let next = address + offset as u32;
            if self.memory.attribute(next) == Attribute::Claimed {
                self.set_claimed_byte(next, B::of(value), self.cycles);
            } else {
                self.memory.poke(next, &[value]);
            }
        }
        self.program.forget(address, data.len());
        if !data.is_empty() && self.memory.attribute(address) == Attribute::Mirror {
            self.program.forget(address - self.core.mirror, data.len());
        }
        true
    }

    fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        Cpu::run(self, observer, cycle_limit)
    }

    fn place(&mut self, arguments: &[Argument]) -> Result<Vec<u8>, Error> {
        abi::place(arguments)
    }

    fn call(&mut self, function: u32) -> Result<(), Trap> {
        let pointer = self.registers.pair(SP).plain().wrapping_sub(4);
        let low = NEAR | u32::from(pointer);
        if low < self.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, low));
        }
        self.registers.set_pair(SP, Pair::<B>::of(pointer));
        self.store_word_slow(low, Pair::<B>::of(RETURN_ADDRESS as u16), self.cycles)?;
        self.store_slow(low + 2, B::of((RETURN_ADDRESS >> 16) as u8), self.cycles)?;
        self.registers.pc = function;
        self.cycles += u64::from(self.core.clocks.call);
        Ok(())
    }

    fn return_value(&self) -> u64 {
        let bytes = self.peek(abi::result(self.core.banks), 8).and_then(|bytes| <[u8; 8]>::try_from(bytes).ok());
        u64::from_le_bytes(bytes.unwrap_or_default())
    }

    fn address_at(&self, place: u32) -> u32 {
        self.program.address(place as usize)
    }

    fn executed(&self, place: usize) -> Option<Executed> {
        let decoded = self.program.ops.get(place)?;
        if (decoded.op as u8) <= Op::Illegal as u8 {
            return None;
        }
        let (loads, stores) = decoded.transfers();
        let address = self.program.address(place);
        Some(Executed {
            address,
            class: decoded.class,
            loads,
            stores,
            conditional_branch: decoded.conditional(),
            ports: Ports::default(),
        })
    }

    fn text(&self, address: u32) -> Option<(String, u32)> {
        let (bytes, there) = self.memory.code(address);
        let (row, decoded) = row_of(&bytes, address, &self.core)?;
        let length = usize::from(decoded.length);
        (length <= there).then(|| (decode::text(row, &decoded), length as u32))
    }

    fn refusal(&self, place: &str) -> String {
        let (bytes, there) = self.memory.code(self.registers.pc);
        let shown: Vec<String> = bytes[..there.min(3)].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{} at {place} is no instruction of the {} core", shown.join(" "), self.core.id)
    }

    fn misalignment(&self, address: u32, place: &str) -> String {
        format!("a word at 0x{address:05x}, which is odd, wanted at {place}")
    }
}
