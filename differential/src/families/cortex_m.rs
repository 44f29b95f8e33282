//! Cortex-M beside Unicorn: Thumb and Thumb-2, by the rows of the instruction set.

use super::arm::{free_of, halves, FREE, MODE};
use super::Entry;
use floats::{Floats, WithUnit};
use crate::chip::{Chip, Family};
use crate::images::{Beside, Go, Images, Start};
use crate::programs::{self, Unit, Units, BASE};
use crate::protocol::{Layout, Reference};
use crate::references::gdb::Simulator;
use crate::references::unicorn::{self, Model};
use crate::rng::Rng;
use crate::stream::{Asked, Outcome, Stream};
use crate::{layout, rows};
use steelyard_emu::cortex_m::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::cortex_m::decode::{Op, Place};
use steelyard_emu::cortex_m::isa::{self, Feature, Moves, Operand, Row};
use steelyard_emu::isa::gathered;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::profile::Class;
use steelyard_emu::{cortex_m, emulated::Emulated, Description, Error};

mod floats;

pub const FAMILY: Entry = Entry::new::<Chip<CortexM>>(
    "cortex-m",
    &[
        stream("armv6-m"),
        stream("armv7-m"),
        stream("armv7e-m"),
        stream("armv8-m-mainline"),
        float_stream("fpv4-sp-d16"),
        float_stream("fpv5-sp-d16"),
    ],
);

/// A stream of the floating-point unit.
const fn float_stream(name: &'static str) -> Stream {
    Stream { name, layout: WithUnit::LAYOUT, reference: |name| programs::reference(float_model(name).1), run: run_floats }
}

/// The core of a floating-point unit.
fn float_model(unit: &str) -> (&'static str, Model) {
    model(if unit == "fpv4-sp-d16" { "armv7e-m" } else { "armv8-m-mainline" })
}

fn run_floats(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let features: &[Feature] = match asked.name {
        "fpv4-sp-d16" => &[Feature::FloatSingle],
        _ => &[Feature::FloatSingle, Feature::FloatDirected],
    };
    let thumb = Thumb { rng: Rng::new(asked.seed), features: &[Feature::Base, Feature::Thumb2] };
    let floats = Floats { thumb, features, kept: 0 };
    programs::run(floats, asked.catalogue.core(float_model(asked.name).0)?, asked, reference)
}

const fn stream(name: &'static str) -> Stream {
    Stream { name, layout: CortexM::LAYOUT, reference: |name| programs::reference(model(name).1), run }
}

/// The core of an architecture, and Unicorn's number of it.
fn model(architecture: &str) -> (&'static str, Model) {
    let (core, cpu) = match architecture {
        "armv6-m" => ("cortex-m0", 7),
        "armv7-m" => ("cortex-m3", 8),
        "armv7e-m" => ("cortex-m4", 9),
        _ => ("cortex-m33", 11),
    };
    const THUMB_MICROCONTROLLER: i32 = 16 | 32;
    (core, Model { architecture: unicorn::ARM, mode: THUMB_MICROCONTROLLER, cpu: Some(cpu), pc: 11, mark: 1 })
}

fn run(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let features: &[Feature] = match asked.name {
        "armv6-m" => &[Feature::Base],
        "armv7-m" => &[Feature::Base, Feature::Thumb2],
        "armv7e-m" => &[Feature::Base, Feature::Thumb2, Feature::Dsp],
        _ => &[Feature::Base, Feature::Thumb2, Feature::Dsp, Feature::Ordered],
    };
    let thumb = Thumb { rng: Rng::new(asked.seed), features };
    programs::run(thumb, asked.catalogue.core(model(asked.name).0)?, asked, reference)
}

pub struct CortexM;

const LR: usize = 14;
const CPSR: usize = 16;
/// What else the status register holds, which Unicorn shows as that of an ARM.
const THUMB_MODE: u32 = MODE | 1 << 5;
/// gdb's simulator.
const GDB_LAYOUT: Layout = layout!(little; 4: "r0" 0, "r1" 1, "r2" 2, "r3" 3, "r4" 4, "r5" 5, "r6" 6, "r7" 7, "r8" 8,
    "r9" 9, "r10" 10, "r11" 11, "r12" 12, "sp" 13, "lr" 14, "pc" 15, "cpsr" 25);

