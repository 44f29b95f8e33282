//! ARM beside Unicorn: A32, Thumb and the enhancements of ARMv5TE, from the rows of the emulator's instruction set.

use super::Entry;
use crate::chip::{Chip, Family};
use crate::images::{Beside, Images, Start};
use crate::programs::{self, Unit, Units, BASE};
use crate::protocol::{Layout, Reference};
use crate::references::unicorn::{self, Model};
use crate::rng::Rng;
use crate::rows;
use crate::stream::{Asked, Outcome, Stream};
use crate::{layout, units};
use steelyard_emu::arm::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::arm::decode::{self, Op};
use steelyard_emu::arm::isa::{self, Feature, Operand, Row};
use steelyard_emu::arm::timing::Architecture;
use steelyard_emu::isa::gathered;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::profile::Class;
use steelyard_emu::{arm, emulated::Emulated, Description, Error};

pub const FAMILY: Entry = Entry::new::<Chip<Arm>>("arm", &[stream("armv4"), stream("armv5te")]);

const fn stream(name: &'static str) -> Stream {
    Stream { name, layout: Arm::LAYOUT, reference: |name| programs::reference(model(name)), run }
}

fn run(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let (core, architecture) =
        if asked.name == "armv5te" { ("xscale", Architecture::Armv5te) } else { ("sa1", Architecture::Armv4) };
    programs::run(Code { rng: Rng::new(asked.seed), architecture }, asked.catalogue.core(core)?, asked, reference)
}

/// `UC_CPU_ARM_PXA250` or `UC_CPU_ARM_SA1100`.
fn model(architecture: &str) -> Model {
    let cpu = Some(if architecture == "armv5te" { 21 } else { 19 });
    Model { architecture: unicorn::ARM, mode: 0, cpu, pc: 11, mark: 0 }
}

pub struct Arm;

const CPSR: usize = 16;
/// What else Unicorn's status register holds: supervisor mode, without interrupts.
pub const MODE: u32 = 0x1d3;

impl Family for Arm {
    type Cpu = Cpu<Immediate>;
    const LAYOUT: Layout = layout!(little; 4: "r0" 66, "r1" 67, "r2" 68, "r3" 69, "r4" 70, "r5" 71, "r6" 72, "r7" 73,
        "r8" 74, "r9" 75, "r10" 76, "r11" 77, "r12" 78, "sp" 12, "lr" 10, "pc" 11, "cpsr" 3);

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, Error> {
        arm::chip(description, Immediate)
    }

    fn register(cpu: &Self::Cpu, index: usize) -> u32 {
        match index {
            CPSR => cpu.nzcv << 28 | cpu.saturated << 27 | u32::from(cpu.thumb) << 5 | MODE,
            number => cpu.registers[number],
        }
    }

    fn set_register(cpu: &mut Self::Cpu, index: usize, value: u32) {
        match index {
            CPSR => (cpu.nzcv, cpu.saturated, cpu.thumb) = (value >> 28, value >> 27 & 1, value >> 5 & 1 == 1),
            number => cpu.registers[number] = value,
        }
    }
}

impl Images for Arm {
    const RETURN_ADDRESS: u32 = RETURN_ADDRESS;

    const BESIDE: &'static [Start] =
        &[|target| Beside::unicorn(model(target.architecture()), target, RETURN_ADDRESS, Self::LAYOUT)];
}

const SP: u32 = 13;
const PC: u32 = 15;
const ALWAYS: u32 = 14;
/// Registers that instructions may write: neither stack pointer nor program counter.
pub const FREE: [u32; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14];

