//! SPARC beside sis: semantics and clocks of an ERC32.
//!
//! sis also executes the multiplications and divisions of V8, so a second stream compares their meaning; their clocks
//! are no other chip's.

use super::Entry;
use crate::chip::{bare, Chip, Family};
use crate::images::{compare, Beside, Go, Images, Start};
use crate::layout;
use crate::programs::{self, Unit, Units, BASE};
use crate::protocol::{Batch, Layout, Reference, Until};
use crate::references::gdb::Simulator;
use crate::references::unicorn::{self, Model};
use crate::rng::Rng;
use crate::rows::{random, with};
use crate::speed::speeds;
use crate::stream::{self, Asked, Generator, Outcome, Pair, Placed, Stream};
use serde_json::json;
use std::ops::Range;
use steelyard_emu::isa::{bits, sign_extended};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::sparc::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::sparc::decode::Op;
use steelyard_emu::sparc::exec::{C, N, V, Z};
use steelyard_emu::sparc::isa::{Operand, Row, ROWS};
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

type Field = &'static [(u32, u32, u32)];
const RD: Field = &[(25, 5, 0)];
const RS1: Field = &[(14, 5, 0)];
const RS2: Field = &[(0, 5, 0)];
const IMM: Field = &[(0, 13, 0)];
/// Whether the second operand is an immediate.
const HAS_IMM: Field = &[(13, 1, 0)];
const BRANCH_WORDS: Field = &[(0, 22, 0)];
const CALL_WORDS: Field = &[(0, 30, 0)];

/// The rows that a core of the architecture has, but for the trap that is always taken: nothing answers it.
fn rows(architecture: Architecture) -> Vec<&'static Row> {
    ROWS.iter().filter(|row| architecture >= row.feature && row.mnemonic != "ta").collect()
}

/// Bytes of an access, of which its address is a multiple.
fn access_bytes(operand: Operand) -> u32 {
    match operand {
        Operand::ByteAddress => 1,
        Operand::HalfAddress => 2,
        Operand::PairAddress => 8,
        _ => 4,
    }
}

struct Stepped {
    rows: Vec<&'static Row>,
    architecture: Architecture,
}

/// An address in a range, a multiple of `step`.
fn within(rng: &mut Rng, range: &Range<u32>, step: u32) -> u32 {
    range.start + rng.below((range.end - range.start) / step) * step
}

/// The instruction's second operand.
fn second(pair: &Pair<Chip<Erc32>>, word: u32) -> u32 {
    if bits(word, 13, 1) == 1 {
        sign_extended(bits(word, 0, 13), 13)
    } else {
        pair.register(bits(word, 0, 5) as usize)
    }
}

impl Stepped {
    /// Makes the sum of the two operands an address; both are multiples of `step`.
    fn aim(pair: &mut Pair<Chip<Erc32>>, rng: &mut Rng, word: u32, address: u32, step: u32) -> u32 {
        let base = 1 + rng.below(31);
        let word = with(word, RS1, base);
        if bits(word, 13, 1) == 1 {
            let word = with(word, IMM, bits(word, 0, 13) & !(step - 1));
            pair.set(base as usize, address.wrapping_sub(second(pair, word)));
            return word;
        }
        let index = bits(word, 0, 5);
        if index == base {
            // Twice the register.
            pair.set(base as usize, (address & !7) / 2);
            return word;
        }
        if index != 0 {
            pair.set(index as usize, pair.register(index as usize) & !(step - 1));
        }
        pair.set(base as usize, address.wrapping_sub(second(pair, word)));
        word
    }

    /// Sets a register, unless that is `%g0`.
    fn set(pair: &mut Pair<Chip<Erc32>>, number: u32, value: u32) {
        if number != 0 {
            pair.set(number as usize, value);
        }
    }

    /// Makes the operands small and without tags.
    fn untagged(pair: &mut Pair<Chip<Erc32>>, rng: &mut Rng, word: u32) -> u32 {
        let first = 1 + rng.below(31);
        let word = with(word, RS1, first);
        // sis takes the condition codes of a tagged difference for those of a sum, and with them the overflow, which
        // no difference of these gives.
        pair.set(first as usize, rng.below(1 << 27) << 2 | 1 << 30);
        if bits(word, 13, 1) == 1 {
            return word & !3;
        }
        Self::set(pair, bits(word, 0, 5), rng.below(1 << 27) << 2);
        word
    }

