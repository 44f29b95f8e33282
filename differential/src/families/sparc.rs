//! SPARC beside sis: semantics and clocks of an ERC32.
//!
//! sis also executes the multiplications and divisions of V8, so a second stream compares their meaning; their clocks
//! are no other chip's.

use super::Entry;
use crate::chip::{bare, Chip, Family};
use crate::images::{compare, Beside, Go, Images, Start};
use crate::{layout, units};
use crate::programs::{self, Unit, Units, BASE};
use crate::protocol::{Batch, Layout, Reference, Until};
use crate::references::gdb::Simulator;
use crate::references::unicorn::{self, Model};
use crate::rng::Rng;
use crate::speed::speeds;
use crate::stream::{self, Asked, Generator, Outcome, Pair, Placed, Stream};
use serde_json::json;
use std::ops::Range;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::sparc::cpu::{Cpu, C, N, RETURN_ADDRESS, V, Z};
use steelyard_emu::sparc::decode::{decode, Op};
use steelyard_emu::sparc::timing::Architecture;
use steelyard_emu::sparc::{self, windows::WINDOWS};
use steelyard_emu::{emulated::Emulated, Description, Error};

pub const FAMILY: Entry = Entry {
    name: "sparc",
    streams: &[
        Stream { name: "erc32", layout: Erc32::LAYOUT, reference: |_| sis(), run: run_stepped },
        Stream { name: "sparc-v8", layout: Erc32::LAYOUT, reference: |_| sis(), run: run_stepped },
        Stream { name: "leon2", layout: Leon::LAYOUT, reference: |_| programs::reference(MODEL), run: run_programs },
    ],
    compare: |target, job| match target.id.as_str() {
        "erc32" => compare::<Chip<Erc32>>(target, job),
        _ => compare::<Chip<Leon>>(target, job),
    },
    speeds: |target, job| match target.id.as_str() {
        "erc32" => speeds::<Chip<Erc32>>(target, job),
        _ => speeds::<Chip<Leon>>(target, job),
    },
};

/// `UC_MODE_SPARC32` and `UC_MODE_BIG_ENDIAN`.
const MODEL: Model = Model { architecture: unicorn::SPARC, mode: 1 << 30 | 4, cpu: None, pc: 88, mark: 0 };

/// ERC32's RAM as sis has it.
const RAM: u32 = 0x0200_0000;
const RAM_BYTES: u32 = 0x2_0000;
const CODE: Range<u32> = RAM + 0x1000..RAM + 0x9000;
const DATA: Range<u32> = RAM + 0x1_0000..RAM + 0x1_1000;
const NOP: u32 = 0x0100_0000;

/// Supervisor, traps on; version 1, implementation 1 as sis has them.
const PSR: u32 = 0x1100_00a0;
const PSR_CODES: u32 = 20;
const PSR_WINDOW: u32 = 7;
const PSR_WRITABLE: u32 = 0xf << PSR_CODES | PSR_WINDOW;

const SP: usize = 14;
/// What each window has for itself.
const WINDOW: Range<usize> = 8..24;
const Y: usize = 32;
const PSR_INDEX: usize = 33;
const WIM: usize = 34;
const PC: usize = 35;
const NPC: usize = 36;

fn sis() -> Result<Box<dyn Reference>, String> {
    Ok(Box::new(Simulator::start("sparc", &[])?))
}

/// Sets the board of sis up, registers too, which its first instruction does.
fn reset(reference: &mut dyn Reference) -> Result<(), String> {
    let mut start = Batch::default();
    start.layout(&Erc32::LAYOUT);
    start.write(RAM, &[NOP.to_be_bytes(), NOP.to_be_bytes()].concat());
    start.set(PC, RAM);
    start.set(NPC, RAM + 4);
    start.run(Until::Instructions(1));
    reference.exchange(start.bytes()).map(drop)
}

/// An ERC32 as sis is one.
pub struct Erc32;

