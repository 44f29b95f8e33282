//! Random MSP430 and MSP430X instructions beside gdb's simulator.

use super::msp430_rtl::{self as rtl, Traced};
use super::Entry;
use crate::chip::{words, Chip, Family, Target};
use crate::images::{self, Agreement, Beside, Failure, Images, Job, Start};
use crate::layout;
use crate::protocol::{Layout, Reference};
use crate::references::gdb::Simulator;
use crate::rng::Rng;
use crate::rows;
use crate::speed::speeds;
use crate::stream::{self, Asked, Generator, Outcome, Pair, Placed, Stream};
use crate::traced;
use serde_json::json;
use std::ops::Range;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::msp430;
use steelyard_emu::msp430::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::msp430::isa::{Feature, Op, Operand, Row, Size, ROWS};
use steelyard_emu::{emulated::Emulated, Description, Error};

/// `msp430x` has the MSP430's instructions too.
pub const FAMILY: Entry = Entry {
    name: "msp430",
    streams: &[
        stream("msp430"),
        stream("msp430x"),
        Stream { name: "openmsp430", layout: Traced::LAYOUT, reference: traced::reference, run: rtl::run },
    ],
    compare,
    speeds: speeds::<Chip<Msp430>>,
};

/// Compares images with the RTL of the core where a stream beside it is there, with gdb's simulator otherwise.
fn compare(target: &Target, job: &Job) -> Result<Agreement, Failure> {
    if traced::images::core(target) == "openmsp430" {
        return traced::images::compare::<Traced>(target, job);
    }
    images::compare::<Chip<Msp430>>(target, job)
}

const fn stream(name: &'static str) -> Stream {
    Stream { name, layout: Msp430::LAYOUT, reference: |_| reference(&[]), run }
}

fn reference(options: &[&str]) -> Result<Box<dyn Reference>, String> {
    Ok(Box::new(Simulator::start("msp430", options)?))
}

const PC: usize = 0;
const SP: usize = 1;
const SR: usize = 2;

const CODE: Range<u32> = 0x4000..0x7ff0;
/// Operands and the stack; behind the code, as the simulator does not let an address relative to it wrap around.
const DATA: Range<u32> = 0xc000..0xc400;
/// Operands above 64 KB, for the MSP430X.
const UPPER: Range<u32> = 0x2_2000..0x2_2400;
const MULTIPLIER: u16 = 0x0130;
const MPY: u16 = 0x00;
const MPYS: u16 = 0x02;
const OP2: u16 = 0x08;
const RESLO: u16 = 0x0a;

/// The overflow flag in the status register, and where the simulator has it: its registers are compared so.
const OVERFLOW: u32 = 0x100;
const THEIR_OVERFLOW: u32 = 0x80;
const CARRY: u32 = 1;
/// Overflow, negative, zero and carry.
const THEIR_FLAGS: u32 = THEIR_OVERFLOW | 7;

/// A chip with RAM all over its address space.
fn run(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let extended = asked.name == "msp430x";
    let end = if extended { 0x4_0000 } else { 0x1_0000 };
    let description = json!({
        "core": asked.catalogue.core(asked.name)?,
        "memory": [
            {"name": "io", "space": "data", "kind": "io", "base": 0, "size": 0x200},
            {"name": "ram", "space": "data", "kind": "ram", "base": 0x200, "size": end - 0x200},
        ],
        "core_options": {"multiplier_address": MULTIPLIER},
        "clock_hz": 1_000_000,
    });
    let chip = Chip::<Msp430>::new(&Description::from_json(&description.to_string()).map_err(words)?)?;
    let mut generator = Instructions::new(extended);
    stream::run(&mut Pair::new(chip, Msp430::LAYOUT), &mut generator, reference, asked.seed, asked.instructions)
}

pub struct Msp430;

