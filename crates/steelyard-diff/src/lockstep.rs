//! Two machines side by side: after every instruction nothing may differ.

use crate::simavr::Simavr;
use std::fmt;

/// Data address of the stack pointer on every core simavr knows; its high byte and SREG follow.
pub const SPL: u16 = 0x5D;

/// Everything of the CPU a program can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Byte address.
    pub pc: u32,
    pub registers: [u8; 32],
    pub sreg: u8,
    pub sp: u16,
    pub cycles: u64,
}

/// The machine under test.
pub trait Subject {
    fn state(&self) -> State;
    /// Sets all but the cycle counter.
    fn set_state(&mut self, state: &State);
    /// Storage of the data space by address; registers, SREG and SP are compared through the state.
    fn data(&self) -> &[u8];
    fn flash(&self) -> &[u8];
    fn poke(&mut self, address: u16, value: u8);
    fn write_flash(&mut self, address: u32, bytes: &[u8]);
    /// One instruction; the error is the fault in words.
    fn step(&mut self) -> Result<(), String>;
    /// Instructions at full speed, until this many cycles are used up.
    fn run(&mut self, cycles: u64) -> Result<(), String>;
}

/// What was not the same.
#[derive(Debug)]
pub struct Difference {
    /// Byte address of the instruction.
    pub pc: u32,
    pub words: [u16; 2],
    /// Each with both values.
    pub details: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "at {:#06x} ({:04x} {:04x}): {}",
            self.pc,
            self.words[0],
            self.words[1],
            self.details.join("; ")
        )
    }
}

/// Subject and reference, kept in the same state.
pub struct Pair<S> {
    pub subject: S,
    pub reference: Simavr,
    /// The whole memory is compared after this many instructions; the CPU after each.
    pub memory_every_instructions: u64,
    instructions: u64,
    subject_cycles: u64,
    reference_cycles: u64,
}

impl<S: Subject> Pair<S> {
    pub fn new(subject: S, reference: Simavr) -> Self {
        let mut pair = Self {
            subject,
            reference,
            memory_every_instructions: 1,
            instructions: 0,
            subject_cycles: 0,
            reference_cycles: 0,
        };
        pair.start_cycles();
        pair
    }

    /// Cycle counts are compared from here on.
    pub fn start_cycles(&mut self) {
        self.subject_cycles = self.subject.state().cycles;
        self.reference_cycles = self.reference.cycles();
    }

    /// Gives the reference the subject's memories and state.
    pub fn copy_to_reference(&mut self) {
        let data = self.reference.data_mut();
        data.copy_from_slice(&self.subject.data()[..data.len()]);
        let flash = self.reference.flash_mut();
        flash.copy_from_slice(&self.subject.flash()[..flash.len()]);
        let state = self.subject.state();
        self.set_state(&state);
    }

    /// The reference's state, cycles counted from the last start.
    pub fn state(&mut self) -> State {
        let sreg = self.reference.sreg();
        let mut registers = [0; 32];
        registers.copy_from_slice(&self.reference.data()[..32]);
        State {
            pc: self.reference.pc(),
            registers,
            sreg,
            sp: self.reference.sp(),
            cycles: self.reference.cycles() - self.reference_cycles,
        }
    }

    /// Puts both into the same state.
    pub fn set_state(&mut self, state: &State) {
        self.subject.set_state(state);
        self.reference.data_mut()[..32].copy_from_slice(&state.registers);
        self.reference.set_sreg(state.sreg);
        self.reference.set_sp(state.sp);
        self.reference.set_pc(state.pc);
    }

    pub fn poke(&mut self, address: u16, value: u8) {
        self.subject.poke(address, value);
        self.reference.data_mut()[usize::from(address)] = value;
    }