/// Places of numbers in an A32 instruction: (lowest bit, number of bits, lowest bit of the number).
type Moves = &'static [(u32, u32, u32)];
const CONDITION: Moves = &[(28, 4, 0)];
const AT_0: Moves = &[(0, 4, 0)];
const AT_8: Moves = &[(8, 4, 0)];
const AT_12: Moves = &[(12, 4, 0)];
const AT_16: Moves = &[(16, 4, 0)];
const BYTE: Moves = &[(0, 8, 0)];
const ROTATION: Moves = &[(8, 4, 0)];
const KIND_OF_SHIFT: Moves = &[(5, 2, 0)];
const AMOUNT: Moves = &[(7, 5, 0)];
const OFFSET_12: Moves = &[(0, 12, 0)];
const OFFSET_8: Moves = &[(8, 4, 4), (0, 4, 0)];
const BEFORE: Moves = &[(24, 1, 0)];
const UP: Moves = &[(23, 1, 0)];
const WRITES_BACK: Moves = &[(21, 1, 0)];
const FIELDS: Moves = &[(16, 4, 0)];
const LIST: Moves = &[(0, 16, 0)];
const TARGET: Moves = &[(0, 24, 0)];
/// Places in a Thumb instruction.
const LOW_AT_3: Moves = &[(3, 3, 0)];
const LOW_AT_6: Moves = &[(6, 3, 0)];
const LOW_AT_8: Moves = &[(8, 3, 0)];
const HIGH: Moves = &[(0, 3, 0), (7, 1, 3)];
const AT_3: Moves = &[(3, 4, 0)];
const STEP: Moves = &[(0, 7, 0)];
const RETURN_BIT: Moves = &[(8, 1, 0)];
const DISTANCE: Moves = &[(0, 11, 0)];

/// Little-endian bytes of halfwords.
pub fn halves(halves: &[u32]) -> Vec<u8> {
    halves.iter().flat_map(|half| (*half as u16).to_le_bytes()).collect()
}

/// Little-endian bytes of an instruction of the row.
fn bytes(row: &Row, word: u32) -> Vec<u8> {
    word.to_le_bytes()[..row.pattern.bits as usize / 8].to_vec()
}

/// An instruction of the first row with this mnemonic and operand, with these numbers in these places.
fn made(mnemonic: &str, operand: Operand, numbers: &[(Moves, u32)]) -> Vec<u8> {
    let row = isa::ROWS.iter().find(|row| row.mnemonic == mnemonic && row.operands.contains(&operand));
    let row = row.unwrap_or_else(|| panic!("no row is `{mnemonic}` with {operand:?}"));
    let always = if row.operands.contains(&Operand::Condition) { ALWAYS << 28 } else { 0 };
    let word = row.pattern.value | row.pattern.usual | always;
    bytes(row, numbers.iter().fold(word, |word, &(moves, number)| rows::with(word, moves, number)))
}

/// `add` of a register and a byte, rotated to the right by twice the rotation.
fn add(rd: u32, rn: u32, byte: u32, rotation: u32) -> Vec<u8> {
    made("add", Operand::Imm, &[(AT_12, rd), (AT_16, rn), (BYTE, byte), (ROTATION, rotation)])
}

/// `mov` and three `orr` that make a constant.
fn constant(register: u32, value: u32) -> Vec<u8> {
    let mut code = made("mov", Operand::Imm, &[(AT_12, register), (BYTE, value)]);
    for byte in 1..4 {
        let place = [(AT_12, register), (AT_16, register), (BYTE, value >> (8 * byte)), (ROTATION, 16 - 4 * byte)];
        code.extend(made("orr", Operand::Imm, &place));
    }
    code
}

/// Clears all of the status register's bits that are not flags: simulators run in different modes.
fn flags_alone(register: u32) -> Vec<u8> {
    made("and", Operand::Imm, &[(AT_12, register), (AT_16, register), (BYTE, 0xf8), (ROTATION, 4)])
}

/// Goes from A32 to Thumb at the next multiple of four.
fn enter_thumb(register: u32) -> Vec<u8> {
    [add(register, PC, 1, 0), made("bx", Operand::Rm, &[(AT_0, register)])].concat()
}

