//! Abilities and times of a core, read from its data file.
//!
//! The model is an in-order pipeline that starts one instruction, or one group of instructions, per cycle. Every count
//! is in core clock cycles. *Issue* is the time from the start of an instruction to the earliest start of the next
//! group. *Result* is the time from the start of an instruction to the earliest start of one that uses what it wrote
//! (1: the next cycle). An instruction whose operand is not ready waits, and all instructions after it wait too. The
//! counts are those of cache hits; the memory system adds its own waits.

use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use crate::predict::Prediction;
use crate::value::HeldWord;
use serde::Deserialize;
use serde_json::Value;

/// A data file `targets/cores/<core>.toml` of the family `sparc`.
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

/// The instruction set of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Architecture {
    /// SPARC V7, which has no multiplication and division.
    V7,
    V8,
}

/// Unit that executes an instruction, which decides what may start in the same cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// No other instruction may be in the group.
    #[default]
    Alone,
    /// Either integer unit, the first one before the second.
    Any,
    /// The first integer unit, ahead of any other integer instruction.
    First,
    /// The second integer unit.
    Second,
    /// The load and store unit.
    Memory,
    /// The branch unit, which has its own place in a group.
    Branch,
}

/// Limits of a group of instructions that start in one cycle.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Maximum number of instructions, branches included.
    pub width: u8,
    /// Maximum number of instructions, branches excluded.
    pub without_branches: u8,
}

/// Cycles of an instruction that writes at most one register.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    pub issue: u8,
    #[serde(default = "one")]
    pub result: u8,
    #[serde(default)]
    pub unit: Unit,
}

/// Cycles of a load of two registers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairCost {
    pub issue: u8,
    /// Cycles to the even register.
    pub result: u8,
    /// Cycles to the odd register.
    pub result_second: u8,
    #[serde(default)]
    pub unit: Unit,
}

/// Cycles of a multiplication, which a small first operand may end early: beyond its first `free_bits`, each
/// `bits_per_cycle` bits take one more cycle. Issue equals result.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultiplyCost {
    pub issue: u8,
    #[serde(default)]
    pub free_bits: u8,
    /// Bits per additional cycle; 0 if all multiplications take the same time.
    #[serde(default)]
    pub bits_per_cycle: u8,
}

impl MultiplyCost {
    /// Whether the time depends on a secret of the first operand, whose significant bits count one more than it has.
    #[inline(always)]
    pub fn depends_on<W: HeldWord>(&self, first: W) -> bool {
        let alike_bits = (u32::from(self.free_bits) + u32::from(self.bits_per_cycle)).saturating_sub(2);
        self.bits_per_cycle > 0 && alike_bits < 32 && first.shr(W::of(alike_bits)).is_secret()
    }

    /// Returns the cycles for a multiplier with this number of significant bits.
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
    /// Sums, logic and `sethi`.
    pub alu: Cost,
    /// Sums and logic that set condition codes.
    pub alu_cc: Cost,
    /// Sums with the carry, with or without condition codes.
    pub alu_carry: Cost,
    /// Tagged sums.
    pub alu_tagged: Cost,
    /// Cycles from the start of an instruction that sets condition codes to the earliest start of a branch.
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
    /// `save` and `restore` that spill or fill no window.
    pub window: Cost,
    /// `ld`, `ldub`, `lduh`; `result` is the time of a cache hit.
    pub load: Cost,
    /// `ldsb` and `ldsh`.
    pub load_signed: Cost,
    pub load_double: PairCost,
    pub store: Cost,
    /// `stb` and `sth`.
    pub store_narrow: Cost,
    pub store_double: Cost,
    /// Cycles by which the register to be stored is needed later.
    pub store_data_later: u8,
    /// `swap`.
    pub swap: Cost,
    /// `ldstub`.
    pub load_store_byte: Cost,
    /// Correctly predicted branch; without prediction, branch that is not taken.
    pub branch: Cost,
    /// Mispredicted branch; without prediction, branch that is taken.
    pub branch_refill: Cost,
    pub call: Cost,
    pub jmpl: Cost,
    /// Annulled instruction.
    pub annulled: u8,
    /// `ta` and other traps whose condition does not hold, `flush`, `stbar`.
    pub nothing: Cost,
    /// Cycles of the operating system's handler that spills a window, without its eight `std`.
    pub spill: u8,
    /// Cycles of the handler that fills a window, without its eight `ldd`.
    pub fill: u8,
}

/// Times and abilities of one core.
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