impl Family for Erc32 {
    type Cpu = Cpu<Immediate>;
    const LAYOUT: Layout = layout!(big; 4:
        "g0" 0, "g1" 1, "g2" 2, "g3" 3, "g4" 4, "g5" 5, "g6" 6, "g7" 7, "o0" 8, "o1" 9, "o2" 10, "o3" 11, "o4" 12,
        "o5" 13, "sp" 14, "o7" 15, "l0" 16, "l1" 17, "l2" 18, "l3" 19, "l4" 20, "l5" 21, "l6" 22, "l7" 23, "i0" 24,
        "i1" 25, "i2" 26, "i3" 27, "i4" 28, "i5" 29, "fp" 30, "i7" 31, "y" 64, "psr" 65, "wim" 66, "pc" 68, "npc" 69);

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, Error> {
        sparc::chip(description, Immediate)
    }

    fn register(cpu: &Self::Cpu, index: usize) -> u32 {
        match index {
            Y => cpu.y,
            PSR_INDEX => PSR | cpu.nzvc << PSR_CODES | cpu.windows.current as u32,
            WIM => 0,
            PC => cpu.pc,
            NPC => cpu.npc,
            number => cpu.registers[number],
        }
    }

    fn set_register(cpu: &mut Self::Cpu, index: usize, value: u32) {
        match index {
            0 | WIM => {}
            Y => cpu.y = value,
            PSR_INDEX => {
                cpu.nzvc = value >> PSR_CODES & (N | Z | V | C);
                cpu.windows.switch(&mut cpu.registers[..32], (value & PSR_WINDOW) as usize);
            }
            PC => cpu.pc = value,
            NPC => cpu.npc = value,
            number => cpu.registers[number] = value,
        }
    }

    fn step(cpu: &mut Self::Cpu) -> Exit {
        // sis has no invalid window here: the ring is never spilled.
        cpu.windows.can_save = WINDOWS as u32;
        cpu.windows.can_restore = WINDOWS as u32;
        // What comes behind an annulled instruction is the same step.
        let limit = cpu.cycles + 1 + if cpu.annul { u64::from(cpu.core.cost.annulled) } else { 0 };
        cpu.run(&mut Nothing, limit)
    }
}

/// Static data: behind a call the stack holds windows that no reference spills.
fn without_stack(ram: Range<u32>, end: u32) -> Range<u32> {
    ram.start..if ram.contains(&end) { end } else { ram.end }
}

impl Images for Erc32 {
    const RETURN_ADDRESS: u32 = RETURN_ADDRESS;

    const BESIDE: &'static [Start] = &[|_| {
        let mut reference = sis()?;
        reset(reference.as_mut())?;
        let mut beside = Beside::stepped(reference, Self::LAYOUT, &[]);
        beside.how.placed.clocks = true;
        Ok(Beside { go: Go::Count, ..beside })
    }];

    fn alike(ram: Range<u32>, end: u32) -> Range<u32> {
        without_stack(ram, end)
    }
}

/// How an instruction is made usable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sethi,
    Branch,
    Call,
    /// Two operands.
    Plain,
    /// Two operands that must not overflow.
    Tagged,
    Divide,
    Mulscc,
    ReadY,
    WriteY,
    Jump,
    Trap,
    Barrier,
    /// A load or store of so many bytes, eight of which are a pair of registers.
    Memory(u32),
}

/// Kinds of instructions by what makes them usable: name and opcode bits (`op3`) of each.
macro_rules! kinds {
    ($($kind:expr => $($name:literal $op3:literal),+);+ $(;)?) => { &[$($(($name, $op3, $kind)),+),+] };
}