    pub fn write_flash(&mut self, address: u32, bytes: &[u8]) {
        self.subject.write_flash(address, bytes);
        let start = address as usize;
        self.reference.flash_mut()[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// Executes one instruction on both and compares everything.
    pub fn step(&mut self) -> Result<(), Difference> {
        let pc = self.reference.pc();
        let outcome = self.subject.step();
        self.reference.step();
        let mut details = Vec::new();
        if let Err(fault) = outcome {
            details.push(format!("the emulator stopped: {fault}"));
        }
        self.compare_cpu(&mut details);
        self.instructions += 1;
        if self.instructions % self.memory_every_instructions == 0 {
            self.compare_memory(&mut details);
        }
        self.judge(pc, details)
    }

    /// Lets both run until this many cycles are used up, and compares everything then.
    pub fn run(&mut self, cycles: u64) -> Result<(), Difference> {
        let pc = self.reference.pc();
        let outcome = self.subject.run(cycles);
        let end = self.reference.cycles() + cycles;
        while self.reference.cycles() < end {
            self.reference.step();
        }
        let mut details = Vec::new();
        if let Err(fault) = outcome {
            details.push(format!("the emulator stopped: {fault}"));
        }
        self.compare_cpu(&mut details);
        self.compare_memory(&mut details);
        self.judge(pc, details)
    }

    /// Compares the whole memory now.
    pub fn check_memory(&mut self) -> Result<(), Difference> {
        let mut details = Vec::new();
        self.compare_memory(&mut details);
        self.judge(self.reference.pc(), details)
    }

    fn judge(&mut self, pc: u32, details: Vec<String>) -> Result<(), Difference> {
        if details.is_empty() {
            return Ok(());
        }
        let flash = self.reference.flash_mut();
        let word =
            |at: usize| u16::from_le_bytes([*flash.get(at).unwrap_or(&0xFF), *flash.get(at + 1).unwrap_or(&0xFF)]);
        let words = [word(pc as usize), word(pc as usize + 2)];
        Err(Difference { pc, words, details })
    }

    fn compare_cpu(&mut self, details: &mut Vec<String>) {
        let theirs = self.state();
        let mut ours = self.subject.state();
        ours.cycles -= self.subject_cycles;
        if ours == theirs {
            return;
        }
        if ours.pc != theirs.pc {
            details.push(format!("pc {:#06x}, simavr {:#06x}", ours.pc, theirs.pc));
        }
        for (number, (our, their)) in ours.registers.iter().zip(theirs.registers).enumerate() {
            if *our != their {
                details.push(format!("r{number} {our:#04x}, simavr {their:#04x}"));
            }
        }
        if ours.sreg != theirs.sreg {
            details.push(format!("SREG {}, simavr {}", flags(ours.sreg), flags(theirs.sreg)));
        }
        if ours.sp != theirs.sp {
            details.push(format!("SP {:#06x}, simavr {:#06x}", ours.sp, theirs.sp));
        }
        if ours.cycles != theirs.cycles {
            details.push(format!("cycles {}, simavr {}", ours.cycles, theirs.cycles));
        }
    }

    /// The whole data space behind the registers; SP and SREG, which the CPU holds, are part of the state.
    fn compare_memory(&mut self, details: &mut Vec<String>) {
        let end = self.reference.data_bytes();
        let (ours, theirs) = (&self.subject.data()[..end], self.reference.data());
        let spl = usize::from(SPL);
        if ours[32..spl] == theirs[32..spl] && ours[spl + 3..] == theirs[spl + 3..] {
            return;
        }
        for address in (32..spl).chain(spl + 3..end) {
            if ours[address] != theirs[address] {
                details.push(format!("data {address:#06x} {:#04x}, simavr {:#04x}", ours[address], theirs[address]));
            }
        }
        details.truncate(16);
    }
}

/// SREG as its letters, a dot where a flag is clear.
fn flags(sreg: u8) -> String {
    "ITHSVNZC".chars().enumerate().map(|(index, letter)| if sreg & 0x80 >> index != 0 { letter } else { '.' }).collect()
}