impl Family for CortexM {
    type Cpu = Cpu<Immediate>;
    const LAYOUT: Layout = layout!(little; 4: "r0" 66, "r1" 67, "r2" 68, "r3" 69, "r4" 70, "r5" 71, "r6" 72, "r7" 73,
        "r8" 74, "r9" 75, "r10" 76, "r11" 77, "r12" 78, "sp" 12, "lr" 10, "pc" 11, "cpsr" 3);

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, Error> {
        cortex_m::chip(description, Immediate)
    }

    fn register(cpu: &Self::Cpu, index: usize) -> u32 {
        match index {
            CPSR => cpu.nzcv << 28 | cpu.saturated << 27 | THUMB_MODE | cpu.greater_or_equal << 16,
            number => cpu.registers[number],
        }
    }

    fn set_register(cpu: &mut Self::Cpu, index: usize, value: u32) {
        match index {
            CPSR => {
                (cpu.nzcv, cpu.saturated, cpu.greater_or_equal) =
                    (value >> 28, value >> 27 & 1, value >> 16 & 15)
            }
            number => cpu.registers[number] = value,
        }
    }
}

impl Images for CortexM {
    const RETURN_ADDRESS: u32 = RETURN_ADDRESS;
    const CODE_MARK: u32 = 1;

    const BESIDE: &'static [Start] = &[
        |target| Beside::unicorn(model(target.architecture()).1, target, RETURN_ADDRESS, Self::LAYOUT),
        |target| {
            if target.architecture() != "armv6-m" {
                return Err("gdb's simulator knows Thumb without the instructions of four bytes".into());
            }
            // Behind a call stands a breakpoint in A32: it takes Thumb's for a call that prints.
            let beside = Beside::stepped(Box::new(Simulator::start("arm", &[])?), GDB_LAYOUT, &[]);
            Ok(Beside { go: Go::Breakpoint(&[0, 0, 0x18, 0xef], Some(LR)), ..beside })
        },
    ];
}

const SP: u32 = 13;
const PC: u32 = 15;

/// Places of registers in an instruction: (lowest bit, number of bits, lowest bit of the number).
const LOW: Moves = &[(0, 3, 0)];
const LOW_AT_3: Moves = &[(3, 3, 0)];
const LOW_AT_6: Moves = &[(6, 3, 0)];
const LOW_AT_8: Moves = &[(8, 3, 0)];
const HIGH: Moves = &[(0, 3, 0), (7, 1, 3)];
const AT_0: Moves = &[(0, 4, 0)];
const AT_3: Moves = &[(3, 4, 0)];
const AT_8: Moves = &[(8, 4, 0)];
const AT_12: Moves = &[(12, 4, 0)];
const AT_16: Moves = &[(16, 4, 0)];
/// Places of constants.
const SHORT_AMOUNT: Moves = &[(6, 5, 0)];
const STEP: Moves = &[(0, 7, 0)];
const BYTE: Moves = &[(0, 8, 0)];
const OFFSET: Moves = &[(0, 12, 0)];
const LIST: Moves = &[(0, 16, 0)];
const UP: Moves = &[(23, 1, 0)];
const WRITES_BACK: Moves = &[(21, 1, 0)];
const FIRST_CONDITION: Moves = &[(4, 4, 0)];
const MASK: Moves = &[(10, 2, 0)];
/// 0x1000 as a modified immediate.
const PAGE: u32 = 0xd80;

/// Rows that leave the program, in the emulator or in the reference alone, and `tt`, which the reference answers by
/// regions of memory that a core here has not.
fn leaves(row: &Row) -> bool {
    matches!(row.op.0, Op::WaitEvent | Op::WaitInterrupt | Op::TestTarget) || row.mnemonic.starts_with("yield")
}

/// Whether an instruction computes and does nothing else, so that an `it` may rule it and a jump skip it.
fn computes(row: &Row) -> bool {
    let computing = matches!(row.class, Class::Alu | Class::Shift | Class::Multiply | Class::Bit);
    computing && !row.operands.contains(&Operand::StackStep)
}

/// Little-endian bytes of an instruction of the row.
fn bytes(row: &Row, word: u32) -> Vec<u8> {
    if row.pattern.bits == 32 {
        halves(&[word >> 16, word])
    } else {
        halves(&[word])
    }
}

