//! Abilities and times of a core, read from its data file.
//!
//! Every count is in core clock cycles, with memory that answers at once. An instruction begins when the one before it
//! has ended; what two adjacent instructions save or lose has numbers of its own.

use super::isa::Feature;
use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A data file `targets/cores/<core>.toml` of the family `cortex-m`.
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
    float: Option<FloatUnit>,
    #[serde(default)]
    counters: bool,
    cost: Costs,
    #[serde(default, rename = "assumed")]
    _assumed: Vec<String>,
    #[serde(default, rename = "source")]
    _source: Vec<SourceEntry>,
}

/// The instruction set of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Architecture {
    /// ARMv6-M: 16-bit Thumb, 32-bit `bl`, barriers and status access; aligned accesses only.
    #[serde(rename = "armv6-m")]
    Armv6M,
    /// ARMv7-M: Thumb-2 without DSP instructions.
    #[serde(rename = "armv7-m")]
    Armv7M,
    /// ARMv7E-M: Thumb-2 with DSP instructions.
    #[serde(rename = "armv7e-m")]
    Armv7EM,
    /// ARMv8-M mainline, with load-acquire and store-release.
    #[serde(rename = "armv8-m-mainline")]
    Armv8MMainline,
}

/// The floating-point unit of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum FloatUnit {
    #[serde(rename = "fpv4-sp-d16")]
    Fpv4,
    /// With directed roundings, selection, maximum and minimum.
    #[serde(rename = "fpv5-sp-d16")]
    Fpv5,
}

/// Cycles of an operation of the floating-point unit.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FloatOperation {
    pub cycles: u8,
    /// Cycles beyond, in which the core goes on and the unit does not.
    pub busy: u8,
    /// Cycles added to an instruction of the unit that uses the result right behind these.
    pub result: u8,
}

/// Cycles of the instructions of the floating-point unit.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FloatCosts {
    /// Sums, products, conversions, maximum and minimum.
    pub arithmetic: FloatOperation,
    /// A product added to a number.
    pub accumulate: FloatOperation,
    /// `vdiv`, `vsqrt`.
    pub divide: FloatOperation,
    /// How much later a product's addend may come.
    pub addend_later: u8,
    /// `vmov` within the unit, `vabs`, `vneg`, `vcmp`, `vsel`.
    pub simple: u8,
    /// `vmov` from or to the core, for each word.
    pub transfer: u8,
    /// `vmrs`, `vmsr`.
    pub status: u8,
    /// Loads: this and a cycle for each word.
    pub load_base: u8,
    pub store_base: u8,
}

/// Cycles of a transfer of n registers: `base` + n.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultipleCost {
    pub base: u8,
    /// Base with the program counter in the list, pipeline refill included.
    #[serde(default)]
    pub base_pc: u8,
}

/// Cycles of a long multiplication by the number of its factors with more than sixteen significant bits.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongCost {
    pub narrow: u8,
    pub one_wide: u8,
    pub both_wide: u8,
}