const KINDS: &[(&str, u32, Kind)] = kinds![
    Kind::Sethi => "sethi" 0;
    Kind::Branch => "branch" 0;
    Kind::Call => "call" 0;
    Kind::Plain => "add" 0x00, "and" 0x01, "or" 0x02, "xor" 0x03, "sub" 0x04, "andn" 0x05, "orn" 0x06, "xnor" 0x07,
        "addx" 0x08, "subx" 0x0c, "addcc" 0x10, "andcc" 0x11, "orcc" 0x12, "xorcc" 0x13, "subcc" 0x14, "andncc" 0x15,
        "orncc" 0x16, "xnorcc" 0x17, "addxcc" 0x18, "subxcc" 0x1c, "taddcc" 0x20, "tsubcc" 0x21;
    Kind::Tagged => "taddcctv" 0x22, "tsubcctv" 0x23;
    Kind::Mulscc => "mulscc" 0x24;
    Kind::Plain => "sll" 0x25, "srl" 0x26, "sra" 0x27;
    Kind::ReadY => "rd y" 0x28;
    Kind::WriteY => "wr y" 0x30;
    Kind::Jump => "jmpl" 0x38;
    Kind::Trap => "ticc" 0x3a;
    Kind::Barrier => "flush" 0x3b;
    Kind::Plain => "save" 0x3c, "restore" 0x3d;
    Kind::Memory(4) => "ld" 0x00;
    Kind::Memory(1) => "ldub" 0x01;
    Kind::Memory(2) => "lduh" 0x02;
    Kind::Memory(8) => "ldd" 0x03;
    Kind::Memory(4) => "st" 0x04;
    Kind::Memory(1) => "stb" 0x05;
    Kind::Memory(2) => "sth" 0x06;
    Kind::Memory(8) => "std" 0x07;
    Kind::Memory(1) => "ldsb" 0x09;
    Kind::Memory(2) => "ldsh" 0x0a;
    Kind::Memory(1) => "ldstub" 0x0d;
    Kind::Memory(4) => "swap" 0x0f;
];

/// Those that V8 adds.
const V8_KINDS: &[(&str, u32, Kind)] = kinds![
    Kind::Plain => "umul" 0x0a, "smul" 0x0b, "umulcc" 0x1a, "smulcc" 0x1b;
    Kind::Divide => "udiv" 0x0e, "sdiv" 0x0f, "udivcc" 0x1e, "sdivcc" 0x1f;
];

const TSUBCCTV: u32 = 0x23;
const UMULCC: u32 = 0x1a;
const SMULCC: u32 = 0x1b;

struct Stepped {
    kinds: Vec<(&'static str, u32, Kind)>,
    architecture: Architecture,
}

/// An address in a range, a multiple of `step`.
fn within(rng: &mut Rng, range: &Range<u32>, step: u32) -> u32 {
    range.start + rng.below((range.end - range.start) / step) * step
}

fn is_signed(op3: u32) -> bool {
    op3 & 1 == 1
}

impl Stepped {
    /// Registers of the second operand and its bits of the word, made such that their sum with rs1 is an address.
    fn aim(&self, pair: &mut Pair<Chip<Erc32>>, rng: &mut Rng, address: u32, step: u32) -> u32 {
        let base = 1 + rng.below(31);
        if rng.once_in(2) {
            let offset = rng.below(0x2000) / step * step;
            pair.set(base as usize, address.wrapping_sub(((offset << 19) as i32 >> 19) as u32));
            return base << 14 | 1 << 13 | offset;
        }
        let mut index = rng.below(32);
        if pair.register(index as usize) % step != 0 || index == base && address / 2 % step != 0 {
            index = 0;
        }
        let offset = if index == base { address / 2 } else { pair.register(index as usize) };
        pair.set(base as usize, address.wrapping_sub(offset));
        if index == base {
            // Twice the register: an even address.
            pair.set(base as usize, address / 2);
        }
        base << 14 | index
    }
}

impl Generator<Chip<Erc32>> for Stepped {
    fn kinds(&self) -> Vec<String> {
        self.kinds.iter().map(|(name, ..)| (*name).to_owned()).collect()
    }

    fn memories(&self) -> Vec<Range<u32>> {
        [DATA].to_vec()
    }

