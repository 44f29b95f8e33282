//! Instruction sets as rows: what a family's decoder, disassembler, random streams and counts are made from.

use crate::profile::Class;
use std::fmt::{self, Debug, Display};

/// Fixed bits of an instruction, written from its highest bit down: `0` and `1` are fixed, `.` is free.
///
/// In parentheses, `0` and `1` are what free bits should be: a core ignores them, and an assembler writes them so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    pub mask: u32,
    pub value: u32,
    /// Free bits that should have a value.
    pub usual_mask: u32,
    pub usual: u32,
    /// Length in bits.
    pub bits: u32,
}

impl Pattern {
    /// Reads a pattern of up to 32 bits; spaces in it mean nothing.
    ///
    /// # Panics
    ///
    /// At compile time, if the text has another character or too many bits.
    pub const fn new(text: &str) -> Self {
        let text = text.as_bytes();
        let (mut mask, mut value, mut usual_mask, mut usual, mut bits, mut at) = (0, 0, 0, 0, 0, 0);
        let mut should = 0;
        while at < text.len() {
            let (known, bit) = match text[at] {
                b' ' | b'(' | b')' => {
                    if text[at] != b' ' {
                        should = (text[at] == b'(') as u32;
                    }
                    at += 1;
                    continue;
                }
                b'0' => (1, 0),
                b'1' => (1, 1),
                b'.' => (0, 0),
                _ => panic!("a pattern has 0, 1, a dot, a space or parentheses"),
            };
            assert!(bits < 32, "a pattern has at most 32 bits");
            mask = mask << 1 | known & !should;
            value = value << 1 | bit & !should;
            usual_mask = usual_mask << 1 | known & should;
            usual = usual << 1 | bit & should;
            bits += 1;
            at += 1;
        }
        Pattern { mask, value, usual_mask, usual, bits }
    }

    /// Whether the fixed bits of an instruction are these.
    pub const fn matches(&self, word: u32) -> bool {
        word & self.mask == self.value
    }
}

impl Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for bit in (0..self.bits).rev() {
            let fixed = self.mask >> bit & 1 == 1;
            formatter.write_str(if !fixed {
                "."
            } else if self.value >> bit & 1 == 1 {
                "1"
            } else {
                "0"
            })?;
        }
        Ok(())
    }
}

/// One spelling of an instruction: its bits, its text, and what it does.
///
/// Several rows may have the same operation, as the short and the long form of an addition have. `operands` are in the
/// order of the assembly language; those that it does not write are behind them.
#[derive(Debug, Clone, Copy)]
pub struct Row<Op: 'static, Operand: 'static, Feature: 'static> {
    pub op: Op,
    pub mnemonic: &'static str,
    pub pattern: Pattern,
    pub operands: &'static [Operand],
    /// Section of the family's manual.
    pub section: &'static str,
    /// What a core must have.
    pub feature: Feature,
    pub class: Class,
}

/// Returns `count` bits of a word from the bit `low`.
pub const fn bits(word: u32, low: u32, count: u32) -> u32 {
    word >> low & ((1 << count) - 1)
}

/// Returns the number whose lowest bits these are, with its sign.
pub const fn sign_extended(value: u32, bits: u32) -> u32 {
    (((value << (32 - bits)) as i32) >> (32 - bits)) as u32
}

/// Returns bits of a word moved to other places and joined: each of `moves` is (lowest bit in the word, number of bits,
/// lowest bit in the result).
pub fn gathered(word: u32, moves: &[(u32, u32, u32)]) -> u32 {
    moves.iter().fold(0, |value, &(from, count, to)| value | bits(word, from, count) << to)
}

/// A row as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub mnemonic: &'static str,
    /// Fixed bits from the highest down, a dot for each free one.
    pub pattern: String,
    /// Names of the operands, and of the registers that the instruction names by itself.
    pub operands: Vec<String>,
    pub section: &'static str,
    pub class: Class,
}

/// Returns the rows that a core has.
pub fn listed<Op, Operand: Debug, Feature: Copy>(
    rows: &[Row<Op, Operand, Feature>],
    has: impl Fn(Feature) -> bool,
) -> Vec<Listed> {
    let of = |row: &Row<Op, Operand, Feature>| Listed {
        mnemonic: row.mnemonic,
        pattern: row.pattern.to_string(),
        operands: row.operands.iter().map(|operand| format!("{operand:?}")).collect(),
        section: row.section,
        class: row.class,
    };
    rows.iter().filter(|row| has(row.feature)).map(of).collect()
}
