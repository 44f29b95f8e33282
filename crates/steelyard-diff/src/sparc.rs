//! SPARC beside sis: semantics and clocks of an ERC32.
//!
//! sis also executes the multiplications and divisions of V8, so a second stream compares their meaning; their clocks
//! are no other chip's.

pub mod images;

use crate::catalogue;
use crate::rng::Rng;
use crate::simulator::{Batch, Layout, Reference, Register};
use crate::stream::{run, Cpu, Generator, Outcome, Pair, Placed, Subject};
use serde_json::json;
use std::ops::Range;
use std::path::Path;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::Exit;
use steelyard_emu::sparc::cpu::{Cpu as Emulated, C, N, V, Z};
use steelyard_emu::sparc::decode::{decode, Op};
use steelyard_emu::sparc::timing::Architecture;
use steelyard_emu::sparc::{chip, windows::WINDOWS, Sparc};
use steelyard_emu::{Description, Machine, Space};

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

macro_rules! registers {
    ($($name:literal $number:literal),*) => { &[$(Register { name: $name, number: $number, bytes: 4 }),*] };
}

const LAYOUT: Layout = Layout {
    big_endian: true,
    registers: registers![
        "g0" 0, "g1" 1, "g2" 2, "g3" 3, "g4" 4, "g5" 5, "g6" 6, "g7" 7, "o0" 8, "o1" 9, "o2" 10, "o3" 11, "o4" 12,
        "o5" 13, "sp" 14, "o7" 15, "l0" 16, "l1" 17, "l2" 18, "l3" 19, "l4" 20, "l5" 21, "l6" 22, "l7" 23, "i0" 24,
        "i1" 25, "i2" 26, "i3" 27, "i4" 28, "i5" 29, "fp" 30, "i7" 31, "y" 64, "psr" 65, "wim" 66, "pc" 68, "npc" 69
    ],
};
const SP: usize = 14;
/// What each window has for itself.
const WINDOW: Range<usize> = 8..24;
const Y: usize = 32;
const PSR_INDEX: usize = 33;
const WIM: usize = 34;
const PC: usize = 35;
const NPC: usize = 36;

/// The ERC32 and its clocks.
pub const ERC32: Cpu = Cpu { name: "erc32", simulator: "sparc", options: &[], layout: LAYOUT, stream: erc32 };
/// The multiplications and divisions of V8.
pub const V8: Cpu = Cpu { name: "sparc-v8", simulator: "sparc", options: &[], layout: LAYOUT, stream: v8 };

fn erc32(reference: &mut dyn Reference, seed: u64, instructions: u64) -> Result<Outcome, String> {
    stream(reference, seed, instructions, Architecture::V7)
}

fn v8(reference: &mut dyn Reference, seed: u64, instructions: u64) -> Result<Outcome, String> {
    stream(reference, seed, instructions, Architecture::V8)
}

/// The emulator as an ERC32 with RAM where sis has it.
pub struct Erc32(Sparc<Immediate>);

