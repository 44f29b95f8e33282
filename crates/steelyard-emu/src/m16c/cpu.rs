//! The M16C processor: registers, semantics and cycles of every instruction.

use super::decode::{
    decode, Decoded, Op, A0, A1, BIT_INDEXED, FB, FROM_IMMEDIATE, FROM_MEMORY, FROM_WORD, HIGH, LONGEST, R0, R1, R2,
    R3, SB, SP, TO_MEMORY, WORD,
};
use super::memory::{Memory, Touched, ADDRESS_MASK};
use super::program::{Program, Window};
use super::timing::Core;
use crate::fault::{FaultKind, Trap};
use crate::observe::Observer;
use crate::processor::Exit;

// Flags by their place in FLG.
pub const C: u32 = 1;
pub const Z: u32 = 1 << 2;
pub const S: u32 = 1 << 3;
/// Flag that selects the second bank of registers.
pub const B: u32 = 1 << 4;
pub const O: u32 = 1 << 5;
/// Flag that enables interrupts.
pub const I: u32 = 1 << 6;
/// Flag that selects the user's stack pointer.
pub const U: u32 = 1 << 7;
/// Debug flag.
const D: u32 = 1 << 1;
/// Bits of the processor's interrupt priority level.
const IPL: u32 = 7 << 12;
const FLAGS: u32 = 0xff | IPL;

/// Return address of a call from outside: the last byte of the reset vector, where no instruction can lie.
pub const RETURN_ADDRESS: u32 = ADDRESS_MASK;

const VECTOR_UNDEFINED: u32 = 0xf_ffdc;
const VECTOR_OVERFLOW: u32 = 0xf_ffe0;
const VECTOR_BREAK: u32 = 0xf_ffe4;
/// First software interrupt number that keeps the stack pointer in use.
const FIRST_ON_OWN_STACK: u8 = 32;

/// Bit `flags & 63` of entry `condition` is set if the condition holds under these flags.
const CONDITIONS: [u64; 16] = conditions();

const fn conditions() -> [u64; 16] {
    let mut table = [0; 16];
    let mut flags: u32 = 0;
    while flags < 64 {
        let (c, z, s, o) = (flags & C != 0, flags & Z != 0, flags & S != 0, flags & O != 0);
        let less = s != o;
        let holds = [c, c && !z, z, s, !c, !c || z, !z, !s, less || z, o, !less, false, !(less || z), !o, less, false];
        let mut number = 0;
        while number < 16 {
            if holds[number] {
                table[number] |= 1 << flags;
            }
            number += 1;
        }
        flags += 1;
    }
    table
}

/// Registers of a bank: R0 to R3, A0, A1, FB.
pub type Bank = [u16; 7];

/// All registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registers {
    /// Registers of the bank that is not in use.
    pub other_bank: Bank,
    /// Registers in use, by their numbers in `decode`.
    pub file: [u16; 16],
    /// The stack pointer that is not in use.
    pub other_sp: u16,
    pub intb: u32,
    pub flags: u32,
    /// Program counter, valid only between runs.
    pub pc: u32,
}

impl Registers {
    /// Creates the registers after reset with this stack pointer.
    pub fn new(stack_pointer: u16) -> Self {
        let mut file = [0; 16];
        file[SP as usize] = stack_pointer;
        Registers { other_bank: [0; 7], file, other_sp: 0, intb: 0, flags: 0, pc: 0 }
    }

    /// Changes flags, and the register bank and stack pointer that they select.
    pub fn set_flags(&mut self, flags: u32) {
        let changed = self.flags ^ flags;
        if changed & B != 0 {
            self.file[..7].swap_with_slice(&mut self.other_bank);
        }
        if changed & U != 0 {
            std::mem::swap(&mut self.file[SP as usize], &mut self.other_sp);
        }
        self.flags = flags & FLAGS;
    }

    fn pair(&self, low: u8) -> u32 {
        let (low, high) = pair(low);
        u32::from(self.file[low]) | u32::from(self.file[high]) << 16
    }

    fn set_pair(&mut self, low: u8, value: u32) {
        let (low, high) = pair(low);
        self.file[low] = value as u16;
        self.file[high] = (value >> 16) as u16;
    }

    fn byte(&self, number: u8) -> u32 {
        u32::from(self.file[(number & 15) as usize] >> ((number & HIGH) >> 4)) & 0xff
    }

    /// Writes a byte register; a byte in an address register clears its upper half.
    fn set_byte(&mut self, number: u8, value: u32) {
        let register = &mut self.file[(number & 15) as usize];
        let value = value as u16 & 0xff;
        *register = match number {
            A0 | A1 => value,
            _ if number & HIGH != 0 => *register & 0xff | value << 8,
            _ => *register & 0xff00 | value,
        };
    }

    fn control(&self, number: u8) -> u16 {
        let user = self.flags & U != 0;
        match number {
            1 => self.intb as u16,
            2 => (self.intb >> 16) as u16,
            3 => self.flags as u16,
            4 if user => self.other_sp,
            4 | 5 => self.file[SP as usize],
            6 => self.file[SB as usize],
            _ => self.file[FB as usize],
        }
    }

    fn set_control(&mut self, number: u8, value: u16) {
        let user = self.flags & U != 0;
        match number {
            1 => self.intb = self.intb & 0xf_0000 | u32::from(value),
            2 => self.intb = self.intb & 0xffff | u32::from(value & 15) << 16,
            3 => self.set_flags(u32::from(value)),
            4 if user => self.other_sp = value,
            4 | 5 => self.file[SP as usize] = value,
            6 => self.file[SB as usize] = value,
            _ => self.file[FB as usize] = value,
        }
    }
}

/// Returns the numbers of the halves of a 32-bit register.
fn pair(low: u8) -> (usize, usize) {
    match low {
        R0 => (R0 as usize, R2 as usize),
        R1 => (R1 as usize, R3 as usize),
        _ => (A0 as usize, A1 as usize),
    }
}

