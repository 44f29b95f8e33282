//! The MSP430 and MSP430X families: 16 bits, one address space, a hardware multiplier as a peripheral, and a memory for
//! code that may make the core wait.

pub mod abi;
pub mod cpu;
pub mod decode;
pub mod exec;
pub mod isa;
pub mod memory;
pub mod multiplier;
pub mod pipeline;
pub mod place;
pub mod program;
mod run;
pub mod timing;

use crate::description::Description;
use crate::emulated::Emulated;
use crate::error::{refuse, Error};
use crate::fault::Trap;
use crate::isa::{listed, Listed};
use crate::machine::{Argument, Machine};
use crate::memory_system::{FlashPath, Immediate, MemoryCounters, MemorySystem};
use crate::observe::Observer;
use crate::processor::{self, Executed, Exit, OneSpace, Parts, PartsMut, Ports, Processor, Settable};
use crate::value::HeldWord;
use cpu::Cpu;
use memory::Memory;
use object::elf::{self, EM_MSP430};
use place::Words;
use program::Program;
use timing::Core;

const PC: usize = decode::PC as usize;
const SP: usize = decode::SP as usize;
const R12: usize = 12;

/// Options of a chip that give the address of its hardware multiplier, one name per kind.
const MULTIPLIER_16: &str = "multiplier_address";
const MULTIPLIER_32: &str = "multiplier32_address";

/// An MSP430 chip with a memory system of type `M`, whose registers hold `W`.
pub type Msp430<M = Immediate, W = u32> = Emulated<Cpu<M, W>>;

/// Builds the chip of a description, with flash timing if its flash makes the core wait.
pub fn machine<W: HeldWord>(description: &Description) -> Result<Box<dyn Machine>, Error> {
    if description.flash.as_ref().is_some_and(|flash| flash.switches.is_some()) {
        return refuse("no program of an MSP430 switches the buffers of its flash; leave `flash.switches` out");
    }
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
    let core = Core::from_data(&description.core)?;
    Ok(listed(isa::ROWS, |feature| core.has(feature)))
}

/// Builds the chip of a description with the given memory system.
pub fn chip<M: MemorySystem, W: HeldWord>(description: &Description, system: M) -> Result<Msp430<M, W>, Error> {
    let core = Core::from_data(&description.core)?;
    let options = &description.core_options;
    if let Some(unknown) = options.keys().find(|name| ![MULTIPLIER_16, MULTIPLIER_32].contains(&name.as_str())) {
        return refuse(format!("an MSP430 has no option `{unknown}`"));
    }
    let multiplier = match (options.get(MULTIPLIER_16), options.get(MULTIPLIER_32)) {
        (None, None) => None,
        (Some(&address), None) => Some((address, false)),
        (None, Some(&address)) => Some((address, true)),
        (Some(_), Some(_)) => return refuse("an MSP430 has one hardware multiplier"),
    };
    let memory = Memory::new(&description.memory, multiplier)?;
    let cpu = Cpu::new(core, memory, system);
    if let Some(region) = description.memory.iter().find(|region| region.end() - 1 > u64::from(cpu.register_mask())) {
        return refuse(format!("memory `{}` reaches beyond the address space", region.name));
    }
    Emulated::new(cpu, &description.memory)
}

impl<M: MemorySystem, W: HeldWord> Processor for Cpu<M, W> {
    type Registers = [W; 32];
    type Memory = Memory<W>;
    type Program = Program;
    type Beside = W::Beside;

    const ELF_MACHINE: elf::Machine = EM_MSP430;
    const NAME: &'static str = "MSP430";
    const ADDRESS_DIGITS: usize = 4;
    const STACK_ALIGNMENT: u32 = 2;
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
    }

    fn registers(&self) -> [W; 32] {
        self.registers
    }

    fn set_registers(&mut self, registers: &[W; 32]) {
        self.registers = *registers;
    }

    fn stack_pointer(&self) -> u32 {
        self.registers[SP].plain()
    }

    fn set_stack_pointer(&mut self, pointer: u32) -> Result<(), Error> {
        if pointer > self.register_mask() || pointer % 2 != 0 {
            return refuse(format!("0x{pointer:x} is no stack pointer of an MSP430"));
        }
        self.registers[SP] = W::of(pointer);
        Ok(())
    }

    /// R2 and R3 make constants, and R2 holds the flags.
    fn settable(&self) -> Vec<Settable> {
        let bits = self.register_mask().count_ones();
        let mut all = Settable::numbered('r', 1..2, bits);
        all.extend(Settable::numbered('r', 4..16, bits));
        all
    }

    fn set(&mut self, place: usize, value: u32) -> Result<(), Error> {
        match place {
            0 => self.set_stack_pointer(value)?,
            _ => self.registers[place + 3] = W::of(value),
        }
        Ok(())
    }

    fn held(&self, all: &mut Vec<(u32, u32)>) {
        all.extend(
            self.registers[1..2]
                .iter()
                .chain(&self.registers[4..16])
                .chain(&self.registers[2..3])
                .map(|held| held.both()),
        );
    }

    fn passed(&self) -> (u32, u32) {
        (self.registers[R12].plain(), self.registers[R12 + 1].plain())
    }

    fn pc(&self) -> u32 {
        self.registers[PC].plain()
    }

    fn set_pc(&mut self, address: u32) {
        self.registers[PC] = W::of(address);
    }

    fn is_code(&self, address: u32) -> bool {
        self.memory.is_code(address)
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
        for (number, word) in placement.registers.iter().enumerate() {
            self.registers[R12 + number] = W::of(u32::from(*word));
        }
        Ok(placement.stack.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    fn call(&mut self, function: u32) -> Result<(), Trap> {
        self.cycles += u64::from(self.core.cycles.call.immediate);
        self.push_return()?;
        self.registers[PC] = W::of(function);
        Ok(())
    }

    fn return_value(&self) -> u64 {
        (0..4).fold(0, |value, word| value | u64::from(self.registers[R12 + word].plain() & 0xffff) << (16 * word))
    }

    fn address_at(&self, place: u32) -> u32 {
        place * 2
    }

    fn executed(&self, place: usize) -> Option<Executed> {
        let decoded = self.program.decoded(place)?;
        let (loads, stores) = decoded.transfers();
        Some(Executed {
            address: place as u32 * 2,
            class: decoded.class,
            loads,
            stores,
            conditional_branch: decoded.class == crate::profile::Class::Branch,
            ports: Ports::default(),
        })
    }

    fn text(&self, address: u32) -> Option<(String, u32)> {
        isa::text(&mut Words::new(address, self.register_mask(), &|address| self.memory.code(address)))
    }

    fn refusal(&self, place: &str) -> String {
        let word = self.memory.code(self.pc()).unwrap_or(0);
        format!("0x{word:04x} at {place} is no instruction of the {} core", self.core.id)
    }

    fn empty_caches(&mut self) {
        self.system.flush();
    }

    fn take_counters(&mut self) -> Option<MemoryCounters> {
        self.system.take_counters()
    }
}