    fn fill(&mut self, pair: &mut Pair<Chip<Erc32>>, rng: &mut Rng) {
        let bytes: Vec<u8> = DATA.map(|_| rng.byte()).collect();
        pair.write(DATA.start, &bytes);
        pair.set(WIM, 0);
        pair.set(PSR_INDEX, PSR | rng.word() as u32 & PSR_WRITABLE);
        pair.set(Y, rng.value());
        for register in 1..32 {
            pair.set(register, rng.value());
        }
        if !pair.subject.cpu().annul {
            let pc = within(rng, &CODE, 4);
            pair.set(PC, pc);
            pair.set(NPC, pc + 4);
        }
    }

    fn place(&mut self, pair: &mut Pair<Chip<Erc32>>, rng: &mut Rng) -> Placed {
        let number = rng.below(self.kinds.len() as u32) as usize;
        let (_, op3, kind) = self.kinds[number];
        // Behind an annulled instruction comes the one at npc.
        let at = if pair.subject.cpu().annul { pair.register(NPC) } else { pair.register(PC) };
        let rd = rng.below(32);
        // A register or 13 bits.
        let free = if rng.once_in(2) { rng.below(32) } else { 1 << 13 | rng.below(0x2000) };
        let plain = |op: u32, rd: u32, rest: u32| op << 30 | rd << 25 | op3 << 19 | rest;
        let rs1 = rng.below(32) << 14;
        let word = match kind {
            Kind::Sethi => rng.below(32) << 25 | 4 << 22 | rng.below(1 << 22),
            Kind::Branch => {
                let target = within(rng, &CODE, 4);
                rng.below(32) << 25 | 2 << 22 | target.wrapping_sub(at) >> 2 & 0x3f_ffff
            }
            Kind::Call => 1 << 30 | within(rng, &CODE, 4).wrapping_sub(at) >> 2 & 0x3fff_ffff,
            Kind::Plain | Kind::Mulscc => plain(2, rd, rs1 | free),
            Kind::Tagged => {
                // Small and without tags.
                let (first, second) = (1 + rng.below(31), 1 + rng.below(31));
                let small = [rng.below(1 << 27) << 2, rng.below(1 << 27) << 2];
                // sis takes the condition codes of a tagged difference for those of a sum, and
                // with them the overflow, which no difference of these gives.
                pair.set(first as usize, small[0] | 1 << 30);
                pair.set(second as usize, small[1]);
                plain(2, rd, first << 14 | second)
            }
            Kind::Divide => {
                let (first, second) = (1 + rng.below(31), 1 + rng.below(31));
                let mut divisor = rng.value().max(1);
                pair.set(first as usize, rng.value());
                if first == second {
                    divisor = pair.register(first as usize).max(1);
                }
                pair.set(second as usize, divisor);
                // sis does not limit a quotient that is too large: Unicorn is asked those.
                let dividend = pair.register(first as usize);
                if is_signed(op3) {
                    pair.set(Y, (dividend as i32 >> 31) as u32);
                    if dividend == 1 << 31 && divisor == u32::MAX {
                        pair.set(first as usize, 1);
                        pair.set(Y, 0);
                    }
                } else {
                    pair.set(Y, rng.value() % pair.register(second as usize));
                }
                plain(2, rd, first << 14 | second)
            }
            Kind::ReadY => plain(2, rd, 0),
            Kind::WriteY => plain(2, 0, rs1 | free),
            Kind::Jump => {
                // sis asks that the first register alone be a multiple of four.
                let target = within(rng, &CODE, 4);
                let rest = self.aim(pair, rng, target, 4);
                plain(2, rd, rest)
            }
            Kind::Trap => {
                // Of a condition that does not hold, "never" among them: the opposite of one that does.
                let condition = rng.below(16);
                let opposite = if holds(condition, pair.subject.cpu().nzvc) { condition ^ 8 } else { condition };
                plain(2, opposite, 1 << 13 | 1)
            }
            Kind::Barrier => plain(2, 0, 0),
            Kind::Memory(bytes) => {
                let address = within(rng, &DATA, bytes);
                let rest = self.aim(pair, rng, address, 1);
                plain(3, if bytes == 8 { rd & !1 } else { rd }, rest)
            }
        };
        // What is read twice may have come out odd.
        let word = match (kind, decode(word, at, self.architecture).op) {
            (Kind::Memory(_) | Kind::Jump, _) if !self.lands(pair, word, kind) => NOP,
            (_, Op::Illegal) => NOP,
            _ => word,
        };
        pair.write(at, &word.to_be_bytes());
        let ignored = match (op3, kind) {
            (TSUBCCTV, Kind::Tagged) => vec![(PSR_INDEX, 0xf << PSR_CODES)],
            // sis leaves the carry and the overflow as they are; Unicorn clears them.
            (UMULCC | SMULCC, Kind::Plain) => vec![(PSR_INDEX, (C | V) << PSR_CODES)],
            _ => Vec::new(),
        };
        let clocks = self.architecture == Architecture::V7;
        Placed { kind: Some(number), code: word.to_be_bytes().to_vec(), ignored, clocks, ..Placed::default() }
    }
}

/// Whether a condition holds, told apart from the emulator.
fn holds(condition: u32, nzvc: u32) -> bool {
    let [n, z, v, c] = [N, Z, V, C].map(|flag| nzvc & flag != 0);
    let positive = match condition & 7 {
        0 => false,
        1 => z,
        2 => z || (n ^ v),
        3 => n ^ v,
        4 => c || z,
        5 => c,
        6 => n,
        _ => v,
    };
    positive != (condition >= 8)
}

impl Stepped {
    /// Whether the address an instruction computes is in the range it is meant for.
    fn lands(&self, pair: &Pair<Chip<Erc32>>, word: u32, kind: Kind) -> bool {
        let register = |low: u32| pair.register((word >> low & 31) as usize);
        let second = if word >> 13 & 1 == 1 { ((word << 19) as i32 >> 19) as u32 } else { register(0) };
        let address = register(14).wrapping_add(second);
        match kind {
            Kind::Memory(bytes) => DATA.contains(&address) && address % bytes == 0,
            _ => CODE.contains(&address) && address % 4 == 0,
        }
    }
}

fn run_stepped(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let is_v8 = asked.name == "sparc-v8";
    let mut core = asked.catalogue.core("tsc691")?;
    core["architecture"] = json!(if is_v8 { "v8" } else { "v7" });
    let architecture = if is_v8 { Architecture::V8 } else { Architecture::V7 };
    let mut kinds = KINDS.to_vec();
    if is_v8 {
        kinds.extend(V8_KINDS);
    }
    reset(reference)?;
    let ram = RAM..RAM + RAM_BYTES;
    let mut pair = Pair::new(Chip::<Erc32>::new(&bare(core, &[ram])?)?, Erc32::LAYOUT);
    // A window that no batch has filled yet holds what the reset left there.
    for window in 0..WINDOWS {
        pair.set(PSR_INDEX, PSR | window as u32);
        WINDOW.for_each(|index| pair.set(index, 0));
    }
    stream::run(&mut pair, &mut Stepped { kinds, architecture }, reference, asked.seed, asked.instructions)
}

/// A SPARC as Unicorn is one, which shows neither %y nor the condition codes, and at the end of a run another program
/// counter.
pub struct Leon;

const LEON_PC: usize = 32;

impl Family for Leon {
    type Cpu = Cpu<Immediate>;
    const LAYOUT: Layout = layout!(big; 4:
        "g0" 53, "g1" 54, "g2" 55, "g3" 56, "g4" 57, "g5" 58, "g6" 59, "g7" 60, "o0" 78, "o1" 79, "o2" 80, "o3" 81,
        "o4" 82, "o5" 83, "sp" 84, "o7" 85, "l0" 70, "l1" 71, "l2" 72, "l3" 73, "l4" 74, "l5" 75, "l6" 76, "l7" 77,
        "i0" 61, "i1" 62, "i2" 63, "i3" 64, "i4" 65, "i5" 66, "fp" 67, "i7" 68, "pc" 88);

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, Error> {
        Erc32::chip(description)
    }

