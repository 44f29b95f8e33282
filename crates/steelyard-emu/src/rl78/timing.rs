//! Abilities and times of a core, read from its data file.
//!
//! The clocks of an instruction hold for data in internal RAM or in special function registers. Reading the code flash,
//! the prefix that selects ES, and a wait for an address register written just before have numbers of their own.

use super::isa::Feature;
use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use serde::Deserialize;
use serde_json::Value;

/// A data file `targets/cores/<core>.toml` of the family `rl78`.
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
    banks: bool,
    multiplier: Multiplier,
    mirror: u32,
    clocks: Clocks,
    unit: Option<UnitClocks>,
    #[serde(default, rename = "assumed")]
    _assumed: Vec<String>,
    #[serde(default, rename = "source")]
    _source: Vec<SourceEntry>,
}

/// What multiplies words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Multiplier {
    None,
    /// The multiplier and divider of RL78/G13, accessed through registers.
    Unit,
    /// Instructions of the core.
    Instructions,
}

/// Clocks by kind of instruction.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    pub nop: u8,
    /// `mov`, `oneb`, `clrb` to a register; `mov es, #byte`.
    pub move_byte: u8,
    /// `mov` from memory.
    pub load: u8,
    /// `mov`, `movs`, `oneb`, `clrb` to memory.
    pub store: u8,
    /// `mov psw, a` and `mov psw, #byte`.
    pub move_psw: u8,
    /// `xch a, r`.
    pub exchange: u8,
    pub exchange_memory: u8,
    /// `movw`, `onew`, `clrw` to a register.
    pub move_word: u8,
    pub load_word: u8,
    pub store_word: u8,
    pub exchange_word: u8,
    pub push: u8,
    pub pop: u8,
    pub push_psw: u8,
    pub pop_psw: u8,
    /// Operations on bytes in registers and immediates.
    pub alu: u8,
    /// Operations that read a byte in memory, including its comparison with an immediate.
    pub alu_load: u8,
    /// Operations that change a byte in memory.
    pub alu_memory: u8,
    pub alu_word: u8,
    pub alu_word_load: u8,
    pub alu_word_memory: u8,
    /// `addw sp, #byte` and `subw sp, #byte`.
    pub alu_stack_pointer: u8,
    /// Shifts and rotations of a byte, by any count.
    pub shift: u8,
    pub shift_word: u8,
    /// `mulu x`.
    pub multiply: u8,
    /// `mulhu` and `mulh`.
    #[serde(default)]
    pub multiply_word: u8,
    /// `machu` and `mach`.
    #[serde(default)]
    pub multiply_accumulate: u8,
    /// `divhu`.
    #[serde(default)]
    pub divide_word: u8,
    /// `divwu`.
    #[serde(default)]
    pub divide_long: u8,
    /// Operations on bits of A and of the carry.
    pub bit: u8,
    /// Operations on the carry with a bit in memory.
    pub bit_load: u8,
    /// Operations that change a bit in memory.
    pub bit_memory: u8,
    /// Operations that change a bit of PSW, including `ei` and `di`.
    pub bit_psw: u8,
    pub branch: u8,
    pub branch_conditional: u8,
    pub branch_conditional_taken: u8,
    /// `bt`, `bf` and `btclr`.
    pub branch_bit: u8,
    pub branch_bit_taken: u8,
    pub call: u8,
    pub call_table: u8,
    #[serde(rename = "return")]
    pub return_: u8,
    /// `reti` and `retb`.
    pub return_interrupt: u8,
    /// `brk`.
    pub software_break: u8,
    /// A skip instruction.
    pub skip: u8,
    /// Instruction that is skipped, without its prefix.
    pub skipped: u8,
    pub skipped_prefix: u8,
    #[serde(default)]
    pub select_bank: u8,
    /// Clocks that the prefix for ES adds.
    pub prefix: u8,
    /// Clocks that reading the code flash through its mirror adds.
    pub mirror_read: u8,
    pub flash_read: u8,
    /// Clocks that an instruction waits if its address uses a register written just before.
    pub hazard: u8,
}

/// Clocks from the last operand to the result of the multiplier and divider.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitClocks {
    pub multiply: u8,
    pub accumulate: u8,
    pub divide: u8,
}

/// Times and abilities of one core.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    /// Whether the core has four banks of registers.
    pub banks: bool,
    pub multiplier: Multiplier,
    /// Difference between an address of the mirror and the address in the flash.
    pub mirror: u32,
    pub clocks: Clocks,
    pub unit: UnitClocks,
}

impl Core {
    /// Whether the core has the instructions of a feature.
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::Base => true,
            Feature::Banks => self.banks,
            Feature::Multiply => self.multiplier == Multiplier::Instructions,
        }
    }

    /// Checks a core's data.
    pub fn from_data(data: &Value) -> Result<Self, Error> {
        let file: CoreFile = serde_json::from_value(data.clone())
            .map_err(|error| Error::Machine(format!("the core's data is not usable: {error}")))?;
        let id = &file.id;
        let clocks = &file.clocks;
        let long = [clocks.multiply_word, clocks.multiply_accumulate, clocks.divide_word, clocks.divide_long];
        if (file.multiplier == Multiplier::Instructions) != long.iter().all(|&count| count > 0) {
            return refuse(format!("core `{id}`: clocks of long multiplications belong to a core that has them"));
        }
        if (file.multiplier == Multiplier::Unit) != file.unit.is_some() {
            return refuse(format!("core `{id}`: clocks of a multiplier and divider belong to a core that has them"));
        }
        if file.banks != (clocks.select_bank > 0) {
            return refuse(format!("core `{id}`: clocks of `sel` belong to a core with register banks"));
        }
        Ok(Core {
            id: file.id,
            banks: file.banks,
            multiplier: file.multiplier,
            mirror: file.mirror,
            clocks: file.clocks,
            unit: file.unit.unwrap_or(UnitClocks { multiply: 0, accumulate: 0, divide: 0 }),
        })
    }
}