/// Width of an operation.
#[derive(Clone, Copy)]
struct Width {
    mask: u32,
    sign: u32,
}

const fn width(word: bool) -> Width {
    if word {
        Width { mask: 0xffff, sign: 0x8000 }
    } else {
        Width { mask: 0xff, sign: 0x80 }
    }
}

#[inline(always)]
fn sign_zero(value: u32, width: Width) -> u32 {
    (if value & width.mask == 0 { Z } else { 0 }) | if value & width.sign != 0 { S } else { 0 }
}

fn signed(value: u32, width: Width) -> i32 {
    ((value & width.mask ^ width.sign).wrapping_sub(width.sign)) as i32
}

/// Returns the sum with carry and its flags.
#[inline(always)]
fn add(a: u32, b: u32, carry: u32, width: Width) -> (u32, u32) {
    let sum = a + b + carry;
    let overflow = if (a ^ sum) & (b ^ sum) & width.sign != 0 { O } else { 0 };
    (sum & width.mask, sign_zero(sum, width) | overflow | if sum > width.mask { C } else { 0 })
}

/// Returns the difference with borrow and its flags; C is set if nothing was borrowed.
#[inline(always)]
fn subtract(a: u32, b: u32, borrow: u32, width: Width) -> (u32, u32) {
    let difference = a.wrapping_sub(b).wrapping_sub(borrow);
    let overflow = if (a ^ b) & (a ^ difference) & width.sign != 0 { O } else { 0 };
    (difference & width.mask, sign_zero(difference, width) | overflow | if a >= b + borrow { C } else { 0 })
}

/// Result of a shift by a count other than 0: the value, the last bit shifted out, and the overflow.
struct Shifted {
    value: u32,
    carry: u32,
    /// Whether the sign changed during the shift.
    overflow: bool,
}

fn shift(value: u32, count: i8, bits: u32, arithmetic: bool) -> Shifted {
    let mask = ((1_u64 << bits) - 1) as u32;
    let extended = i64::from(value) << (64 - bits) >> (64 - bits);
    let places = u32::from(count.unsigned_abs());
    if count > 0 {
        // Beyond the width nothing is left, whatever the count.
        let wide = if places < 64 - bits { extended << places } else { 0 };
        let result = wide as u32 & mask;
        let carry = (wide >> bits) as u32 & 1;
        let overflow = wide != i64::from(result) << (64 - bits) >> (64 - bits) || places >= 64 - bits && value != 0;
        return Shifted { value: result, carry, overflow };
    }
    let from = if arithmetic { extended } else { i64::from(value) };
    let carry = (from >> (places - 1).min(63)) as u32 & 1;
    Shifted { value: (from >> places.min(63)) as u32 & mask, carry, overflow: false }
}

/// Rotates by a count other than 0, positive to the left; returns the value and the last bit rotated around.
fn rotate(value: u32, count: i8, bits: u32) -> (u32, u32) {
    let mask = (1 << bits) - 1;
    let left = i32::from(count).rem_euclid(bits as i32) as u32;
    let result = (value << left | value >> (bits - left)) & mask;
    (result, if count > 0 { result & 1 } else { result >> (bits - 1) & 1 })
}

/// Returns the value of `count` decimal digits.
fn from_decimal(digits: u32, count: u32) -> i32 {
    (0..count).rev().fold(0, |value, place| 10 * value + (digits >> (4 * place) & 15) as i32)
}

fn to_decimal(value: i32, count: u32) -> u32 {
    (0..count).fold((0, value), |(digits, rest), place| (digits | ((rest % 10) as u32) << (4 * place), rest / 10)).0
}

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu {
    pub registers: Registers,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    pub program: Program,
    pub core: Core,
}

