//! Abilities and times of a core, read from its data file.
//!
//! The model is an in-order pipeline that starts at most one instruction per cycle. Every count is in core clock
//! cycles. *Issue* is the time from the start of an instruction to the earliest start of the next one. *Result* is the
//! time from the start of an instruction to the earliest start of one that uses what it wrote (1: the next cycle). An
//! instruction whose operand is not ready waits, and all instructions after it wait too. The counts are those of cache
//! hits; the memory system adds its own waits.

use super::isa::Feature;
use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use crate::predict::Prediction;
use crate::value::HeldWord;
use serde::Deserialize;
use serde_json::Value;

/// A data file `targets/cores/<core>.toml` of the family `arm`.
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
    #[serde(default)]
    operand: OperandTimes,
    multiply: Vec<MultiplyRow>,
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
    /// ARMv4: A32 with halfword transfers and long multiplies, without Thumb and `bx`.
    Armv4,
    /// ARMv4T: ARMv4 with Thumb and `bx`.
    Armv4t,
    /// ARMv5TE: ARMv4T with `clz`, `blx`, `bkpt`, DSP multiplies, saturating sums, `ldrd`, `strd` and `pld`.
    Armv5te,
}

impl Architecture {
    pub fn has(self, feature: Feature) -> bool {
        self >= match feature {
            Feature::Base => Architecture::Armv4,
            Feature::Thumb => Architecture::Armv4t,
            Feature::Enhanced => Architecture::Armv5te,
        }
    }
}

/// Cycles of an instruction that writes at most one register.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    pub issue: u8,
    #[serde(default = "one")]
    pub result: u8,
}

/// Cycles of a load or store of two registers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairCost {
    pub issue: u8,
    #[serde(default = "one")]
    pub result: u8,
    #[serde(default = "one")]
    pub result_second: u8,
    /// Cycles from the start of this instruction to the earliest start of another load or store.
    #[serde(default)]
    pub resource: u8,
}

/// Cycles of a transfer of n registers, which issues in `issue_base + n * issue_per_register`, at least
/// `issue_minimum`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultipleCost {
    pub issue_base: u8,
    pub issue_per_register: u8,
    #[serde(default)]
    pub issue_minimum: u8,
    /// Cycles from the end of the issue to the earliest start of a user of the last loaded register. Each register
    /// before it is ready one cycle earlier, but never before the end of the issue.
    #[serde(default)]
    pub result_last_after_issue: u8,
}

impl MultipleCost {
    /// Returns the issue cycles of a transfer of `registers` registers.
    pub fn issue(&self, registers: u32) -> u32 {
        (u32::from(self.issue_base) + registers * u32::from(self.issue_per_register)).max(u32::from(self.issue_minimum))
    }
}

fn one() -> u8 {
    1
}

/// Cycles by kind of instruction.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// Instruction whose condition failed; it waits for no operand.
    pub skipped: Cost,
    /// Data processing with an immediate, a register or a register shifted by an immediate.
    pub alu: Cost,
    pub alu_shift_register: Cost,
    /// Data processing with an operand rotated through the carry; null if it costs what other shifts by an immediate
    /// cost.
    pub alu_rrx: Option<Cost>,
    /// Data processing that writes the program counter, pipeline refill included.
    pub alu_pc: Cost,
    pub alu_pc_shift_register: Cost,
    /// `b`, `bl` and `blx` to a label if the pipeline fetched the right target.
    pub branch: Cost,
    /// `b`, `bl` and `blx` to a label if the pipeline has to refill; without prediction this is every taken branch.
    pub branch_refill: Cost,
    /// `bx` and `blx` to a register.
    pub branch_register: Cost,
    /// `ldr`; `result` is the time of a cache hit.
    pub load: Cost,
    /// `ldrb`.
    pub load_byte: Cost,
    /// `ldrh`.
    pub load_half: Cost,
    /// `ldrsb` and `ldrsh`.
    pub load_signed: Cost,
    /// `ldr` to the program counter, pipeline refill included.
    pub load_pc: Cost,
    /// `str`, `strb`, `strh`.
    pub store: Cost,
    /// `pld`.
    pub preload: Cost,
    pub load_pair: PairCost,
    pub store_pair: PairCost,
    pub load_multiple: MultipleCost,
    /// `ldm` with the program counter in the list, pipeline refill included.
    pub load_multiple_pc: MultipleCost,
    pub store_multiple: MultipleCost,
    /// Base register that a load or store writes back; `issue` is added to the instruction's own.
    pub writeback: Cost,
    /// Cycles that a shifted register offset adds to the `issue` and the `result` of a load or store.
    pub shifted_offset: Cost,
    /// `swp` and `swpb`.
    pub swap: Cost,
    pub mrs: Cost,
    /// `msr` that writes the flags.
    pub msr: Cost,
    pub clz: Cost,
    /// `qadd`, `qsub`, `qdadd`, `qdsub`.
    pub saturating: Cost,
}