    fn register(cpu: &Self::Cpu, index: usize) -> u32 {
        match index {
            LEON_PC => cpu.pc,
            number => cpu.registers[number],
        }
    }

    fn set_register(cpu: &mut Self::Cpu, index: usize, value: u32) {
        match index {
            0 => {}
            LEON_PC => cpu.set_pc(value),
            number => cpu.registers[number] = value,
        }
    }
}

impl Images for Leon {
    const RETURN_ADDRESS: u32 = RETURN_ADDRESS;

    const BESIDE: &'static [Start] = &[|target| {
        let mut beside = Beside::unicorn(MODEL, target, RETURN_ADDRESS, Self::LAYOUT)?;
        // It has no invalid window: what a deep call spills is lost there.
        beside.how.placed.ignored = (0..=LEON_PC).map(|index| (index, u32::MAX)).collect();
        Ok(Beside { stack: false, ..beside })
    }];

    fn alike(ram: Range<u32>, end: u32) -> Range<u32> {
        without_stack(ram, end)
    }
}

fn run_programs(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    programs::run(Programs { rng: Rng::new(asked.seed) }, asked.catalogue.core("leon2")?, asked, reference)
}

/// Big-endian bytes of words.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// An instruction with two registers.
fn registers(op: u32, op3: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    op << 30 | rd << 25 | op3 << 19 | rs1 << 14 | rs2
}

