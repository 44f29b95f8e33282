//! Abilities and times of a core, read from its data file.
//!
//! The model is an in-order pipeline that starts at most one instruction per cycle. Every count is in core clock
//! cycles. *Issue* is the time from the start of an instruction to the earliest start of the next one. *Result* is the
//! time from the start of an instruction to the earliest start of one that reads what it wrote, or writes the same
//! register (1: the next cycle). An instruction whose operand is not ready waits, and all instructions after it wait
//! too. The counts are those of cache hits; the memory system adds its own waits.

use super::isa::Feature;
use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use crate::value::HeldWord;
use serde::Deserialize;
use serde_json::Value;

/// A data file `targets/cores/<core>.toml` of the family `riscv`.
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
    #[serde(default)]
    embedded: bool,
    #[serde(default = "yes")]
    multiplication: bool,
    atomics: bool,
    user_mode: bool,
    misaligned: Option<Misaligned>,
    cost: Costs,
    prediction: Option<Prediction>,
    counters: Counters,
    #[serde(default)]
    registers: Vec<u16>,
    #[serde(default)]
    unflushed_registers: Vec<u16>,
    #[serde(default, rename = "assumed")]
    _assumed: Vec<String>,
    #[serde(default, rename = "source")]
    _source: Vec<SourceEntry>,
}

/// Cycles of a load or store at an address that is not a multiple of its size; a core without this entry traps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Misaligned {
    /// Cycles added to issue and result.
    pub extra: u8,
    /// Whether only an access that reaches into the next word takes them.
    #[serde(default)]
    pub across_words: bool,
}

/// Cycles of an instruction that writes at most one register.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    pub issue: u8,
    #[serde(default = "one")]
    pub result: u8,
}

/// Cycles of a multiplication; another multiplication or a division starts no earlier than `unit` cycles after it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultiplyCost {
    pub issue: u8,
    pub result: u8,
    #[serde(default)]
    pub unit: u8,
}

/// Cycles of a division. The result takes `result_base` cycles, and `result_per_bit` for each significant bit that the
/// dividend's magnitude has more than the divisor's; the unit is free by then.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DivideCost {
    pub result_base: u8,
    pub result_per_bit: u8,
    /// Cycles to the result of a division by 0.
    pub result_by_zero: u8,
    /// Whether the pipeline stands still until the result is ready.
    pub blocks: bool,
}

impl DivideCost {
    /// Whether the time depends on a secret of an operand.
    #[inline(always)]
    pub fn depends_on<W: HeldWord>(&self, dividend: W, divisor: W) -> bool {
        let by_bits = self.result_per_bit > 0 && (dividend.is_secret() || divisor.is_secret());
        by_bits || self.result_by_zero != self.result_base && divisor.is_secret()
    }

    /// Returns the cycles to the result.
    pub fn result(&self, signed: bool, dividend: u32, divisor: u32) -> u64 {
        if divisor == 0 {
            return u64::from(self.result_by_zero);
        }
        let magnitude = |value: u32| if signed { (value as i32).unsigned_abs() } else { value };
        let bits = |value: u32| 32 - magnitude(value).leading_zeros();
        let more = bits(dividend).saturating_sub(bits(divisor));
        u64::from(self.result_base) + u64::from(self.result_per_bit) * u64::from(more)
    }
}

fn one() -> u8 {
    1
}

fn yes() -> bool {
    true
}

/// Cycles by kind of instruction.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// Whether an instruction that writes a register does not wait for a result still to come there.
    #[serde(default)]
    pub overwrites: bool,
    /// Computing with registers and immediates, shifts, `lui`, `auipc`.
    pub alu: Cost,
    pub multiply: MultiplyCost,
    /// `mulh`, `mulhsu`, `mulhu`.
    pub multiply_high: MultiplyCost,
    pub divide: DivideCost,
    pub load_word: Cost,
    /// `lb`, `lh`, `lbu`, `lhu`.
    pub load_narrow: Cost,
    pub store: Cost,
    /// Conditional branch, correctly predicted as not taken.
    pub branch: Cost,
    /// Conditional branch, correctly predicted as taken.
    pub branch_taken: Cost,
    /// `jal`; `result` is the time to the return address.
    pub jump: Cost,
    /// `jalr`.
    pub jump_register: Cost,
    /// Cycles added to a branch or jump that is recognized only when it is decoded.
    pub late: u8,
    /// Cycles added to a mispredicted branch or jump.
    pub mispredicted: u8,
    /// Cycles added to a jump to a 32-bit instruction at no multiple of four.
    pub straddling_target: u8,
    pub csr_read: Cost,
    /// Writing a control register, but for those that the core does not flush its pipeline for.
    pub csr_write: Cost,
    pub fence: Cost,
    pub fence_instruction: Cost,
    /// Whether the instruction behind `fence.i` is fetched as the target of a jump.
    #[serde(default)]
    pub fence_refetches: bool,
    pub load_reserved: Cost,
    pub store_conditional: Cost,
    pub atomic: Cost,
    /// Entry to an exception handler, and `mret`.
    pub exception: Cost,
}

