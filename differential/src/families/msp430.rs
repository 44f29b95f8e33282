//! Random MSP430 and MSP430X instructions beside gdb's simulator.

use super::Entry;
use crate::chip::{words, Chip, Family};
use crate::images::{Beside, Images, Start};
use crate::layout;
use crate::protocol::{Layout, Reference};
use crate::references::gdb::Simulator;
use crate::rng::Rng;
use crate::stream::{self, Asked, Generator, Outcome, Pair, Placed, Stream};
use serde_json::json;
use std::ops::Range;
use steelyard_emu::msp430::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::msp430;
use steelyard_emu::{emulated::Emulated, Description, Error};

/// `msp430x` has the MSP430's instructions too.
pub const FAMILY: Entry = Entry::new::<Chip<Msp430>>("msp430", &[stream("msp430"), stream("msp430x")]);

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
    type Cpu = Cpu;
    const LAYOUT: Layout = layout!(little; 4: "pc" 0, "sp" 1, "sr" 2, "r3" 3, "r4" 4, "r5" 5, "r6" 6, "r7" 7, "r8" 8,
        "r9" 9, "r10" 10, "r11" 11, "r12" 12, "r13" 13, "r14" 14, "r15" 15);

    fn chip(description: &Description) -> Result<Emulated<Cpu>, Error> {
        msp430::chip(description)
    }

    fn register(cpu: &Cpu, index: usize) -> u32 {
        let value = cpu.registers[index];
        if index != SR {
            return value;
        }
        let overflow = if value & OVERFLOW == 0 { 0 } else { THEIR_OVERFLOW };
        value & !(OVERFLOW | THEIR_OVERFLOW) | overflow
    }

    fn set_register(cpu: &mut Cpu, index: usize, value: u32) {
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

/// Width of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    Byte,
    Word,
    Address,
}

impl Size {
    fn suffix(self) -> &'static str {
        match self {
            Size::Byte => ".b",
            Size::Word => "",
            Size::Address => ".a",
        }
    }
}

/// A group of instructions that are made alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Number of the instruction of two operands from `mov` on; extended or not.
    Double(u16, Size, bool),
    /// Number of the instruction of one operand from `rrc` on, `rru` being 8.
    Single(u16, Size, bool),
    Call,
    Ret,
    Branch,
    Reti,
    Jump(u16),
    /// One after the other: the multiplier's first operand, at the address of a mode, its second operand, its results.
    Multiplier(u16),
    /// Number in the digit before the last of the instructions that begin with a zero digit.
    Address(u16),
    /// Number of the shift, by several places.
    Shifts(u16, bool),
    Pushm(bool),
    Popm(bool),
    Calla(u16),
}

const DOUBLE: [&str; 12] = ["mov", "add", "addc", "subc", "sub", "cmp", "dadd", "bit", "bic", "bis", "xor", "and"];
const SINGLE: [&str; 9] = ["rrc", "swpb", "rra", "sxt", "push", "", "", "", "rru"];
const JUMPS: [&str; 8] = ["jne", "jeq", "jnc", "jc", "jn", "jge", "jl", "jmp"];
const SHIFTS: [&str; 4] = ["rrcm", "rram", "rlam", "rrum"];
const ADDRESS: &str =
    "mova @|mova @+|mova &|mova x()|||mova to &|mova to x()|mova #|cmpa #|adda #|suba #|mova|cmpa|adda|suba";
const CALLA: [(u16, &str); 6] =
    [(4, "calla"), (5, "calla x()"), (6, "calla @"), (7, "calla @+"), (8, "calla &"), (11, "calla #")];

/// Makes instructions of all kinds.
pub struct Instructions {
    kinds: Vec<(String, Kind)>,
    extended: bool,
    /// Words of the instruction that is being made.
    words: Vec<u16>,
    ignored: Vec<(usize, u32)>,
    /// A register that must keep its value.
    taken: Option<u32>,
    /// How far the multiplier's instructions are, from its first operand on.
    multiplied: u32,
}