impl Family for Msp430 {
    type Cpu = Cpu<Immediate>;
    const LAYOUT: Layout = layout!(little; 4: "pc" 0, "sp" 1, "sr" 2, "r3" 3, "r4" 4, "r5" 5, "r6" 6, "r7" 7, "r8" 8,
        "r9" 9, "r10" 10, "r11" 11, "r12" 12, "r13" 13, "r14" 14, "r15" 15);

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, Error> {
        msp430::chip(description, Immediate)
    }

    fn register(cpu: &Self::Cpu, index: usize) -> u32 {
        let value = cpu.registers[index];
        if index != SR {
            return value;
        }
        let overflow = if value & OVERFLOW == 0 { 0 } else { THEIR_OVERFLOW };
        value & !(OVERFLOW | THEIR_OVERFLOW) | overflow
    }

    fn set_register(cpu: &mut Self::Cpu, index: usize, value: u32) {
        let is_overflow = index == SR && value & THEIR_OVERFLOW != 0;
        let value = if index == SR { value & !THEIR_OVERFLOW } else { value };
        cpu.registers[index] = value | if is_overflow { OVERFLOW } else { 0 };
    }
}

impl Images for Msp430 {
    const RETURN_ADDRESS: u32 = RETURN_ADDRESS;
    /// Images of clang have their headers in RAM, where the start-up code puts none.
    const INITIAL: &'static [&'static str] = &["flash", "ram"];

    const BESIDE: &'static [Start] = &[|_| {
        // Below 0x0500 it has no memory but what it is asked for.
        let reference = reference(&["--memory-region", "0x20,0xffa0"])?;
        // `mov.b #0, r3`
        let mut beside = Beside::stepped(reference, Self::LAYOUT, &[0x43, 0x43]);
        beside.how.placed.ignored = vec![(SR, u32::MAX)];
        // `sxt` of a register extends no further than to 16 bits there.
        beside.how.placed.flag_copies = OVERFLOW | THEIR_OVERFLOW | 0xf_0000;
        Ok(beside)
    }];
}

/// Part of an instruction, behind its extension word if it has one: (lowest bit, number of bits, lowest bit of the
/// number).
type Field = &'static [(u32, u32, u32)];

const DESTINATION: Field = &[(0, 4, 0)];
const SOURCE: Field = &[(8, 4, 0)];
const MODE: Field = &[(4, 2, 0)];
const TO_MEMORY: Field = &[(7, 1, 0)];
const JUMP: Field = &[(0, 10, 0)];
const REGISTERS: Field = &[(4, 4, 0)];
const PLACES: Field = &[(10, 2, 0)];
/// Bits of the extension word: upper bits of the operands' own words, or how often the instruction is repeated.
const SOURCE_HIGH: Field = &[(23, 4, 0)];
const DESTINATION_HIGH: Field = &[(16, 4, 0)];
const REPETITIONS: Field = &[(16, 4, 0)];
const COUNT_IN_REGISTER: Field = &[(23, 1, 0)];

/// What is made next.
#[derive(Clone, Copy)]
enum Kind {
    Row(&'static Row),
    /// One after the other: the multiplier's first operand, at the address of a mode, its second operand, its results.
    Multiplier(u16),
}

/// An operand: its mode, its register, and the upper bits of its own word.
struct Chosen {
    mode: u32,
    register: u32,
    high: u32,
}

/// Rows in which the simulator is wrong from the first bit on: it takes no upper bits of an address from the status
/// word, and `calla` does not find its symbolic operand.
fn is_left_out(row: &Row, extended: bool) -> bool {
    extended && row.op.op == Op::Reti || row.operands == [Operand::CallSymbolic]
}

/// The name of what a row does, whatever its width.
fn name(row: &Row) -> &str {
    row.mnemonic.split('.').next().unwrap_or_default().trim_end_matches('x')
}

/// The row of moves between registers, from memory and to memory.
fn moves() -> u32 {
    ROWS.iter().find(|row| row.mnemonic == "mov").map_or(0, |row| row.pattern.value)
}

/// Makes instructions of all rows that the core has.
pub struct Instructions {
    kinds: Vec<Kind>,
    extended: bool,
    /// The instruction that is being made, its number of words without those of its operands, and these.
    word: u32,
    length_words: u32,
    own: Vec<u16>,
    ignored: Vec<(usize, u32)>,
    /// A register that must keep its value.
    taken: Option<u32>,
    /// How far the multiplier's instructions are, from its first operand on.
    multiplied: u32,
}

impl Instructions {
    fn new(extended: bool) -> Self {
        let has = |row: &&Row| row.feature == Feature::Base || extended;
        let rows = ROWS.iter().filter(has).filter(|row| !is_left_out(row, extended)).map(Kind::Row);
        // What the simulator accumulates begins at zero, not with the last product: those modes are left out.
        let kinds = rows.chain([MPY, MPYS].map(Kind::Multiplier)).collect();
        Instructions {
            kinds,
            extended,
            word: 0,
            length_words: 1,
            own: Vec::new(),
            ignored: Vec::new(),
            taken: None,
            multiplied: 5,
        }
    }