/// An instruction of the first row with this mnemonic and operand, with these numbers in these places.
fn made(mnemonic: &str, operand: Operand, numbers: &[(Moves, u32)]) -> Vec<u8> {
    let row = isa::ROWS.iter().find(|row| row.mnemonic == mnemonic && row.operands.contains(&operand));
    let row = row.unwrap_or_else(|| panic!("no row is `{mnemonic}` with {operand:?}"));
    let word = row.pattern.value | row.pattern.usual;
    bytes(row, numbers.iter().fold(word, |word, &(moves, number)| rows::with(word, moves, number)))
}

/// `movs`.
fn small(register: u32, value: u32) -> Vec<u8> {
    made("mov", Operand::Imm8, &[(LOW_AT_8, register), (BYTE, value)])
}

/// `movw`.
fn constant(register: u32, value: u32) -> Vec<u8> {
    made("movw", Operand::Imm16, &[(AT_8, register), (isa::SIXTEEN, value)])
}

/// A unit while it is made: an instruction and what stands before and behind it.
struct Draft {
    row: &'static Row,
    word: u32,
    before: Vec<u8>,
    behind: Vec<u8>,
}

impl Draft {
    fn set(&mut self, moves: Moves, number: u32) {
        self.word = rows::with(self.word, moves, number);
    }

    fn get(&self, moves: Moves) -> u32 {
        gathered(self.word, moves)
    }

    /// Distance from the program counter to the end of what stands behind.
    fn end(&self) -> u32 {
        (self.row.pattern.bits / 8 + self.behind.len() as u32).wrapping_sub(4)
    }

    /// Whether the instruction is one of the row that makes sense.
    fn is_one(&self) -> bool {
        is_one(self.row, self.word)
    }
}

/// Whether an instruction is one of the row that makes sense.
fn is_one(row: &Row, word: u32) -> bool {
    let found = isa::row_of(word, row.pattern.bits);
    found.is_some_and(|found| found.pattern == row.pattern)
        && isa::fields(row, word, Place { address: 0, in_block: false }).is_some()
}

/// Makes Thumb code.
pub struct Thumb {
    rng: Rng,
    features: &'static [Feature],
}

impl Units for Thumb {
    type Of = CortexM;

    fn units(&self) -> Vec<Unit<Self>> {
        let of = |row: &'static Row| -> Unit<Self> {
            // What an `it` rules are instructions of other rows.
            let weight = if row.op.0 == Op::IfThen { 20 } else { 1 };
            (row.mnemonic.to_owned(), weight, Box::new(move |thumb: &mut Self| thumb.unit(row)))
        };
        isa::ROWS.iter().filter(|row| self.has(row) && !leaves(row)).map(of).collect()
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn registers(&mut self) -> Vec<(usize, u32)> {
        let mut registers: Vec<_> = FREE.map(|register| (register as usize, self.rng.value())).into();
        let flags = self.rng.word() as u32 & if self.dsp() { 0xF80F_0000 } else { 0xF000_0000 };
        registers.extend([(SP as usize, BASE), (CPSR, flags | THUMB_MODE)]);
        registers
    }
}

impl Thumb {
    fn has(&self, row: &Row) -> bool {
        self.features.contains(&row.feature)
    }

    fn dsp(&self) -> bool {
        self.features.contains(&Feature::Dsp)
    }

