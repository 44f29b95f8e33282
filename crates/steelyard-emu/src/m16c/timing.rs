//! Times of a core, read from its data file: cycles of every instruction by the kind of its operands.
//!
//! Every count is in core clock cycles, for words at even addresses and an instruction queue that is never empty. Odd
//! words, a narrow bus and the queue have numbers of their own.

use super::decode::{Decoded, BIT_INDEXED, FROM_IMMEDIATE, FROM_MEMORY, TO_MEMORY, WORD};
use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use serde::Deserialize;
use serde_json::Value;

/// A data file `targets/cores/<core>.toml` of the family `m16c`.
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
    bus: Bus,
    cycles: Cycles,
    #[serde(default, rename = "assumed")]
    _assumed: Vec<String>,
    #[serde(default, rename = "source")]
    _source: Vec<SourceEntry>,
}

/// Width and queue of the memory bus.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bus {
    /// Bytes that an access moves: 1, or 2 from an even address.
    pub bytes: u8,
    /// Cycles that each further access of a word adds.
    pub split_word: u8,
    /// Maximum number of code bytes read ahead.
    pub queue_bytes: u8,
}

/// Cycles of an instruction by its operand; another operand, if any, is an immediate.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByOperand {
    pub register: u8,
    pub memory: u8,
}

/// Cycles of an instruction by source and destination, named in this order.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByOperands {
    pub register_register: u8,
    pub register_memory: u8,
    pub memory_register: u8,
    pub memory_memory: u8,
}

/// Cycles of a multiplication by width and operands.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    pub immediate: ByOperand,
    pub operands: ByOperands,
    /// Cycles that a multiplication of words adds.
    pub word: u8,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quotient {
    pub immediate: u8,
    pub source: ByOperand,
    /// Cycles that a divisor of one word adds.
    pub word: u8,
}

/// Cycles of an instruction on a bit, by how the bit is addressed.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BitCost {
    pub register: u8,
    /// Bit addressed by an address register, with or without a base.
    pub indexed: u8,
    /// Bit addressed by SB, FB or an absolute address.
    pub memory: u8,
}

/// Cycles of a shift or rotation by operand, plus those of each place shifted.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShiftCost {
    pub immediate: ByOperand,
    pub by_register: ByOperand,
    pub per_place: u8,
}

/// Cycles of a shift of a register pair, plus those of each place shifted.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongShiftCost {
    pub immediate: u8,
    pub by_register: u8,
    pub per_place: u8,
}

/// Cycles of a repeated instruction, once and per item.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeated {
    pub base: u8,
    pub per_item: u8,
}

/// Cycles of a conditional branch.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditional {
    pub not_taken: u8,
    pub taken: u8,
}