impl Instructions {
    fn new(extended: bool) -> Self {
        use Size::{Address, Byte, Word};
        let mut kinds: Vec<(String, Kind)> = Vec::new();
        let operands = |kinds: &mut Vec<_>, x: bool, sizes: &[Size], singles: &[(usize, &[Size])]| {
            let named = |name: &str, size: Size| format!("{name}{}{}", if x { "x" } else { "" }, size.suffix());
            for (number, name) in DOUBLE.iter().enumerate() {
                kinds.extend(sizes.iter().map(|&size| (named(name, size), Kind::Double(number as u16, size, x))));
            }
            for &(number, sizes) in singles {
                let single = |&size| (named(SINGLE[number], size), Kind::Single(number as u16, size, x));
                kinds.extend(sizes.iter().map(single));
            }
        };
        let both = [Word, Byte];
        let singles: [(usize, &[Size]); 5] = [(0, &both), (1, &[Word]), (2, &both), (3, &[Word]), (4, &both)];
        operands(&mut kinds, false, &[Byte, Word], &singles);
        let mut one = |name: &str, kind: Kind| kinds.push((name.to_owned(), kind));
        one("call", Kind::Call);
        one("ret", Kind::Ret);
        one("br", Kind::Branch);
        (0..).zip(JUMPS).for_each(|(number, name)| one(name, Kind::Jump(number)));
        // What the simulator accumulates begins at zero, not with the last product: those modes are left out.
        [MPY, MPYS].into_iter().for_each(|mode| one(&format!("multiplier {mode:#x}"), Kind::Multiplier(mode)));
        if !extended {
            one("reti", Kind::Reti);
        } else {
            let every = [Byte, Word, Address];
            let long = [Word, Address];
            let singles: [(usize, &[Size]); 6] =
                [(0, &every), (2, &every), (4, &every), (8, &every), (1, &long), (3, &long)];
            operands(&mut kinds, true, &every, &singles);
            let mut one = |name: &str, kind: Kind| kinds.push((name.to_owned(), kind));
            let addresses = (0..).zip(ADDRESS.split('|')).filter(|(_, name)| !name.is_empty());
            addresses.for_each(|(number, name)| one(name, Kind::Address(number)));
            for size in [Word, Address] {
                let (suffix, is_address) = (size.suffix(), size == Address);
                let shifts = (0..).zip(SHIFTS);
                shifts.for_each(|(number, name)| one(&format!("{name}{suffix}"), Kind::Shifts(number, is_address)));
                one(&format!("pushm{suffix}"), Kind::Pushm(is_address));
                one(&format!("popm{suffix}"), Kind::Popm(is_address));
            }
            CALLA.into_iter().for_each(|(mode, name)| one(name, Kind::Calla(mode)));
        }
        Instructions { kinds, extended, words: Vec::new(), ignored: Vec::new(), taken: None, multiplied: 5 }
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
        pair.register(PC) + 2 * self.words.len() as u32
    }

    /// The status register is read as a whole, and its overflow flag is elsewhere in the simulator.
    fn without_overflow(&self, pair: &mut Pair<Chip<Msp430>>) {
        pair.set(SR, pair.register(SR) & !THEIR_OVERFLOW);
    }