impl Cpu {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory) -> Self {
        Cpu { registers: Registers::new(0), cycles: 0, stack_limit: 0, memory, program: Program::default(), core }
    }

    /// Returns the cycles that a word at this address costs beyond one at an even address on a bus of two bytes.
    pub fn word_split(&self, address: u32) -> u32 {
        let bus = self.core.bus;
        if address & 1 != 0 || bus.bytes == 1 {
            u32::from(bus.split_word)
        } else {
            0
        }
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    fn enter(&mut self, address: u32) -> Result<Option<Window>, Trap> {
        if address == RETURN_ADDRESS {
            return Ok(None);
        }
        if !self.memory.is_mapped(address) {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address)))
    }

    /// Returns the bytes of the longest instruction that may lie at an address, `None` where no memory is mapped.
    pub fn bytes_at(&self, address: u32) -> Option<Vec<u8>> {
        (1..=LONGEST).rev().find_map(|length| self.memory.peek(address, length))
    }

    /// Decodes and keeps the instruction at a place.
    #[inline(never)]
    fn decode(&mut self, address: u32, place: u32) -> Result<(), Trap> {
        let Some(bytes) = self.bytes_at(address) else { return Err(Trap::at(FaultKind::UnmappedAddress, address)) };
        let decoded = decode(&bytes, address, &self.core.cycles);
        self.memory.mark_code(address, u32::from(decoded.length).max(1));
        self.program.ops[place as usize] = decoded;
        Ok(())
    }

    /// Returns the vector of an interrupt; fails if the program has set none.
    fn vector(&self, address: u32) -> Result<u32, Trap> {
        let low = self.memory.load_word(address)?;
        let target = u32::from(low) | u32::from(self.memory.load_byte(address + 2)? & 15) << 16;
        if matches!(target, 0 | ADDRESS_MASK) {
            return Err(Trap::of(FaultKind::IllegalOpcode));
        }
        Ok(target)
    }

    /// Runs until the stop, a trap, or `cycle_limit` on the absolute cycle counter. After a trap the program counter
    /// names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let mut window = match self.enter(self.registers.pc) {
            Ok(Some(window)) => window,
            Ok(None) => return Exit::Stop,
            Err(trap) => return Exit::Trap(trap),
        };
        let mut place = window.place(self.registers.pc);
        let mut registers = self.registers;
        let mut now = self.cycles;
        let bus = self.core.bus;
        let bus_bytes = u32::from(bus.bytes);
        let split_word = u32::from(bus.split_word);
        // A word needs a second access at odd addresses, on a narrow bus at all.
        let always_split = u32::from(bus.bytes == 1);
        let queue_bytes = u32::from(bus.queue_bytes);
        let bus_offset = bus_bytes - 1;
        // Bytes of code read ahead; whoever called left the queue full.
        let mut queue = queue_bytes - (self.registers.pc & bus_offset);

        let exit = 'run: loop {
            if now >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&decoded) = self.program.ops.get(place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, window.address(place)));
            };
            let Decoded { form, src, dst, detail, imm, .. } = decoded;
            let mut next = place + u32::from(decoded.length);
            let mut spent = u32::from(decoded.cycles);
            let mut accesses = 0_u32;
            let mut jumped = false;

            macro_rules! trap {
                ($trap:expr) => {
                    break 'run Exit::Trap($trap)
                };
            }
            macro_rules! or_trap {
                ($outcome:expr) => {
                    match $outcome {
                        Ok(value) => value,
                        Err(trap) => trap!(trap),
                    }
                };
            }
            macro_rules! reg {
                ($number:expr) => {
                    registers.file[($number & 15) as usize]
                };
            }
            macro_rules! load_byte {
                ($address:expr) => {{
                    accesses += 1;
                    u32::from(or_trap!(self.memory.load_byte($address)))
                }};
            }
            macro_rules! count_word {
                ($address:expr) => {{
                    let split = ($address | always_split) & 1;
                    accesses += 1 + split;
                    spent += split * split_word;
                }};
            }
            macro_rules! load_word {
                ($address:expr) => {{
                    let address: u32 = $address;
                    count_word!(address);
                    u32::from(or_trap!(self.memory.load_word(address)))
                }};
            }
            macro_rules! stored {
                ($address:expr, $length:expr, $outcome:expr) => {
                    if or_trap!($outcome) == Touched::Code {
                        self.program.forget($address & ADDRESS_MASK, $length);
                    }
                };
            }
            macro_rules! store_byte {
                ($address:expr, $value:expr) => {{
                    let address: u32 = $address;
                    accesses += 1;
                    stored!(address, 1, self.memory.store_byte(address, $value as u8));
                }};
            }
            macro_rules! store_word {
                ($address:expr, $value:expr) => {{
                    let address: u32 = $address;
                    count_word!(address);
                    stored!(address, 2, self.memory.store_word(address, $value as u16));
                }};
            }
            macro_rules! effective {
                ($base:expr, $disp:expr) => {
                    u32::from(reg!($base).wrapping_add($disp))
                };
            }
            macro_rules! source {
                () => {
                    if form & FROM_IMMEDIATE != 0 {
                        imm
                    } else if form & FROM_MEMORY != 0 {
                        let at = effective!(src, decoded.src_disp);
                        if form & FROM_WORD != 0 {
                            load_word!(at)
                        } else {
                            load_byte!(at)
                        }
                    } else if form & FROM_WORD != 0 {
                        u32::from(reg!(src))
                    } else {
                        registers.byte(src)
                    }
                };
            }
            // What the destination holds, and its address in memory.
            macro_rules! destination {
                () => {
                    if form & TO_MEMORY != 0 {
                        let at = effective!(dst, decoded.dst_disp);
                        (if form & WORD != 0 { load_word!(at) } else { load_byte!(at) }, at)
                    } else if form & WORD != 0 {
                        (u32::from(reg!(dst)), 0)
                    } else {
                        (registers.byte(dst), 0)
                    }
                };
            }
            macro_rules! put {
                ($at:expr, $value:expr) => {{
                    let value: u32 = $value;
                    if form & TO_MEMORY != 0 {
                        if form & WORD != 0 {
                            store_word!($at, value);
                        } else {
                            store_byte!($at, value);
                        }
                    } else if form & WORD != 0 {
                        reg!(dst) = value as u16;
                    } else {
                        registers.set_byte(dst, value);
                    }
                }};
            }
            macro_rules! flags {
                ($mask:expr, $value:expr) => {
                    registers.flags = registers.flags & !($mask) | $value
                };
            }
            macro_rules! stack {
                () => {{
                    let sp = u32::from(reg!(SP));
                    if sp < self.stack_limit {
                        trap!(Trap::at(FaultKind::StackOverflow, sp));
                    }
                    observer.stack(sp);
                    sp
                }};
            }
            macro_rules! push_word {
                ($value:expr) => {{
                    reg!(SP) = reg!(SP).wrapping_sub(2);
                    let sp = stack!();
                    store_word!(sp, $value);
                }};
            }
            macro_rules! pop_word {
                () => {{
                    let value = load_word!(u32::from(reg!(SP)));
                    reg!(SP) = reg!(SP).wrapping_add(2);
                    value
                }};
            }
            // Three bytes: a word and a byte above it.
            macro_rules! push_address {
                ($value:expr) => {{
                    let value: u32 = $value;
                    reg!(SP) = reg!(SP).wrapping_sub(3);
                    let sp = stack!();
                    store_word!(sp, value);
                    store_byte!(sp + 2, value >> 16);
                }};
            }
            macro_rules! pop_address {
                () => {{
                    let sp = u32::from(reg!(SP));
                    let value = load_word!(sp) | load_byte!(sp + 2) << 16;
                    reg!(SP) = reg!(SP).wrapping_add(3);
                    value
                }};
            }
            macro_rules! jump {
                ($target:expr) => {{
                    let target: u32 = $target & ADDRESS_MASK;
                    if !window.holds(target) || target == RETURN_ADDRESS {
                        match self.enter(target) {
                            Ok(Some(entered)) => window = entered,
                            outcome => {
                                now += u64::from(spent);
                                observer.retired(place, spent);
                                registers.pc = target;
                                self.registers = registers;
                                self.cycles = now;
                                return match outcome {
                                    Err(trap) => Exit::Trap(trap),
                                    _ => Exit::Stop,
                                };
                            }
                        }
                    }
                    next = window.place(target);
                    jumped = true;
                    queue = queue_bytes - (target & bus_offset);
                }};
            }
            macro_rules! interrupt {
                ($vector:expr, $keeps_stack:expr) => {{
                    let target = or_trap!(self.vector($vector));
                    let before = registers.flags;
                    let cleared = I | D | if $keeps_stack { 0 } else { U };
                    registers.set_flags(before & !cleared);
                    let back = window.address(next);
                    reg!(SP) = reg!(SP).wrapping_sub(4);
                    let sp = stack!();
                    store_word!(sp, back);
                    store_word!(sp + 2, before & 0xf0ff | back >> 8 & 0x0f00);
                    jump!(target);
                }};
            }
            macro_rules! arithmetic {
                (|$old:ident, $value:ident, $width:ident| $result:expr) => {{
                    let $value = source!();
                    let ($old, at) = destination!();
                    let $width = width(form & WORD != 0);
                    let (result, set): (u32, u32) = $result;
                    flags!(C | Z | S | O, set);
                    put!(at, result);
                }};
            }
            macro_rules! logic {
                (|$old:ident, $value:ident| $result:expr) => {{
                    let $value = source!();
                    let ($old, at) = destination!();
                    let result: u32 = $result;
                    flags!(Z | S, sign_zero(result, width(form & WORD != 0)));
                    put!(at, result);
                }};
            }
            macro_rules! one {
                (|$old:ident, $width:ident| $affected:expr, $result:expr) => {{
                    let ($old, at) = destination!();
                    let $width = width(form & WORD != 0);
                    let (result, set): (u32, u32) = $result;
                    flags!($affected, set);
                    put!(at, result);
                }};
            }
            macro_rules! shift_operand {
                ($count:expr, |$old:ident, $bits:ident, $count_name:ident| $affected:expr, $result:expr) => {{
                    let $count_name: i8 = $count;
                    spent += u32::from($count_name.unsigned_abs()) * u32::from(decoded.more);
                    let ($old, at) = destination!();
                    if $count_name != 0 {
                        let $bits = if form & WORD != 0 { 16 } else { 8 };
                        let (result, set): (u32, u32) = $result;
                        flags!($affected, set | sign_zero(result, width(form & WORD != 0)));
                        put!(at, result);
                    } else {
                        put!(at, $old);
                    }
                }};
            }
            macro_rules! long_shift {
                ($count:expr, $arithmetic:expr) => {{
                    let count: i8 = $count;
                    spent += u32::from(count.unsigned_abs()) * u32::from(decoded.more);
                    if count != 0 {
                        let Shifted { value, carry, .. } = shift(registers.pair(dst), count, 32, $arithmetic);
                        registers.set_pair(dst, value);
                        let zero = if value == 0 { Z } else { 0 };
                        flags!(C | Z | S, zero | if value >> 31 != 0 { S } else { 0 } | if carry != 0 { C } else { 0 });
                    }
                }};
            }
            macro_rules! rotate_operand {
                ($count:expr) => {
                    shift_operand!($count, |old, bits, count| C | Z | S, {
                        let (result, carry) = rotate(old, count, bits);
                        (result, if carry != 0 { C } else { 0 })
                    })
                };
            }
            macro_rules! logical_operand {
                ($count:expr) => {
                    shift_operand!($count, |old, bits, count| C | Z | S, {
                        let Shifted { value, carry, .. } = shift(old, count, bits, false);
                        (value, if carry != 0 { C } else { 0 })
                    })
                };
            }
            macro_rules! arithmetic_operand {
                ($count:expr) => {
                    shift_operand!($count, |old, bits, count| C | Z | S | O, {
                        let Shifted { value, carry, overflow } = shift(old, count, bits, true);
                        (value, if carry != 0 { C } else { 0 } | if overflow { O } else { 0 })
                    })
                };
            }
            macro_rules! r1h {
                () => {
                    (reg!(R1) >> 8) as i8
                };
            }
            macro_rules! product {
                ($signed:expr) => {{
                    let value = source!();
                    let (old, at) = destination!();
                    let width = width(form & WORD != 0);
                    let product = if $signed {
                        signed(old, width).wrapping_mul(signed(value, width)) as u32
                    } else {
                        old.wrapping_mul(value)
                    };
                    match (form & TO_MEMORY != 0, form & WORD != 0) {
                        (true, true) => {
                            store_word!(at, product);
                            store_word!(at + 2, product >> 16);
                        }
                        (true, false) => store_word!(at, product),
                        (false, true) => registers.set_pair(dst, product),
                        (false, false) => reg!(dst) = product as u16,
                    }
                }};
            }
            macro_rules! quotient {
                ($signed:expr, $floor:expr) => {{
                    let value = source!();
                    let word = form & WORD != 0;
                    let bits = if word { 16 } else { 8 };
                    let narrow = width(word);
                    let (dividend, divisor) = match ($signed, word) {
                        (true, true) => (i64::from(registers.pair(R0) as i32), i64::from(signed(value, narrow))),
                        (true, false) => (i64::from(reg!(R0) as i16), i64::from(signed(value, narrow))),
                        (false, true) => (i64::from(registers.pair(R0)), i64::from(value)),
                        (false, false) => (i64::from(reg!(R0)), i64::from(value)),
                    };
                    if divisor == 0 {
                        flags!(O, O);
                    } else {
                        let (mut quotient, mut rest) = (dividend / divisor, dividend % divisor);
                        if $floor && rest != 0 && (rest < 0) != (divisor < 0) {
                            quotient -= 1;
                            rest += divisor;
                        }
                        let fits = if $signed {
                            quotient << (64 - bits) >> (64 - bits) == quotient
                        } else {
                            quotient >> bits == 0
                        };
                        flags!(O, if fits { 0 } else { O });
                        if word {
                            reg!(R0) = quotient as u16;
                            reg!(R2) = rest as u16;
                        } else {
                            reg!(R0) = quotient as u16 & 0xff | (rest as u16) << 8;
                        }
                    }
                }};
            }
            macro_rules! decimal {
                ($subtract:expr, $carry:expr) => {{
                    let value = source!();
                    let (old, at) = destination!();
                    let word = form & WORD != 0;
                    let digits = if word { 4 } else { 2 };
                    let modulus = if word { 10_000 } else { 100 };
                    let (old, value) = (from_decimal(old, digits), from_decimal(value, digits));
                    let carry = i32::from(registers.flags & C != 0);
                    let mut result = if $subtract {
                        old - value - if $carry { 1 - carry } else { 0 }
                    } else {
                        old + value + if $carry { carry } else { 0 }
                    };
                    let carry = if $subtract { result >= 0 } else { result >= modulus };
                    if result < 0 {
                        result += modulus;
                    }
                    let result = to_decimal(result, digits);
                    flags!(C | Z | S, sign_zero(result, width(word)) | if carry { C } else { 0 });
                    put!(at, result);
                }};
            }
            // The unit that holds a bit, its address in memory, and the bit in it.
            macro_rules! bit {
                () => {
                    if form & TO_MEMORY == 0 {
                        (u32::from(reg!(dst)), 0, 1_u32 << (detail & 15))
                    } else if detail & BIT_INDEXED != 0 {
                        let number = reg!(dst);
                        let at = u32::from((number >> 3).wrapping_add(decoded.dst_disp));
                        (load_byte!(at), at, 1 << (number & 7))
                    } else {
                        let at = effective!(dst, decoded.dst_disp);
                        (load_byte!(at), at, 1 << (detail & 7))
                    }
                };
            }
            macro_rules! put_bit {
                ($at:expr, $value:expr) => {
                    if form & TO_MEMORY == 0 {
                        reg!(dst) = $value as u16;
                    } else {
                        store_byte!($at, $value);
                    }
                };
            }
            macro_rules! change_bit {
                (|$unit:ident, $bit:ident| $changed:expr) => {{
                    let ($unit, at, $bit) = bit!();
                    put_bit!(at, $changed);
                }};
            }
            macro_rules! combine_bit {
                (|$carry:ident, $bit:ident| $result:expr) => {{
                    let (unit, _, mask) = bit!();
                    let ($carry, $bit) = (registers.flags & C != 0, unit & mask != 0);
                    flags!(C, if $result { C } else { 0 });
                }};
            }
            macro_rules! bit_flags {
                ($bit:expr) => {
                    flags!(C | Z, if $bit { C } else { Z })
                };
            }
            macro_rules! holds {
                ($condition:expr) => {
                    CONDITIONS[($condition & 15) as usize] >> (registers.flags & 63) & 1 != 0
                };
            }
            macro_rules! far_address {
                () => {
                    imm.wrapping_add(u32::from(reg!(detail))) & ADDRESS_MASK
                };
            }
            macro_rules! far_indirect {
                () => {
                    registers.pair(A0) & ADDRESS_MASK
                };
            }
            macro_rules! far_load {
                ($at:expr) => {{
                    let at = $at;
                    let value = if form & FROM_WORD != 0 { load_word!(at) } else { load_byte!(at) };
                    flags!(Z | S, sign_zero(value, width(form & WORD != 0)));
                    put!(effective!(dst, decoded.dst_disp), value);
                }};
            }
            macro_rules! far_store {
                ($at:expr) => {{
                    let value = source!();
                    let at = $at;
                    flags!(Z | S, sign_zero(value, width(form & WORD != 0)));
                    if form & WORD != 0 {
                        store_word!(at, value);
                    } else {
                        store_byte!(at, value);
                    }
                }};
            }
            macro_rules! indirect_target {
                () => {
                    if form & FROM_MEMORY != 0 {
                        let at = u32::from(reg!(src)) + u32::from(decoded.src_disp) + (imm << 16) & ADDRESS_MASK;
                        load_word!(at) | load_byte!(at + 2) << 16
                    } else {
                        registers.pair(src)
                    }
                };
            }
            macro_rules! indirect_offset {
                () => {{
                    let offset = if form & FROM_MEMORY != 0 {
                        load_word!(u32::from(reg!(src)) + u32::from(decoded.src_disp) + (imm << 16) & ADDRESS_MASK)
                    } else {
                        u32::from(reg!(src))
                    };
                    window.address(place).wrapping_add(i32::from(offset as u16 as i16) as u32)
                }};
            }

            match decoded.op {
                Op::Undecoded => {
                    or_trap!(self.decode(window.address(place), place));
                    continue;
                }
                Op::Illegal => trap!(Trap::of(FaultKind::IllegalOpcode)),
                Op::Stop => break Exit::Stop,
                Op::ChunkEnd => {
                    let address = window.address(place) & ADDRESS_MASK;
                    match or_trap!(self.enter(address)) {
                        Some(entered) => {
                            window = entered;
                            place = window.place(address);
                            continue;
                        }
                        None => break Exit::Stop,
                    }
                }

                Op::Move => {
                    let value = source!();
                    flags!(Z | S, sign_zero(value, width(form & WORD != 0)));
                    put!(effective!(dst, decoded.dst_disp), value);
                }
                Op::Add => arithmetic!(|old, value, width| add(old, value, 0, width)),
                Op::Adc => arithmetic!(|old, value, width| add(old, value, registers.flags & C, width)),
                Op::Sub => arithmetic!(|old, value, width| subtract(old, value, 0, width)),
                Op::Sbb => arithmetic!(|old, value, width| subtract(old, value, !registers.flags & C, width)),
                Op::And => logic!(|old, value| old & value),
                Op::Or => logic!(|old, value| old | value),
                Op::Xor => logic!(|old, value| old ^ value),
                Op::Compare => {
                    let value = source!();
                    let (old, _) = destination!();
                    let (_, set) = subtract(old, value, 0, width(form & WORD != 0));
                    flags!(C | Z | S | O, set);
                }
                Op::Test => {
                    let value = source!();
                    let (old, _) = destination!();
                    flags!(Z | S, sign_zero(old & value, width(form & WORD != 0)));
                }
                Op::Abs => one!(|old, width| Z | S | O, {
                    let result = signed(old, width).unsigned_abs();
                    (result, sign_zero(result, width) | if old == width.sign { O } else { 0 })
                }),
                Op::Adcf => one!(|old, width| C | Z | S | O, add(old, 0, registers.flags & C, width)),
                Op::Negate => one!(|old, width| C | Z | S | O, subtract(0, old, 0, width)),
                Op::Not => one!(|old, width| Z | S, (!old & width.mask, sign_zero(!old, width))),
                Op::RotateLeftCarry => one!(|old, width| C | Z | S, {
                    let result = (old << 1 | registers.flags & C) & width.mask;
                    (result, sign_zero(result, width) | if old & width.sign != 0 { C } else { 0 })
                }),
                Op::RotateRightCarry => one!(|old, width| C | Z | S, {
                    let result = old >> 1 | if registers.flags & C != 0 { width.sign } else { 0 };
                    (result, sign_zero(result, width) | old & C)
                }),
                Op::Increment => one!(|old, width| Z | S, ((old + 1) & width.mask, sign_zero(old + 1, width))),
                Op::Decrement => {
                    one!(|old, width| Z | S, (old.wrapping_sub(1) & width.mask, sign_zero(old.wrapping_sub(1), width)))
                }
                Op::Rotate => rotate_operand!(imm as i8),
                Op::RotateBy => rotate_operand!(r1h!()),
                Op::ShiftLogical => logical_operand!(imm as i8),
                Op::ShiftLogicalBy => logical_operand!(r1h!()),
                Op::ShiftArithmetic => arithmetic_operand!(imm as i8),
                Op::ShiftArithmeticBy => arithmetic_operand!(r1h!()),
                Op::LongLogical => long_shift!(imm as i8, false),
                Op::LongLogicalBy => long_shift!(r1h!(), false),
                Op::LongArithmetic => long_shift!(imm as i8, true),
                Op::LongArithmeticBy => long_shift!(r1h!(), true),
                Op::Multiply => product!(true),
                Op::MultiplyUnsigned => product!(false),
                Op::Divide => quotient!(true, false),
                Op::DivideUnsigned => quotient!(false, false),
                Op::DivideFloor => quotient!(true, true),
                Op::ExtendByte => {
                    let (old, at) = destination!();
                    let result = signed(old, width(false)) as u32 & 0xffff;
                    flags!(Z | S, sign_zero(result, width(true)));
                    if form & TO_MEMORY != 0 {
                        store_word!(at, result);
                    } else {
                        reg!(dst) = result as u16;
                    }
                }
                Op::ExtendWord => {
                    let value = i32::from(reg!(R0) as i16) as u32;
                    flags!(Z | S, sign_zero(value, width(true)));
                    registers.set_pair(R0, value);
                }
                Op::DecimalAdd => decimal!(false, false),
                Op::DecimalAdc => decimal!(false, true),
                Op::DecimalSub => decimal!(true, false),
                Op::DecimalSbb => decimal!(true, true),

                Op::Exchange => {
                    let value = source!();
                    let (old, at) = destination!();
                    put!(at, value);
                    if form & WORD != 0 {
                        reg!(src) = old as u16;
                    } else {
                        registers.set_byte(src, old);
                    }
                }
                Op::NibbleLoad => {
                    let value = source!();
                    let old = registers.byte(R0);
                    registers.set_byte(R0, nibble(old, value, detail));
                }
                Op::NibbleStore => {
                    let (old, at) = destination!();
                    put!(at, nibble(old, registers.byte(R0), detail));
                }
                Op::Address => reg!(dst) = effective!(src, decoded.src_disp) as u16,
                Op::PushAddress => push_word!(effective!(src, decoded.src_disp)),
                Op::FarLoad => far_load!(far_address!()),
                Op::FarLoadIndirect => far_load!(far_indirect!()),
                Op::FarStore => far_store!(far_address!()),
                Op::FarStoreIndirect => far_store!(far_indirect!()),
                Op::StoreIfZero => {
                    if registers.flags & Z != 0 {
                        put!(effective!(dst, decoded.dst_disp), imm);
                    }
                }
                Op::StoreIfNotZero => {
                    if registers.flags & Z == 0 {
                        put!(effective!(dst, decoded.dst_disp), imm);
                    }
                }
                Op::StoreEither => {
                    let value = if registers.flags & Z != 0 { imm & 0xff } else { imm >> 8 };
                    put!(effective!(dst, decoded.dst_disp), value);
                }

                Op::Push => {
                    let value = source!();
                    if form & FROM_WORD != 0 {
                        push_word!(value);
                    } else {
                        reg!(SP) = reg!(SP).wrapping_sub(1);
                        let sp = stack!();
                        store_byte!(sp, value);
                    }
                }
                Op::Pop => {
                    let value = if form & WORD != 0 {
                        pop_word!()
                    } else {
                        let value = load_byte!(u32::from(reg!(SP)));
                        reg!(SP) = reg!(SP).wrapping_add(1);
                        value
                    };
                    put!(effective!(dst, decoded.dst_disp), value);
                }
                Op::PushMultiple => {
                    // Bit 0 is FB, and bit 7 is R0, pushed last.
                    for number in (0..8).filter(|number| imm >> number & 1 != 0) {
                        push_word!(reg!(LISTED[7 - number]));
                    }
                    spent += imm.count_ones() * u32::from(decoded.more);
                }
                Op::PopMultiple => {
                    for number in (0..8).filter(|number| imm >> number & 1 != 0) {
                        reg!(LISTED[number]) = pop_word!() as u16;
                    }
                    spent += imm.count_ones() * u32::from(decoded.more);
                }
                Op::PushControl => {
                    let value = registers.control(detail);
                    push_word!(value);
                }
                Op::PopControl => {
                    let value = pop_word!();
                    registers.set_control(detail, value as u16);
                }
                Op::Enter => {
                    push_word!(reg!(FB));
                    reg!(FB) = reg!(SP);
                    reg!(SP) = reg!(SP).wrapping_sub(imm as u16);
                    stack!();
                }
                Op::ExitReturn => {
                    reg!(SP) = reg!(FB);
                    reg!(FB) = pop_word!() as u16;
                    let target = pop_address!();
                    jump!(target);
                }
                Op::AddSp => {
                    let (result, set) = add(u32::from(reg!(SP)), imm, 0, width(true));
                    flags!(C | Z | S | O, set);
                    reg!(SP) = result as u16;
                    stack!();
                }

                Op::BitClear => change_bit!(|unit, bit| unit & !bit),
                Op::BitSet => change_bit!(|unit, bit| unit | bit),
                Op::BitNot => change_bit!(|unit, bit| unit ^ bit),
                Op::BitTest => {
                    let (unit, _, bit) = bit!();
                    bit_flags!(unit & bit != 0);
                }
                Op::BitTestNot => {
                    let (unit, _, bit) = bit!();
                    flags!(C | Z, if unit & bit != 0 { 0 } else { C | Z });
                }
                Op::BitTestClear => change_bit!(|unit, bit| {
                    bit_flags!(unit & bit != 0);
                    unit & !bit
                }),
                Op::BitTestSet => change_bit!(|unit, bit| {
                    bit_flags!(unit & bit != 0);
                    unit | bit
                }),
                Op::BitAnd => combine_bit!(|carry, bit| carry & bit),
                Op::BitAndNot => combine_bit!(|carry, bit| carry & !bit),
                Op::BitOr => combine_bit!(|carry, bit| carry | bit),
                Op::BitOrNot => combine_bit!(|carry, bit| carry | !bit),
                Op::BitXor => combine_bit!(|carry, bit| carry ^ bit),
                Op::BitXorNot => combine_bit!(|carry, bit| carry ^ !bit),
                Op::BitMove => {
                    let condition = holds!(src);
                    change_bit!(|unit, bit| if condition { unit | bit } else { unit & !bit });
                }
                Op::CarryMove => {
                    let condition = holds!(detail);
                    flags!(C, if condition { C } else { 0 });
                }

                Op::Branch => {
                    if holds!(detail) {
                        spent += u32::from(decoded.more);
                        observer.taken(place);
                        jump!(imm);
                    } else {
                        observer.skipped(place);
                    }
                }
                Op::CountDown => {
                    let (old, at) = destination!();
                    let result = old.wrapping_add(u32::from(decoded.src_disp)) & width(form & WORD != 0).mask;
                    put!(at, result);
                    if result != 0 {
                        spent += u32::from(decoded.more);
                        observer.taken(place);
                        jump!(imm);
                    } else {
                        observer.skipped(place);
                    }
                }
                Op::Jump => jump!(imm),
                Op::JumpIndirect => jump!(indirect_offset!()),
                Op::JumpIndirectAbsolute => jump!(indirect_target!()),
                Op::JumpSpecial => {
                    let target = 0xf_0000 | load_word!(imm);
                    jump!(target);
                }
                Op::Call => {
                    push_address!(window.address(next));
                    jump!(imm);
                }
                Op::CallIndirect => {
                    let target = indirect_offset!();
                    push_address!(window.address(next));
                    jump!(target);
                }
                Op::CallIndirectAbsolute => {
                    let target = indirect_target!();
                    push_address!(window.address(next));
                    jump!(target);
                }
                Op::CallSpecial => {
                    let target = 0xf_0000 | load_word!(imm);
                    push_address!(window.address(next));
                    jump!(target);
                }
                Op::Return => {
                    let target = pop_address!();
                    jump!(target);
                }
                Op::ReturnInterrupt => {
                    let sp = u32::from(reg!(SP));
                    let low = load_word!(sp);
                    let high = load_word!(sp + 2);
                    reg!(SP) = reg!(SP).wrapping_add(4);
                    registers.set_flags(high & 0xf0ff);
                    jump!(low | (high & 0x0f00) << 8);
                }
                Op::Interrupt => {
                    interrupt!(
                        registers.intb.wrapping_add(4 * u32::from(detail)) & ADDRESS_MASK,
                        detail >= FIRST_ON_OWN_STACK
                    );
                }
                Op::InterruptOverflow => {
                    if registers.flags & O != 0 {
                        spent += u32::from(decoded.more);
                        interrupt!(VECTOR_OVERFLOW, false);
                    }
                }
                Op::Undefined => interrupt!(VECTOR_UNDEFINED, false),
                Op::Break => {
                    // An erased vector sends it to the table that can be moved.
                    let fixed = self.memory.peek(VECTOR_BREAK, 4);
                    let vector =
                        if fixed.is_some_and(|bytes| bytes == [0xff; 4]) { registers.intb } else { VECTOR_BREAK };
                    interrupt!(vector, false);
                }

                Op::StringMove | Op::StringMoveDown => {
                    let word = form & WORD != 0;
                    let step = if word { 2_u32 } else { 1 };
                    let step = if decoded.op == Op::StringMove { step } else { step.wrapping_neg() };
                    let mut from = u32::from(reg!(A0)) | u32::from(reg!(R1) >> 8 & 15) << 16;
                    spent += u32::from(reg!(R3)) * u32::from(decoded.more);
                    while reg!(R3) != 0 {
                        let to = u32::from(reg!(A1));
                        if word {
                            let value = load_word!(from);
                            store_word!(to, value);
                        } else {
                            let value = load_byte!(from);
                            store_byte!(to, value);
                        }
                        from = from.wrapping_add(step) & ADDRESS_MASK;
                        reg!(A1) = to.wrapping_add(step) as u16;
                        reg!(R3) -= 1;
                    }
                    reg!(A0) = from as u16;
                    registers.set_byte(R1 | HIGH, from >> 16);
                }
                Op::StringStore => {
                    let word = form & WORD != 0;
                    spent += u32::from(reg!(R3)) * u32::from(decoded.more);
                    while reg!(R3) != 0 {
                        let to = u32::from(reg!(A1));
                        if word {
                            store_word!(to, reg!(R0));
                        } else {
                            store_byte!(to, reg!(R0));
                        }
                        reg!(A1) = reg!(A1).wrapping_add(if word { 2 } else { 1 });
                        reg!(R3) -= 1;
                    }
                }
                Op::ProductSum => {
                    let word = form & WORD != 0;
                    let narrow = width(word);
                    let step = if word { 2 } else { 1 };
                    let mut sum = if word { i64::from(registers.pair(R0) as i32) } else { i64::from(reg!(R0) as i16) };
                    while reg!(R3) != 0 {
                        let (first, second) = (u32::from(reg!(A0)), u32::from(reg!(A1)));
                        let (a, b) = if word {
                            (load_word!(first), load_word!(second))
                        } else {
                            (load_byte!(first), load_byte!(second))
                        };
                        sum += i64::from(signed(a, narrow)) * i64::from(signed(b, narrow));
                        spent += u32::from(decoded.more);
                        reg!(A0) = reg!(A0).wrapping_add(step);
                        reg!(A1) = reg!(A1).wrapping_add(step);
                        reg!(R3) -= 1;
                        let fits = if word { i64::from(sum as i32) == sum } else { i64::from(sum as i16) == sum };
                        flags!(O, if fits { 0 } else { O });
                        if !fits {
                            break;
                        }
                    }
                    if word {
                        registers.set_pair(R0, sum as u32);
                    } else {
                        reg!(R0) = sum as u16;
                    }
                }

                Op::LoadControl => {
                    let value = source!();
                    registers.set_control(detail, value as u16);
                    if matches!(detail, 3..=5) {
                        stack!();
                    }
                }
                Op::StoreControl => {
                    let value = registers.control(detail);
                    put!(effective!(dst, decoded.dst_disp), u32::from(value));
                }
                Op::StorePc => {
                    let value = window.address(next);
                    if form & TO_MEMORY != 0 {
                        let at = effective!(dst, decoded.dst_disp);
                        store_word!(at, value);
                        store_byte!(at + 2, value >> 16);
                    } else {
                        registers.set_pair(dst, value);
                    }
                }
                Op::FlagSet => registers.set_flags(registers.flags | 1 << detail),
                Op::FlagClear => registers.set_flags(registers.flags & !(1 << detail)),
                Op::LoadLevel => flags!(IPL, u32::from(detail) << 12),
                Op::LoadContext => {
                    let entry = (imm + 2 * load_byte!(u32::from(decoded.src_disp))) & ADDRESS_MASK;
                    let (list, bytes) = (load_byte!(entry), load_byte!(entry + 1));
                    let mut from = u32::from(reg!(SP));
                    for number in (0..8).filter(|number| list >> number & 1 != 0) {
                        reg!(LISTED[number]) = load_word!(from) as u16;
                        from += 2;
                    }
                    spent += list.count_ones() * u32::from(decoded.more);
                    reg!(SP) = reg!(SP).wrapping_add(bytes as u16);
                }
                Op::StoreContext => {
                    let entry = (imm + 2 * load_byte!(u32::from(decoded.src_disp))) & ADDRESS_MASK;
                    let (list, bytes) = (load_byte!(entry), load_byte!(entry + 1));
                    let mut to = u32::from(reg!(SP));
                    reg!(SP) = reg!(SP).wrapping_sub(bytes as u16);
                    stack!();
                    for number in (0..8).rev().filter(|number| list >> number & 1 != 0) {
                        to = to.wrapping_sub(2) & 0xffff;
                        store_word!(to, reg!(LISTED[number]));
                    }
                    spent += list.count_ones() * u32::from(decoded.more);
                }
                Op::Nop => {}
                Op::Wait => trap!(Trap::of(FaultKind::Sleep)),
            }

            if !jumped {
                // The bus reads code ahead while the instruction leaves it alone; what is missing has to be waited for.
                let ahead = queue + bus_bytes * spent.saturating_sub(accesses);
                let length = u32::from(decoded.length);
                let missing = length.saturating_sub(ahead).div_ceil(bus_bytes);
                spent += missing;
                queue = (ahead + bus_bytes * missing - length).min(queue_bytes - (window.address(next) & bus_offset));
            }
            now += u64::from(spent);
            observer.retired(place, spent);
            place = next;
        };
        registers.pc = window.address(place) & ADDRESS_MASK;
        self.registers = registers;
        self.cycles = now;
        exit
    }
}

/// Registers in the order of the bits of a `POPM` list, from bit 0.
const LISTED: [u8; 8] = [R0, R1, R2, R3, A0, A1, SB, FB];

/// Returns a byte with one nibble replaced, by kind: low to low, high to low, low to high, high to high.
fn nibble(old: u32, value: u32, kind: u8) -> u32 {
    let taken = if kind & 1 != 0 { value >> 4 } else { value } & 15;
    if kind & 2 != 0 {
        old & 0x0f | taken << 4
    } else {
        old & 0xf0 | taken
    }
}