/// Pads Thumb code to a multiple of four and goes back to A32.
fn leave_thumb(mut code: Vec<u8>) -> Vec<u8> {
    let nothing = made("mov", Operand::RdHigh, &[(HIGH, 8), (AT_3, 8)]);
    if code.len() % 4 != 0 {
        code.extend(&nothing);
    }
    [code, made("bx", Operand::RmHigh, &[(AT_3, PC)]), nothing].concat()
}

/// A register among these that is not taken.
pub fn free_of(rng: &mut Rng, registers: &[u32], taken: &[u32]) -> u32 {
    loop {
        let register = *rng.pick(registers);
        if !taken.contains(&register) {
            return register;
        }
    }
}

/// Bits of so many different registers.
fn bits_of(rng: &mut Rng, registers: &[u32], count: u32) -> u32 {
    let mut bits = 0_u32;
    while bits.count_ones() < count {
        bits |= 1 << rng.pick(registers);
    }
    bits
}

/// Returns the size in bytes of what a load or store of one register or a pair moves.
fn size_bytes(row: &Row) -> u32 {
    match row.op {
        (Op::LoadPair | Op::StorePair, _) => 8,
        (_, decode::BYTE | decode::SIGNED) => 1,
        (_, decode::HALF) => 2,
        (_, detail) if detail & decode::SIGNED_HALF != 0 => 2,
        _ => 4,
    }
}

/// A unit while it is made: an instruction and what stands before and behind it.
struct Draft {
    row: &'static Row,
    word: u32,
    before: Vec<u8>,
    behind: Vec<u8>,
    /// Whether a Thumb instruction goes to A32 itself.
    leaves_thumb: bool,
}

impl Draft {
    fn set(&mut self, moves: Moves, number: u32) {
        self.word = rows::with(self.word, moves, number);
    }

    fn get(&self, moves: Moves) -> u32 {
        gathered(self.word, moves)
    }

    fn has(&self, operand: Operand) -> bool {
        self.row.operands.contains(&operand)
    }

    /// Whether the instruction is one of the row that makes sense.
    fn is_one(&self) -> bool {
        let found = isa::row_of(self.word, self.row.pattern.bits);
        found.is_some_and(|row| row.pattern == self.row.pattern) && decode::of_row(self.row, self.word, 0).is_some()
    }
}

struct Code {
    rng: Rng,
    architecture: Architecture,
}

impl Units for Code {
    type Of = Arm;

    fn units(&self) -> Vec<Unit<Self>> {
        let of = |row: &'static Row| -> Unit<Self> {
            // What computes comes more often.
            let weight = if row.op.0 == Op::Alu && row.pattern.bits == 32 { 4 } else { 3 };
            (row.mnemonic.to_owned(), weight, Box::new(move |code: &mut Self| code.unit(row)))
        };
        let rows = isa::ROWS.iter().filter(|row| self.architecture.has(row.feature)).map(of);
        rows.chain(units![10 jump]).collect()
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn registers(&mut self) -> Vec<(usize, u32)> {
        let mut registers: Vec<_> = FREE.map(|register| (register as usize, self.rng.value())).into();
        // ARMv4 knows no saturation.
        let enhanced = self.architecture == Architecture::Armv5te;
        let flags = self.rng.word() as u32 & if enhanced { 0xF800_0000 } else { 0xF000_0000 };
        registers.extend([(SP as usize, BASE), (CPSR, flags | MODE)]);
        registers
    }
}

impl Code {
    fn below(&mut self, bound: u32) -> u32 {
        self.rng.below(bound)
    }

    fn free(&mut self, taken: &[u32]) -> u32 {
        free_of(&mut self.rng, &FREE, taken)
    }

    fn condition(&mut self) -> u32 {
        if self.rng.below(10) < 7 {
            ALWAYS
        } else {
            self.rng.below(14)
        }
    }

    fn source(&mut self) -> u32 {
        if self.rng.once_in(5) {
            self.below(16)
        } else {
            self.free(&[])
        }
    }

