//! The MSP430 processor: registers and semantics of every instruction.

use super::decode::{
    decode, Decoded, Op, Size, CG, COUNT_IN_REGISTER, DESTINATION_IN_MEMORY, NONE, PC, REPEATED, SOURCE_IN_MEMORY, SP,
    SPECIAL, SR, WIDE_DESTINATION, WIDE_SOURCE, ZERO_CARRY,
};
use super::memory::{Memory, Touched};
use super::timing::Core;
use crate::fault::{FaultKind, Trap};
use crate::observe::Observer;
use crate::processor::Exit;

// Flags of the status register.
pub const C: u32 = 1;
pub const Z: u32 = 2;
pub const N: u32 = 4;
pub const CPU_OFF: u32 = 0x10;
pub const V: u32 = 0x100;
const FLAGS: u32 = V | N | Z | C;

/// Return address of a call from outside, among the peripheral registers, from which no instruction is fetched.
pub const RETURN_ADDRESS: u32 = 0x01fe;

const BYTE: u32 = 8;
const WORD: u32 = 16;
const ADDRESS: u32 = 20;

#[inline(always)]
const fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

/// Returns the negative and zero flags of a result without bits beyond its width.
#[inline(always)]
fn sign_and_zero(result: u32, bits: u32) -> u32 {
    (result >> (bits - 1)) << 2 | u32::from(result == 0) << 1
}

/// Returns the sum with carry and the status register after it.
#[inline(always)]
fn add(a: u32, b: u32, carry: u32, sr: u32, bits: u32) -> (u32, u32) {
    let wide = a + b + carry;
    let sum = wide & mask(bits);
    let overflow = ((a ^ sum) & (b ^ sum)) >> (bits - 1) & 1;
    (sum, sr & !FLAGS | sign_and_zero(sum, bits) | wide >> bits & 1 | overflow << 8)
}

/// Returns the decimal sum with carry and the status register after it; the overflow flag, which the manual leaves
/// undefined, is unchanged.
fn decimal_add(a: u32, b: u32, sr: u32, bits: u32) -> (u32, u32) {
    let (mut sum, mut carry) = (0, sr & C);
    for place in (0..bits).step_by(4) {
        let digit = (a >> place & 15) + (b >> place & 15) + carry;
        carry = u32::from(digit > 9);
        sum |= ((digit + 6 * carry) & 15) << place;
    }
    (sum, sr & !(N | Z | C) | sign_and_zero(sum, bits) | carry)
}

/// Returns the status register after `and`, `bit` and `sxt`.
#[inline(always)]
fn logic(result: u32, sr: u32, bits: u32) -> u32 {
    sr & !FLAGS | sign_and_zero(result, bits) | u32::from(result != 0)
}

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu {
    /// Registers r0 to r15; further entries stand for missing sources and discarded results.
    pub registers: [u32; 32],
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    pub core: Core,
    /// Decoded instructions, by word address.
    ops: Vec<Decoded>,
    stop: Option<u32>,
}