    /// Makes the divisor something else than zero, and the quotient one that fits: sis does not limit it. Unicorn is
    /// asked those that do not fit.
    fn divisible(pair: &mut Pair<Chip<Erc32>>, rng: &mut Rng, mut word: u32, signed: bool) -> u32 {
        Self::set(pair, bits(word, 14, 5), rng.value());
        if second(pair, word) == 0 {
            if bits(word, 13, 1) == 0 {
                word = with(word, RS2, 1 + rng.below(31));
                pair.set(bits(word, 0, 5) as usize, rng.value().max(1));
            } else {
                word = with(word, IMM, 1);
            }
        }
        let (dividend, divisor) = (pair.register(bits(word, 14, 5) as usize), second(pair, word));
        if !signed {
            pair.set(Y, rng.value() % divisor);
        } else if dividend == 1 << 31 && divisor == u32::MAX {
            pair.set(bits(word, 14, 5) as usize, 1);
            pair.set(Y, 0);
        } else {
            pair.set(Y, (dividend as i32 >> 31) as u32);
        }
        word
    }

    /// Makes an operand usable.
    fn prepare(pair: &mut Pair<Chip<Erc32>>, rng: &mut Rng, row: &Row, operand: Operand, word: u32, at: u32) -> u32 {
        match operand {
            Operand::ByteAddress | Operand::HalfAddress | Operand::WordAddress | Operand::PairAddress => {
                let address = within(rng, &DATA, access_bytes(operand));
                Self::aim(pair, rng, word, address, 1)
            }
            // sis asks that the first register alone be a multiple of four.
            Operand::JumpAddress => {
                let target = within(rng, &CODE, 4);
                Self::aim(pair, rng, word, target, 4)
            }
            Operand::Target => with(word, BRANCH_WORDS, within(rng, &CODE, 4).wrapping_sub(at) >> 2),
            Operand::CallTarget => with(word, CALL_WORDS, within(rng, &CODE, 4).wrapping_sub(at) >> 2),
            // sis waits for what a load brings late; the emulator does not ask for the number of a trap that is not taken,
            // nor for what is flushed.
            Operand::TrapNumber | Operand::FlushAddress => with(with(word, RS1, 0), HAS_IMM, 1),
            Operand::Divisor => Self::divisible(pair, rng, word, matches!(row.op, Op::Sdiv | Op::SdivCc)),
            Operand::RegOrImm if matches!(row.op, Op::TaddCcTv | Op::TsubCcTv) => Self::untagged(pair, rng, word),
            // Of a trap that is not taken.
            Operand::Condition if row.op == Op::Ticc => {
                let mut codes = pair.subject.cpu().nzvc;
                while holds(bits(word, 25, 4), codes) {
                    codes = rng.below(16);
                }
                let window = pair.subject.cpu().windows.current as u32;
                pair.set(PSR_INDEX, PSR | codes << PSR_CODES | window);
                word
            }
            _ => word,
        }
    }
}

