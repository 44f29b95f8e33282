//! Abilities and times of a core, read from its data file.
//!
//! Every count is in core clock cycles, with memory that answers at once. An instruction begins when the one before it
//! has ended; what two adjacent instructions save or lose has numbers of its own.

use super::decode::Op;
use super::fetch::FetchData;
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
    cpuid: u32,
    /// Whether the core has VTOR.
    #[serde(default)]
    vector_offset: bool,
    #[serde(default)]
    bit_band: Option<BitBand>,
    cost: Costs,
    #[serde(default)]
    fetch: Option<FetchData>,
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

/// Words that stand for single bits of memory.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BitBand {
    /// Cycles that a store to such a word takes more than one to memory.
    pub store: u8,
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

/// Cycles of an unsigned long multiplication, by the halves of its factors.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnsignedLongCost {
    /// Both factors are low halves, or one is 0.
    pub low: u8,
    /// Any other product.
    pub base: u8,
    /// Cycles added by each product of a low and a high half that is not 0.
    pub crossing: u8,
    /// Cycles added by a product of the high halves that is not 0.
    pub high: u8,
}

impl UnsignedLongCost {
    /// Returns the cycles of a multiplication of two numbers.
    pub fn cycles(self, first: u32, second: u32) -> u64 {
        let halves = |factor: u32| (factor & 0xffff != 0, factor >> 16 != 0);
        let ((first_low, first_high), (second_low, second_high)) = (halves(first), halves(second));
        let crossing = u8::from(first_low && second_high) + u8::from(first_high && second_low);
        let high = u8::from(first_high && second_high);
        u64::from(if crossing + high == 0 { self.low } else { self.base + crossing * self.crossing + high * self.high })
    }
}

/// Cycles of a signed long multiplication, by the halves of its factors in two's complement.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedLongCost {
    /// Both factors are low halves, or one is 0.
    pub low: u8,
    /// Both are high halves: their low halves are 0.
    pub high: u8,
    /// The second is a high half, the first has both.
    pub second_high: u8,
    /// The first is a high half, the second has both.
    pub first_high: u8,
    /// Both have both halves.
    pub both: u8,
    /// Any other product.
    pub mixed: u8,
    /// Cycles added by a negative factor, if the second or both are high halves.
    pub negative_high: u8,
    /// Cycles added by a negative second factor to any other product.
    pub negative_mixed: u8,
}

impl SignedLongCost {
    /// Returns the cycles of a multiplication of two numbers in two's complement.
    pub fn cycles(self, first: u32, second: u32) -> u64 {
        let negative = |factor: u32| u8::from(factor >> 31 != 0);
        let is_low = |factor: u32| factor >> 16 == 0;
        let is_high = |factor: u32| factor & 0xffff == 0;
        if first == 0 || second == 0 || is_low(first) && is_low(second) {
            return u64::from(self.low);
        }
        let either = self.negative_high * (negative(first) | negative(second));
        let (first_both, second_both) = (!is_low(first) && !is_high(first), !is_low(second) && !is_high(second));
        u64::from(match (is_high(first), is_high(second)) {
            (true, true) => self.high + either,
            (false, true) if first_both => self.second_high + either,
            (true, false) if second_both => self.first_high,
            (false, false) if first_both && second_both => self.both,
            _ => self.mixed + self.negative_mixed * negative(second),
        })
    }
}

/// Cycles of the long multiplications.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub enum LongCost {
    /// Every product takes as long.
    Fixed(u8),
    /// By the halves of the factors, without and with addition.
    Halves {
        unsigned: UnsignedLongCost,
        unsigned_add: UnsignedLongCost,
        signed: SignedLongCost,
        signed_add: SignedLongCost,
    },
}

impl LongCost {
    /// Returns the cycles of a long multiplication of two numbers.
    pub fn cycles(&self, op: Op, first: u32, second: u32) -> u64 {
        match (self, op) {
            (LongCost::Fixed(cycles), _) => u64::from(*cycles),
            (LongCost::Halves { unsigned, .. }, Op::LongUnsigned) => unsigned.cycles(first, second),
            (LongCost::Halves { signed, .. }, Op::LongSigned) => signed.cycles(first, second),
            (LongCost::Halves { unsigned_add, .. }, Op::LongAddUnsigned) => unsigned_add.cycles(first, second),
            (LongCost::Halves { signed_add, .. }, _) => signed_add.cycles(first, second),
        }
    }
}

/// Cycles of a division.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DivideCost {
    /// An operand is 0.
    pub zero: u8,
    /// The dividend has fewer significant bits than the divisor.
    pub smaller: u8,
    /// Any other division; a cycle is added for each whole group of bits that the dividend has more.
    pub base: u8,
    pub bits_per_cycle: u8,
    /// Bits that a division by a negative power of two counts more.
    #[serde(default)]
    pub negative_power_bits: u8,
    /// Bits that a division of the least negative number by a negative divisor, no power of two, counts less.
    #[serde(default)]
    pub least_dividend_bits: u8,
}