    /// An operand of one of the modes from register to autoincrement: its mode, register, and upper bits of its word.
    fn operand(
        &mut self,
        pair: &mut Pair<Chip<Msp430>>,
        modes: u32,
        size: Size,
        wide: bool,
        rng: &mut Rng,
    ) -> (u16, u32, u16) {
        let mode = rng.below(modes);
        let target = self.address(size, rng);
        // What an index of 16 bits reaches.
        let target = if wide { target } else { target & 0x3ff | DATA.start };
        let absolute = target & if wide { 0xf_ffff } else { 0xffff };
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
                (0, register, 0)
            }
            1 if rng.once_in(4) => {
                let here = self.next_word(pair);
                let index = absolute.wrapping_sub(here) & 0xf_ffff;
                self.words.push(index as u16);
                (1, 0, if wide { (index >> 16) as u16 } else { 0 })
            }
            1 if rng.once_in(3) => {
                self.words.push(absolute as u16);
                (1, 2, (absolute >> 16) as u16)
            }
            1 => {
                let register = self.general(rng);
                let index = if wide { rng.word() as u32 & 0xf_ffff } else { i32::from(rng.word() as i16) as u32 };
                let base = absolute.wrapping_sub(index) & self.register_mask();
                // Below 64 KB the sum stays below; above it does not wrap into it.
                let base = if wide { base } else { base & 0xffff };
                pair.set(register as usize, base);
                self.taken = Some(register);
                self.words.push(index as u16);
                (1, register, (index >> 16 & 15) as u16)
            }
            2 | 3 if mode == 3 && rng.once_in(3) => {
                let value = rng.word() as u32;
                self.words.push(value as u16);
                (3, 0, if wide { (value >> 16 & 15) as u16 } else { 0 })
            }
            _ if rng.once_in(5) => (mode as u16, 2 + rng.below(2), 0),
            _ => {
                let register = self.general(rng);
                pair.set(register as usize, target & self.register_mask());
                self.taken = Some(register);
                (mode as u16, register, 0)
            }
        }
    }

    /// The extension word: of an instruction between registers, or with the upper bits of its own words.
    fn extension(size: Size, between_registers: bool, high: (u16, u16), rng: &mut Rng) -> u16 {
        let length = if size == Size::Address { 0 } else { 0x40 };
        let low = if !between_registers {
            high.0 << 7 | high.1
        } else if rng.once_in(3) {
            // So many further times, or as many as a register says.
            rng.below(4) as u16 | if rng.once_in(2) { 0x84 } else { 0 }
        } else {
            0
        };
        0x1800 | length | low
    }

    fn double(&mut self, pair: &mut Pair<Chip<Msp430>>, number: u16, size: Size, extended: bool, rng: &mut Rng) {
        self.words = vec![0; 1 + usize::from(extended)];
        let (source_mode, source, source_high) = self.operand(pair, 4, size, extended, rng);
        let to_memory = rng.once_in(2);
        let mut destination_high = 0;
        let destination = if to_memory {
            self.memory_destination(pair, size, extended, &mut destination_high, rng)
        } else if source_mode == 3 {
            // The simulator reads the destination before it increases the source's register.
            self.general(rng)
        } else {
            match rng.below(12) {
                0 if matches!(number, 5 | 7) && !extended => {
                    self.without_overflow(pair);
                    rng.below(4)
                }
                // To write a zero byte there is the simulator's breakpoint.
                0 if number != 0 && !extended => 3,
                1 if size != Size::Byte && !extended => 1,
                _ => 4 + rng.below(12),
            }
        };
        if !to_memory && destination == 3 {
            // What goes there is lost; the simulator keeps it.
            self.ignored.push((3, u32::MAX));
        }
        if !to_memory && destination == 1 {
            // The lowest bit of the stack pointer is no bit.
            self.ignored.push((SP, 1));
        }
        let byte = if size == Size::Word { 0 } else { 0x40 };
        let opcode = (number + 4) << 12 | (source as u16) << 8 | byte | source_mode << 4 | destination as u16;
        let at = usize::from(extended);
        self.words[at] = opcode | if to_memory { 0x80 } else { 0 };
        if extended {
            let between_registers = source_mode == 0 && !to_memory;
            self.words[0] = Self::extension(size, between_registers, (source_high, destination_high), rng);
        }
        if matches!(number, 4 | 7 | 11) {
            // Of `sub` the simulator forgets it, of `and` and `bit` it takes the sign for it.
            self.ignored.push((SR, THEIR_OVERFLOW));
        }
    }

    /// `dadd` of decimal numbers: for others its result is undefined.
    fn decimal(&mut self, pair: &mut Pair<Chip<Msp430>>, size: Size, extended: bool, rng: &mut Rng) {
        let (source, destination) = (self.general(rng), 4 + rng.below(12));
        for register in [source, destination] {
            // The simulator's sums have four digits.
            let limit = if size == Size::Address { 4 } else { 10 };
            let digits = (0..4).fold(0, |number, _| number << 4 | rng.below(limit));
            pair.set(register as usize, digits);
        }
        let byte = if size == Size::Word { 0 } else { 0x40 };
        self.words = vec![0xa000 | (source << 8) as u16 | byte | destination as u16];
        if extended {
            self.words.insert(0, 0x1800 | if size == Size::Address { 0 } else { 0x40 });
        }
        self.ignored.push((SR, THEIR_OVERFLOW));
    }

    fn memory_destination(
        &mut self,
        pair: &mut Pair<Chip<Msp430>>,
        size: Size,
        wide: bool,
        high: &mut u16,
        rng: &mut Rng,
    ) -> u32 {
        loop {
            let before = self.words.len();
            let (mode, register, upper) = self.operand(pair, 2, size, wide, rng);
            if mode == 1 {
                *high = upper;
                return register;
            }
            self.words.truncate(before);
        }
    }

    fn single(&mut self, pair: &mut Pair<Chip<Msp430>>, number: u16, size: Size, extended: bool, rng: &mut Rng) {
        let pushes = number == 4;
        if pushes {
            self.set_stack(pair, rng);
        }
        self.words = vec![0; 1 + usize::from(extended)];
        let (mode, register, high) = loop {
            self.words.truncate(1 + usize::from(extended));
            let (mode, register, high) =
                if extended { self.below_64_kb(pair, size, rng) } else { self.operand(pair, 4, size, false, rng) };
            // What is changed is no constant; a `rru` is one of registers; the simulator increases twice.
            let is_changeable = mode == 0 && register >= 4 || mode == 1 || mode == 2 && register >= 4;
            // Of 20 bits in memory it swaps 16 and loses the rest.
            let is_known = number != 8 && (number != 1 || size != Size::Address) || mode == 0;
            if (pushes || is_changeable) && is_known {
                break (mode, register, high);
            }
        };
        match number {
            // The simulator takes the sign for an overflow; of `sxt` its carry is never set.
            3 => {
                self.ignored.push((SR, THEIR_OVERFLOW | CARRY));
                if mode == 0 {
                    // It extends no further than to 16 bits, whereas a register is filled to its end.
                    self.ignored.push((register as usize, 0xf_0000));
                }
            }
            0 | 2 | 8 => self.ignored.push((SR, THEIR_OVERFLOW)),
            // It loses the upper bits of 20.
            1 if size == Size::Address && mode == 0 => self.ignored.push((register as usize, 0xf_0000)),
            _ => {}
        }
        // The 20-bit forms of `swpb` and `sxt` are told by the extension word alone.
        let has_byte_bit = size != Size::Word && !matches!(number, 1 | 3);
        let byte = if has_byte_bit { 0x40 } else { 0 };
        let at = usize::from(extended);
        self.words[at] = 0x1000 | (number & 7) << 7 | byte | mode << 4 | register as u16;
        if extended {
            self.words[0] = Self::extension(size, mode == 0 && !pushes, (0, high), rng);
            if number == 8 {
                self.words[0] |= 0x100;
            }
        }
    }

    /// The operand of an extended instruction of one operand. The simulator takes the upper bits of its word from
    /// other bits of the extension word than the manual says, so these are zero.
    fn below_64_kb(&mut self, pair: &mut Pair<Chip<Msp430>>, size: Size, rng: &mut Rng) -> (u16, u32, u16) {
        if !rng.once_in(3) {
            return self.operand(pair, 1, size, true, rng);
        }
        let address = self.address(size, rng);
        if rng.once_in(2) {
            self.words.push((address & 0x3ff | DATA.start) as u16);
            return (1, 2, 0);
        }
        let register = self.general(rng);
        pair.set(register as usize, address);
        (2, register, 0)
    }

    fn set_stack(&mut self, pair: &mut Pair<Chip<Msp430>>, rng: &mut Rng) {
        let pointer = DATA.start + 0x100 + 2 * rng.below(0x100);
        pair.set(SP, pointer);
    }

    fn target(rng: &mut Rng) -> u32 {
        CODE.start + 2 * rng.below((CODE.end - CODE.start) / 2)
    }

    /// A word, or two, at an address.
    fn put(pair: &mut Pair<Chip<Msp430>>, address: u32, value: u32, bytes: usize) {
        pair.write(address, &value.to_le_bytes()[..bytes]);
    }

    fn make(&mut self, pair: &mut Pair<Chip<Msp430>>, kind: Kind, rng: &mut Rng) {
        match kind {
            Kind::Double(6, size, extended) => self.decimal(pair, size, extended, rng),
            Kind::Double(number, size, extended) => self.double(pair, number, size, extended, rng),
            Kind::Single(number, size, extended) => self.single(pair, number, size, extended, rng),
            Kind::Jump(number) => {
                // A jump to itself ends the simulator.
                let offset = rng.below(1023) as u16;
                self.words = vec![0x2000 | number << 10 | offset];
            }
            Kind::Call | Kind::Branch => {
                self.set_stack(pair, rng);
                let target = Self::target(rng);
                let register = self.general(rng) as u16;
                let mode = rng.below(3);
                let address = self.address(Size::Word, rng) & 0xffff;
                let is_call = kind == Kind::Call;
                let of = |mode: u16, register: u16| {
                    if is_call {
                        0x1280 | mode << 4 | register
                    } else {
                        0x4000 | register << 8 | mode << 4
                    }
                };
                match mode {
                    0 => {
                        pair.set(register as usize, target);
                        self.words = vec![of(0, register)];
                    }
                    1 => self.words = vec![of(3, 0), target as u16],
                    _ => {
                        Self::put(pair, address, target, 2);
                        pair.set(register as usize, address);
                        self.words = vec![of(if rng.once_in(2) { 2 } else { 3 }, register)];
                    }
                }
            }
            Kind::Ret => {
                self.set_stack(pair, rng);
                Self::put(pair, pair.register(SP), Self::target(rng), 2);
                self.words = vec![0x4130];
            }
            Kind::Reti => {
                self.set_stack(pair, rng);
                let status = rng.word() as u32 & 0x6f;
                Self::put(pair, pair.register(SP), status | Self::target(rng) << 16, 4);
                self.words = vec![0x1300];
            }
            Kind::Multiplier(mode) => {
                let register = self.general(rng) as u16;
                self.multiplied = (self.multiplied + 1) % 6;
                self.words = match self.multiplied {
                    0 => vec![0x4082 | register << 8, MULTIPLIER + mode],
                    1 => vec![0x4082 | register << 8, MULTIPLIER + OP2],
                    _ => vec![0x4210 | register, MULTIPLIER + RESLO + 2 * rng.below(3) as u16],
                };
            }
            Kind::Address(number) => self.address_instruction(pair, number, rng),
            Kind::Shifts(number, is_address) => {
                let register = self.general(rng) as u16;
                let count = rng.below(4) as u16;
                let length = if is_address { 0x40 } else { 0x50 };
                self.words = vec![count << 10 | number << 8 | length | register];
                self.ignored.push((SR, THEIR_OVERFLOW));
            }
            Kind::Pushm(is_address) | Kind::Popm(is_address) => {
                self.set_stack(pair, rng);
                let pops = matches!(kind, Kind::Popm(_));
                let count = 1 + rng.below(12);
                let low = 4 + rng.below(13 - count);
                let register = if pops { low } else { low + count - 1 };
                let opcode = 0x1400 | if pops { 0x200 } else { 0 } | if is_address { 0 } else { 0x100 };
                self.words = vec![opcode | ((count - 1) << 4) as u16 | register as u16];
            }
            Kind::Calla(mode) => self.calla(pair, mode, rng),
        }
    }

    fn address_instruction(&mut self, pair: &mut Pair<Chip<Msp430>>, number: u16, rng: &mut Rng) {
        let register = self.general(rng);
        let other = 4 + rng.below(12);
        let address = self.address(Size::Word, rng);
        let (mut high, mut low) = (register as u16, other as u16);
        let mut own = None;
        match number {
            0 | 1 => pair.set(register as usize, address),
            2 => {
                high = (address >> 16) as u16;
                own = Some(address as u16);
            }
            3 => {
                let index = i32::from(rng.word() as i16);
                let address = address & 0xffff;
                pair.set(register as usize, address.wrapping_add_signed(-index) & 0xf_ffff);
                own = Some(index as u16);
            }
            6 => {
                low = (address >> 16) as u16;
                own = Some(address as u16);
            }
            7 => {
                let index = i32::from(rng.word() as i16);
                let address = address & 0xffff;
                pair.set(other as usize, address.wrapping_add_signed(-index) & 0xf_ffff);
                own = Some(index as u16);
            }
            15 => self.ignored.push((SR, THEIR_OVERFLOW)),
            8..=11 => {
                if number == 11 {
                    self.ignored.push((SR, THEIR_OVERFLOW));
                }
                high = rng.below(16) as u16;
                own = Some(rng.word() as u16);
            }
            _ => {}
        }
        self.words = vec![high << 8 | number << 4 | low];
        self.words.extend(own);
    }

    fn calla(&mut self, pair: &mut Pair<Chip<Msp430>>, mode: u16, rng: &mut Rng) {
        self.set_stack(pair, rng);
        let register = self.general(rng);
        let target = Self::target(rng);
        let address = self.address(Size::Word, rng);
        // The simulator takes it for a number without sign.
        let index = i32::from(rng.word() as i16 & i16::MAX);
        let below = address & 0x3ff | DATA.start;
        let mut low = register as u16;
        let mut own = None;
        match mode {
            4 => pair.set(register as usize, target),
            5 => {
                Self::put(pair, below, target, 4);
                pair.set(register as usize, below.wrapping_add_signed(-index) & 0xffff);
                own = Some(index as u16);
            }
            6 | 7 => {
                Self::put(pair, address, target, 4);
                pair.set(register as usize, address);
            }
            8 => {
                Self::put(pair, address, target, 4);
                low = (address >> 16) as u16;
                own = Some(address as u16);
            }
            _ => {
                low = (target >> 16) as u16;
                own = Some(target as u16);
            }
        }
        self.words = vec![0x1300 | mode << 4 | low];
        self.words.extend(own);
    }
}

impl Generator<Chip<Msp430>> for Instructions {
    fn kinds(&self) -> Vec<String> {
        self.kinds.iter().map(|(name, _)| name.clone()).collect()
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
        self.make(pair, self.kinds[number].1, rng);
        let code: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        pair.write(pair.register(PC), &code);
        Placed { kind: Some(number), code, ignored: self.ignored.clone(), ..Placed::default() }
    }
}
