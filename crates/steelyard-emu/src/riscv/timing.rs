//! A core's data file: what it can do and how long it takes.
//!
//! The model is that of an in-order pipeline that starts at most one instruction in a cycle. Every count is in core
//! clock cycles. *Issue* is the time from the start of an instruction to the earliest start of the next; *result* the
//! time from the start of an instruction to the earliest start of one that reads what it wrote, or writes the same
//! register (1: the next cycle). An instruction whose operand is not there yet waits, and all behind it wait too. What
//! a memory adds is not part of these numbers: they are those of hits.

use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use serde::Deserialize;
use serde_json::Value;

/// `targets/cores/<core>.toml` of the family `riscv`.
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
    atomics: bool,
    user_mode: bool,
    misaligned: Option<Misaligned>,
    cost: Costs,
    prediction: Option<Prediction>,
    counters: Counters,
    #[serde(default)]
    registers: Vec<u16>,
    #[serde(default, rename = "assumed")]
    _assumed: Vec<String>,
    #[serde(default, rename = "source")]
    _source: Vec<SourceEntry>,
}

/// A load or store at an address that is no multiple of its size; a core without this traps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Misaligned {
    /// Cycles it issues and its result comes later.
    pub extra: u8,
}

/// An instruction that writes at most one register.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    pub issue: u8,
    #[serde(default = "one")]
    pub result: u8,
}

/// A multiplication: another one, or a division, starts no earlier than `unit` cycles after it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultiplyCost {
    pub issue: u8,
    pub result: u8,
    #[serde(default)]
    pub unit: u8,
}

/// A division: its result is there after `result_base` cycles and `result_per_bit` for each significant bit that the
/// dividend's magnitude has more than the divisor's; the unit is free by then.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DivideCost {
    pub result_base: u8,
    pub result_per_bit: u8,
    /// By 0.
    pub result_by_zero: u8,
    /// The pipeline stands still until the result is there.
    pub blocks: bool,
}

impl DivideCost {
    /// Cycles to the result.
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

/// Cycles by kind of instruction.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
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
    /// A conditional branch that is not taken, as was thought.
    pub branch: Cost,
    /// One that is, as was thought.
    pub branch_taken: Cost,
    /// `jal`; `result` is that of the return address.
    pub jump: Cost,
    /// `jalr`.
    pub jump_register: Cost,
    /// Cycles more of a branch or jump that the pipeline saw only when it had decoded it.
    pub late: u8,
    /// Cycles more of a branch or jump after which the pipeline had fetched the wrong way.
    pub mispredicted: u8,
    /// Cycles more where the flow jumps to an instruction of four bytes at no multiple of four.
    pub straddling_target: u8,
    pub csr_read: Cost,
    pub csr_write: Cost,
    pub fence: Cost,
    pub fence_instruction: Cost,
    pub load_reserved: Cost,
    pub store_conditional: Cost,
    pub atomic: Cost,
    /// An exception's way to its handler, and `mret`.
    pub exception: Cost,
}

/// What the fetch unit knows of branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// Branches whose targets are remembered; 0: directions are guessed by the sign of the offset, and the target of
    /// a branch or `jal` is known as soon as it is decoded.
    pub targets: u32,
    /// Bits of direction history by branch; a power of two, 0 with `targets` 0.
    #[serde(default)]
    pub directions: u32,
    /// 1: as the last time; 2: as most of the last three times, roughly.
    #[serde(default)]
    pub counter_bits: u8,
    /// Outcomes of the latest branches that choose the counter too.
    #[serde(default)]
    pub history_bits: u8,
    /// Into how many bits they are mixed.
    #[serde(default)]
    pub history_hash_bits: u8,
    /// Address bits above those that choose the counter and are mixed into them.
    #[serde(default)]
    pub address_fold_bits: u8,
    /// Lowest bit of the address that chooses the counter.
    #[serde(default)]
    pub address_low_bit: u8,
    /// Return addresses that are remembered.
    pub returns: u32,
    /// A branch whose target is not remembered is guessed when it is decoded, and has a direction all the same.
    #[serde(default)]
    pub decodes: bool,
}

/// Numbers of the registers that count; those of the machine mode can be written.
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

/// A core as the pipeline uses it.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    pub atomics: bool,
    pub user_mode: bool,
    pub misaligned: Option<Misaligned>,
    pub cost: Costs,
    pub prediction: Option<Prediction>,
    pub counters: Counters,
    /// Control and status registers of its own that hold what is written and do nothing.
    pub registers: Vec<u16>,
}

impl Core {
    /// Reads a core's data; the error says what is wrong with it.
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
            atomics: file.atomics,
            user_mode: file.user_mode,
            misaligned: file.misaligned,
            cost: file.cost,
            prediction: file.prediction,
            counters: file.counters,
            registers: file.registers,
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
    /// Branches back are thought to be taken, those ahead not.
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