    /// Lets a register point into the middle of the data, at a multiple of an alignment.
    fn base(&mut self, register: u32, alignment: u32) -> Vec<u8> {
        let (coarse, fine) = (0x1000 + self.rng.multiple(0x40, 0x2000), self.rng.multiple(alignment, 0x40));
        [add(register, SP, coarse >> 6, 13), add(register, register, fine, 0)].concat()
    }

    /// Lets a low register point into the data, in Thumb.
    fn low_base(&mut self, register: u32) -> Vec<u8> {
        made("add", Operand::FromStack, &[(LOW_AT_8, register), (BYTE, self.rng.below(0x100))])
    }

    /// An A32 instruction that computes and may be skipped.
    fn filler(&mut self) -> Vec<u8> {
        let row = isa::ROWS.iter().find(|row| row.mnemonic == "add" && row.operands.contains(&Operand::ShiftedRm));
        row.map_or(Vec::new(), |row| self.unit(row))
    }

    /// Thumb instructions that may be skipped.
    fn short_fillers(&mut self, count: u32) -> Vec<u8> {
        let mut one = || {
            let place = [(LOW_AT_8, self.rng.below(8)), (BYTE, self.rng.below(0x100))];
            made("adds", Operand::RdnTop, &place)
        };
        (0..count).flat_map(|_| one()).collect()
    }

    /// An instruction of the row with all that its operands need around it.
    fn unit(&mut self, row: &'static Row) -> Vec<u8> {
        loop {
            let word = rows::random(row, &mut self.rng);
            let mut draft = Draft { row, word, before: Vec::new(), behind: Vec::new(), leaves_thumb: false };
            let short = row.pattern.bits == 16;
            for &operand in row.operands {
                if short {
                    self.short_operand(operand, &mut draft);
                } else {
                    self.register(operand, &mut draft);
                    self.memory_operand(operand, &mut draft);
                    self.flow_operand(operand, &mut draft);
                }
            }
            if !draft.is_one() {
                continue;
            }
            let Draft { word, before, behind, leaves_thumb, .. } = draft;
            let code = [before, bytes(row, word), behind].concat();
            return match (short, leaves_thumb) {
                (false, _) => code,
                (true, true) => [enter_thumb(self.free(&[])), code].concat(),
                (true, false) => [enter_thumb(self.free(&[])), leave_thumb(code)].concat(),
            };
        }
    }

    /// Chooses registers and constants of an instruction that computes.
    fn register(&mut self, operand: Operand, draft: &mut Draft) {
        let row = draft.row;
        // Where an amount is a register, none is the program counter.
        let amount_is_register = draft.has(Operand::AmountRegister) || draft.has(Operand::RmShiftedByRs);
        // The first multiplications want a destination that is no source.
        let apart = row.op.0 == Op::Multiply && row.feature == Feature::Base;
        match operand {
            Operand::Rd if size_bytes(row) == 8 => draft.set(AT_12, 2 * self.rng.below(6)),
            Operand::Rd | Operand::Result | Operand::RdLo | Operand::Accumulator => {
                draft.set(AT_12, self.free(&[]));
            }
            Operand::Product | Operand::Addend => draft.set(AT_16, self.free(&[])),
            Operand::RdHi => draft.set(AT_16, self.free(&[draft.get(AT_12)])),
            Operand::Rn => {
                let source = if amount_is_register { self.free(&[]) } else { self.source() };
                draft.set(AT_16, source);
            }
            Operand::Rm | Operand::ShiftedRm => {
                let plain = amount_is_register || row.op.0 != Op::Alu;
                let source = if plain { self.free(&[]) } else { self.source() };
                draft.set(AT_0, source);
            }
            Operand::RmShiftedByRs | Operand::AmountRegister => {
                let amount = self.free(&[]);
                if self.rng.once_in(2) {
                    // Amounts round the width of a word.
                    let value = *self.rng.pick(&[0, 1, 31, 32, 33, 63, 64, 255]);
                    draft.before = made("mov", Operand::Imm, &[(AT_12, amount), (BYTE, value)]);
                }
                draft.set(AT_8, amount);
                draft.set(AT_0, self.free(&[]));
            }
            Operand::Factor if apart => {
                let low = if draft.has(Operand::RdLo) { draft.get(AT_12) } else { draft.get(AT_16) };
                draft.set(AT_0, self.free(&[draft.get(AT_16), low]));
            }
            Operand::Factor => draft.set(AT_0, self.free(&[])),
            Operand::Multiplier => draft.set(AT_8, self.free(&[])),
            Operand::Status => draft.behind = flags_alone(draft.get(AT_12)),
            Operand::StatusFields => draft.set(FIELDS, 8),
            Operand::StatusImm => {
                draft.set(BYTE, self.rng.below(16) << 4);
                draft.set(ROTATION, 4);
            }
            _ => {}
        }
        if operand == Operand::Factor && row.op.0 == Op::Msr {
            draft.before = flags_alone(draft.get(AT_0));
        }
    }