/// Cycles by kind of instruction.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cycles {
    /// `ADD`, `ADC`, `SUB`, `SBB`, `AND`, `OR`, `XOR`.
    pub arithmetic: ByOperands,
    pub arithmetic_immediate: ByOperand,
    /// `CMP` and `TST`.
    pub compare: ByOperands,
    pub compare_immediate: ByOperand,
    /// `ADD:Q`.
    pub add_quick: ByOperand,
    pub compare_quick: ByOperand,
    /// `ADD.B:S`, `SUB.B:S`, `AND.B:S`, `OR.B:S`, `CMP.B:S` with an immediate.
    pub short_immediate: ByOperand,
    /// `ADD.B:S`, `SUB.B:S`, `AND.B:S`, `OR.B:S`, `CMP.B:S` from a source to R0L or R0H.
    pub short: ByOperand,
    /// `ADD #IMM, SP`.
    pub add_sp: u8,
    pub add_sp_quick: u8,
    /// `ADCF`, `NEG`, `NOT:G`, `ROLC`, `RORC`.
    pub unary: ByOperand,
    /// `INC`, `DEC`, `NOT.B:S`.
    pub step: ByOperand,
    pub abs: ByOperand,
    pub extend_byte: ByOperand,
    pub extend_word: u8,
    pub multiply: Product,
    pub divide: Quotient,
    pub divide_unsigned: Quotient,
    pub divide_floor: Quotient,
    /// `DADD` and `DADC`, from an immediate and a register.
    pub decimal_add: Decimal,
    pub decimal_subtract: Decimal,
    pub shift: ShiftCost,
    pub shift_long: LongShiftCost,

    pub r#move: ByOperands,
    pub move_immediate: ByOperand,
    pub move_quick: ByOperand,
    pub move_short_immediate: ByOperand,
    /// `MOV:S #IMM, An`.
    pub move_address_immediate: u8,
    pub move_zero: ByOperand,
    /// `MOV.B:S` to R0L, R0H or an address register.
    pub move_short: ByOperand,
    /// `MOV.B:S` from R0L or R0H to memory.
    pub move_short_store: u8,
    pub move_from_stack: ByOperand,
    pub move_to_stack: ByOperand,
    /// `MOVA`.
    pub address: u8,
    /// `MOVHH` and `MOVLL`.
    pub nibble_load: ByOperand,
    pub nibble_store: ByOperand,
    /// `MOVHL` and `MOVLH`.
    pub nibble_load_crossed: ByOperand,
    pub nibble_store_crossed: ByOperand,
    pub exchange: ByOperand,
    pub far_load: ByOperand,
    pub far_store: ByOperand,
    /// Far load whose address is in the pair A1A0.
    pub far_load_indirect: ByOperand,
    pub far_store_indirect: ByOperand,
    /// `STZ` and `STNZ`.
    pub store_if: ByOperand,
    pub store_either: ByOperand,

    pub push: ByOperand,
    pub push_immediate: u8,
    pub push_short: u8,
    pub push_address: u8,
    pub push_control: u8,
    pub push_multiple: Repeated,
    pub pop: ByOperand,
    pub pop_short: u8,
    pub pop_control: u8,
    pub pop_multiple: Repeated,
    pub enter: u8,
    pub exit: u8,

    /// `BTST:G`.
    pub bit_test: BitCost,
    /// `BCLR:G`, `BSET:G`, `BNOT:G`.
    pub bit_change: BitCost,
    /// `BAND`, `BNAND`, `BOR`, `BNOR`, `BXOR`, `BNXOR`, `BNTST`, `BTSTC`, `BTSTS`.
    pub bit_other: BitCost,
    /// `BMcnd`.
    pub bit_move: BitCost,
    pub bit_move_carry: u8,
    pub bit_short: u8,

    /// `Jcnd` for the conditions that have a short form.
    pub branch: Conditional,
    pub branch_signed: Conditional,
    /// `ADJNZ` and `SBJNZ`.
    pub count_down: ByOperand,
    pub count_down_taken: u8,
    pub jump_short: u8,
    pub jump_byte: u8,
    pub jump_word: u8,
    pub jump_absolute: u8,
    pub jump_indirect: ByOperand,
    pub jump_indirect_absolute: ByOperand,
    pub jump_special: u8,
    pub call_word: u8,
    pub call_absolute: u8,
    pub call_indirect: ByOperand,
    pub call_indirect_absolute: ByOperand,
    pub call_special: u8,
    pub r#return: u8,
    pub return_interrupt: u8,
    pub interrupt: u8,
    /// `INTO` without an overflow; with one, `interrupt` is added.
    pub interrupt_overflow: u8,
    pub undefined: u8,
    pub r#break: u8,

    pub string_move: Repeated,
    pub string_store: Repeated,
    pub product_sum_byte: Repeated,
    pub product_sum_word: Repeated,

    pub load_control_immediate: u8,
    pub load_control: ByOperand,
    pub store_control: ByOperand,
    /// `STC PC`.
    pub store_pc: ByOperand,
    /// `FSET`, `FCLR`.
    pub flag: u8,
    pub load_level: u8,
    pub load_context: Repeated,
    pub store_context: Repeated,
    pub nop: u8,
}

/// Cycles of a decimal instruction.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decimal {
    pub immediate: u8,
    pub register: u8,
}

/// How the cycles of an instruction are found: by what its operands are, and what each repetition adds.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    by: By,
    more: u8,
}