/// Sizes of the fetch unit's branch prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// Number of remembered targets. With 0, directions follow the sign of the offset, and the target of a branch or
    /// `jal` is known once it is decoded.
    pub targets: u32,
    /// Number of direction counters, a power of two; 0 if `targets` is 0.
    #[serde(default)]
    pub directions: u32,
    /// Width of a direction counter in bits. 1 predicts the last direction; 2 predicts roughly the majority of the last
    /// three.
    #[serde(default)]
    pub counter_bits: u8,
    /// Number of recent outcomes that help choose the counter.
    #[serde(default)]
    pub history_bits: u8,
    /// Number of bits to which the outcomes are hashed.
    #[serde(default)]
    pub history_hash_bits: u8,
    /// Number of address bits, above those that choose the counter, that are mixed into them.
    #[serde(default)]
    pub address_fold_bits: u8,
    /// Lowest address bit that chooses the counter.
    #[serde(default)]
    pub address_low_bit: u8,
    /// Number of remembered return addresses.
    pub returns: u32,
    /// Whether a branch whose target is not remembered is predicted at decode, with a direction.
    #[serde(default)]
    pub decodes: bool,
}

/// Numbers of the registers that count; a program can write those of machine mode.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    #[serde(default)]
    pub cycles: Vec<u16>,
    #[serde(default)]
    pub cycles_high: Vec<u16>,
    #[serde(default)]
    pub instructions: Vec<u16>,
    #[serde(default)]
    pub instructions_high: Vec<u16>,
}

/// Times and abilities of one core.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    /// Whether the core has sixteen registers (RV32E) rather than thirty-two.
    pub embedded: bool,
    /// Whether it has the extension M.
    pub multiplication: bool,
    pub atomics: bool,
    pub user_mode: bool,
    pub misaligned: Option<Misaligned>,
    pub cost: Costs,
    pub prediction: Option<Prediction>,
    pub counters: Counters,
    /// Numbers of the core's own control and status registers that hold what is written and have no effect.
    pub registers: Vec<u16>,
    /// Numbers of control registers that are written in the time of a read.
    pub unflushed_registers: Vec<u16>,
}

impl Core {
    /// Whether the core has the instructions of an extension.
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::Atomic => self.atomics,
            Feature::Multiply => self.multiplication,
            _ => true,
        }
    }

    /// Returns the number of registers, x0 included.
    pub fn registers(&self) -> u8 {
        if self.embedded {
            16
        } else {
            32
        }
    }

    /// Checks and reads a core's data.
    pub fn from_data(data: &Value) -> Result<Self, Error> {
        let file: CoreFile = serde_json::from_value(data.clone())
            .map_err(|error| Error::Machine(format!("the core's data are not usable: {error}")))?;
        let cost = &file.cost;
        let issues = [
            ("alu", cost.alu.issue),
            ("multiply", cost.multiply.issue),
            ("multiply_high", cost.multiply_high.issue),
            ("load_word", cost.load_word.issue),
            ("load_narrow", cost.load_narrow.issue),
            ("store", cost.store.issue),
            ("branch", cost.branch.issue),
            ("branch_taken", cost.branch_taken.issue),
            ("jump", cost.jump.issue),
            ("jump_register", cost.jump_register.issue),
            ("csr_read", cost.csr_read.issue),
            ("csr_write", cost.csr_write.issue),
            ("fence", cost.fence.issue),
            ("fence_instruction", cost.fence_instruction.issue),
            ("load_reserved", cost.load_reserved.issue),
            ("store_conditional", cost.store_conditional.issue),
            ("atomic", cost.atomic.issue),
            ("exception", cost.exception.issue),
        ];
        if let Some((name, _)) = issues.iter().find(|(_, issue)| *issue == 0) {
            return refuse(format!("core `{}`: cost.{name} issues in no time", file.id));
        }
        if let Some(prediction) = &file.prediction {
            check(prediction, &file.id)?;
        }
        Ok(Core {
            id: file.id,
            embedded: file.embedded,
            multiplication: file.multiplication,
            atomics: file.atomics,
            user_mode: file.user_mode,
            misaligned: file.misaligned,
            cost: file.cost,
            prediction: file.prediction,
            counters: file.counters,
            registers: file.registers,
            unflushed_registers: file.unflushed_registers,
        })
    }
}

fn check(prediction: &Prediction, id: &str) -> Result<(), Error> {
    let Prediction { targets, directions, counter_bits, history_bits, history_hash_bits, .. } = *prediction;
    if targets > 1024 || prediction.returns > 64 {
        return refuse(format!("core `{id}`: at most 1024 branch targets and 64 return addresses are remembered"));
    }
    if targets == 0 {
        let rest = Prediction { targets: 0, returns: 0, ..Prediction::static_by_sign() };
        if (Prediction { returns: 0, ..*prediction }) != rest {
            return refuse(format!("core `{id}`: without branch targets only `returns` may be given beside them"));
        }
        return Ok(());
    }
    let bits = directions.checked_ilog2().unwrap_or(0);
    if !directions.is_power_of_two() || directions > 1 << 16 || !(1..=2).contains(&counter_bits) {
        return refuse(format!("core `{id}`: directions are a power of two up to 65536, in counters of 1 or 2 bits"));
    }
    if history_bits > 16 || history_hash_bits > history_bits || u32::from(history_hash_bits) > bits {
        return refuse(format!(
            "core `{id}`: up to 16 outcomes are remembered, and mixed into no more bits than they or the directions have"
        ));
    }
    if prediction.address_fold_bits > 8 || !(1..=4).contains(&prediction.address_low_bit) {
        return refuse(format!("core `{id}`: up to 8 address bits are folded, and the lowest one is 1 to 4"));
    }
    Ok(())
}

impl Prediction {
    /// Prediction that takes backward branches and does not take forward ones.
    fn static_by_sign() -> Self {
        Prediction {
            targets: 0,
            directions: 0,
            counter_bits: 0,
            history_bits: 0,
            history_hash_bits: 0,
            address_fold_bits: 0,
            address_low_bit: 0,
            returns: 0,
            decodes: false,
        }
    }
}