/// An instruction with a register and 13 bits.
fn immediate(op: u32, op3: u32, rd: u32, rs1: u32, value: u32) -> u32 {
    registers(op, op3, rd, rs1, 1 << 13 | value & 0x1FFF)
}

const STACK_POINTER: u32 = 14;
const O7: u32 = 15;
/// The middle of the data.
const FP: u32 = 30;
const FRAME_BYTES: u32 = 96;
/// Offset from the middle of the data of what the end of a program stores.
const RESULT: u32 = 0x800;

struct Programs {
    rng: Rng,
}

/// Makes the words of a unit of the random programs.
type Make = Box<dyn Fn(&mut Programs) -> Vec<u8>>;

impl Units for Programs {
    type Of = Leon;

    fn units(&self) -> Vec<Unit<Self>> {
        let made = |name: &str, make: Make| (name.to_owned(), 1, make);
        let kinds = KINDS.iter().chain(V8_KINDS).filter_map(|&(name, op3, kind)| match kind {
            // Behind a logic operation or a division Unicorn leaves that one's condition codes, and sis does
            // not; behind a sum it makes its own.
            Kind::Plain if matches!(op3, 0x18 | 0x1c) => Some(made(name, Box::new(move |units| {
                let sum = registers(2, 0x10, 0, units.free(&[]), units.free(&[]));
                words(&[sum, units.plain(op3)])
            }))),
            Kind::Plain | Kind::Mulscc if op3 < 0x3c => {
                Some(made(name, Box::new(move |units| words(&[units.plain(op3)]))))
            }
            Kind::Divide => Some(made(name, Box::new(move |units| {
                let divisor = units.free(&[]);
                let divide = registers(2, op3, units.rd(), units.rng.below(32), divisor);
                words(&[immediate(2, 2, divisor, divisor, 1), divide])
            }))),
            Kind::Memory(bytes) => Some(made(name, Box::new(move |units| {
                let rd = if bytes == 8 { 2 * units.rng.below(7) } else { units.rd() };
                words(&[immediate(3, op3, rd, FP, units.rng.multiple(bytes, 0x1000).wrapping_sub(0x800))])
            }))),
            _ => None,
        });
        let mut units: Vec<_> = kinds.collect();
        units.extend(units![1 sethi, 1 read_y, 1 write_y, 1 branch, 1 call, 1 jump, 1 window]);
        units
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn registers(&mut self) -> Vec<(usize, u32)> {
        let mut registers: Vec<_> = (1..32).map(|number| (number, self.rng.value())).collect();
        registers.extend([(FP as usize, BASE), (SP, BASE + 0x1_0000)]);
        registers
    }

    fn ignored() -> Vec<(usize, u32)> {
        vec![(LEON_PC, u32::MAX)]
    }

    /// Before the units %y and the condition codes come from registers; behind them some registers go to memory, and
    /// then %y and the codes into those.
    fn framed(&mut self, units: Vec<u8>) -> Vec<u8> {
        const CARRY: u32 = 2;
        let start = [registers(2, 0x30, 0, 1, 0), NOP, NOP, NOP, registers(2, 0x10, 0, 2, 3)];
        let mut end: Vec<u32> = (1..6).map(|number| immediate(3, 4, number, FP, RESULT + 4 * number)).collect();
        end.extend([registers(2, 0x28, 1, 0, 0), immediate(2, 8, CARRY, 0, 0)]);
        for (number, condition) in [(3, 6), (4, 1), (5, 7)] {
            let branch = condition << 25 | 2 << 22 | 3;
            end.extend([immediate(2, 2, number, 0, 1), branch, NOP, immediate(2, 2, number, 0, 0)]);
        }
        [words(&start), units, words(&end)].concat()
    }
}

impl Programs {
    /// A register that may be written: neither %sp nor %fp.
    fn free(&mut self, taken: &[u32]) -> u32 {
        loop {
            let register = 1 + self.rng.below(31);
            if register != STACK_POINTER && register != FP && !taken.contains(&register) {
                return register;
            }
        }
    }