    /// A register whose shifted value is a small multiple of the width: set-up, the register, kind and amount.
    fn offset(&mut self, width: u32, taken: &[u32]) -> (Vec<u8>, u32, u32, u32) {
        let (kind, mut amount) = (self.below(4), self.below(32));
        let mut target = self.rng.multiple(width, 0x800);
        let register = self.free(taken);
        let value = match kind {
            0 => {
                let step = width.max(1 << amount);
                if step < 0x800 {
                    target = self.rng.multiple(step, 0x800);
                    target >> amount
                } else if amount < 12 {
                    0
                } else {
                    (self.rng.word() as u32) >> (32 - amount) << (32 - amount)
                }
            }
            3 => {
                // Without an amount it is `rrx`: the carry would be the highest bit.
                amount = if amount == 0 { 4 } else { amount };
                target.rotate_left(amount)
            }
            _ if (1..20).contains(&amount) => target << amount & 0x7FFF_FFFF,
            _ => 0,
        };
        (constant(register, value), register, kind, amount)
    }

    /// Lets an instruction load or store in the data.
    fn memory_operand(&mut self, operand: Operand, draft: &mut Draft) {
        let width = size_bytes(draft.row);
        let mut taken = match width {
            _ if !draft.has(Operand::Rd) => vec![],
            8 => vec![draft.get(AT_12), draft.get(AT_12) + 1],
            _ => vec![draft.get(AT_12)],
        };
        match operand {
            Operand::Offset12 => draft.set(OFFSET_12, self.rng.multiple(width, 0x1000)),
            Operand::Offset8 => draft.set(OFFSET_8, self.rng.multiple(width, 0x100)),
            Operand::Index => {
                let (setup, register, kind, amount) = self.offset(width, &[]);
                draft.before = setup;
                for (moves, number) in [(AT_0, register), (KIND_OF_SHIFT, kind), (AMOUNT, amount)] {
                    draft.set(moves, number);
                }
                taken.push(register);
            }
            Operand::HalfIndex => {
                let register = self.free(if width == 8 { &taken } else { &[] });
                draft.before = constant(register, self.rng.multiple(width, 0x100));
                draft.set(AT_0, register);
                taken.push(register);
            }
            Operand::Address => taken.push(draft.get(AT_0)),
            Operand::Base | Operand::List | Operand::PushList => return self.several(operand, draft),
            _ => return,
        }
        let moves = draft.get(BEFORE) == 0 || draft.get(WRITES_BACK) == 1;
        let constant = matches!(operand, Operand::Offset12 | Operand::Offset8);
        if constant && !moves && self.rng.once_in(10) && draft.row.class == Class::Load && width < 8 {
            if self.rng.once_in(2) {
                // What lies before is code.
                draft.set(AT_16, PC);
                draft.set(UP, 0);
                let back = 8 + 4 * self.below(6);
                draft.set(if operand == Operand::Offset12 { OFFSET_12 } else { OFFSET_8 }, back);
            } else {
                draft.set(AT_16, SP);
                draft.set(UP, 1);
            }
            return;
        }
        if !moves && draft.row.op == (Op::Store, decode::WORD) && self.rng.once_in(20) {
            draft.set(AT_12, PC);
        }
        let base = self.free(&taken);
        draft.set(AT_16, base);
        let setup = self.base(base, width);
        draft.before.extend(setup);
    }

