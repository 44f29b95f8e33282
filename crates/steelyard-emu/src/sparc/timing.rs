//! A core's data file: what it can do and how long it takes.
//!
//! The model is that of an in-order pipeline that starts one instruction in a cycle, or a group of them. Every count
//! is in core clock cycles. *Issue* is the time from the start of an instruction to the earliest start of the next
//! group; *result* the time from the start of an instruction to the earliest start of one that uses what it wrote
//! (1: the next cycle). An instruction whose operand is not there yet waits, and all behind it wait too. What a memory
//! adds is not part of these numbers: they are those of hits.

use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use crate::predict::Prediction;
use serde::Deserialize;
use serde_json::Value;

/// `targets/cores/<core>.toml` of the family `sparc`.
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
    cost: Costs,
    group: Option<Group>,
    prediction: Option<Prediction>,
    #[serde(default, rename = "assumed")]
    _assumed: Vec<String>,
    #[serde(default, rename = "source")]
    _source: Vec<SourceEntry>,
}

/// The instructions a core has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Architecture {
    /// Neither multiplies nor divides.
    V7,
    V8,
}

/// Where an instruction is executed, which decides what may start in the same cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// In a group of its own.
    #[default]
    Alone,
    /// In either integer unit, the first before the second.
    Any,
    /// In the first integer unit, ahead of any other integer instruction.
    First,
    /// In the second integer unit.
    Second,
    /// In the load and store unit.
    Memory,
    /// In the branch unit, which has a place of its own in a group.
    Branch,
}

/// Groups of instructions that start in one cycle.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Instructions at most, branches included.
    pub width: u8,
    /// Instructions at most, branches left out.
    pub without_branches: u8,
}

/// An instruction that writes at most one register.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    pub issue: u8,
    #[serde(default = "one")]
    pub result: u8,
    #[serde(default)]
    pub unit: Unit,
}

/// A load of two registers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairCost {
    pub issue: u8,
    /// Of the even register.
    pub result: u8,
    /// Of the odd register.
    pub result_second: u8,
    #[serde(default)]
    pub unit: Unit,
}

/// A multiplication, whose first operand may end it early: each further `bits_per_cycle` bits of it beyond the first
/// `free_bits` take a cycle more. Issue and result are the same.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultiplyCost {
    pub issue: u8,
    #[serde(default)]
    pub free_bits: u8,
    /// 0: all take the same time.
    #[serde(default)]
    pub bits_per_cycle: u8,
}

impl MultiplyCost {
    /// Cycles for a multiplier of so many significant bits.
    #[inline(always)]
    pub fn cycles(&self, bits: u32) -> u64 {
        let more = bits.saturating_sub(u32::from(self.free_bits)).checked_div(u32::from(self.bits_per_cycle));
        u64::from(self.issue) + u64::from(more.unwrap_or(0))
    }
}

fn one() -> u8 {
    1
}

/// Cycles by kind of instruction.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// Sums and logic, `sethi`.
    pub alu: Cost,
    /// The same with condition codes.
    pub alu_cc: Cost,
    /// Sums with the carry, with or without condition codes.
    pub alu_carry: Cost,
    /// Tagged sums.
    pub alu_tagged: Cost,
    /// From the start of an instruction that sets condition codes to the earliest start of a branch.
    pub condition_codes: u8,
    pub shift: Cost,
    pub mulscc: Cost,
    /// `umul` and `umulcc`.
    pub multiply_unsigned: MultiplyCost,
    /// `smul` and `smulcc`.
    pub multiply_signed: MultiplyCost,
    /// `udiv` and `udivcc`.
    pub divide_unsigned: Cost,
    /// `sdiv` and `sdivcc`.
    pub divide_signed: Cost,
    pub read_y: Cost,
    pub write_y: Cost,
    /// `save` and `restore` where no window is spilled or filled.
    pub window: Cost,
    /// `ld`, `ldub`, `lduh`; `result` is that of a hit.
    pub load: Cost,
    /// `ldsb` and `ldsh`.
    pub load_signed: Cost,
    pub load_double: PairCost,
    pub store: Cost,
    /// `stb` and `sth`.
    pub store_narrow: Cost,
    pub store_double: Cost,
    /// How much later the register that is stored is needed.
    pub store_data_later: u8,
    /// `swap`.
    pub swap: Cost,
    /// `ldstub`.
    pub load_store_byte: Cost,
    /// A branch whose way was predicted; without prediction every branch that is not taken.
    pub branch: Cost,
    /// The same where it was not; without prediction every branch that is taken.
    pub branch_refill: Cost,
    pub call: Cost,
    pub jmpl: Cost,
    /// An instruction that is annulled.
    pub annulled: u8,
    /// `ta` and the like where the condition does not hold, `flush`, `stbar`.
    pub nothing: Cost,
    /// Of the operating system's handler that spills a window, its eight `std` left out.
    pub spill: u8,
    /// Of the handler that fills one, its eight `ldd` left out.
    pub fill: u8,
}

/// Timing and abilities of one core.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    pub architecture: Architecture,
    pub cost: Costs,
    pub group: Option<Group>,
    pub prediction: Option<Prediction>,
}

impl Core {
    /// Checks a core's data.
    pub fn from_data(data: &Value) -> Result<Self, Error> {
        let file: CoreFile = serde_json::from_value(data.clone())
            .map_err(|error| Error::Machine(format!("the core's data is not usable: {error}")))?;
        let id = &file.id;
        if file.prediction.is_some_and(|buffer| !buffer.is_sound()) {
            return refuse(format!("core `{id}`: a branch buffer has a power of two of entries, counters of 0 to 3"));
        }
        if file.group.is_some_and(|group| group.without_branches < 1 || group.width < group.without_branches) {
            return refuse(format!("core `{id}`: a group has room for an instruction, and for no more than its width"));
        }
        Ok(Core {
            id: file.id,
            architecture: file.architecture,
            cost: file.cost,
            group: file.group,
            prediction: file.prediction,
        })
    }
}