    fn put(&mut self, field: Field, number: u32) {
        self.word = rows::with(self.word, field, number);
    }

    fn register_mask(&self) -> u32 {
        if self.extended {
            0xf_ffff
        } else {
            0xffff
        }
    }

    /// A register without a meaning of its own that is not taken.
    fn general(&self, rng: &mut Rng) -> u32 {
        loop {
            let register = 4 + rng.below(12);
            if self.taken != Some(register) {
                return register;
            }
        }
    }

    /// An address of an operand.
    fn address(&self, size: Size, rng: &mut Rng) -> u32 {
        let memory = if self.extended && rng.once_in(4) { UPPER } else { DATA };
        let address = memory.start + 0x80 + rng.below(memory.end - memory.start - 0x100);
        if size == Size::Byte {
            address
        } else {
            address & !1
        }
    }

    /// The address of a word that is still to be appended.
    fn next_word(&self, pair: &Pair<Chip<Msp430>>) -> u32 {
        pair.register(PC) + 2 * (self.length_words + self.own.len() as u32)
    }

    /// The status register is read as a whole, and its overflow flag is elsewhere in the simulator.
    fn without_overflow(&self, pair: &mut Pair<Chip<Msp430>>) {
        pair.set(SR, pair.register(SR) & !THEIR_OVERFLOW);
    }

    /// An operand of one of the modes from register to autoincrement.
    fn operand(&mut self, pair: &mut Pair<Chip<Msp430>>, modes: u32, size: Size, wide: bool, rng: &mut Rng) -> Chosen {
        let mode = rng.below(modes);
        let target = self.address(size, rng);
        // What an index of 16 bits reaches.
        let target = if wide { target } else { target & 0x3ff | DATA.start };
        let absolute = target & if wide { 0xf_ffff } else { 0xffff };
        let high = |value: u32| if wide { value >> 16 & 15 } else { 0 };
        match mode {
            0 => {
                let register = match rng.below(16) {
                    0 => 1,
                    // Where the program counter points to while an instruction of several words runs is left open.
                    1 if modes == 4 && !wide => 1 + rng.below(3),
                    _ => self.general(rng),
                };
                if register == 2 {
                    self.without_overflow(pair);
                }
                Chosen { mode, register, high: 0 }
            }
            1 if rng.once_in(4) => {
                let index = absolute.wrapping_sub(self.next_word(pair)) & 0xf_ffff;
                self.own.push(index as u16);
                Chosen { mode, register: 0, high: high(index) }
            }
            1 if rng.once_in(3) => {
                self.own.push(absolute as u16);
                Chosen { mode, register: 2, high: high(absolute) }
            }
            1 => {
                let register = self.general(rng);
                let index = if wide { rng.word() as u32 & 0xf_ffff } else { i32::from(rng.word() as i16) as u32 };
                let base = absolute.wrapping_sub(index) & self.register_mask();
                // Below 64 KB the sum stays below; above it does not wrap into it.
                let base = if wide { base } else { base & 0xffff };
                pair.set(register as usize, base);
                self.taken = Some(register);
                self.own.push(index as u16);
                Chosen { mode, register, high: high(index) }
            }
            3 if rng.once_in(3) => {
                let value = rng.word() as u32;
                self.own.push(value as u16);
                Chosen { mode, register: 0, high: high(value) }
            }
            _ if rng.once_in(5) => Chosen { mode, register: 2 + rng.below(2), high: 0 },
            _ => {
                let register = self.general(rng);
                pair.set(register as usize, target & self.register_mask());
                self.taken = Some(register);
                Chosen { mode, register, high: 0 }
            }
        }
    }

