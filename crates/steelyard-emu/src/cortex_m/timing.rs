//! A core's data file: what it can do and how long it takes.
//!
//! Every count is in core clock cycles, with memory that answers at once. An instruction begins when the one before it
//! is done; what two neighbours save or lose by each other is in numbers of its own.

use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// `targets/cores/<core>.toml` of the family `cortex-m`.
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
    architecture: Architecture,
    #[serde(default)]
    dsp: bool,
    #[serde(default)]
    counters: bool,
    cost: Costs,
    #[serde(default, rename = "assumed")]
    _assumed: Vec<String>,
    #[serde(default, rename = "source")]
    _source: Vec<SourceEntry>,
}

/// The instructions a core has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Architecture {
    /// Thumb of sixteen bits, and `bl`, barriers and status in thirty-two; aligned accesses alone.
    #[serde(rename = "armv6-m")]
    Armv6M,
    /// Thumb-2 without DSP instructions.
    #[serde(rename = "armv7-m")]
    Armv7M,
    /// With DSP instructions.
    #[serde(rename = "armv7e-m")]
    Armv7EM,
    /// With loads that acquire and stores that release.
    #[serde(rename = "armv8-m-mainline")]
    Armv8MMainline,
}

/// A transfer of n registers: `base` + n.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultipleCost {
    pub base: u8,
    /// With the program counter among them, refill included.
    #[serde(default)]
    pub base_pc: u8,
}

/// A long multiplication by how many of its two factors have more than sixteen significant bits.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongCost {
    pub narrow: u8,
    pub one_wide: u8,
    pub both_wide: u8,
}

/// A division: `minimum` where the quotient is 0, then `base` and a cycle for each started group of bits.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DivideCost {
    pub minimum: u8,
    pub base: u8,
    pub bits_per_cycle: u8,
}

/// Cycles by kind of instruction.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// Data processing.
    pub alu: u8,
    /// An instruction whose condition failed, and a branch that is not taken.
    pub skipped: u8,
    /// `it`; behind an instruction of sixteen bits it may be folded into that.
    #[serde(default)]
    pub it: u8,
    #[serde(default)]
    pub it_folded: u8,
    /// Branches that are taken, refill included: `b`, also with a condition.
    pub branch: u8,
    /// `bl`.
    pub branch_link: u8,
    /// `bx`; `mov` and `add` to the program counter.
    pub branch_register: u8,
    /// `blx`.
    pub branch_link_register: u8,
    /// `cbz`, `cbnz`.
    #[serde(default)]
    pub branch_zero: u8,
    /// `tbb`, `tbh`.
    #[serde(default)]
    pub branch_table: u8,
    /// More for a target of thirty-two bits at no multiple of four.
    #[serde(default)]
    pub target_unaligned_wide: u8,
    /// More for the first of three instructions of thirty-two bits at no multiple of four, in a straight line behind
    /// one of more than a cycle.
    #[serde(default)]
    pub unaligned_run: u8,
    /// Loads of one register.
    pub load: u8,
    /// The same right behind another one whose result is not needed for the address.
    pub load_pipelined: u8,
    /// `ldr` to the program counter, refill included.
    #[serde(default)]
    pub load_pc: u8,
    /// More for a load or store whose address is made of the result of the data processing right before it.
    #[serde(default)]
    pub address_dependency: u8,
    /// More for an instruction that uses the register loaded right before it.
    #[serde(default)]
    pub load_use: u8,
    /// More for a load right behind a store, of one register or several.
    #[serde(default)]
    pub store_before_load: u8,
    /// More for a store, of one register or two, of what the multiplication right before it made.
    #[serde(default)]
    pub product_store: u8,
    /// More for a multiplication by what the long one right before it made.
    #[serde(default)]
    pub long_product_factor: u8,
    /// Stores of one register at an immediate offset.
    pub store: u8,
    /// At a register's offset, and the same right behind a load.
    pub store_register: u8,
    pub store_register_pipelined: u8,
    /// More for an access at an unaligned address: of a halfword, of a word at a multiple of two, of a word elsewhere.
    #[serde(default)]
    pub unaligned_half: u8,
    #[serde(default)]
    pub unaligned_word: u8,
    #[serde(default)]
    pub unaligned_word_odd: u8,
    pub load_multiple: MultipleCost,
    pub store_multiple: MultipleCost,
    /// `mul`; a chip's option `multiply_cycles` stands above it.
    pub multiply: u8,
    /// `mla`, `mls`.
    #[serde(default)]
    pub multiply_add: u8,
    /// Multiplications of the DSP extension.
    #[serde(default)]
    pub multiply_dsp: u8,
    #[serde(default)]
    pub long: Option<LongCost>,
    /// With an addition: of unsigned factors, of signed ones.
    #[serde(default)]
    pub long_add_unsigned: Option<LongCost>,
    #[serde(default)]
    pub long_add_signed: Option<LongCost>,
    #[serde(default)]
    pub divide: Option<DivideCost>,
    /// `mrs`, `msr`.
    pub status: u8,
    /// `cpsie`, `cpsid`.
    pub change_state: u8,
    /// `dmb`, `dsb`, `isb`.
    pub barrier: u8,
    /// `nop` and the other hints.
    pub hint: u8,
}

