//! Flash and the instructions decoded from it.

use super::decode::{decode, Decoded, OUTSIDE};
use super::isa::Op;
use super::isa::{self, Code, Row};
use super::runs::LONGEST_RUN;
use super::timing::{Core, ExtraCycles};
use crate::processor::Instructions;
use crate::profile::{Class, InstructionInfo, Listing};
use std::ops::Range;

/// Number of word addresses of a 16-bit program counter.
pub const MAX_WORDS: usize = 0x1_0000;

/// Program memory of one chip.
#[derive(Clone)]
pub struct Program {
    core: Core,
    flash: Vec<u8>,
    ops: Box<[Decoded; MAX_WORDS]>,
    /// Mask of the program counter; relative jumps wrap within it.
    pc_mask: u16,
    /// Number of words up to the last one ever written.
    used_words: usize,
    stops: Vec<u16>,
    revision: u64,
}

impl Program {
    /// Creates an erased flash of an even number of bytes; instructions lie in its first 128 KB.
    pub fn new(core: Core, size_bytes: usize) -> Self {
        let words = size_bytes / 2;
        let mut program = Program {
            core,
            flash: vec![0xff; size_bytes],
            ops: Box::new([OUTSIDE; MAX_WORDS]),
            pc_mask: (words.min(MAX_WORDS).next_power_of_two() - 1) as u16,
            used_words: 0,
            stops: Vec::new(),
            revision: 0,
        };
        let erased = program.decode(0);
        program.ops[..words.min(MAX_WORDS)].fill(erased);
        program
    }

    /// Returns the core for which the flash is decoded.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// Returns the core's extra cycles by event.
    #[inline(always)]
    pub fn extra(&self) -> &ExtraCycles {
        &self.core.extra
    }

    /// Returns the instruction at a word address.
    #[inline(always)]
    pub fn at(&self, pc: u16) -> Decoded {
        self.ops[usize::from(pc)]
    }

    /// Returns a byte of the flash, `None` beyond its end.
    #[inline(always)]
    pub fn byte(&self, address: u32) -> Option<u8> {
        self.flash.get(address as usize).copied()
    }

    /// Returns the whole flash.
    pub fn bytes(&self) -> &[u8] {
        &self.flash
    }

    /// Returns the word at a word address; words beyond the end read as erased.
    pub fn word(&self, pc: u16) -> u16 {
        let address = u32::from(pc) * 2;
        u16::from_le_bytes([self.byte(address).unwrap_or(0xff), self.byte(address + 1).unwrap_or(0xff)])
    }

    fn code(&self, pc: u16) -> Code {
        Code { first: self.word(pc), second: self.word(pc.wrapping_add(1)) }
    }

    /// Returns the text of the instruction at a word address and its length in words, `None` where none lies.
    pub fn text(&self, pc: u16) -> Option<(String, u8)> {
        isa::text(self.code(pc))
    }

    /// Returns a number that changes with every write.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the number of bytes up to the last one ever written.
    pub fn used_bytes(&self) -> usize {
        self.used_words * 2
    }

    /// Writes bytes within the flash and decodes the words they affect.
    pub fn write(&mut self, address: usize, data: &[u8]) {
        if data.is_empty() {
            return;
        }
        self.revision += 1;
        self.flash[address..address + data.len()].copy_from_slice(data);
        let end_word = (address + data.len()).div_ceil(2);
        self.used_words = self.used_words.max(end_word);
        self.forget(address as u32, data.len());
    }

    /// Erases the whole flash.
    pub fn erase(&mut self) {
        self.revision += 1;
        self.stops.clear();
        self.flash.fill(0xff);
        let erased = self.decode(0);
        self.ops[..(self.flash.len() / 2).min(MAX_WORDS)].fill(erased);
        self.used_words = 0;
    }

    /// Makes a run end when it reaches the word address, whatever it holds.
    pub fn plant_stop(&mut self, pc: u16) {
        self.stops.push(pc);
        self.decode_range(usize::from(pc)..usize::from(pc) + 1);
    }

    /// Removes all planted stops.
    pub fn clear_stop(&mut self) {
        for pc in std::mem::take(&mut self.stops) {
            self.decode_range(usize::from(pc)..usize::from(pc) + 1);
        }
    }

    /// Decodes a range of words and those before it, because the last word before it may begin an instruction of two
    /// words and all may belong to a run.
    fn decode_range(&mut self, words: Range<usize>) {
        let end = words.end.min(MAX_WORDS);
        for word in words.start.saturating_sub(1)..end {
            self.ops[word] = self.decode(word as u16);
        }
        for word in words.start.saturating_sub(LONGEST_RUN - 1)..end {
            self.ops[word].step = self.step(word);
        }
    }

    fn step(&self, word: usize) -> Op {
        let op = |offset: usize| self.ops.get(word + offset).map_or(Op::Outside, |decoded| decoded.op);
        Op::with_those_behind(std::array::from_fn(op))
    }

    fn decode(&self, pc: u16) -> Decoded {
        if self.stops.contains(&pc) {
            return Decoded { op: Op::Stop, step: Op::Stop, ..OUTSIDE };
        }
        decode(self.code(pc), pc, self.pc_mask, &self.core)
    }
}

impl Instructions for Program {
    /// Erases the flash, from which they come.
    fn clear(&mut self) {
        self.erase();
    }

    /// Decodes them anew: no loop asks whether one was decoded.
    fn forget(&mut self, address: u32, length: usize) {
        let address = address as usize;
        self.decode_range(address / 2..(address + length).div_ceil(2));
    }

    fn plant_stop(&mut self, address: u32) {
        self.plant_stop((address / 2) as u16);
    }

    fn lift_stop(&mut self, address: u32) {
        let pc = (address / 2) as u16;
        self.stops.retain(|&stop| stop != pc);
        self.decode_range(usize::from(pc)..usize::from(pc) + 1);
    }

    fn clear_stop(&mut self) {
        self.clear_stop();
    }

    fn places(&self) -> usize {
        self.length()
    }
}

impl Listing for Program {
    fn length(&self) -> usize {
        self.used_words
    }

    fn instruction(&self, pc: usize) -> Option<InstructionInfo> {
        let decoded = self.ops.get(pc)?;
        let row = Row::of(decoded.op)?;
        let extra = &self.core.extra;
        let next = (pc + usize::from(decoded.words)) % MAX_WORDS;
        let taken_cycles = match row.op {
            Op::Brbs | Op::Brbc => extra.branch_taken,
            Op::Cpse | Op::Sbrc | Op::Sbrs | Op::Sbic | Op::Sbis if self.ops[next].words == 2 => extra.skip_two_words,
            Op::Cpse | Op::Sbrc | Op::Sbrs | Op::Sbic | Op::Sbis => extra.skip_one_word,
            _ => 0,
        };
        let loads = matches!(row.class, Class::Load | Class::LoadProgram) || row.op == Op::Pop;
        let stores = row.class == Class::Store || row.op == Op::Push;
        Some(InstructionInfo {
            class: row.class,
            units: u32::from(decoded.words),
            cycles: u32::from(decoded.cycles),
            taken_cycles: u32::from(taken_cycles),
            loads: u32::from(loads),
            stores: u32::from(stores),
            conditional: row.class == Class::Branch,
        })
    }
}