/// Cycles of a division: `minimum` if the quotient is 0, otherwise `base` plus one cycle per started group of bits.
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
    /// Instruction whose condition failed, or branch that is not taken.
    pub skipped: u8,
    /// `it`.
    #[serde(default)]
    pub it: u8,
    #[serde(default)]
    pub it_folded: u8,
    /// Taken `b`, with or without a condition, pipeline refill included.
    pub branch: u8,
    /// `bl`, pipeline refill included.
    pub branch_link: u8,
    /// `bx`, and `mov` or `add` to the program counter; pipeline refill included.
    pub branch_register: u8,
    /// `blx`, pipeline refill included.
    pub branch_link_register: u8,
    /// Taken `cbz` or `cbnz`, pipeline refill included.
    #[serde(default)]
    pub branch_zero: u8,
    /// `tbb`, `tbh`, pipeline refill included.
    #[serde(default)]
    pub branch_table: u8,
    /// Cycles added by a branch target that is a 32-bit instruction at no multiple of four.
    #[serde(default)]
    pub target_unaligned_wide: u8,
    /// Cycles added to the first of three 32-bit instructions at no multiple of four, in a straight line after an
    /// instruction of more than one cycle.
    #[serde(default)]
    pub unaligned_run: u8,
    /// Load of one register.
    pub load: u8,
    /// Load right after another load whose result is not needed for the address.
    pub load_pipelined: u8,
    /// `ldr` to the program counter, pipeline refill included.
    #[serde(default)]
    pub load_pc: u8,
    /// Cycles added to a load or store whose address uses the result of the data processing right before it.
    #[serde(default)]
    pub address_dependency: u8,
    /// Cycles added to an instruction that uses the register loaded right before it.
    #[serde(default)]
    pub load_use: u8,
    /// Cycles added to a load, of one register or several, right after a store.
    #[serde(default)]
    pub store_before_load: u8,
    /// Cycles added to a store, of one register or two, of the product of the multiplication right before it.
    #[serde(default)]
    pub product_store: u8,
    /// Cycles added to a multiplication by a result of the long multiplication right before it.
    #[serde(default)]
    pub long_product_factor: u8,
    /// Store of one register at an immediate offset.
    pub store: u8,
    /// Store of one register at a register offset.
    pub store_register: u8,
    pub store_register_pipelined: u8,
    /// Cycles added to an access to a halfword at an odd address.
    #[serde(default)]
    pub unaligned_half: u8,
    #[serde(default)]
    pub unaligned_word: u8,
    #[serde(default)]
    pub unaligned_word_odd: u8,
    pub load_multiple: MultipleCost,
    pub store_multiple: MultipleCost,
    /// `mul`; a chip's option `multiply_cycles` overrides it.
    pub multiply: u8,
    /// `mla`, `mls`.
    #[serde(default)]
    pub multiply_add: u8,
    /// Multiplication of the DSP extension.
    #[serde(default)]
    pub multiply_dsp: u8,
    #[serde(default)]
    pub long: Option<LongCost>,
    /// Long multiplication with addition, unsigned.
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
    #[serde(default)]
    pub float: Option<FloatCosts>,
}

/// Cycles of a long multiplication by the number of wide factors.
pub type ByWidth = [u64; 3];

/// Times and abilities of one core.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    pub architecture: Architecture,
    pub dsp: bool,
    pub float: Option<FloatUnit>,
    /// Whether the core has the counters of the debug unit (DWT).
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
        if file.float.is_some() && file.architecture < Architecture::Armv7EM {
            return refuse(format!("core `{id}`: a floating-point unit comes with armv7e-m"));
        }
        if file.float.is_some() != cost.float.is_some() {
            return refuse(format!("core `{id}`: a floating-point unit, `float`, comes with its times, `cost.float`"));
        }
        Ok(Core {
            id: file.id,
            architecture: file.architecture,
            dsp: file.dsp,
            float: file.float,
            counters: file.counters,
            cost,
            long: by_width(cost.long),
            long_add_unsigned: by_width(cost.long_add_unsigned),
            long_add_signed: by_width(cost.long_add_signed),
            divide: cost.divide.unwrap_or(DivideCost { minimum: 1, base: 1, bits_per_cycle: 1 }),
        })
    }

    /// Whether the core has the instructions of a feature.
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::Base => true,
            Feature::Thumb2 => self.architecture > Architecture::Armv6M,
            Feature::Dsp => self.dsp,
            Feature::Ordered => self.architecture >= Architecture::Armv8MMainline,
            Feature::FloatSingle => self.float.is_some(),
            Feature::FloatDirected => self.float == Some(FloatUnit::Fpv5),
        }
    }

    /// Returns the cycles of a division of these magnitudes.
    pub fn divide_cycles(&self, dividend: u32, divisor: u32) -> u64 {
        let DivideCost { minimum, base, bits_per_cycle } = self.divide;
        if divisor == 0 || dividend < divisor {
            return u64::from(minimum);
        }
        let bits = divisor.leading_zeros() - dividend.leading_zeros() + 1;
        u64::from(minimum).max(u64::from(base) + u64::from(bits.div_ceil(u32::from(bits_per_cycle))))
    }
}