    /// A row of the core that fits.
    fn pick(&mut self, fits: impl Fn(&Row) -> bool) -> &'static Row {
        loop {
            let row = self.rng.pick(isa::ROWS);
            if self.has(row) && fits(row) {
                return row;
            }
        }
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.rng.below(bound)
    }

    fn free(&mut self) -> u32 {
        *self.rng.pick(&FREE)
    }

    /// So many instructions that compute, of two bytes each if `narrow`.
    fn computing(&mut self, count: u32, narrow: bool) -> Vec<u8> {
        let mut code = Vec::new();
        for _ in 0..count {
            let row = self.pick(|row| computes(row) && (!narrow || row.pattern.bits == 16));
            loop {
                let unit = self.unit(row);
                // Without what prepares operands.
                if unit.len() == row.pattern.bits as usize / 8 {
                    code.extend(unit);
                    break;
                }
            }
        }
        code
    }

    /// Lets a low register point into the middle of the data: `movs`, `lsls`, `add` of the stack pointer.
    fn base_narrow(&mut self, register: u32) -> Vec<u8> {
        let shifted = [(LOW, register), (LOW_AT_3, register), (SHORT_AMOUNT, 8)];
        [
            small(register, 0x10 + self.below(0x1C)),
            made("lsl", Operand::ShortAmount, &shifted),
            made("add", Operand::RmAny, &[(HIGH, register), (AT_3, SP)]),
        ]
        .concat()
    }

    /// Lets a register point into the data, by `add.w` of the stack pointer and a finer step.
    fn base(&mut self, register: u32, fine: u32) -> Vec<u8> {
        let step = 64 * (4 + self.below(56)) + fine;
        [
            made("add.w", Operand::ModifiedImm, &[(AT_8, register), (AT_16, SP), (isa::TWELVE, PAGE)]),
            made("addw", Operand::Imm12, &[(AT_8, register), (AT_16, register), (isa::TWELVE, step)]),
        ]
        .concat()
    }

    /// An instruction of the row with all that its operands need around it.
    fn unit(&mut self, row: &'static Row) -> Vec<u8> {
        loop {
            let word = rows::random(row, &mut self.rng);
            let mut draft = Draft { row, word, before: Vec::new(), behind: Vec::new() };
            for &operand in row.operands {
                self.short_operand(operand, &mut draft);
                self.register(operand, &mut draft);
                self.memory_operand(operand, &mut draft);
                self.flow_operand(operand, &mut draft);
            }
            if draft.is_one() {
                return [draft.before, bytes(row, draft.word), draft.behind].concat();
            }
        }
    }

    /// Prepares an operand of an instruction of two bytes.
    fn short_operand(&mut self, operand: Operand, draft: &mut Draft) {
        match operand {
            Operand::RdHigh | Operand::RdnHigh => draft.set(HIGH, self.free()),
            // A comparison of two low registers has another encoding.
            Operand::RnHigh => draft.set(HIGH, *self.rng.pick(&FREE[8..])),
            Operand::RmAny => {
                let register = if self.rng.once_in(4) { *self.rng.pick(&[SP, PC]) } else { self.free() };
                draft.set(AT_3, register);
            }
            Operand::RmHigh if draft.row.op.0 == Op::Alu => draft.set(AT_3, self.free()),
            Operand::StackStep => {
                let other = if draft.row.mnemonic == "add" { "sub" } else { "add" };
                draft.behind = made(other, Operand::StackStep, &[(STEP, draft.get(STEP))]);
            }
            Operand::ShortLiteral => {
                // A branch over the literal follows; at an odd place the load reads the branch too.
                draft.set(BYTE, 0);
                let words = self.rng.word() as u32;
                draft.behind = made("b.n", Operand::ShortJump, &[(isa::SHORT_JUMP, 2)]);
                draft.behind.extend(words.to_le_bytes());
            }
            Operand::ShortIndex => {
                let (base, index) = (draft.get(LOW_AT_3), draft.get(LOW_AT_6));
                let index = if index == base { base ^ 1 } else { index };
                draft.set(LOW_AT_6, index);
                draft.before = self.base_narrow(base);
                draft.before.extend(small(index, self.rng.multiple(4, 256)));
            }
            Operand::ShortOffset => draft.before = self.base_narrow(draft.get(LOW_AT_3)),
            Operand::BaseStep => draft.before = self.base_narrow(draft.get(LOW_AT_8)),
            Operand::ShortList => {
                let (base, list) = (draft.get(LOW_AT_8), draft.get(BYTE));
                // The base is among the stored only if it comes first.
                if draft.row.op.0 == Op::StoreMultiple && list >> base & 1 == 1 {
                    draft.set(BYTE, list >> base << base);
                }
            }
            Operand::PushList => {
                draft.set(BYTE, 1 + self.below(255));
                let back = self.list_of(draft.get(BYTE).count_ones());
                draft.behind = made("pop", Operand::PopList, &[(BYTE, back)]);
                if draft.get(&[(8, 1, 0)]) == 1 {
                    // The link register's word is the highest one.
                    draft.behind.extend(made("add", Operand::StackStep, &[(STEP, 1)]));
                }
            }
            Operand::PopList => {
                draft.set(&[(8, 1, 0)], 0);
                let pushed = self.list_of(draft.get(BYTE).count_ones());
                draft.before = made("push", Operand::PushList, &[(BYTE, pushed)]);
            }
            Operand::Masks => {
                // ARMv6-M has one of them.
                let masks = if self.features.contains(&Feature::Thumb2) { 1 + self.below(3) } else { 2 };
                draft.set(&[(0, 2, 0)], masks);
            }
            _ => {}
        }
    }

    /// A list of so many low registers.
    fn list_of(&mut self, count: u32) -> u32 {
        loop {
            let list = self.below(256);
            if list.count_ones() == count {
                return list;
            }
        }
    }

    /// Draws a register of four bits, or a constant of an instruction of four bytes.
    fn register(&mut self, operand: Operand, draft: &mut Draft) {
        let register = self.free();
        match operand {
            Operand::Rd | Operand::RdHi | Operand::Rt2 | Operand::Status => draft.set(AT_8, register),
            Operand::Rn | Operand::Source | Operand::SaturatedSource | Operand::Preload => draft.set(AT_16, register),
            Operand::RnOrPc => {
                let register = if self.rng.once_in(8) { *self.rng.pick(&[SP, PC]) } else { register };
                draft.set(AT_16, register);
            }
            Operand::Rm | Operand::ShiftedRm | Operand::RotatedRm | Operand::PackedRm | Operand::StatusLast => {
                draft.set(AT_0, register);
            }
            Operand::SourceTwice => {
                draft.set(AT_0, register);
                draft.set(AT_16, register);
            }
            Operand::AmountRegister => {
                draft.set(AT_0, register);
                if self.rng.once_in(2) {
                    draft.before = constant(register, *self.rng.pick(&[0, 1, 31, 32, 33, 63, 64, 255]));
                }
            }
            Operand::Ra | Operand::RdLo => draft.set(AT_12, register),
            Operand::Rt | Operand::RtOrPc | Operand::RtGeneral | Operand::RtStored => draft.set(AT_12, register),
            // A repeated byte is not 0.
            Operand::ModifiedImm => draft.set(BYTE, 1 + self.below(255)),
            Operand::SpecialRegister => draft.set(BYTE, *self.rng.pick(&[0, 16])),
            Operand::SpecialMask => {
                draft.set(BYTE, *self.rng.pick(&[0, 16]));
                let flags = self.dsp() && draft.get(BYTE) == 0;
                draft.set(MASK, if flags { 2 + self.rng.bit() } else { 2 });
            }
            _ => {}
        }
        if operand == Operand::Preload {
            draft.set(UP, 1);
        }
    }

    /// Lets the base register of an instruction of four bytes point into the data.
    fn memory_operand(&mut self, operand: Operand, draft: &mut Draft) {
        let base = self.free();
        match operand {
            Operand::Literal => {
                // A branch over the literals follows: one of them is read, at a multiple of four.
                draft.set(UP, 1);
                draft.set(OFFSET, 8);
                draft.behind = made("b.w", Operand::Jump, &[(isa::JUMP, isa::turned(8))]);
                draft.behind.extend(self.rng.word().to_le_bytes());
            }
            Operand::Offset12 | Operand::OffsetUser | Operand::Offset8 | Operand::Index => {
                draft.set(AT_16, base);
                // Half of them aligned.
                let fine = if self.rng.once_in(2) { self.below(4) } else { 0 };
                draft.before = self.base(base, fine);
                if operand == Operand::Index {
                    let index = free_of(&mut self.rng, &FREE, &[base]);
                    draft.set(AT_0, index);
                    let step = if fine == 0 { 4 } else { 1 };
                    draft.before.extend(constant(index, self.rng.multiple(step, 0x100)));
                } else if fine == 0 {
                    draft.set(&[(0, 2, 0)], 0);
                }
            }
            Operand::PairOffset | Operand::Address | Operand::ExclusiveOffset => {
                draft.set(AT_16, base);
                draft.before = self.base(base, 0);
                match draft.row.op {
                    (Op::LoadExclusive, _) => draft.behind = made_alone("clrex"),
                    (Op::StoreExclusive, width) if self.rng.once_in(2) => {
                        let load = self.reservation(operand, width, draft);
                        draft.before.extend(load);
                    }
                    _ => {}
                }
            }
            Operand::Base => {
                draft.set(AT_16, base);
                draft.before = self.base(base, 0);
            }
            Operand::List => {
                let mut list = self.below(1 << 13) | self.rng.bit() << 14;
                let base = draft.get(AT_16);
                if draft.row.op.0 == Op::StoreMultiple || draft.get(WRITES_BACK) == 1 {
                    list &= !(1 << base);
                }
                if list.count_ones() < 2 {
                    list |= if base < 2 { 0xC } else { 3 };
                }
                draft.set(LIST, list);
            }
            _ => {}
        }
    }

    /// The exclusive load that lets an exclusive store store; it loads what the store's result replaces.
    fn reservation(&mut self, operand: Operand, width: u8, draft: &Draft) -> Vec<u8> {
        let base = (AT_16, draft.get(AT_16));
        let status = if operand == Operand::ExclusiveOffset { AT_8 } else { AT_0 };
        let loaded = (AT_12, draft.get(status));
        match width {
            1 => made("ldrexb", Operand::Address, &[base, loaded]),
            2 => made("ldrexh", Operand::Address, &[base, loaded]),
            _ => {
                let offset = if operand == Operand::ExclusiveOffset { draft.get(BYTE) } else { 0 };
                made("ldrex", Operand::ExclusiveOffset, &[base, loaded, (BYTE, offset)])
            }
        }
    }

    /// Puts what a branch skips, or an `it` rules, behind it.
    fn flow_operand(&mut self, operand: Operand, draft: &mut Draft) {
        let narrow = !self.features.contains(&Feature::Thumb2);
        match operand {
            Operand::ShortBranch | Operand::ShortJump | Operand::Branch | Operand::Jump => {
                let count = self.below(4);
                draft.behind = self.computing(count, narrow);
                let end = draft.end();
                match operand {
                    Operand::ShortBranch => draft.set(isa::SHORT_BRANCH, end),
                    Operand::ShortJump => draft.set(isa::SHORT_JUMP, end),
                    Operand::Branch => draft.set(isa::BRANCH, end),
                    _ => draft.set(isa::JUMP, isa::turned(end)),
                }
            }
            Operand::Forward => {
                if self.rng.once_in(2) {
                    draft.before = small(draft.get(LOW), 0);
                }
                let count = 1 + self.below(3);
                draft.behind = self.computing(count, narrow);
                draft.set(isa::FORWARD, draft.end());
            }
            // `mov r, pc; adds r, #n; bx or blx r` over what is skipped; with an odd address.
            Operand::RmHigh if draft.row.op.0 != Op::Alu => {
                let (register, count) = (self.below(8), self.below(4));
                draft.behind = self.computing(count, narrow);
                draft.set(AT_3, register);
                draft.before = made("mov", Operand::RmAny, &[(HIGH, register), (AT_3, PC)]);
                // The register holds the address behind the addition, which is that of the jump.
                let distance = 3 + draft.behind.len() as u32;
                draft.before.extend(made("add", Operand::Imm8, &[(LOW_AT_8, register), (BYTE, distance)]));
            }
            Operand::Conditions => {
                draft.set(FIRST_CONDITION, self.below(14));
                let mask = 1 + self.below(15);
                draft.set(&[(0, 4, 0)], mask);
                draft.behind = self.computing(4 - mask.trailing_zeros(), false);
            }
            Operand::TableIndex => self.table(draft),
            _ => {}
        }
    }

    /// `movw rM, #index; tbb or tbh [pc, rM]`, the table, and a narrow instruction for each way.
    fn table(&mut self, draft: &mut Draft) {
        const WAYS: u32 = 4;
        let (index, chosen) = (self.free(), self.below(WAYS));
        let table = match draft.row.op {
            (_, 1) => (0..WAYS).map(|way| (WAYS / 2 + way) as u8).collect(),
            _ => halves(&[WAYS, WAYS + 1, WAYS + 2, WAYS + 3]),
        };
        draft.set(AT_16, PC);
        draft.set(AT_0, index);
        draft.before = constant(index, chosen);
        draft.behind = [table, self.computing(WAYS, true)].concat();
    }
}

/// An instruction without operands.
fn made_alone(mnemonic: &str) -> Vec<u8> {
    let row = isa::ROWS.iter().find(|row| row.mnemonic == mnemonic);
    let row = row.unwrap_or_else(|| panic!("no row is `{mnemonic}`"));
    bytes(row, row.pattern.value | row.pattern.usual)
}