impl Cpu {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory) -> Self {
        let mut cpu = Cpu { registers: [0; 32], cycles: 0, stack_limit: 0, memory, core, ops: Vec::new(), stop: None };
        cpu.forget_all();
        cpu
    }

    /// Returns the mask of a register's bits.
    pub fn register_mask(&self) -> u32 {
        self.core.address_mask()
    }

    /// Returns the instruction at a place, `None` if none was decoded.
    pub fn decoded(&self, place: usize) -> Option<&Decoded> {
        self.ops.get(place).filter(|decoded| decoded.op as u8 > Op::Illegal as u8)
    }

    /// Returns the number of places, one for each word of the address space.
    pub fn places(&self) -> usize {
        self.ops.len()
    }

    /// Forgets all decoded instructions.
    pub fn forget_all(&mut self) {
        self.ops.clear();
        self.ops.resize(self.memory.end() as usize / 2, Decoded::bare(Op::Undecoded));
        self.plant(RETURN_ADDRESS);
        self.memory.unmark_code();
    }

    /// Forgets the instructions that changed bytes may belong to.
    pub fn forget(&mut self, address: u32, length: usize) {
        // An instruction has at most four words.
        let first = (address as usize / 2).saturating_sub(3);
        let end = (address as usize + length).div_ceil(2).min(self.ops.len());
        if let Some(ops) = self.ops.get_mut(first..end) {
            ops.fill(Decoded::bare(Op::Undecoded));
        }
        self.plant(RETURN_ADDRESS);
        if let Some(stop) = self.stop {
            self.plant(stop);
        }
    }

    fn plant(&mut self, address: u32) {
        if let Some(decoded) = self.ops.get_mut(address as usize / 2) {
            *decoded = Decoded::bare(Op::Stop);
        }
    }

    /// Makes a run end before the instruction at an address.
    pub fn plant_stop(&mut self, address: u32) {
        self.stop = Some(address);
        self.plant(address);
    }

    /// Removes the planted stop.
    pub fn clear_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            self.forget(stop, 2);
        }
    }

    /// Decodes and keeps the instruction at a place.
    #[inline(never)]
    fn decode(&mut self, place: u32) -> Result<(), Trap> {
        let address = place * 2;
        if !self.memory.is_code(address) {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        let memory = &self.memory;
        let decoded = decode(&self.core, address, |address| memory.code(address));
        for word in 0..u32::from(decoded.words) {
            self.memory.mark_code(address + 2 * word);
        }
        self.ops[place as usize] = decoded;
        Ok(())
    }

    /// Pushes the return address of a call from outside.
    pub fn push_return(&mut self) -> Result<(), Trap> {
        let pointer = self.registers[SP as usize].wrapping_sub(2) & self.register_mask();
        if pointer < self.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, pointer));
        }
        self.registers[SP as usize] = pointer;
        if self.memory.store_word(pointer, RETURN_ADDRESS)? == Touched::Code {
            self.forget(pointer, 2);
        }
        Ok(())
    }

    /// Runs until the stop, the return address, a trap, or `cycle_limit` on the absolute cycle counter. After a trap
    /// the program counter names the instruction that caused it.
    pub fn run<O: Observer>(&mut self, observer: &mut O, cycle_limit: u64) -> Exit {
        let mut registers = self.registers;
        let mut cycles = self.cycles;
        let register_mask = self.register_mask();
        let mut place = registers[PC as usize] / 2;

        macro_rules! reg {
            ($number:expr) => {
                registers[($number & 31) as usize]
            };
        }

        let exit = 'run: loop {
            if cycles >= cycle_limit {
                break Exit::Limit;
            }
            let Some(&decoded) = self.ops.get(place as usize) else {
                break Exit::Trap(Trap::at(FaultKind::UnmappedAddress, place * 2));
            };
            let Decoded { op, flags, source, destination, source_value, destination_index, .. } = decoded;
            let mut next = place + u32::from(decoded.words);
            let mut spent = u32::from(decoded.cycles);

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
            macro_rules! jump {
                ($target:expr) => {
                    next = ($target & register_mask) / 2
                };
            }
            macro_rules! move_stack {
                ($pointer:expr) => {{
                    let pointer: u32 = $pointer & register_mask & !1;
                    if pointer < self.stack_limit {
                        trap!(Trap::at(FaultKind::StackOverflow, pointer));
                    }
                    reg!(SP) = pointer;
                    observer.stack(pointer);
                }};
            }
            macro_rules! address_at {
                ($register:expr, $index:expr, $wide:expr) => {{
                    let base: u32 = reg!($register);
                    let sum = base.wrapping_add($index);
                    sum & if flags & $wide == 0 && base < 0x1_0000 { 0xffff } else { 0xf_ffff }
                }};
            }
            macro_rules! load {
                (BYTE, $address:expr) => {
                    or_trap!(self.memory.load_byte($address))
                };
                (WORD, $address:expr) => {
                    or_trap!(self.memory.load_word($address))
                };
                (ADDRESS, $address:expr) => {{
                    let address: u32 = $address;
                    let low = or_trap!(self.memory.load_word(address));
                    low | (or_trap!(self.memory.load_word(address.wrapping_add(2) & 0xf_ffff)) & 15) << 16
                }};
            }
            macro_rules! touched {
                ($address:expr, $outcome:expr) => {
                    if or_trap!($outcome) == Touched::Code {
                        self.forget($address, 2);
                    }
                };
            }
            macro_rules! store {
                (BYTE, $address:expr, $value:expr) => {
                    touched!($address, self.memory.store_byte($address, $value))
                };
                (WORD, $address:expr, $value:expr) => {
                    touched!($address, self.memory.store_word($address, $value))
                };
                (ADDRESS, $address:expr, $value:expr) => {{
                    let (address, value): (u32, u32) = ($address, $value);
                    touched!(address, self.memory.store_word(address, value));
                    let second = address.wrapping_add(2) & 0xf_ffff;
                    touched!(second, self.memory.store_word(second, value >> 16));
                }};
            }
            macro_rules! source {
                ($bits:ident) => {
                    if flags & SOURCE_IN_MEMORY != 0 {
                        let address = address_at!(source, source_value, WIDE_SOURCE);
                        let value = load!($bits, address);
                        reg!(source) = reg!(source).wrapping_add(u32::from(decoded.increment)) & register_mask;
                        value
                    } else {
                        (reg!(source) + source_value) & mask($bits)
                    }
                };
            }
            // A result goes to a register that is not like the others.
            macro_rules! write_special {
                ($value:expr) => {{
                    let value: u32 = $value;
                    match destination {
                        PC => jump!(value),
                        SP => move_stack!(value),
                        SR => {
                            reg!(SR) = value & 0xffff;
                            if value & CPU_OFF != 0 {
                                trap!(Trap::of(FaultKind::Sleep));
                            }
                        }
                        _ => {}
                    }
                }};
            }
            macro_rules! write_register {
                ($value:expr) => {{
                    let value: u32 = $value;
                    if flags & SPECIAL == 0 {
                        reg!(destination) = value;
                    } else {
                        write_special!(value);
                    }
                }};
            }
            macro_rules! destination {
                ($bits:ident) => {
                    // The program counter is already behind the instruction.
                    if destination == PC {
                        next * 2 & mask($bits)
                    } else if destination == CG {
                        0
                    } else {
                        reg!(destination) & mask($bits)
                    }
                };
            }
            // Result and status from source, destination and status.
            macro_rules! combine {
                ($bits:ident, $function:expr) => {{
                    let value = source!($bits);
                    let function: fn(u32, u32, u32) -> (u32, u32) = $function;
                    let sr = if flags & ZERO_CARRY == 0 { reg!(SR) } else { reg!(SR) & !C };
                    if flags & DESTINATION_IN_MEMORY != 0 {
                        let address = address_at!(destination, destination_index, WIDE_DESTINATION);
                        let (result, sr) = function(value, load!($bits, address), sr);
                        store!($bits, address, result);
                        reg!(SR) = sr;
                    } else if flags & SPECIAL == 0 {
                        let (result, sr) = function(value, reg!(destination) & mask($bits), sr);
                        reg!(destination) = result;
                        reg!(SR) = sr;
                    } else {
                        let (result, sr) = function(value, destination!($bits), sr);
                        reg!(SR) = sr;
                        write_special!(result);
                    }
                }};
            }
            // Status alone.
            macro_rules! compare {
                ($bits:ident, $function:expr) => {{
                    let value = source!($bits);
                    let function: fn(u32, u32, u32) -> u32 = $function;
                    let other = if flags & DESTINATION_IN_MEMORY != 0 {
                        load!($bits, address_at!(destination, destination_index, WIDE_DESTINATION))
                    } else if flags & SPECIAL == 0 {
                        reg!(destination) & mask($bits)
                    } else {
                        destination!($bits)
                    };
                    reg!(SR) = function(value, other, reg!(SR));
                }};
            }
            macro_rules! mov {
                ($bits:ident) => {{
                    let value = source!($bits);
                    if flags & DESTINATION_IN_MEMORY != 0 {
                        store!($bits, address_at!(destination, destination_index, WIDE_DESTINATION), value);
                    } else {
                        write_register!(value);
                    }
                }};
            }
            // One operand of the instruction's width; `bits` is that width inside the function.
            macro_rules! modify {
                ($function:expr) => {{
                    let function: fn(u32, u32, u32) -> (u32, u32) = $function;
                    let sr = if flags & ZERO_CARRY == 0 { reg!(SR) } else { reg!(SR) & !C };
                    match decoded.size {
                        Size::Byte => modify!(@sized BYTE, function, sr),
                        Size::Word => modify!(@sized WORD, function, sr),
                        Size::Address => modify!(@sized ADDRESS, function, sr),
                    }
                }};
                (@sized $bits:ident, $function:ident, $sr:ident) => {
                    if flags & DESTINATION_IN_MEMORY != 0 {
                        let address = address_at!(destination, destination_index, WIDE_DESTINATION);
                        let (result, sr) = $function(load!($bits, address), $sr, $bits);
                        store!($bits, address, result);
                        reg!(source) = reg!(source).wrapping_add(u32::from(decoded.increment)) & register_mask;
                        reg!(SR) = sr;
                    } else {
                        let (result, sr) = $function(reg!(destination) & mask($bits), $sr, $bits);
                        reg!(SR) = sr;
                        write_register!(result);
                    }
                };
            }
            macro_rules! push {
                ($value:expr) => {{
                    let value: u32 = $value;
                    move_stack!(reg!(SP).wrapping_sub(2));
                    let pointer = reg!(SP);
                    store!(WORD, pointer, value);
                }};
            }
            macro_rules! pop {
                () => {{
                    let pointer = reg!(SP);
                    let value = load!(WORD, pointer);
                    reg!(SP) = pointer.wrapping_add(2) & register_mask;
                    value
                }};
            }
            macro_rules! branch {
                ($holds:expr) => {
                    if $holds {
                        observer.taken(place);
                        next = source_value / 2;
                    }
                };
            }

            let mut repetitions = 0;
            if flags & REPEATED != 0 {
                repetitions = u32::from(decoded.repeats);
                if flags & COUNT_IN_REGISTER != 0 {
                    repetitions = reg!(decoded.repeats) & 15;
                }
                spent += repetitions * self.core.repetition_cycles();
            }
            loop {
                match op {
                    Op::Undecoded => {
                        or_trap!(self.decode(place));
                        continue 'run;
                    }
                    Op::Stop => break 'run Exit::Stop,
                    Op::Illegal => trap!(Trap::of(FaultKind::IllegalOpcode)),

                    Op::Mov => mov!(WORD),
                    Op::Add => combine!(WORD, |s, d, sr| add(s, d, 0, sr, WORD)),
                    Op::Addc => combine!(WORD, |s, d, sr| add(s, d, sr & C, sr, WORD)),
                    Op::Subc => combine!(WORD, |s, d, sr| add(!s & mask(WORD), d, sr & C, sr, WORD)),
                    Op::Sub => combine!(WORD, |s, d, sr| add(!s & mask(WORD), d, 1, sr, WORD)),
                    Op::Cmp => compare!(WORD, |s, d, sr| add(!s & mask(WORD), d, 1, sr, WORD).1),
                    Op::Dadd => combine!(WORD, |s, d, sr| decimal_add(s, d, sr, WORD)),
                    Op::Bit => compare!(WORD, |s, d, sr| logic(s & d, sr, WORD)),
                    Op::Bic => combine!(WORD, |s, d, sr| (d & !s, sr)),
                    Op::Bis => combine!(WORD, |s, d, sr| (d | s, sr)),
                    Op::Xor => combine!(WORD, |s, d, sr| xor(s, d, sr, WORD)),
                    Op::And => combine!(WORD, |s, d, sr| (s & d, logic(s & d, sr, WORD))),

                    Op::MovByte => mov!(BYTE),
                    Op::AddByte => combine!(BYTE, |s, d, sr| add(s, d, 0, sr, BYTE)),
                    Op::AddcByte => combine!(BYTE, |s, d, sr| add(s, d, sr & C, sr, BYTE)),
                    Op::SubcByte => combine!(BYTE, |s, d, sr| add(!s & mask(BYTE), d, sr & C, sr, BYTE)),
                    Op::SubByte => combine!(BYTE, |s, d, sr| add(!s & mask(BYTE), d, 1, sr, BYTE)),
                    Op::CmpByte => compare!(BYTE, |s, d, sr| add(!s & mask(BYTE), d, 1, sr, BYTE).1),
                    Op::DaddByte => combine!(BYTE, |s, d, sr| decimal_add(s, d, sr, BYTE)),
                    Op::BitByte => compare!(BYTE, |s, d, sr| logic(s & d, sr, BYTE)),
                    Op::BicByte => combine!(BYTE, |s, d, sr| (d & !s, sr)),
                    Op::BisByte => combine!(BYTE, |s, d, sr| (d | s, sr)),
                    Op::XorByte => combine!(BYTE, |s, d, sr| xor(s, d, sr, BYTE)),
                    Op::AndByte => combine!(BYTE, |s, d, sr| (s & d, logic(s & d, sr, BYTE))),

                    Op::MovAddress | Op::Mova => mov!(ADDRESS),
                    Op::AddAddress => combine!(ADDRESS, |s, d, sr| add(s, d, 0, sr, ADDRESS)),
                    Op::AddcAddress => combine!(ADDRESS, |s, d, sr| add(s, d, sr & C, sr, ADDRESS)),
                    Op::SubcAddress => combine!(ADDRESS, |s, d, sr| add(!s & mask(ADDRESS), d, sr & C, sr, ADDRESS)),
                    Op::SubAddress => combine!(ADDRESS, |s, d, sr| add(!s & mask(ADDRESS), d, 1, sr, ADDRESS)),
                    Op::CmpAddress => compare!(ADDRESS, |s, d, sr| add(!s & mask(ADDRESS), d, 1, sr, ADDRESS).1),
                    Op::DaddAddress => combine!(ADDRESS, |s, d, sr| decimal_add(s, d, sr, ADDRESS)),
                    Op::BitAddress => compare!(ADDRESS, |s, d, sr| logic(s & d, sr, ADDRESS)),
                    Op::BicAddress => combine!(ADDRESS, |s, d, sr| (d & !s, sr)),
                    Op::BisAddress => combine!(ADDRESS, |s, d, sr| (d | s, sr)),
                    Op::XorAddress => combine!(ADDRESS, |s, d, sr| xor(s, d, sr, ADDRESS)),
                    Op::AndAddress => combine!(ADDRESS, |s, d, sr| (s & d, logic(s & d, sr, ADDRESS))),

                    Op::Rrc => modify!(|value, sr, bits| {
                        let result = value >> 1 | (sr & C) << (bits - 1);
                        (result, sr & !FLAGS | sign_and_zero(result, bits) | value & 1)
                    }),
                    Op::Rru => modify!(|value, sr, bits| {
                        let result = value >> 1;
                        (result, sr & !FLAGS | sign_and_zero(result, bits) | value & 1)
                    }),
                    Op::Rra => modify!(|value, sr, bits| {
                        let result = value >> 1 | value & 1 << (bits - 1);
                        (result, sr & !FLAGS | sign_and_zero(result, bits) | value & 1)
                    }),
                    Op::Swpb => {
                        modify!(|value, sr, _| { (value & 0xf_0000 | value >> 8 & 0xff | value << 8 & 0xff00, sr) })
                    }
                    Op::Sxt => {
                        // A register is filled to its end.
                        let fills = decoded.size == Size::Address || flags & DESTINATION_IN_MEMORY == 0;
                        if fills && decoded.size == Size::Word {
                            let result = reg!(destination) as u8 as i8 as u32 & register_mask;
                            reg!(SR) = logic(result & mask(WORD), reg!(SR), WORD);
                            write_register!(result);
                        } else {
                            modify!(|value, sr, bits| {
                                let result = value as u8 as i8 as u32 & mask(bits);
                                (result, logic(result, sr, bits))
                            });
                        }
                    }

                    // "SP - 2 -> SP, src -> @SP": a source that the stack pointer takes part in sees the new one.
                    Op::Push if decoded.size == Size::Address => {
                        move_stack!(reg!(SP).wrapping_sub(4));
                        let value = source!(ADDRESS);
                        let pointer = reg!(SP);
                        store!(ADDRESS, pointer, value);
                    }
                    Op::Push => {
                        move_stack!(reg!(SP).wrapping_sub(2));
                        let pointer = reg!(SP);
                        if decoded.size == Size::Byte {
                            let value = source!(BYTE);
                            store!(BYTE, pointer, value);
                        } else {
                            let value = source!(WORD);
                            store!(WORD, pointer, value);
                        }
                    }
                    Op::Call => {
                        let target = source!(WORD);
                        push!(next * 2);
                        jump!(target);
                    }
                    Op::Calla => {
                        let target = source!(ADDRESS);
                        push!((next * 2) >> 16);
                        push!(next * 2);
                        jump!(target);
                    }
                    Op::Reti => {
                        let status = pop!();
                        let target = pop!();
                        // The status word of an MSP430X brings the upper bits of the address.
                        jump!(target | (status & 0xf000) << 4);
                        reg!(SR) = status & if register_mask > 0xffff { 0x0fff } else { 0xffff };
                        if status & CPU_OFF != 0 {
                            trap!(Trap::of(FaultKind::Sleep));
                        }
                    }

                    Op::Jne => branch!(reg!(SR) & Z == 0),
                    Op::Jeq => branch!(reg!(SR) & Z != 0),
                    Op::Jnc => branch!(reg!(SR) & C == 0),
                    Op::Jc => branch!(reg!(SR) & C != 0),
                    Op::Jn => branch!(reg!(SR) & N != 0),
                    Op::Jge => branch!((reg!(SR) & N == 0) == (reg!(SR) & V == 0)),
                    Op::Jl => branch!((reg!(SR) & N == 0) != (reg!(SR) & V == 0)),
                    Op::Jmp => next = source_value / 2,

                    Op::Rrcm | Op::Rram | Op::Rrum | Op::Rlam => {
                        let bits = if decoded.size == Size::Address { ADDRESS } else { WORD };
                        let mut sr = reg!(SR);
                        let mut value = reg!(destination) & mask(bits);
                        for _ in 0..source_value {
                            let top = bits - 1;
                            let (result, carry) = match op {
                                Op::Rrcm => (value >> 1 | (sr & C) << top, value & 1),
                                Op::Rram => (value >> 1 | value & 1 << top, value & 1),
                                Op::Rrum => (value >> 1, value & 1),
                                _ => (value << 1 & mask(bits), value >> top),
                            };
                            value = result;
                            sr = sr & !FLAGS | sign_and_zero(result, bits) | carry;
                        }
                        reg!(SR) = sr;
                        write_register!(value);
                    }
                    Op::Pushm => {
                        for number in 0..source_value as u8 {
                            let value = reg!(destination.wrapping_sub(number) & 15);
                            if decoded.size == Size::Address {
                                push!(value >> 16);
                            }
                            push!(value);
                        }
                    }
                    Op::Popm => {
                        for number in 0..source_value as u8 {
                            let mut value = pop!();
                            if decoded.size == Size::Address {
                                value |= (pop!() & 15) << 16;
                            }
                            let register = destination.wrapping_add(number) & 15;
                            match register {
                                PC => jump!(value),
                                SP => reg!(SP) = value & !1,
                                CG => {}
                                _ => reg!(register) = value,
                            }
                        }
                    }
                }
                if repetitions == 0 {
                    break;
                }
                repetitions -= 1;
            }
            cycles += u64::from(spent);
            observer.retired(place, spent);
            place = next;
        };
        registers[PC as usize] = place * 2;
        registers[usize::from(NONE)] = 0;
        self.registers = registers;
        self.cycles = cycles;
        exit
    }
}

/// Returns the exclusive or and the status register after it.
#[inline(always)]
fn xor(s: u32, d: u32, sr: u32, bits: u32) -> (u32, u32) {
    let overflow = (s & d) >> (bits - 1) & 1;
    (s ^ d, logic(s ^ d, sr, bits) | overflow << 8)
}