impl Erc32 {
    /// With the instructions of V8 too where that is asked for.
    pub fn new(targets: &Path, architecture: Architecture) -> Result<Self, String> {
        let mut core = catalogue::core(targets, "tsc691")?;
        core["architecture"] = json!(if architecture == Architecture::V8 { "v8" } else { "v7" });
        let memory = json!([{"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_BYTES}]);
        let description = json!({"core": core, "memory": memory, "clock_hz": 15_000_000});
        Self::of(&Description::from_json(&description.to_string()).map_err(|error| error.to_string())?)
    }

    fn of(description: &Description) -> Result<Self, String> {
        Ok(Self(chip(description, Immediate).map_err(|error| error.to_string())?))
    }

    fn cpu(&self) -> &Emulated<Immediate> {
        self.0.processor()
    }

    fn cpu_mut(&mut self) -> &mut Emulated<Immediate> {
        self.0.processor_mut()
    }
}

impl Subject for Erc32 {
    fn register(&self, index: usize) -> u32 {
        let cpu = self.cpu();
        match index {
            Y => cpu.y,
            PSR_INDEX => PSR | cpu.nzvc << PSR_CODES | cpu.windows.current as u32,
            WIM => 0,
            PC => cpu.pc,
            NPC => cpu.npc,
            number => cpu.registers[number],
        }
    }

    fn set_register(&mut self, index: usize, value: u32) {
        let cpu = self.cpu_mut();
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

    fn read(&self, address: u32, length_bytes: u32) -> Vec<u8> {
        self.0.read(Space::Data, address, length_bytes as usize).unwrap_or_default()
    }

    fn write(&mut self, address: u32, bytes: &[u8]) {
        // The ranges written are RAM.
        let _ = self.0.write(Space::Data, address, bytes);
    }

    fn step(&mut self) -> Result<(), String> {
        let cpu = self.cpu_mut();
        // sis has no invalid window here: the ring is never spilled.
        cpu.windows.can_save = WINDOWS as u32;
        cpu.windows.can_restore = WINDOWS as u32;
        // What comes behind an annulled instruction is the same step.
        let limit = cpu.cycles + 1 + if cpu.annul { u64::from(cpu.core.cost.annulled) } else { 0 };
        match cpu.run(&mut Nothing, limit) {
            Exit::Limit => Ok(()),
            other => Err(format!("{other:?}")),
        }
    }

    fn clocks(&self) -> u64 {
        self.cpu().cycles
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
    Memory {
        bytes: u32,
        pair: bool,
    },
}

/// Name, opcode bits (`op3`) and kind.
const KINDS: &[(&str, u32, Kind)] = &[
    ("sethi", 0, Kind::Sethi),
    ("branch", 0, Kind::Branch),
    ("call", 0, Kind::Call),
    ("add", 0x00, Kind::Plain),
    ("and", 0x01, Kind::Plain),
    ("or", 0x02, Kind::Plain),
    ("xor", 0x03, Kind::Plain),
    ("sub", 0x04, Kind::Plain),
    ("andn", 0x05, Kind::Plain),
    ("orn", 0x06, Kind::Plain),
    ("xnor", 0x07, Kind::Plain),
    ("addx", 0x08, Kind::Plain),
    ("subx", 0x0c, Kind::Plain),
    ("addcc", 0x10, Kind::Plain),
    ("andcc", 0x11, Kind::Plain),
    ("orcc", 0x12, Kind::Plain),
    ("xorcc", 0x13, Kind::Plain),
    ("subcc", 0x14, Kind::Plain),
    ("andncc", 0x15, Kind::Plain),
    ("orncc", 0x16, Kind::Plain),
    ("xnorcc", 0x17, Kind::Plain),
    ("addxcc", 0x18, Kind::Plain),
    ("subxcc", 0x1c, Kind::Plain),
    ("taddcc", 0x20, Kind::Plain),
    ("tsubcc", 0x21, Kind::Plain),
    ("taddcctv", 0x22, Kind::Tagged),
    ("tsubcctv", 0x23, Kind::Tagged),
    ("mulscc", 0x24, Kind::Mulscc),
    ("sll", 0x25, Kind::Plain),
    ("srl", 0x26, Kind::Plain),
    ("sra", 0x27, Kind::Plain),
    ("rd y", 0x28, Kind::ReadY),
    ("wr y", 0x30, Kind::WriteY),
    ("jmpl", 0x38, Kind::Jump),
    ("ticc", 0x3a, Kind::Trap),
    ("flush", 0x3b, Kind::Barrier),
    ("save", 0x3c, Kind::Plain),
    ("restore", 0x3d, Kind::Plain),
    ("ld", 0x00, Kind::Memory { bytes: 4, pair: false }),
    ("ldub", 0x01, Kind::Memory { bytes: 1, pair: false }),
    ("lduh", 0x02, Kind::Memory { bytes: 2, pair: false }),
    ("ldd", 0x03, Kind::Memory { bytes: 8, pair: true }),
    ("st", 0x04, Kind::Memory { bytes: 4, pair: false }),
    ("stb", 0x05, Kind::Memory { bytes: 1, pair: false }),
    ("sth", 0x06, Kind::Memory { bytes: 2, pair: false }),
    ("std", 0x07, Kind::Memory { bytes: 8, pair: true }),
    ("ldsb", 0x09, Kind::Memory { bytes: 1, pair: false }),
    ("ldsh", 0x0a, Kind::Memory { bytes: 2, pair: false }),
    ("ldstub", 0x0d, Kind::Memory { bytes: 1, pair: false }),
    ("swap", 0x0f, Kind::Memory { bytes: 4, pair: false }),
];

/// Those that V8 adds.
const V8_KINDS: &[(&str, u32, Kind)] = &[
    ("umul", 0x0a, Kind::Plain),
    ("smul", 0x0b, Kind::Plain),
    ("umulcc", 0x1a, Kind::Plain),
    ("smulcc", 0x1b, Kind::Plain),
    ("udiv", 0x0e, Kind::Divide),
    ("sdiv", 0x0f, Kind::Divide),
    ("udivcc", 0x1e, Kind::Divide),
    ("sdivcc", 0x1f, Kind::Divide),
];

const TSUBCCTV: u32 = 0x23;
const UMULCC: u32 = 0x1a;
const SMULCC: u32 = 0x1b;

struct Words {
    kinds: Vec<(&'static str, u32, Kind)>,
    architecture: Architecture,
}

fn value(rng: &mut Rng) -> u32 {
    const TURNING: [u32; 9] = [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff, 0x8000, 0x1_0000];
    match rng.below(4) {
        0 => *rng.pick(&TURNING),
        1 => (rng.word() as u32) >> rng.below(32),
        2 => !((rng.word() as u32) >> rng.below(32)),
        _ => rng.word() as u32,
    }
}

/// An address in a range, a multiple of `step`.
fn within(rng: &mut Rng, range: &Range<u32>, step: u32) -> u32 {
    range.start + rng.below((range.end - range.start) / step) * step
}

fn is_signed(op3: u32) -> bool {
    op3 & 1 == 1
}

impl Words {
    /// Registers of the second operand and its bits of the word, made such that their sum with rs1 is an address.
    fn aim(&self, pair: &mut Pair<Erc32>, rng: &mut Rng, address: u32, step: u32) -> u32 {
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

impl Generator<Erc32> for Words {
    fn kinds(&self) -> Vec<String> {
        self.kinds.iter().map(|(name, ..)| (*name).to_owned()).collect()
    }

    fn memories(&self) -> Vec<Range<u32>> {
        [DATA].to_vec()
    }

    fn fill(&mut self, pair: &mut Pair<Erc32>, rng: &mut Rng) {
        let bytes: Vec<u8> = DATA.map(|_| rng.byte()).collect();
        pair.write(DATA.start, &bytes);
        pair.set(WIM, 0);
        pair.set(PSR_INDEX, PSR | rng.word() as u32 & PSR_WRITABLE);
        pair.set(Y, value(rng));
        for register in 1..32 {
            let value = value(rng);
            pair.set(register, value);
        }
        if !pair.subject.cpu().annul {
            let pc = within(rng, &CODE, 4);
            pair.set(PC, pc);
            pair.set(NPC, pc + 4);
        }
    }

    fn place(&mut self, pair: &mut Pair<Erc32>, rng: &mut Rng) -> Placed {
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
                let mut divisor = value(rng).max(1);
                pair.set(first as usize, value(rng));
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
                    pair.set(Y, value(rng) % pair.register(second as usize));
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
            Kind::Memory { bytes, pair: two } => {
                let address = within(rng, &DATA, bytes);
                let rest = self.aim(pair, rng, address, 1);
                plain(3, if two { rd & !1 } else { rd }, rest)
            }
        };
        // What is read twice may have come out odd.
        let word = match (kind, decode(word, at, self.architecture).op) {
            (Kind::Memory { .. } | Kind::Jump, _) if !self.lands(pair, word, kind) => NOP,
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
        Placed { kind: number, code: word.to_be_bytes().to_vec(), ignored, clocks, ..Placed::default() }
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

impl Words {
    /// Whether the address an instruction computes is in the range it is meant for.
    fn lands(&self, pair: &Pair<Erc32>, word: u32, kind: Kind) -> bool {
        let register = |low: u32| pair.register((word >> low & 31) as usize);
        let second = if word >> 13 & 1 == 1 { ((word << 19) as i32 >> 19) as u32 } else { register(0) };
        let address = register(14).wrapping_add(second);
        match kind {
            Kind::Memory { bytes, .. } => DATA.contains(&address) && address % bytes == 0,
            _ => CODE.contains(&address) && address % 4 == 0,
        }
    }
}

/// Sets the board up, registers too, which its first instruction does.
fn reset(reference: &mut dyn Reference) -> Result<(), String> {
    let mut start = Batch::default();
    start.layout(&LAYOUT);
    start.write(RAM, &[NOP.to_be_bytes(), NOP.to_be_bytes()].concat());
    start.set(PC, RAM);
    start.set(NPC, RAM + 4);
    start.run(1);
    reference.exchange(start.bytes()).map(drop)
}

fn stream(
    reference: &mut dyn Reference,
    seed: u64,
    instructions: u64,
    architecture: Architecture,
) -> Result<Outcome, String> {
    let mut kinds = KINDS.to_vec();
    if architecture == Architecture::V8 {
        kinds.extend(V8_KINDS);
    }
    reset(reference)?;
    let mut pair = Pair::new(Erc32::new(&catalogue::shipped(), architecture)?, LAYOUT);
    // A window that no batch has filled yet holds what the reset left there.
    for window in 0..WINDOWS {
        pair.set(PSR_INDEX, PSR | window as u32);
        WINDOW.for_each(|index| pair.set(index, 0));
    }
    run(&mut pair, &mut Words { kinds, architecture }, reference, seed, instructions)
}