impl DivideCost {
    /// Returns the cycles of a division of two numbers.
    pub fn cycles(self, dividend: u32, divisor: u32) -> u64 {
        self.counted(dividend, divisor, 0)
    }

    /// Returns the cycles of a division of two numbers in two's complement.
    pub fn signed_cycles(self, dividend: u32, divisor: u32) -> u64 {
        let (least, magnitude) = (dividend == 1 << 31, (divisor as i32).unsigned_abs());
        let more = match (divisor >> 31 != 0, magnitude.is_power_of_two()) {
            (true, true) if !least => i32::from(self.negative_power_bits),
            (true, false) if least => -i32::from(self.least_dividend_bits),
            _ => 0,
        };
        self.counted((dividend as i32).unsigned_abs(), magnitude, more)
    }

    fn counted(self, dividend: u32, divisor: u32, more_bits: i32) -> u64 {
        if dividend == 0 || divisor == 0 {
            return u64::from(self.zero);
        }
        let bits = divisor.leading_zeros() as i32 - dividend.leading_zeros() as i32 + more_bits;
        if bits < 0 {
            return u64::from(self.smaller);
        }
        u64::from(self.base) + bits as u64 / u64::from(self.bits_per_cycle)
    }
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
    /// `bx` of the link register where the instruction right before did not write it, refill included; 0 if it takes
    /// as long as any other.
    #[serde(default)]
    pub branch_return: u8,
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

/// Times and abilities of one core.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    pub architecture: Architecture,
    pub dsp: bool,
    pub float: Option<FloatUnit>,
    /// Whether the core has the counters of the debug unit (DWT).
    pub counters: bool,
    /// The register CPUID.
    pub cpuid: u32,
    pub vector_offset: bool,
    pub bit_band: Option<BitBand>,
    pub cost: Costs,
    /// `None` if no instruction waits for what the core fetches ahead.
    pub fetch: Option<FetchData>,
    /// `None` on a core without long multiplications.
    pub long: Option<LongCost>,
    pub divide: Option<DivideCost>,
}

const MULTIPLY_OPTION: &str = "multiply_cycles";
const BIT_BAND_OPTION: &str = "bit_band";

impl Core {
    /// Checks a core's data and a chip's options.
    pub fn from_data(data: &Value, options: &BTreeMap<String, u32>) -> Result<Self, Error> {
        let file: CoreFile = serde_json::from_value(data.clone())
            .map_err(|error| Error::Machine(format!("the core's data is not usable: {error}")))?;
        let id = &file.id;
        let (mut cost, mut bit_band) = (file.cost, file.bit_band);
        for (name, &value) in options {
            match (name.as_str(), value) {
                (MULTIPLY_OPTION, 1..=32) => cost.multiply = value as u8,
                (BIT_BAND_OPTION, 0) => bit_band = None,
                _ => {
                    return refuse(format!(
                        "a Cortex-M has the options `{MULTIPLY_OPTION}`, 1 to 32, and `{BIT_BAND_OPTION}`, 0 for a \
                         chip without it, and no `{name}` = {value}"
                    ))
                }
            }
        }
        let later = file.architecture > Architecture::Armv6M;
        if later && cost.long.is_none() {
            return refuse(format!("core `{id}`: no times for the long multiplications"));
        }
        if later && cost.divide.is_none_or(|divide| divide.bits_per_cycle == 0) {
            return refuse(format!("core `{id}`: no times for the divisions, or none of their bits in a cycle"));
        }
        if let Some(fetch) = file.fetch {
            if !(1..=4).contains(&fetch.words) || !(1..=4).contains(&fetch.system_interval) || fetch.system_delay > 4 {
                return refuse(format!(
                    "core `{id}`: a queue has 1 to 4 words, 1 to 4 cycles between requests and 0 to 4 more for each"
                ));
            }
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
            cpuid: file.cpuid,
            vector_offset: file.vector_offset,
            bit_band,
            cost,
            fetch: file.fetch,
            long: cost.long,
            divide: cost.divide,
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

    /// Returns the cycles of a long multiplication of two numbers.
    #[inline(never)]
    pub fn long_cycles(&self, op: Op, first: u32, second: u32) -> u64 {
        self.long.map_or(1, |cost| cost.cycles(op, first, second))
    }

    /// Whether long multiplications take other times for other factors.
    pub fn long_varies(&self) -> bool {
        matches!(self.long, Some(LongCost::Halves { .. }))
    }

    /// Whether divisions take other times for other operands.
    pub fn divide_varies(&self) -> bool {
        self.divide.is_some_and(|cost| cost.zero != cost.base || cost.smaller != cost.base || cost.bits_per_cycle < 32)
    }

    /// Returns the cycles of a division of two numbers, in two's complement or not.
    #[inline(never)]
    pub fn divide_cycles(&self, is_signed: bool, dividend: u32, divisor: u32) -> u64 {
        self.divide.map_or(1, |cost| match is_signed {
            true => cost.signed_cycles(dividend, divisor),
            false => cost.cycles(dividend, divisor),
        })
    }
}