    /// Lets an instruction load or store several registers.
    fn several(&mut self, operand: Operand, draft: &mut Draft) {
        let (load, moves) = (draft.row.op.0 == Op::LoadMultiple, draft.get(WRITES_BACK) == 1);
        match operand {
            Operand::Base => {
                let base = self.free(&[]);
                draft.set(AT_16, base);
                draft.before = self.base(base, 4);
            }
            Operand::List => {
                let (base, count) = (draft.get(AT_16), 1 + self.below(13));
                let others: Vec<u32> = FREE.into_iter().filter(|register| *register != base).collect();
                let mut list = bits_of(&mut self.rng, &others, count);
                if load && !moves && self.rng.once_in(2) {
                    list |= 1 << base;
                }
                if !load && self.rng.once_in(4) {
                    // The base among the stored is its old value if it comes first.
                    list = list >> base << base | 1 << base;
                }
                if !load && !moves && self.rng.once_in(10) {
                    list |= 1 << PC;
                }
                draft.set(LIST, list);
            }
            _ => {
                let count = 1 + self.below(8);
                let [list, other] = [(); 2].map(|()| bits_of(&mut self.rng, &FREE, count));
                draft.set(LIST, list);
                if load {
                    draft.before = made("push", Operand::PushList, &[(LIST, other)]);
                } else {
                    draft.behind = made("pop", Operand::PushList, &[(LIST, other)]);
                }
            }
        }
    }

    /// Lets an instruction be executed or not, and a jump lead ahead.
    fn flow_operand(&mut self, operand: Operand, draft: &mut Draft) {
        let row = draft.row;
        match operand {
            // The stack pointer comes back.
            Operand::Condition if draft.has(Operand::PushList) => draft.set(CONDITION, ALWAYS),
            Operand::Condition => draft.set(CONDITION, self.condition()),
            Operand::Target => {
                let count = 1 + self.below(2);
                draft.behind = (0..count).flat_map(|_| self.filler()).collect();
                draft.set(TARGET, count - 1);
            }
            Operand::TargetOfHalves => {
                // One more halfword may be skipped.
                let code = self.short_fillers(2);
                draft.behind = leave_thumb(code);
                draft.set(TARGET, u32::MAX);
            }
            Operand::Rm | Operand::Factor
                if matches!(row.op.0, Op::BranchExchange | Op::BranchLinkExchangeRegister) =>
            {
                // Read by the instruction before, the program counter names the one behind the skipped.
                draft.before = add(draft.get(AT_0), PC, 4, 0);
                draft.behind = self.filler();
            }
            _ => {}
        }
    }