#[derive(Debug, Clone, Copy)]
enum By {
    Nothing(u8),
    Source(ByOperand),
    Destination(ByOperand),
    Both(ByOperands),
    Bit(BitCost),
    Product(Product),
    Quotient(Quotient),
}

/// Returns a cost that no operand changes.
pub fn fixed(cycles: u8) -> Cost {
    Cost { by: By::Nothing(cycles), more: 0 }
}

/// Cycles of one item, and of each further one.
pub fn repeated(cost: Repeated) -> Cost {
    Cost { by: By::Nothing(cost.base), more: cost.per_item }
}

pub fn by_source(cost: ByOperand) -> Cost {
    Cost { by: By::Source(cost), more: 0 }
}

pub fn by_destination(cost: ByOperand) -> Cost {
    Cost { by: By::Destination(cost), more: 0 }
}

pub fn by_both(cost: ByOperands) -> Cost {
    Cost { by: By::Both(cost), more: 0 }
}

pub fn by_bit(cost: BitCost) -> Cost {
    Cost { by: By::Bit(cost), more: 0 }
}

pub fn product(cost: Product) -> Cost {
    Cost { by: By::Product(cost), more: 0 }
}

pub fn quotient(cost: Quotient) -> Cost {
    Cost { by: By::Quotient(cost), more: 0 }
}

impl Cost {
    /// With cycles that each shifted place, each item or a taken branch adds.
    pub fn and(self, more: u8) -> Self {
        Cost { more, ..self }
    }

    /// Returns the cycles of an instruction, and those that each place, item or taken branch adds.
    pub fn of(self, decoded: &Decoded) -> (u8, u8) {
        let has = |mark| decoded.form & mark != 0;
        let extra = |word: u8| if has(WORD) { word } else { 0 };
        let cycles = match self.by {
            By::Nothing(cycles) => cycles,
            By::Source(cost) => cost.of(has(FROM_MEMORY)),
            By::Destination(cost) => cost.of(has(TO_MEMORY)),
            By::Both(cost) => cost.of(has(FROM_MEMORY), has(TO_MEMORY)),
            By::Bit(cost) if !has(TO_MEMORY) => cost.register,
            By::Bit(cost) if decoded.detail & BIT_INDEXED != 0 => cost.indexed,
            By::Bit(cost) => cost.memory,
            By::Product(cost) if has(FROM_IMMEDIATE) => cost.immediate.of(has(TO_MEMORY)) + extra(cost.word),
            By::Product(cost) => cost.operands.of(has(FROM_MEMORY), has(TO_MEMORY)) + extra(cost.word),
            By::Quotient(cost) if has(FROM_IMMEDIATE) => cost.immediate + extra(cost.word),
            By::Quotient(cost) => cost.source.of(has(FROM_MEMORY)) + extra(cost.word),
        };
        (cycles, self.more)
    }
}

impl ByOperand {
    fn of(self, memory: bool) -> u8 {
        if memory {
            self.memory
        } else {
            self.register
        }
    }
}

impl ByOperands {
    fn of(self, from_memory: bool, to_memory: bool) -> u8 {
        match (from_memory, to_memory) {
            (false, false) => self.register_register,
            (false, true) => self.register_memory,
            (true, false) => self.memory_register,
            (true, true) => self.memory_memory,
        }
    }
}

/// Times of one core.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    pub bus: Bus,
    pub cycles: Cycles,
}

impl Core {
    /// Checks a core's data.
    pub fn from_data(data: &Value) -> Result<Self, Error> {
        let file: CoreFile = serde_json::from_value(data.clone())
            .map_err(|error| Error::Machine(format!("the core's data is not usable: {error}")))?;
        let CoreFile { id, bus, cycles, .. } = file;
        if !matches!(bus.bytes, 1 | 2) || bus.queue_bytes < bus.bytes {
            return refuse(format!("core `{id}`: a bus moves 1 or 2 bytes, and the queue holds what it moves"));
        }
        let branches = [cycles.branch, cycles.branch_signed];
        if branches.iter().any(|branch| branch.taken < branch.not_taken) {
            return refuse(format!("core `{id}`: a branch that is taken takes no fewer cycles than one that is not"));
        }
        Ok(Core { id, bus, cycles })
    }
}