impl Generator<Chip<Erc32>> for Stepped {
    fn kinds(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.mnemonic.to_owned()).collect()
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
        let number = rng.below(self.rows.len() as u32) as usize;
        let row = self.rows[number];
        // Behind an annulled instruction comes the one at npc.
        let at = if pair.subject.cpu().annul { pair.register(NPC) } else { pair.register(PC) };
        let mut word = random(row, rng);
        for operand in row.operands {
            word = Self::prepare(pair, rng, row, *operand, word, at);
        }
        pair.write(at, &word.to_be_bytes());
        let ignored = match row.op {
            Op::TsubCcTv => vec![(PSR_INDEX, 0xf << PSR_CODES)],
            // sis leaves the carry and the overflow as they are; Unicorn clears them.
            Op::UmulCc | Op::SmulCc => vec![(PSR_INDEX, (C | V) << PSR_CODES)],
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

fn run_stepped(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let is_v8 = asked.name == "sparc-v8";
    let mut core = asked.catalogue.core("tsc691")?;
    core["architecture"] = json!(if is_v8 { "v8" } else { "v7" });
    let architecture = if is_v8 { Architecture::V8 } else { Architecture::V7 };
    reset(reference)?;
    let ram = RAM..RAM + RAM_BYTES;
    let mut pair = Pair::new(Chip::<Erc32>::new(&bare(core, &[ram])?)?, Erc32::LAYOUT);
    // A window that no batch has filled yet holds what the reset left there.
    for window in 0..WINDOWS {
        pair.set(PSR_INDEX, PSR | window as u32);
        WINDOW.for_each(|index| pair.set(index, 0));
    }
    stream::run(&mut pair, &mut Stepped { rows: rows(architecture), architecture }, reference, asked.seed, asked.instructions)
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

/// The instruction of that name with all its free bits zero.
fn bare_instruction(mnemonic: &str) -> u32 {
    ROWS.iter().find(|row| row.mnemonic == mnemonic).map_or(NOP, |row| row.pattern.value)
}

/// An instruction with two registers.
fn registers(mnemonic: &str, rd: u32, rs1: u32, rs2: u32) -> u32 {
    with(with(with(bare_instruction(mnemonic), RD, rd), RS1, rs1), RS2, rs2)
}

/// An instruction with a register and 13 bits.
fn immediate(mnemonic: &str, rd: u32, rs1: u32, value: u32) -> u32 {
    with(with(registers(mnemonic, rd, rs1, 0), HAS_IMM, 1), IMM, value)
}

/// A branch over so many words, its own delay slot included.
fn branch(mnemonic: &str, words: u32) -> u32 {
    with(bare_instruction(mnemonic), BRANCH_WORDS, words)
}

const STACK_POINTER: u32 = 14;
const O7: u32 = 15;
/// The middle of the data.
const FP: u32 = 30;
/// Offset from the middle of the data of what the end of a program stores.
const RESULT: u32 = 0x800;
/// Instructions by the condition codes they leave; together they leave each condition false once.
const CODES: [(&str, u32, u32); 4] = [("orcc", 1, 0), ("orcc", 0, Z), ("subcc", 1, N | C), ("taddcc", 1, V)];

struct Programs {
    rng: Rng,
}

impl Units for Programs {
    type Of = Leon;

    fn units(&self) -> Vec<Unit<Self>> {
        let unit = |row: &'static Row| -> Unit<Self> {
            (row.mnemonic.to_owned(), 1, Box::new(move |programs: &mut Self| words(&programs.unit(row))))
        };
        rows(Architecture::V8).into_iter().map(unit).collect()
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
        let start = [registers("wr", 0, 1, 0), NOP, NOP, NOP, registers("addcc", 0, 2, 3)];
        let mut end: Vec<u32> = (1..6).map(|number| immediate("st", number, FP, RESULT + 4 * number)).collect();
        end.extend([registers("rd", 1, 0, 0), immediate("addx", CARRY, 0, 0)]);
        for (number, condition) in [(3, "bneg"), (4, "be"), (5, "bvs")] {
            end.extend([immediate("or", number, 0, 1), branch(condition, 3), NOP, immediate("or", number, 0, 0)]);
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

    /// A sum that sets the condition codes or does not.
    fn sum(&mut self) -> u32 {
        let mnemonic = *self.rng.pick(&["add", "addcc", "subcc"]);
        registers(mnemonic, self.rd(), self.rng.below(32), self.rng.below(32))
    }

    /// An instruction of the row, with what makes it usable before and behind it.
    fn unit(&mut self, row: &'static Row) -> Vec<u32> {
        let mut word = random(row, &mut self.rng);
        for operand in row.operands {
            word = self.prepared(*operand, word);
        }
        match row.op {
            // Behind a logic operation or a division Unicorn leaves that one's condition codes, and sis does
            // not; behind a sum it makes its own.
            Op::AddxCc | Op::SubxCc => vec![registers("addcc", 0, self.free(&[]), self.free(&[])), word],
            Op::TaddCcTv | Op::TsubCcTv => {
                let (first, second) = (self.free(&[]), self.free(&[]));
                let small = |register| immediate("and", register, register, 0x7fc);
                vec![small(first), small(second), registers(row.mnemonic, self.rd(), first, second)]
            }
            Op::Udiv | Op::UdivCc | Op::Sdiv | Op::SdivCc => {
                let divisor = self.free(&[]);
                let word = with(with(with(word, HAS_IMM, 0), RS2, divisor), RS1, self.rng.below(32));
                vec![immediate("or", divisor, divisor, 1), word]
            }
            Op::WriteY => vec![word, NOP, NOP, NOP],
            Op::Branch | Op::BranchAlways => {
                let skipped = 1 + self.rng.below(3);
                let skipped_words = (0..skipped).map(|_| self.sum());
                [with(word, BRANCH_WORDS, 1 + skipped)].into_iter().chain(skipped_words).collect()
            }
            Op::Call => vec![with(word, CALL_WORDS, 3), self.sum(), NOP],
            // To what is behind the two in its way; the call has told where it is.
            Op::Jmpl => {
                let link = self.free(&[O7]);
                let call = with(bare_instruction("call"), CALL_WORDS, 2);
                vec![call, NOP, immediate("jmpl", link, O7, 20), NOP, NOP]
            }
            Op::Ticc => {
                let (mnemonic, second, _) = *CODES.iter().find(|(.., codes)| !holds(bits(word, 25, 4), *codes)).unwrap_or(&CODES[0]);
                vec![immediate(mnemonic, 0, 0, second), word]
            }
            Op::Save => vec![word, self.sum(), bare_instruction("restore")],
            Op::Restore => vec![bare_instruction("save"), self.sum(), word],
            _ => vec![word],
        }
    }

    /// The word with an operand that harms nothing.
    fn prepared(&mut self, operand: Operand, word: u32) -> u32 {
        match operand {
            Operand::Rd | Operand::Swapped => with(word, RD, self.rd()),
            Operand::Pair => with(word, RD, 2 * self.rng.below(7)),
            Operand::ByteAddress | Operand::HalfAddress | Operand::WordAddress | Operand::PairAddress => {
                let offset = self.rng.multiple(access_bytes(operand), 0x1000).wrapping_sub(0x800);
                with(with(with(word, RS1, FP), HAS_IMM, 1), IMM, offset)
            }
            _ => word,
        }
    }
}
