//! The floating-point unit beside Unicorn, with operands that matter, every mode of FPSCR, and all that an instruction
//! leaves kept in memory.

use super::{bytes, constant, is_one, made, CortexM, Thumb, AT_12, AT_16, AT_8, AT_3, HIGH, OFFSET, SP};
use crate::chip::Family;
use crate::layout;
use crate::programs::{Unit, Units};
use crate::protocol::Layout;
use crate::rng::Rng;
use crate::rows;
use steelyard_emu::cortex_m::decode::{float as kinds, Op};
use steelyard_emu::cortex_m::float::{FLUSH_TO_ZERO, ROUNDING_SHIFT};
use steelyard_emu::cortex_m::isa::{self, Feature, Moves, Operand, Row};
use steelyard_emu::isa::gathered;
use steelyard_emu::{emulated::Emulated, Description, Error};

/// The family with the registers of the unit.
pub struct WithUnit;

/// Number of the unit's first register in the layout, and of FPSCR.
const SINGLES: usize = 17;
const FPSCR: usize = SINGLES + 32;

impl Family for WithUnit {
    type Cpu = <CortexM as Family>::Cpu;
    const LAYOUT: Layout =
        layout!(little; 4: "r0" 66, "r1" 67, "r2" 68, "r3" 69, "r4" 70, "r5" 71, "r6" 72, "r7" 73, "r8" 74, "r9" 75,
        "r10" 76, "r11" 77, "r12" 78, "sp" 12, "lr" 10, "pc" 11, "cpsr" 3, "s0" 79, "s1" 80, "s2" 81, "s3" 82, "s4"
        83, "s5" 84, "s6" 85, "s7" 86, "s8" 87, "s9" 88, "s10" 89, "s11" 90, "s12" 91, "s13" 92, "s14" 93, "s15" 94,
        "s16" 95, "s17" 96, "s18" 97, "s19" 98, "s20" 99, "s21" 100, "s22" 101, "s23" 102, "s24" 103, "s25" 104,
        "s26" 105, "s27" 106, "s28" 107, "s29" 108, "s30" 109, "s31" 110, "fpscr" 6);

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, Error> {
        CortexM::chip(description)
    }

    fn register(cpu: &Self::Cpu, index: usize) -> u32 {
        match index {
            FPSCR => cpu.float.status,
            SINGLES.. => cpu.float.singles[index - SINGLES],
            _ => CortexM::register(cpu, index),
        }
    }

    fn set_register(cpu: &mut Self::Cpu, index: usize, value: u32) {
        match index {
            FPSCR => cpu.float.status = value,
            SINGLES.. => cpu.float.singles[index - SINGLES] = value,
            _ => CortexM::set_register(cpu, index, value),
        }
    }
}

/// Places of the numbers of single registers.
const SD: Moves = &[(22, 1, 0), (12, 4, 1)];
const SN: Moves = &[(7, 1, 0), (16, 4, 1)];
const SM: Moves = &[(5, 1, 0), (0, 4, 1)];
const WORDS: Moves = &[(0, 8, 0)];
const UP: Moves = &[(23, 1, 0)];

/// Results are kept so many words around the stack pointer, the flags above them.
const KEPT: u32 = 511;
const KEPT_FLAGS: u32 = 768;

/// A number of single precision that matters, or two halves.
fn operand(rng: &mut Rng) -> u32 {
    const MAGNITUDES: [u32; 26] = [
        0,
        1,
        0x0000_0002,
        0x0040_0000,
        0x007f_ffff,
        0x0080_0000,
        0x0080_0001,
        0x00ff_ffff,
        0x3380_0000,
        0x3387_ffff,
        0x3880_0000,
        0x3f00_0000,
        0x3f80_0000,
        0x3f80_0001,
        0x3fc0_0000,
        0x4020_0000,
        0x46ff_fe00,
        0x477f_e000,
        0x477f_f000,
        0x4f00_0000,
        0x4f7f_ffff,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fa0_1234,
        0x7fc0_0001,
    ];
    const HALVES: [u32; 12] =
        [0, 1, 0x03ff, 0x0400, 0x3c00, 0x3c01, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff, 0x7dff];
    let sign = rng.bit() << 31;
    let fraction = rng.word() as u32 & 0x007f_ffff;
    match rng.below(8) {
        0..=2 => sign | *rng.pick(&MAGNITUDES),
        // Of alike magnitude, so that sums cancel.
        3 => sign | (120 + rng.below(14)) << 23 | fraction,
        4 => sign | (150 + rng.below(16)) << 23 | fraction,
        // Products of these are tiny or denormal.
        5 => sign | (45 + rng.below(30)) << 23 | fraction,
        6 => (rng.bit() << 15 | *rng.pick(&HALVES)) << 16 | rng.bit() << 15 | *rng.pick(&HALVES),
        _ => rng.value(),
    }
}

/// A word for FPSCR: any modes, no flags.
fn modes(rng: &mut Rng) -> u32 {
    let rounding = rng.below(4) << ROUNDING_SHIFT;
    let others = rng.below(8) * FLUSH_TO_ZERO;
    if rng.once_in(3) {
        rounding
    } else {
        rounding | others
    }
}

