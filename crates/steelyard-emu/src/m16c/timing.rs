//! Times of a core, read from its data file: cycles of every instruction by the kind of its operands.
//!
//! Every count is in core clock cycles, for words at even addresses and an instruction queue that is never empty. Odd
//! words, a narrow bus and the queue have numbers of their own.

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
        Ok(Core { id, bus, cycles })
    }
}