    /// Repetitions of an instruction between registers: so many further times, or as many as a register says.
    fn repeat(&mut self, rng: &mut Rng) {
        if rng.once_in(3) {
            let in_register = rng.bit();
            self.put(REPETITIONS, rng.below(4) | in_register << 2);
            self.put(COUNT_IN_REGISTER, in_register);
        }
    }

    fn double(&mut self, pair: &mut Pair<Chip<Msp430>>, row: &Row, rng: &mut Rng) {
        let (size, extended, op) = (row.op.size, row.pattern.bits == 32, row.op.op);
        let source = self.operand(pair, 4, size, extended, rng);
        let to_memory = rng.once_in(2);
        let destination = if to_memory {
            self.memory_destination(pair, size, extended, rng)
        } else if source.mode == 3 {
            // The simulator reads the destination before it increases the source's register.
            Chosen { mode: 0, register: self.general(rng), high: 0 }
        } else {
            let register = match rng.below(12) {
                0 if op.only_compares() && !extended => {
                    self.without_overflow(pair);
                    rng.below(4)
                }
                // To write a zero byte there is the simulator's breakpoint.
                0 if !op.only_moves() && !extended => 3,
                1 if size != Size::Byte && !extended => 1,
                _ => 4 + rng.below(12),
            };
            Chosen { mode: 0, register, high: 0 }
        };
        if !to_memory && destination.register == 3 {
            // What goes there is lost; the simulator keeps it.
            self.ignored.push((3, u32::MAX));
        }
        if !to_memory && destination.register == 1 {
            // The lowest bit of the stack pointer is no bit.
            self.ignored.push((SP, 1));
        }
        self.put(SOURCE, source.register);
        self.put(MODE, source.mode);
        self.put(TO_MEMORY, u32::from(to_memory));
        self.put(DESTINATION, destination.register);
        if extended && source.mode == 0 && !to_memory {
            self.repeat(rng);
        } else if extended {
            self.put(SOURCE_HIGH, source.high);
            self.put(DESTINATION_HIGH, destination.high);
        }
        if matches!(name(row), "sub" | "bit" | "and") {
            // Of `sub` the simulator forgets it, of `and` and `bit` it takes the sign for it.
            self.ignored.push((SR, THEIR_OVERFLOW));
        }
    }

    /// `dadd` of decimal numbers: for others its result is undefined.
    fn decimal(&mut self, pair: &mut Pair<Chip<Msp430>>, row: &Row, rng: &mut Rng) {
        let (source, destination) = (self.general(rng), 4 + rng.below(12));
        for register in [source, destination] {
            // The simulator's sums have four digits.
            let limit = if row.op.size == Size::Address { 4 } else { 10 };
            let digits = (0..4).fold(0, |number, _| number << 4 | rng.below(limit));
            pair.set(register as usize, digits);
        }
        self.put(SOURCE, source);
        self.put(DESTINATION, destination);
        self.ignored.push((SR, THEIR_OVERFLOW));
    }

    fn memory_destination(&mut self, pair: &mut Pair<Chip<Msp430>>, size: Size, wide: bool, rng: &mut Rng) -> Chosen {
        loop {
            let before = self.own.len();
            let chosen = self.operand(pair, 2, size, wide, rng);
            if chosen.mode == 1 {
                return chosen;
            }
            self.own.truncate(before);
        }
    }

