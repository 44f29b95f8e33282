//! The state of a Cortex-M processor in thread mode, and the ways into its memory that are seldom taken.

use super::decode::{self, Decoded, Op, Packed};
use super::float::Unit;
use super::timers::{is_private, Timers};
use super::timing::{Architecture, Core};
use crate::fault::{FaultKind, Trap};
use crate::memory::{Memory, Touched};
use crate::memory_system::MemorySystem;
use crate::processor::Instructions;
use crate::program::{Program, Window};
use crate::value::{Held, HeldWord};

/// Return address of a call from outside, with the Thumb bit set; code may be fetched from there, but no memory lies
/// there.
pub const RETURN_ADDRESS: u32 = 0x1fff_fff1;

/// The SRAM and, so far above it, the peripherals whose bits have words of their own: a megabyte each, DDI 0403, B3.1.
const BAND: u32 = 0x2000_0000;
const BAND_APART: u32 = 0x2000_0000;
/// Words of the bits of the SRAM.
const BAND_ALIAS: u32 = 0x2200_0000;
const BAND_ALIAS_BYTES: u32 = 32 << 20;

/// A bit of memory for which a word stands.
struct BandedBit {
    address: u32,
    number: u32,
    /// Cycles that a store takes more than one to memory.
    store_cycles: u8,
}

/// Special registers, by their numbers in `mrs` and `msr`.
mod special {
    pub const MSP: u32 = 8;
    pub const PSP: u32 = 9;
    pub const MSP_LIMIT: u32 = 10;
    pub const PSP_LIMIT: u32 = 11;
    pub const PRIMASK: u32 = 16;
    pub const BASEPRI: u32 = 17;
    pub const BASEPRI_MAX: u32 = 18;
    pub const FAULTMASK: u32 = 19;
    pub const CONTROL: u32 = 20;
    /// Bit of CONTROL that selects the stack pointer in use.
    pub const SPSEL: u32 = 2;
}

/// Special registers, which compiled code does not use.
#[derive(Debug, Clone, Copy, Default)]
pub struct Special {
    pub primask: u32,
    pub basepri: u32,
    pub faultmask: u32,
    pub control: u32,
    /// The stack pointer that is not in use.
    pub other_sp: u32,
    pub limits: [u32; 2],
    /// Whether an event was sent and not yet waited for.
    pub event: bool,
    /// Whether an exclusive load is open, that is, not followed by its store.
    pub exclusive: bool,
}

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<M, W: Held = u32> {
    /// Registers r0 to r15; r15 is valid only between runs.
    pub registers: [W; 16],
    /// Flags N, Z, C and V, from bit 3 to bit 0.
    pub nzcv: W,
    /// The sticky overflow flag Q, 0 or 1.
    pub saturated: W,
    /// Flags GE of parallel sums, one bit per byte.
    pub greater_or_equal: W,
    pub special: Special,
    pub float: Unit<W>,
    /// Whether the flow went to an address without the Thumb bit.
    pub left_thumb: bool,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    /// What is kept of memory beside its bytes.
    pub beside: W::Beside,
    pub timers: Timers,
    pub program: Program<Packed>,
    pub core: Core,
    pub system: M,
}

/// Whether an address is not a multiple of `size`, a power of two.
#[inline(always)]
fn unaligned(address: u32, size: u32) -> bool {
    address & (size - 1) != 0
}