    fn rd(&mut self) -> u32 {
        if self.rng.once_in(30) {
            0
        } else {
            self.free(&[])
        }
    }

    fn plain(&mut self, op3: u32) -> u32 {
        let (rd, rs1) = (self.rd(), self.rng.below(32));
        if self.rng.once_in(2) {
            return registers(2, op3, rd, rs1, self.rng.below(32));
        }
        immediate(2, op3, rd, rs1, self.rng.below(1 << 13))
    }

    fn sethi(&mut self) -> Vec<u8> {
        words(&[self.rd() << 25 | 4 << 22 | self.rng.below(1 << 22)])
    }

    fn read_y(&mut self) -> Vec<u8> {
        words(&[registers(2, 0x28, self.rd(), 0, 0)])
    }

    fn write_y(&mut self) -> Vec<u8> {
        words(&[self.plain(0x30) & !(0x1F << 25), NOP, NOP, NOP])
    }

    fn branch(&mut self) -> Vec<u8> {
        let skipped = 1 + self.rng.below(3);
        let mut code = vec![self.rng.bit() << 29 | self.rng.below(16) << 25 | 2 << 22 | (1 + skipped)];
        code.extend((0..skipped).map(|_| {
            let op3 = *self.rng.pick(&[0x00, 0x10, 0x14]);
            self.plain(op3)
        }));
        words(&code)
    }

    fn call(&mut self) -> Vec<u8> {
        words(&[1 << 30 | 3, self.plain(0), NOP])
    }

    /// To what is behind the two in its way; the call has told where it is.
    fn jump(&mut self) -> Vec<u8> {
        let link = self.free(&[O7]);
        words(&[1 << 30 | 2, NOP, immediate(2, 0x38, link, O7, 20), NOP, NOP])
    }

    fn window(&mut self) -> Vec<u8> {
        let [first, second, third] = [(); 3].map(|()| 24 + self.rng.below(6));
        words(&[
            immediate(2, 0x3C, STACK_POINTER, STACK_POINTER, FRAME_BYTES.wrapping_neg()),
            registers(2, *self.rng.pick(&[0, 2, 3, 4]), 16, first, second),
            immediate(2, 0, 17, 16, self.rng.below(1 << 13)),
            registers(2, 2, 24, 17, 0),
            registers(2, 0x3D, self.rd(), 17, third),
        ])
    }
}