    /// Prepares an operand of a Thumb instruction, whose unit begins at a multiple of four.
    fn short_operand(&mut self, operand: Operand, draft: &mut Draft) {
        let row = draft.row;
        match operand {
            Operand::RdHigh | Operand::RdnHigh | Operand::RnHigh => draft.set(HIGH, self.free(&[])),
            Operand::RmHigh | Operand::RmCalled if row.op.0 != Op::Alu => {
                let register = self.below(8);
                draft.set(AT_3, register);
                // To A32 right behind, or to Thumb behind something skipped.
                draft.leaves_thumb = self.rng.once_in(2);
                let words = if draft.leaves_thumb { 0 } else { 1 };
                draft.before = made("add", Operand::FromPc, &[(LOW_AT_8, register), (BYTE, words)]);
                if !draft.leaves_thumb {
                    draft.before.extend(made("adds", Operand::RdnTop, &[(LOW_AT_8, register), (BYTE, 1)]));
                    draft.behind = self.short_fillers(1);
                }
            }
            Operand::ShortIndex => {
                let (base, index) = (self.below(8), self.below(8));
                let value = self.rng.multiple(size_bytes(row), 0x100);
                draft.set(LOW_AT_3, base);
                draft.set(LOW_AT_6, if index == base { (base + 1) % 8 } else { index });
                draft.before = self.low_base(base);
                let place = [(LOW_AT_8, draft.get(LOW_AT_6)), (BYTE, value)];
                draft.before.extend(made("movs", Operand::RdTop, &place));
            }
            Operand::ShortOffset => draft.before = self.low_base(draft.get(LOW_AT_3)),
            Operand::StackStep => {
                let back = if row.mnemonic == "add" { "sub" } else { "add" };
                draft.behind = made(back, Operand::StackStep, &[(STEP, draft.get(STEP))]);
            }
            Operand::ShortPushList => {
                draft.behind = made("add", Operand::StackStep, &[(STEP, (draft.word & 0x1ff).count_ones())]);
            }
            Operand::ShortPopList => {
                draft.set(RETURN_BIT, 0);
                draft.before = made("sub", Operand::StackStep, &[(STEP, draft.get(BYTE).count_ones())]);
            }
            Operand::ShortBase | Operand::ShortBaseUnlessLoaded => {
                let (base, list) = (draft.get(LOW_AT_8), draft.get(BYTE));
                draft.before = self.low_base(base);
                // The base among the stored is its old value if it comes first.
                if operand == Operand::ShortBase && list & ((1 << base) - 1) != 0 {
                    draft.set(BYTE, list & !(1 << base));
                }
            }
            Operand::ShortTarget | Operand::ShortJumpTarget => {
                let count = 1 + self.below(2);
                draft.behind = self.short_fillers(count);
                draft.set(if operand == Operand::ShortTarget { BYTE } else { DISTANCE }, count - 1);
            }
            Operand::UpperDistance => {
                let count = self.below(3);
                draft.set(DISTANCE, 0);
                draft.behind = made("bl", Operand::LowerDistance, &[(DISTANCE, count)]);
                draft.behind.extend(self.short_fillers(count));
            }
            Operand::LowerDistance => {
                draft.before = made("bl", Operand::UpperDistance, &[]);
                draft.leaves_thumb = row.op.0 == Op::CallSuffixExchange;
                let count = if draft.leaves_thumb { 0 } else { self.below(3) };
                draft.set(DISTANCE, count);
                draft.behind = self.short_fillers(count);
            }
            _ => {}
        }
    }

    /// The program counter as the destination of what has others too, always one instruction ahead.
    fn jump(&mut self) -> Vec<u8> {
        let (rd, condition) = (self.free(&[]), self.condition());
        let to_pc = [(CONDITION, condition), (AT_12, PC)];
        // Read by the instruction before the last one, the program counter names the one behind the skipped.
        let (near, far) = (add(rd, PC, 4, 0), add(rd, PC, 8, 0));
        let push = made("push", Operand::PushList, &[(LIST, 1 << rd)]);
        let jump = match self.below(4) {
            0 => made("add", Operand::Imm, &[&to_pc[..], &[(AT_16, PC)]].concat()),
            1 => [near, made("mov", Operand::Rm, &[&to_pc[..], &[(AT_0, rd)]].concat())].concat(),
            2 => {
                let load = made("ldr", Operand::Offset12, &[(AT_12, PC), (AT_16, SP), (UP, 1), (OFFSET_12, 4)]);
                [far, push, load].concat()
            }
            _ => [far, push, made("pop", Operand::PushList, &[(LIST, 1 << PC)])].concat(),
        };
        [jump, self.filler()].concat()
    }
}