/// Packs an instruction for the program; `row_bytes` is the number of bytes fetched at once, 0 if no instruction waits
/// for fetches.
fn minded(decoded: &Decoded, address: u32, row_bytes: u32, load_use: bool) -> Packed {
    let begins_row = |half: u32| half < u32::from(decoded.halves) && address.wrapping_add(2 * half) % row_bytes == 0;
    let fetches = row_bytes > 0 && (begins_row(0) || begins_row(1));
    Packed::from(*decoded).minded(fetches || load_use && decoded.reads != 0)
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory, system: M) -> Self {
        Cpu {
            registers: [W::of(0); 16],
            nzcv: W::of(0),
            saturated: W::of(0),
            greater_or_equal: W::of(0),
            special: Special::default(),
            float: Unit::at_reset(),
            left_thumb: false,
            cycles: 0,
            stack_limit: 0,
            memory,
            beside: W::Beside::default(),
            timers: Timers::new(&core),
            program: Program::default(),
            core,
            system,
        }
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    pub(super) fn enter(&mut self, address: u32) -> Result<Option<Window>, Trap> {
        if address == RETURN_ADDRESS & !1 {
            return Ok(None);
        }
        if self.memory.region(address).is_none() {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address, true)))
    }

    fn decoded_at(&mut self, address: u32, condition: Option<u8>) -> Result<Decoded, Trap> {
        let first = self.memory.code(address, 2)?;
        let next = address.wrapping_add(2);
        let decoded = {
            let has = |feature| self.core.has(feature);
            decode::decode(first, || self.memory.code(next, 2), address, condition, has)?
        };
        self.memory.mark_code(address);
        if decoded.halves == 2 {
            self.memory.mark_code(next);
        }
        Ok(decoded)
    }

    /// Decodes the instruction at a place and, if it is an `it`, the instructions it rules.
    #[inline(never)]
    pub(super) fn decode(&mut self, window: &Window, place: u32) -> Result<Decoded, Trap> {
        let address = window.address(place);
        let decoded = self.decoded_at(address, None)?;
        let row_bytes = self.system.fetch_line_bytes();
        let load_use = self.core.cost.load_use > 0;
        if decoded.op == Op::IfThen {
            let conditions = decode::conditions_of(self.memory.code(address, 2)?).unwrap_or_default();
            let mut next = address.wrapping_add(2);
            for condition in conditions {
                let ruled = self.decoded_at(next, Some(condition))?;
                let window = self.program.window(next, true);
                let slot = &mut self.program.ops[window.place(next) as usize];
                if slot.code != Op::Stop {
                    *slot = minded(&ruled, next, row_bytes, load_use);
                }
                next = next.wrapping_add(2 * u32::from(ruled.halves));
            }
        }
        let mut packed = minded(&decoded, address, row_bytes, load_use);
        if decoded.halves == 2 && self.begins_run(address) {
            packed = packed.beginning_run();
        }
        self.program.keep(place, packed);
        Ok(decoded)
    }

    /// Whether a 32-bit instruction and the two after it are all 32 bits long and lie at no multiple of four.
    fn begins_run(&mut self, address: u32) -> bool {
        if self.core.cost.unaligned_run == 0 || address & 2 == 0 {
            return false;
        }
        let behind = [4, 8].map(|offset| address.wrapping_add(offset));
        let is_run = behind.iter().all(|&next| self.memory.code(next, 2).is_ok_and(decode::is_wide));
        if is_run {
            behind.iter().for_each(|&next| self.memory.mark_code(next));
        }
        is_run
    }

    /// Returns the cycles that a store waits for the multiplication right before it, at a place.
    #[cold]
    #[inline(never)]
    pub(super) fn stored_product(&self, op: Packed, before: usize) -> u64 {
        let before = self.program.ops[before];
        let made = |number: u8| number == before.rd() || before.is_long_product() && number == before.extra();
        u64::from(self.core.cost.product_store)
            * u64::from(made(op.rd()) || op.code == Op::StorePair && made(op.extra()))
    }

    /// Returns the cycles that a multiplication waits for the long multiplication right before it, at a place.
    #[cold]
    #[inline(never)]
    pub(super) fn multiplied_product(&self, op: Packed, before: usize) -> u64 {
        let before = self.program.ops[before];
        let made = |number: u8| number == before.rd() || number == before.extra();
        let waits = before.is_long_product() && (made(op.rn()) || made(op.rm()));
        u64::from(self.core.cost.long_product_factor) * u64::from(waits)
    }

    /// Whether the instruction at a place takes four bytes.
    #[inline(always)]
    pub(super) fn is_wide(&mut self, window: &Window, place: u32) -> bool {
        let there = self.program.ops[place as usize];
        if there.code == Op::Undecoded {
            // If nothing lies there, its own turn will tell.
            return self.decode(window, place).is_ok_and(|decoded| decoded.halves == 2);
        }
        there.halves() == 2
    }

    /// Returns the bit of memory for which a word stands; `None` for an address of memory, and where none lies.
    fn banded(&self, address: u32) -> Option<BandedBit> {
        let offset = address.wrapping_sub(BAND_ALIAS);
        let band = self.core.bit_band?;
        // The alias of the peripherals lies as far from that of the SRAM as they do from it.
        if offset & !BAND_APART >= BAND_ALIAS_BYTES || self.memory.region(address).is_some() {
            return None;
        }
        let byte = BAND + (offset & BAND_APART) + ((offset & !BAND_APART) >> 5);
        if self.memory.region(byte).is_none() {
            self.system.register(byte & !3)?;
        }
        Some(BandedBit { address: byte, number: offset >> 2 & 7, store_cycles: band.store })
    }

    /// Loads from an unaligned address, from a word that stands for a bit, from the core's own registers, or from a page
    /// for the first time; returns the value and the cycles added.
    #[cold]
    #[inline(never)]
    pub(super) fn load_elsewhere(&mut self, address: u32, size: u32, now: u64) -> Result<(u32, u64), Trap> {
        if unaligned(address, size) {
            return self.load_unaligned(address, size);
        }
        if let Some(bit) = self.banded(address) {
            let held = match self.system.register(bit.address & !3) {
                Some(word) => word >> (8 * (bit.address & 3)),
                None => self.memory.load_byte(bit.address)?,
            };
            return Ok((held >> bit.number & 1, 0));
        }
        let loaded = match size {
            4 => self.memory.load_word(address),
            2 => self.memory.load_half(address),
            _ => self.memory.load_byte(address),
        };
        match loaded {
            Err(Trap { kind: FaultKind::UnmappedAddress, .. }) if is_private(address) => {
                Ok((self.timers.load(address, size, now)?, 0))
            }
            Err(trap) => Ok((self.system.register(address).ok_or(trap)?, 0)),
            Ok(value) => Ok((value, 0)),
        }
    }

    /// Stores to an unaligned address, to a word that stands for a bit, to code, to the core's own registers, or to a
    /// page for the first time; returns the cycles added.
    #[cold]
    #[inline(never)]
    pub(super) fn store_elsewhere(&mut self, address: u32, size: u32, value: u32, now: u64) -> Result<u64, Trap> {
        if unaligned(address, size) {
            return self.store_unaligned(address, size, value);
        }
        if let Some(bit) = self.banded(address) {
            let number = bit.number + 8 * (bit.address & 3);
            if let Some(word) = self.system.register(bit.address & !3) {
                self.system.set_register(bit.address & !3, word & !(1 << number) | (value & 1) << number);
                return Ok(u64::from(bit.store_cycles));
            }
            let others = self.memory.load_byte(bit.address)? & !(1 << bit.number);
            if self.memory.store_byte(bit.address, others | (value & 1) << bit.number)? == Touched::Code {
                self.program.forget(bit.address, 1);
            }
            return Ok(u64::from(bit.store_cycles));
        }
        let stored = match size {
            4 => self.memory.store_word(address, value),
            2 => self.memory.store_half(address, value),
            _ => self.memory.store_byte(address, value),
        };
        match stored {
            Err(Trap { kind: FaultKind::UnmappedAddress, .. }) if is_private(address) => {
                self.timers.store(address, size, value, now)?;
            }
            Err(trap) => {
                if !self.system.set_register(address, value) {
                    return Err(trap);
                }
            }
            touched => {
                if touched? == Touched::Code {
                    self.program.forget(address, 4);
                }
            }
        }
        Ok(0)
    }

    /// Returns the cycles that an unaligned access adds; refuses it if the core does.
    fn unaligned_cycles(&self, address: u32, size: u32) -> Result<u64, Trap> {
        if self.core.architecture == Architecture::Armv6M {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let cost = &self.core.cost;
        Ok(u64::from(match (size, address & 1) {
            (2, _) => cost.unaligned_half,
            (_, 0) => cost.unaligned_word,
            _ => cost.unaligned_word_odd,
        }))
    }

    fn load_unaligned(&mut self, address: u32, size: u32) -> Result<(u32, u64), Trap> {
        let cycles = self.unaligned_cycles(address, size)?;
        let mut value = 0;
        for byte in 0..size {
            value |= self.memory.load_byte(address.wrapping_add(byte))? << (8 * byte);
        }
        Ok((value, cycles))
    }

    fn store_unaligned(&mut self, address: u32, size: u32, value: u32) -> Result<u64, Trap> {
        let cycles = self.unaligned_cycles(address, size)?;
        // All of it lies somewhere, or nothing is written.
        let last = address.wrapping_add(size - 1);
        if self.memory.region(last).is_none() {
            return Err(Trap::at(FaultKind::UnmappedAddress, last));
        }
        for byte in 0..size {
            let place = address.wrapping_add(byte);
            if self.memory.store_byte(place, value >> (8 * byte))? == Touched::Code {
                self.program.forget(place, 1);
            }
        }
        Ok(cycles)
    }

    /// Sets or clears registers that mask interrupts.
    pub(super) fn change_state(&mut self, masks: u32, disabled: u32) {
        if masks & 2 != 0 {
            self.special.primask = disabled;
        }
        if masks & 1 != 0 {
            self.special.faultmask = disabled;
        }
    }

    /// Returns a special register; `stack_pointer` is the one in use.
    pub(super) fn special_register(&self, number: u32, nzcv: W, stack_pointer: W) -> W {
        let special = &self.special;
        let process = special.control & special::SPSEL != 0;
        W::of(match number {
            0..=3 => {
                let flags = nzcv.shl(W::of(28)).or(self.saturated.shl(W::of(27)));
                return flags.or(self.greater_or_equal.shl(W::of(16)));
            }
            special::MSP | special::PSP if (number == special::PSP) == process => return stack_pointer,
            special::MSP | special::PSP => special.other_sp,
            special::MSP_LIMIT => special.limits[0],
            special::PSP_LIMIT => special.limits[1],
            special::PRIMASK => special.primask,
            special::BASEPRI | special::BASEPRI_MAX => special.basepri,
            special::FAULTMASK => special.faultmask,
            special::CONTROL => special.control,
            _ => 0,
        })
    }

    /// Sets a special register that holds no flags; returns the stack pointer to use from now on.
    pub(super) fn set_special_register(&mut self, number: u32, value: W, stack_pointer: W) -> W {
        let special = &mut self.special;
        let written = value;
        let value = value.plain();
        let process = special.control & special::SPSEL != 0;
        match number {
            special::MSP | special::PSP if (number == special::PSP) == process => return written.and(W::of(!3)),
            special::MSP | special::PSP => special.other_sp = value & !3,
            special::MSP_LIMIT => special.limits[0] = value & !7,
            special::PSP_LIMIT => special.limits[1] = value & !7,
            special::PRIMASK => special.primask = value & 1,
            special::BASEPRI => special.basepri = value & 0xff,
            special::BASEPRI_MAX => {
                let value = value & 0xff;
                if value != 0 && (special.basepri == 0 || value < special.basepri) {
                    special.basepri = value;
                }
            }
            special::FAULTMASK => special.faultmask = value & 1,
            special::CONTROL => {
                special.control = value & 3;
                if (value & special::SPSEL != 0) != process {
                    return W::of(std::mem::replace(&mut special.other_sp, stack_pointer.plain()));
                }
            }
            _ => {}
        }
        stack_pointer
    }
}

/// Whether writing a special register changes the stack pointer in use.
pub(super) fn chooses_stack(number: u32) -> bool {
    matches!(number, special::MSP | special::PSP | special::CONTROL)
}