/// Makes code of the floating-point unit.
pub struct Floats {
    pub thumb: Thumb,
    pub features: &'static [Feature],
    /// Number of the next result that is kept.
    pub kept: u32,
}

impl Units for Floats {
    type Of = WithUnit;

    fn units(&self) -> Vec<Unit<Self>> {
        let of = |row: &'static Row| -> Unit<Self> {
            (row.mnemonic.to_owned(), 1, Box::new(move |floats: &mut Self| floats.unit(row)))
        };
        isa::ROWS.iter().filter(|row| self.features.contains(&row.feature)).map(of).collect()
    }

    fn rng(&mut self) -> &mut Rng {
        self.thumb.rng()
    }

    fn registers(&mut self) -> Vec<(usize, u32)> {
        let mut registers = self.thumb.registers();
        registers.extend((0..32).map(|number| (SINGLES + number, operand(self.rng()))));
        registers.push((FPSCR, modes(self.rng())));
        registers
    }
}

impl Floats {
    /// `movw`, `movt`, and the move into a register of the unit.
    fn single(&mut self, number: u32) -> Vec<u8> {
        let (register, value) = (self.thumb.free(), operand(self.rng()));
        let moved = made("vmov", Operand::MovedSn, &[(AT_12, register), (SN, number)]);
        [whole(register, value), moved].concat()
    }

    /// An instruction of the row, between what fills its operands and what keeps what it leaves.
    fn unit(&mut self, row: &'static Row) -> Vec<u8> {
        if row.op.0 != Op::Float {
            return self.transfer(row);
        }
        let word = loop {
            let word = rows::random(row, self.rng());
            if is_one(row, word) {
                break word;
            }
        };
        let status = self.thumb.free();
        let mut modes = modes(self.rng());
        if row.op.1 & kinds::KIND == kinds::FROM_FIXED {
            // The reference rounds these as FPSCR says, where the manual has them rounded to nearest.
            modes &= !(3 << ROUNDING_SHIFT);
        }
        let mut code = whole(status, modes);
        code.extend(made("vmsr", Operand::Fpscr, &[(AT_12, status)]));
        for operand in row.operands.iter().chain([&Operand::Sd]) {
            let moves = match operand {
                Operand::Sd => SD,
                Operand::Sn => SN,
                Operand::Sm => SM,
                _ => continue,
            };
            if !self.rng().once_in(8) {
                code.extend(self.single(gathered(word, moves)));
            }
        }
        code.extend(bytes(row, word));
        code.extend(self.keep(gathered(word, SD)));
        code
    }

    /// Stores a register of the unit and FPSCR.
    fn keep(&mut self, number: u32) -> Vec<u8> {
        self.kept = (self.kept + 1) % (KEPT * KEPT_FLAGS);
        let place = self.kept % KEPT;
        let (up, words) = if place > 255 { (1, place - 255) } else { (0, 255 - place) };
        let register = self.thumb.free();
        let flags = 1024 + 4 * (self.kept % KEPT_FLAGS);
        let stored = [(SD, number), (AT_16, SP), (UP, up), (WORDS, words)];
        [
            made("vstr", Operand::Sd, &stored),
            made("vmrs", Operand::ToRtOrFlags, &[(AT_12, register)]),
            made("str.w", Operand::Offset12, &[(AT_12, register), (AT_16, SP), (OFFSET, flags)]),
        ]
        .concat()
    }

    /// A load, store or move.
    fn transfer(&mut self, row: &'static Row) -> Vec<u8> {
        loop {
            let mut word = rows::random(row, self.rng());
            let (mut before, base) = (Vec::new(), self.thumb.free());
            for operand in row.operands {
                match operand {
                    Operand::PairOffset | Operand::Base => {
                        word = rows::with(word, AT_16, base);
                        before = self.thumb.base(base, 0);
                    }
                    Operand::SingleList => word = rows::with(word, WORDS, 1 + self.rng().below(32)),
                    Operand::DoubleList => word = rows::with(word, WORDS, 2 + 2 * self.rng().below(16)),
                    Operand::FromRt | Operand::ToRt => word = rows::with(word, AT_12, self.thumb.free()),
                    Operand::FromRt2 | Operand::ToRt2 => word = rows::with(word, AT_16, self.thumb.free()),
                    Operand::ToRtOrFlags if self.rng().once_in(2) => word = rows::with(word, AT_12, self.thumb.free()),
                    Operand::ToRtOrFlags => word = rows::with(word, AT_12, 15),
                    _ => {}
                }
            }
            if is_one(row, word) {
                // The stack pointer stays where it is.
                let saved = self.thumb.free();
                let moved = row.operands.contains(&Operand::PushedBelow);
                let (save, restore) = if moved { (copied(saved, SP), copied(SP, saved)) } else { Default::default() };
                return [save, before, bytes(row, word), restore].concat();
            }
        }
    }
}

/// `mov` of any registers.
fn copied(to: u32, from: u32) -> Vec<u8> {
    made("mov", Operand::RmAny, &[(HIGH, to), (AT_3, from)])
}

/// `movw`, `movt`.
fn whole(register: u32, value: u32) -> Vec<u8> {
    let upper = made("movt", Operand::Imm16, &[(AT_8, register), (isa::SIXTEEN, value >> 16)]);
    [constant(register, value & 0xffff), upper].concat()
}