/// Cycles of a long multiplication by the number of wide factors.
pub type ByWidth = [u64; 3];

/// Timing and abilities of one core.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    pub architecture: Architecture,
    pub dsp: bool,
    /// Whether the chip has the counters of the debug unit (DWT).
    pub counters: bool,
    pub cost: Costs,
    pub long: ByWidth,
    pub long_add_unsigned: ByWidth,
    pub long_add_signed: ByWidth,
    pub divide: DivideCost,
}

const MULTIPLY_OPTION: &str = "multiply_cycles";

fn by_width(cost: Option<LongCost>) -> ByWidth {
    let cost = cost.unwrap_or(LongCost { narrow: 1, one_wide: 1, both_wide: 1 });
    [cost.narrow, cost.one_wide, cost.both_wide].map(u64::from)
}

impl Core {
    /// Checks a core's data and a chip's options.
    pub fn from_data(data: &Value, options: &BTreeMap<String, u32>) -> Result<Self, Error> {
        let file: CoreFile = serde_json::from_value(data.clone())
            .map_err(|error| Error::Machine(format!("the core's data is not usable: {error}")))?;
        let id = &file.id;
        let mut cost = file.cost;
        for (name, &value) in options {
            if name != MULTIPLY_OPTION || !(1..=32).contains(&value) {
                return refuse(format!(
                    "a Cortex-M has the option `{MULTIPLY_OPTION}`, 1 to 32, and no `{name}` = {value}"
                ));
            }
            cost.multiply = value as u8;
        }
        let later = file.architecture > Architecture::Armv6M;
        if later && (cost.long.is_none() || cost.long_add_unsigned.is_none() || cost.long_add_signed.is_none()) {
            return refuse(format!("core `{id}`: no times for the long multiplications"));
        }
        if later && cost.divide.is_none_or(|divide| divide.bits_per_cycle == 0) {
            return refuse(format!("core `{id}`: no times for the divisions, or none of their bits in a cycle"));
        }
        if file.dsp && file.architecture < Architecture::Armv7EM {
            return refuse(format!("core `{id}`: DSP instructions come with armv7e-m"));
        }
        Ok(Core {
            id: file.id,
            architecture: file.architecture,
            dsp: file.dsp,
            counters: file.counters,
            cost,
            long: by_width(cost.long),
            long_add_unsigned: by_width(cost.long_add_unsigned),
            long_add_signed: by_width(cost.long_add_signed),
            divide: cost.divide.unwrap_or(DivideCost { minimum: 1, base: 1, bits_per_cycle: 1 }),
        })
    }

    /// What a division of these magnitudes takes.
    pub fn divide_cycles(&self, dividend: u32, divisor: u32) -> u64 {
        let DivideCost { minimum, base, bits_per_cycle } = self.divide;
        if divisor == 0 || dividend < divisor {
            return u64::from(minimum);
        }
        let bits = divisor.leading_zeros() - dividend.leading_zeros() + 1;
        u64::from(minimum).max(u64::from(base) + u64::from(bits.div_ceil(u32::from(bits_per_cycle))))
    }
}