    fn single(&mut self, pair: &mut Pair<Chip<Msp430>>, row: &Row, rng: &mut Rng) {
        let (op, size, extended) = (row.op.op, row.op.size, row.pattern.bits == 32);
        let pushes = op == Op::Push;
        if pushes {
            self.set_stack(pair, rng);
        }
        let Chosen { mode, register, high } = loop {
            self.own.clear();
            let chosen =
                if extended { self.below_64_kb(pair, size, rng) } else { self.operand(pair, 4, size, false, rng) };
            // What is changed is no constant; a `rru` is one of registers; the simulator increases twice.
            let is_changeable = chosen.mode == 1 || matches!(chosen.mode, 0 | 2) && chosen.register >= 4;
            // Of 20 bits in memory it swaps 16 and loses the rest.
            let is_known = op != Op::Rru && (op != Op::Swpb || size != Size::Address) || chosen.mode == 0;
            if (pushes || is_changeable) && is_known {
                break chosen;
            }
        };
        match op {
            // The simulator takes the sign for an overflow; of `sxt` its carry is never set.
            Op::Sxt => {
                self.ignored.push((SR, THEIR_OVERFLOW | CARRY));
                if mode == 0 {
                    // It extends no further than to 16 bits, whereas a register is filled to its end.
                    self.ignored.push((register as usize, 0xf_0000));
                }
            }
            Op::Rrc | Op::Rra | Op::Rru => self.ignored.push((SR, THEIR_OVERFLOW)),
            // It loses the upper bits of 20.
            Op::Swpb if size == Size::Address && mode == 0 => self.ignored.push((register as usize, 0xf_0000)),
            _ => {}
        }
        self.put(MODE, mode);
        self.put(DESTINATION, register);
        if extended && mode == 0 && !pushes {
            self.repeat(rng);
        } else if extended {
            self.put(DESTINATION_HIGH, high);
        }
    }

    /// The operand of an extended instruction of one operand. The simulator takes the upper bits of its word from
    /// other bits of the extension word than the manual says, so these are zero.
    fn below_64_kb(&mut self, pair: &mut Pair<Chip<Msp430>>, size: Size, rng: &mut Rng) -> Chosen {
        if !rng.once_in(3) {
            return self.operand(pair, 1, size, true, rng);
        }
        let address = self.address(size, rng);
        if rng.once_in(2) {
            self.own.push((address & 0x3ff | DATA.start) as u16);
            return Chosen { mode: 1, register: 2, high: 0 };
        }
        let register = self.general(rng);
        pair.set(register as usize, address);
        Chosen { mode: 2, register, high: 0 }
    }

    fn set_stack(&mut self, pair: &mut Pair<Chip<Msp430>>, rng: &mut Rng) {
        let pointer = DATA.start + 0x100 + 2 * rng.below(0x100);
        pair.set(SP, pointer);
    }

    fn target(rng: &mut Rng) -> u32 {
        CODE.start + 2 * rng.below((CODE.end - CODE.start) / 2)
    }

    /// A word, or two, at an address.
    fn write(pair: &mut Pair<Chip<Msp430>>, address: u32, value: u32, bytes: usize) {
        pair.write(address, &value.to_le_bytes()[..bytes]);
    }