/// Times at which operands are needed, in cycles relative to the instruction's other operands.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperandTimes {
    /// Cycles by which an operand that is shifted by an immediate or doubled is needed earlier.
    #[serde(default)]
    pub shifted: u8,
    /// Cycles by which the register to be stored is needed later.
    #[serde(default)]
    pub store_data_later: u8,
    /// Cycles by which the accumulator of a multiplication is needed later.
    #[serde(default)]
    pub accumulator_later: u8,
    /// Whether an instruction waits for an unfinished load or multiplication that writes the same register.
    #[serde(default)]
    pub pending_destination: bool,
}

/// Multiplications that take the same times.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct MultiplyRow {
    instructions: Vec<Multiply>,
    /// Whether the row holds for the forms that set flags.
    #[serde(default)]
    flags: bool,
    /// Whether a multiplier whose upper bits are all ones ends early, as one with zeros does.
    #[serde(default)]
    ends_on_ones: bool,
    /// Times by size of the multiplier, smallest first; the first tier that fits counts.
    tier: Vec<Tier>,
}

/// Multiplications; each name stands for a group of instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Multiply {
    Mul,
    Mla,
    Umull,
    Umlal,
    Smull,
    Smlal,
    /// `smulbb`, `smulbt`, `smultb`, `smultt`.
    Smulxy,
    Smlaxy,
    Smulwy,
    Smlawy,
    Smlalxy,
}

impl Multiply {
    pub const ALL: [Multiply; 11] = [
        Multiply::Mul,
        Multiply::Mla,
        Multiply::Umull,
        Multiply::Umlal,
        Multiply::Smull,
        Multiply::Smlal,
        Multiply::Smulxy,
        Multiply::Smlaxy,
        Multiply::Smulwy,
        Multiply::Smlawy,
        Multiply::Smlalxy,
    ];
    /// Number of entries at the start of [`Multiply::ALL`] that every core has, with and without flags.
    const EVERYWHERE: usize = 6;
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tier {
    /// Significant bits that the multiplier (`Rs`) may have; all bits above are zero, or one if the row ends on ones.
    multiplier_bits: u8,
    issue: u8,
    /// Cycles to the only register of the result, or to its low register.
    result: u8,
    /// Cycles to the high register of a long multiplication.
    #[serde(default)]
    result_high: u8,
    /// Cycles from the start of this instruction to the earliest start of another multiplication.
    #[serde(default)]
    resource: u8,
}

/// Cycles of one multiplication.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MultiplyCost {
    pub issue: u8,
    pub result: u8,
    pub result_high: u8,
    pub resource: u8,
}

/// Cycles of one multiplication by the number of significant bits of its multiplier.
#[derive(Debug, Clone)]
pub struct MultiplyTimes {
    ends_on_ones: bool,
    by_bits: [MultiplyCost; 33],
    /// Most bits of a multiplier that takes as long as any smaller one; `None` if all take as long.
    alike_bits: Option<u32>,
}

