//! Abilities and times of a core, read from its data file.
//!
//! The family guides give clock cycles by format and addressing mode; instructions do not overlap and no other effects
//! count.

use super::isa::Feature;
use crate::description::SourceEntry;
use crate::error::Error;
use serde::Deserialize;
use serde_json::Value;

/// A data file `targets/cores/<core>.toml` of the family `msp430`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct CoreFile {
    id: String,
    #[serde(rename = "family")]
    _family: String,
    #[serde(rename = "title")]
    _title: String,
    #[serde(rename = "timing_version")]
    _timing_version: Value,
    cycles: Cycles,
    extended: Option<Extended>,
    #[serde(default, rename = "assumed")]
    _assumed: Vec<String>,
    #[serde(default, rename = "source")]
    _source: Vec<SourceEntry>,
}

/// Cycles by the destination of an instruction of two operands.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct To {
    pub register: u8,
    pub pc: u8,
    pub memory: u8,
}

/// Cycles of instructions of two operands by source; constants of the generator count as registers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Double {
    pub register: To,
    pub indirect: To,
    pub autoincrement: To,
    pub immediate: To,
    /// Indexed, symbolic and absolute modes.
    pub memory: To,
    /// Cycles that `mov`, `bit` and `cmp` take less with a destination in memory.
    #[serde(default)]
    pub saved_mov_bit_cmp: u8,
    /// Cycles that `mov`, `add` and `sub` take less from an immediate, or from memory with an index, to the program
    /// counter.
    #[serde(default)]
    pub saved_mov_add_sub_to_pc: u8,
}

/// Cycles of instructions of one operand by its mode; a mode that cannot occur has no entry.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Single {
    pub register: u8,
    pub indirect: u8,
    pub autoincrement: u8,
    #[serde(default)]
    pub immediate: u8,
    pub indexed: u8,
    pub symbolic: u8,
    pub absolute: u8,
    /// Cycles added to `indexed` if the base is the stack pointer.
    #[serde(default)]
    pub indexed_by_sp_extra: u8,
}

/// Cycles of the instructions that every core has.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cycles {
    pub double: Double,
    /// `rra`, `rrc`, `swpb`, `sxt`.
    pub single: Single,
    pub push: Single,
    pub call: Single,
    pub reti: u8,
    /// Jump, taken or not.
    pub jump: u8,
}

/// Cycles of an instruction that repeats: `base`, plus `each` per place or register.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeated {
    pub base: u8,
    pub each: u8,
}

impl Repeated {
    /// Returns the cycles for `count` places or registers.
    pub fn cycles(&self, count: u32) -> u32 {
        u32::from(self.base) + count * u32::from(self.each)
    }
}

/// Cycles of `mova`, `adda`, `cmpa` and `suba` by source; destinations are registers except in `mova_to_memory`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Address {
    pub mova_register: u8,
    pub mova_indirect: u8,
    pub mova_autoincrement: u8,
    pub mova_immediate: u8,
    pub mova_indexed: u8,
    pub mova_absolute: u8,
    pub mova_to_memory: u8,
    pub arithmetic_register: u8,
    pub arithmetic_immediate: u8,
    /// Cycles added if the destination is the program counter and the source is no immediate.
    pub to_pc_extra: u8,
    pub mova_immediate_to_pc_extra: u8,
    pub arithmetic_immediate_to_pc_extra: u8,
}

/// Cycles of the instructions of the MSP430X.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extended {
    pub double: Double,
    pub double_address: Double,
    /// Cycles of each repetition, after the first execution, of an instruction between registers.
    pub repetition: u8,
    /// `rrax`, `rrcx`, `rrux`, `swpbx`, `sxtx`.
    pub single: Single,
    pub single_address: Single,
    pub pushx: Single,
    pub pushx_address: Single,
    pub calla: Single,
    /// `rram`, `rrcm`, `rrum`, `rlam`, per place.
    pub shift_multiple: Repeated,
    /// `pushm`, `popm`, per register.
    pub stack_multiple: Repeated,
    pub stack_multiple_address: Repeated,
    pub address: Address,
}

/// Times and abilities of one core; one with `extended` has the MSP430X instructions and 20-bit registers.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    pub cycles: Cycles,
    pub extended: Option<Extended>,
}

impl Core {
    /// Checks a core's data.
    pub fn from_data(data: &Value) -> Result<Self, Error> {
        let file: CoreFile = serde_json::from_value(data.clone())
            .map_err(|error| Error::Machine(format!("the core's data is not usable: {error}")))?;
        Ok(Core { id: file.id, cycles: file.cycles, extended: file.extended })
    }

    /// Whether the core has the instructions that need this.
    pub fn has(&self, feature: Feature) -> bool {
        feature == Feature::Base || self.extended.is_some()
    }

    /// Returns the cycles of each repetition of an instruction between registers, after its first execution.
    pub fn repetition_cycles(&self) -> u32 {
        self.extended.as_ref().map_or(0, |extended| u32::from(extended.repetition))
    }

    /// Returns the mask of an address's bits.
    pub fn address_mask(&self) -> u32 {
        if self.extended.is_some() {
            0xf_ffff
        } else {
            0xffff
        }
    }
}