    fn make(&mut self, pair: &mut Pair<Chip<Msp430>>, row: &'static Row, rng: &mut Rng) {
        self.word = row.pattern.value;
        self.length_words = row.pattern.bits / 16;
        match row.operands {
            [Operand::Source, ..] if name(row) == "dadd" => self.decimal(pair, row, rng),
            [Operand::Source, ..] if row.op.op == Op::Mov && row.pattern.bits == 16 && rng.once_in(4) => {
                self.branch(pair, rng);
            }
            [Operand::Source, ..] => self.double(pair, row, rng),
            [Operand::SingleSource] if row.op.op == Op::Call => {
                self.set_stack(pair, rng);
                let target = self.below_64_kb_target(pair, rng);
                self.put(MODE, target.mode);
                self.put(DESTINATION, target.register);
            }
            [Operand::Single | Operand::SingleSource, ..] => self.single(pair, row, rng),
            // A jump to itself ends the simulator.
            [Operand::JumpTarget] => self.put(JUMP, rng.below(1023)),
            [] => {
                self.set_stack(pair, rng);
                let status = rng.word() as u32 & 0x6f;
                Self::write(pair, pair.register(SP), status | Self::target(rng) << 16, 4);
            }
            [Operand::RegisterCount, last] => {
                self.set_stack(pair, rng);
                let count = 1 + rng.below(12);
                let low = 4 + rng.below(13 - count);
                self.put(REGISTERS, count - 1);
                self.put(DESTINATION, if *last == Operand::LastRegister { low + count - 1 } else { low });
            }
            [Operand::ShiftCount, ..] => {
                let register = self.general(rng);
                self.put(DESTINATION, register);
                self.put(PLACES, rng.below(4));
                self.ignored.push((SR, THEIR_OVERFLOW));
            }
            [operand] => self.calla(pair, *operand, rng),
            operands => self.address_instruction(pair, row, operands, rng),
        }
    }

    /// `mov` to the program counter: a branch, or a return.
    fn branch(&mut self, pair: &mut Pair<Chip<Msp430>>, rng: &mut Rng) {
        self.set_stack(pair, rng);
        let source = if rng.once_in(3) {
            Self::write(pair, pair.register(SP), Self::target(rng), 2);
            Chosen { mode: 3, register: SP as u32, high: 0 }
        } else {
            self.below_64_kb_target(pair, rng)
        };
        self.put(MODE, source.mode);
        self.put(SOURCE, source.register);
        self.put(DESTINATION, PC as u32);
    }

    /// An operand that is the address of an instruction.
    fn below_64_kb_target(&mut self, pair: &mut Pair<Chip<Msp430>>, rng: &mut Rng) -> Chosen {
        let target = Self::target(rng);
        let register = self.general(rng);
        let address = self.address(Size::Word, rng) & 0xffff;
        match rng.below(3) {
            0 => {
                pair.set(register as usize, target);
                Chosen { mode: 0, register, high: 0 }
            }
            1 => {
                self.own.push(target as u16);
                Chosen { mode: 3, register: 0, high: 0 }
            }
            _ => {
                Self::write(pair, address, target, 2);
                pair.set(register as usize, address);
                Chosen { mode: 2 + rng.bit(), register, high: 0 }
            }
        }
    }

    fn multiply(&mut self, mode: u16, rng: &mut Rng) {
        let register = self.general(rng);
        self.multiplied = (self.multiplied + 1) % 6;
        let (place, reads) = match self.multiplied {
            0 => (mode, false),
            1 => (OP2, false),
            _ => (RESLO + 2 * rng.below(3) as u16, true),
        };
        (self.word, self.length_words) = (moves(), 1);
        // The absolute mode is that of the status register with an index.
        let (source, mode, destination) = if reads { (2, 1, register) } else { (register, 0, 2) };
        self.put(SOURCE, source);
        self.put(MODE, mode);
        self.put(TO_MEMORY, u32::from(!reads));
        self.put(DESTINATION, destination);
        self.own.push(MULTIPLIER + place);
    }

    fn address_instruction(&mut self, pair: &mut Pair<Chip<Msp430>>, row: &Row, operands: &[Operand], rng: &mut Rng) {
        let (source, destination) = (self.general(rng), 4 + rng.below(12));
        let address = self.address(Size::Word, rng);
        let index = i32::from(rng.word() as i16);
        let below_index = (address & 0xffff).wrapping_add_signed(-index) & 0xf_ffff;
        self.put(SOURCE, source);
        self.put(DESTINATION, destination);
        for operand in operands {
            match operand {
                Operand::IndirectSource | Operand::AutoincrementSource => pair.set(source as usize, address),
                Operand::AbsoluteSource => {
                    self.put(SOURCE, address >> 16);
                    self.own.push(address as u16);
                }
                Operand::IndexedSource => {
                    pair.set(source as usize, below_index);
                    self.own.push(index as u16);
                }
                Operand::ImmediateSource => {
                    self.put(SOURCE, rng.below(16));
                    self.own.push(rng.word() as u16);
                }
                Operand::AbsoluteDestination => {
                    self.put(DESTINATION, address >> 16);
                    self.own.push(address as u16);
                }
                Operand::IndexedDestination => {
                    pair.set(destination as usize, below_index);
                    self.own.push(index as u16);
                }
                _ => {}
            }
        }
        if row.op.op == Op::SubAddress {
            self.ignored.push((SR, THEIR_OVERFLOW));
        }
    }