impl MultiplyTimes {
    /// Returns the cycles of a multiplication by this multiplier.
    #[inline(always)]
    pub fn cost(&self, multiplier: u32) -> MultiplyCost {
        let sign = if self.ends_on_ones { (multiplier as i32 >> 31) as u32 } else { 0 };
        self.by_bits[(32 - (multiplier ^ sign).leading_zeros()) as usize]
    }

    /// Whether the time depends on a secret of the multiplier.
    #[inline(always)]
    pub fn depend_on<W: HeldWord>(&self, multiplier: W) -> bool {
        multiplier.is_secret() && self.alike_bits.is_some_and(|bits| multiplier.shr(W::of(bits)).is_secret())
    }
}

/// Timing and abilities of one core.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    pub architecture: Architecture,
    pub cost: Costs,
    pub operand: OperandTimes,
    pub prediction: Option<Prediction>,
    /// Times by [`Multiply`], without flags and with flags.
    multiply: Vec<[Option<MultiplyTimes>; 2]>,
}

impl Core {
    /// Checks a core's data; every multiplication that the core has needs its times.
    pub fn from_data(data: &Value) -> Result<Self, Error> {
        let file: CoreFile = serde_json::from_value(data.clone())
            .map_err(|error| Error::Machine(format!("the core's data is not usable: {error}")))?;
        let id = &file.id;
        let mut multiply: Vec<[Option<MultiplyTimes>; 2]> = vec![[None, None]; Multiply::ALL.len()];
        for row in &file.multiply {
            let times = times(id, row)?;
            for &instruction in &row.instructions {
                let place = &mut multiply[instruction as usize][usize::from(row.flags)];
                if place.is_some() {
                    return refuse(format!("core `{id}`: two rows for the multiplication {instruction:?}"));
                }
                *place = Some(times.clone());
            }
        }
        let wanted =
            if file.architecture == Architecture::Armv5te { Multiply::ALL.len() } else { Multiply::EVERYWHERE };
        for (number, [plain, flags]) in multiply.iter().enumerate() {
            let name = Multiply::ALL[number];
            if plain.is_none() && number < wanted || flags.is_none() && number < Multiply::EVERYWHERE {
                return refuse(format!("core `{id}`: no times for the multiplication {name:?}, or none with flags"));
            }
        }
        if file.prediction.is_some_and(|buffer| !buffer.is_sound()) {
            return refuse(format!("core `{id}`: a branch buffer has a power of two of entries, counters of 0 to 3"));
        }
        Ok(Core {
            id: file.id,
            architecture: file.architecture,
            cost: file.cost,
            operand: file.operand,
            prediction: file.prediction,
            multiply,
        })
    }

    /// Returns the times of a multiplication, `None` if the core lacks it.
    #[inline(always)]
    pub fn multiply(&self, instruction: Multiply, flags: bool) -> Option<&MultiplyTimes> {
        self.multiply[instruction as usize][usize::from(flags)].as_ref()
    }
}

fn times(id: &str, row: &MultiplyRow) -> Result<MultiplyTimes, Error> {
    let mut by_bits = [MultiplyCost::default(); 33];
    for (bits, cost) in by_bits.iter_mut().enumerate() {
        let Some(tier) = row.tier.iter().find(|tier| bits <= usize::from(tier.multiplier_bits)) else {
            return refuse(format!("core `{id}`: no tier of {:?} takes a multiplier of {bits} bits", row.instructions));
        };
        *cost = MultiplyCost {
            issue: tier.issue,
            result: tier.result,
            result_high: tier.result_high,
            resource: tier.resource,
        };
    }
    let alike_bits = (0..32).find(|&bits| by_bits[bits] != by_bits[bits + 1]).map(|bits| bits as u32);
    Ok(MultiplyTimes { ends_on_ones: row.ends_on_ones, by_bits, alike_bits })
}