    fn calla(&mut self, pair: &mut Pair<Chip<Msp430>>, operand: Operand, rng: &mut Rng) {
        self.set_stack(pair, rng);
        let register = self.general(rng);
        let target = Self::target(rng);
        let address = self.address(Size::Word, rng);
        // The simulator takes it for a number without sign.
        let index = i32::from(rng.word() as i16 & i16::MAX);
        let below = address & 0x3ff | DATA.start;
        self.put(DESTINATION, register);
        match operand {
            Operand::CallRegister => pair.set(register as usize, target),
            Operand::CallIndexed => {
                Self::write(pair, below, target, 4);
                pair.set(register as usize, below.wrapping_add_signed(-index) & 0xffff);
                self.own.push(index as u16);
            }
            Operand::CallIndirect | Operand::CallAutoincrement => {
                Self::write(pair, address, target, 4);
                pair.set(register as usize, address);
            }
            Operand::CallAbsolute => {
                Self::write(pair, address, target, 4);
                self.put(DESTINATION, address >> 16);
                self.own.push(address as u16);
            }
            _ => {
                self.put(DESTINATION, target >> 16);
                self.own.push(target as u16);
            }
        }
    }
}

impl Generator<Chip<Msp430>> for Instructions {
    fn kinds(&self) -> Vec<String> {
        let name = |kind: &Kind| match kind {
            Kind::Row(row) => format!("{} {:?}", row.mnemonic, row.operands),
            Kind::Multiplier(mode) => format!("multiplier {mode:#x}"),
        };
        self.kinds.iter().map(name).collect()
    }

    fn memories(&self) -> Vec<Range<u32>> {
        if self.extended {
            vec![DATA, UPPER]
        } else {
            vec![DATA]
        }
    }

    fn fill(&mut self, pair: &mut Pair<Chip<Msp430>>, rng: &mut Rng) {
        for memory in self.memories() {
            let bytes: Vec<u8> = memory.clone().map(|_| rng.byte()).collect();
            pair.write(memory.start, &bytes);
        }
        for register in 4..16 {
            pair.set(register, rng.word() as u32 & self.register_mask());
        }
        self.set_stack(pair, rng);
    }

    fn place(&mut self, pair: &mut Pair<Chip<Msp430>>, rng: &mut Rng) -> Placed {
        if !CODE.contains(&pair.register(PC)) {
            pair.set(PC, Self::target(rng));
        }
        pair.set(SR, rng.word() as u32 & THEIR_FLAGS);
        if rng.once_in(4) {
            pair.set(4 + rng.below(12) as usize, rng.word() as u32 & self.register_mask());
        }
        self.ignored.clear();
        self.taken = None;
        let number = rng.below(self.kinds.len() as u32) as usize;
        self.own.clear();
        match self.kinds[number] {
            Kind::Row(row) => self.make(pair, row, rng),
            Kind::Multiplier(mode) => self.multiply(mode, rng),
        }
        let word = if self.length_words == 2 { self.word.rotate_left(16) } else { self.word };
        let mut code = word.to_le_bytes()[..2 * self.length_words as usize].to_vec();
        code.extend(self.own.iter().flat_map(|word| word.to_le_bytes()));
        pair.write(pair.register(PC), &code);
        Placed { kind: Some(number), code, ignored: self.ignored.clone(), ..Placed::default() }
    }
}
