//! Cortex-M beside Unicorn: Thumb and Thumb-2. Encodings: ARM DDI 0403, chapter A5.

use super::arm::{free_of, halves, FREE, MODE};
use super::Entry;
use crate::chip::{Chip, Family};
use crate::images::{Beside, Go, Images, Start};
use crate::programs::{self, Unit, Units, BASE};
use crate::protocol::{Layout, Reference};
use crate::references::gdb::Simulator;
use crate::references::unicorn::{self, Model};
use crate::rng::Rng;
use crate::stream::{Asked, Outcome, Stream};
use crate::{layout, units};
use steelyard_emu::cortex_m::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::{cortex_m, emulated::Emulated, Description, Error};

pub const FAMILY: Entry = Entry::new::<Chip<CortexM>>(
    "cortex-m",
    &[stream("armv6-m"), stream("armv7-m"), stream("armv7e-m"), stream("armv8-m-mainline")],
);

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
    let thumb = Thumb {
        rng: Rng::new(asked.seed),
        wide: asked.name != "armv6-m",
        dsp: matches!(asked.name, "armv7e-m" | "armv8-m-mainline"),
        ordered: asked.name == "armv8-m-mainline",
    };
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
            CPSR => cpu.nzcv << 28 | u32::from(cpu.saturated) << 27 | THUMB_MODE | cpu.greater_or_equal << 16,
            number => cpu.registers[number],
        }
    }

    fn set_register(cpu: &mut Self::Cpu, index: usize, value: u32) {
        match index {
            CPSR => {
                (cpu.nzcv, cpu.saturated, cpu.greater_or_equal) =
                    (value >> 28, value >> 27 & 1 == 1, value >> 16 & 15)
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
const LOW: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Makes Thumb code.
pub struct Thumb {
    rng: Rng,
    /// Whether there are instructions of four bytes.
    wide: bool,
    dsp: bool,
    /// Whether there are loads and stores with an order.
    ordered: bool,
}

impl Units for Thumb {
    type Of = CortexM;

    fn units(&self) -> Vec<Unit<Self>> {
        let mut units = units![
            10 shift_narrow, 10 sum_narrow, 8 immediate_narrow, 16 register_narrow, 5 high, 4 extend_narrow,
            14 single_narrow, 4 multiple_narrow, 3 stack, 2 stack_pointer, 4 branch_narrow, 2 call, 2 jump, 3 status, 2 literal_narrow
        ];
        if self.wide {
            units.extend(units![
                16 modified, 16 shifted, 10 plain, 8 field, 4 saturate, 5 shift_wide, 4 extend_wide, 4 bits_wide,
                5 multiply, 5 long, 3 divide, 14 single_wide, 4 unaligned, 5 multiple_wide, 4 pair, 2 exclusive,
                3 branch_wide, 3 compare_branch, 2 table, 12 block, 2 literal_wide
            ]);
        }
        if self.dsp {
            units.extend(units![
                12 parallel, 4 select, 4 saturating, 6 extend_add, 4 pack, 12 halves_product, 8 halves_product_long,
                3 saturate_halves
            ]);
        }
        if self.ordered {
            units.extend(units![4 ordered]);
        }
        units
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn registers(&mut self) -> Vec<(usize, u32)> {
        let mut registers: Vec<_> = FREE.map(|register| (register as usize, self.rng.value())).into();
        let flags = self.rng.word() as u32 & if self.dsp { 0xF80F_0000 } else { 0xF000_0000 };
        registers.extend([(SP as usize, BASE), (CPSR, flags | THUMB_MODE)]);
        registers
    }
}

/// Operands.
impl Thumb {
    /// Makes instructions of two bytes alone.
    pub fn narrow(seed: u64) -> Self {
        Self { rng: Rng::new(seed), wide: false, dsp: false, ordered: false }
    }

    /// A unit that the first cores with Thumb execute too.
    pub fn old(&mut self) -> Vec<u8> {
        let unit = *self.rng.pick(&[
            Self::shift_narrow,
            Self::sum_narrow,
            Self::immediate_narrow,
            Self::register_narrow,
            Self::high,
            Self::single_narrow,
            Self::multiple_narrow,
            Self::stack,
            Self::stack_pointer,
            Self::branch_narrow,
            Self::call,
            Self::jump,
            Self::literal_narrow,
        ]);
        unit(self)
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.rng.below(bound)
    }

    fn bit(&mut self) -> u32 {
        self.rng.bit()
    }

    fn low(&mut self, taken: &[u32]) -> u32 {
        free_of(&mut self.rng, &LOW, taken)
    }

    fn free(&mut self, taken: &[u32]) -> u32 {
        free_of(&mut self.rng, &FREE, taken)
    }

    /// A base in the middle of the data: `movs r, #n; lsls r, r, #8; add r, sp`.
    fn base_narrow(&mut self, register: u32) -> Vec<u8> {
        let step = 0x10 + self.below(0x1C);
        halves(&[0x2000 | register << 8 | step, register << 3 | register | 8 << 6, 0x4468 | register])
    }

    /// `add.w register, sp, #0x1000`, and a finer step.
    fn base(&mut self, register: u32, fine: u32) -> Vec<u8> {
        let step = 64 * (4 + self.below(56)) + fine;
        let [first, second] = split(0xF200 | register, register << 8, step);
        halves(&[0xF50D, 0x5080 | register << 8, first, second])
    }

    /// What a jump may skip: one instruction, up to three times.
    fn skipped(&mut self, least: u32) -> (Vec<u8>, u32) {
        let count = least + self.below(4 - least);
        (self.register_narrow().repeat(count as usize), count)
    }
}

/// An instruction with a constant of 12 bits in three fields.
fn split(first: u32, second: u32, value: u32) -> [u32; 2] {
    [first | (value >> 11 & 1) << 10, second | (value >> 8 & 7) << 12 | value & 0xFF]
}

/// `movw`.
fn constant(register: u32, value: u32) -> Vec<u8> {
    halves(&split(0xF240 | value >> 12 & 15, register << 8, value & 0xFFF))
}

/// Instructions of two bytes.
impl Thumb {
    fn shift_narrow(&mut self) -> Vec<u8> {
        halves(&[self.below(3) << 11 | self.below(0x800)])
    }

    fn sum_narrow(&mut self) -> Vec<u8> {
        halves(&[0x1800 | self.below(0x800)])
    }

    fn immediate_narrow(&mut self) -> Vec<u8> {
        halves(&[0x2000 | self.below(0x2000)])
    }

    fn register_narrow(&mut self) -> Vec<u8> {
        halves(&[0x4000 | self.below(0x400)])
    }

    fn high(&mut self) -> Vec<u8> {
        let kind = self.below(3);
        let (mut rd, mut rm) = (self.free(&[]), self.free(&[]));
        if kind == 1 && rd < 8 && rm < 8 {
            rd = self.free(&LOW);
        }
        if kind != 1 && self.rng.once_in(4) {
            rm = match kind {
                2 => SP,
                _ if self.rng.once_in(2) => PC,
                _ => rm,
            };
        }
        halves(&[0x4400 | kind << 8 | (rd >> 3) << 7 | rm << 3 | rd & 7])
    }

    fn extend_narrow(&mut self) -> Vec<u8> {
        let operation = self.rng.pick(&[0xB200, 0xB240, 0xB280, 0xB2C0, 0xBA00, 0xBA40, 0xBAC0]) | self.below(64);
        halves(&[operation])
    }

    fn single_narrow(&mut self) -> Vec<u8> {
        let (base, rt) = (self.low(&[]), self.low(&[]));
        let setup = self.base_narrow(base);
        let access = match self.below(4) {
            0 => {
                let (operation, offset) = (self.below(8), self.low(&[base]));
                let width = [4, 2, 1, 1, 4, 2, 1, 2][operation as usize];
                let amount = 0x2000 | offset << 8 | self.rng.multiple(width, 256);
                vec![amount, 0x5000 | operation << 9 | offset << 6 | base << 3 | rt]
            }
            1 => vec![0x6000 | self.below(4) << 11 | self.below(32) << 6 | base << 3 | rt],
            2 => vec![0x8000 | self.bit() << 11 | self.below(32) << 6 | base << 3 | rt],
            _ if self.rng.once_in(4) => vec![0xA800 | rt << 8 | self.below(256)],
            _ => vec![0x9000 | self.bit() << 11 | rt << 8 | self.below(256)],
        };
        [setup, halves(&access)].concat()
    }

    fn multiple_narrow(&mut self) -> Vec<u8> {
        let (base, load, mut registers) = (self.low(&[]), self.bit(), 1 + self.below(255));
        if load == 0 && registers >> base & 1 == 1 {
            // The base among the stored only if it comes first.
            registers = registers >> base << base;
        }
        [self.base_narrow(base), halves(&[0xC000 | load << 11 | base << 8 | registers])].concat()
    }

    fn stack(&mut self) -> Vec<u8> {
        let (registers, link) = (1 + self.below(255), self.bit());
        let mut back = 0_u32;
        while back.count_ones() != registers.count_ones() {
            back = self.below(256);
        }
        // The link register's word is the highest one.
        let drop = if link == 1 { halves(&[0xB001]) } else { Vec::new() };
        [halves(&[0xB400 | link << 8 | registers, 0xBC00 | back]), drop].concat()
    }

    fn stack_pointer(&mut self) -> Vec<u8> {
        let step = self.below(64);
        halves(&[0xB000 | step, 0xB080 | step])
    }

    fn branch_narrow(&mut self) -> Vec<u8> {
        let (skipped, count) = self.skipped(0);
        let ahead = count.wrapping_sub(1);
        let branch =
            if self.rng.once_in(3) { 0xE000 | ahead & 0x7FF } else { 0xD000 | self.below(14) << 8 | ahead & 0xFF };
        [halves(&[branch]), skipped].concat()
    }

    fn call(&mut self) -> Vec<u8> {
        let (skipped, count) = self.skipped(0);
        [halves(&[0xF000, 0xF800 | count]), skipped].concat()
    }

    /// `mov r, pc; adds r, #n; bx or blx r` over what is skipped; with an odd address.
    fn jump(&mut self) -> Vec<u8> {
        let register = self.low(&[]);
        let (skipped, count) = self.skipped(0);
        // The register holds the address behind the addition, which is that of the jump.
        let jump = 0x4700 | self.bit() << 7 | register << 3;
        [halves(&[0x4678 | register, 0x3000 | register << 8 | (2 * count + 3), jump]), skipped].concat()
    }

    fn status(&mut self) -> Vec<u8> {
        let register = self.low(&[]);
        match self.below(5) {
            0 => halves(&[0xF3EF, 0x8000 | register << 8]),
            1 => halves(&[0xF380 | register, if self.dsp { 0x8C00 } else { 0x8800 }]),
            2 => halves(&[0xBF00]),
            3 => halves(&[0xF3BF, 0x8F5F]),
            _ => halves(&[0xF3EF, 0x8010 | register << 8]),
        }
    }

    /// A load, a branch over its literal, and that; at an odd place the load reads the branch too.
    fn literal_narrow(&mut self) -> Vec<u8> {
        halves(&[0x4800 | self.low(&[]) << 8, 0xE001, self.below(0x1_0000), self.below(0x1_0000)])
    }
}

/// Instructions of four bytes.
impl Thumb {
    /// Operation, first operand and destination of data processing.
    fn processing(&mut self, pc_once_in: u32) -> (u32, u32) {
        let operation = *self.rng.pick(&[0, 1, 2, 3, 4, 8, 10, 11, 13, 14]);
        let (flags, mut rn, mut rd) = (self.bit(), self.free(&[]), self.free(&[]));
        if matches!(operation, 2 | 3) && self.rng.once_in(pc_once_in) {
            rn = PC;
        }
        if matches!(operation, 0 | 4 | 8 | 13) && flags == 1 && self.rng.once_in(4) {
            rd = PC;
        }
        (operation << 5 | flags << 4 | rn, rd << 8)
    }

    fn modified(&mut self) -> Vec<u8> {
        let (first, rd) = self.processing(4);
        halves(&[0xF000 | self.bit() << 10 | first, self.below(8) << 12 | rd | (1 + self.below(255))])
    }

    fn shifted(&mut self) -> Vec<u8> {
        let (first, rd) = self.processing(3);
        halves(&[0xEA00 | first, self.below(8) << 12 | self.below(16) << 4 | rd | self.free(&[])])
    }

    fn plain(&mut self) -> Vec<u8> {
        let operation = *self.rng.pick(&[0b00000, 0b01010, 0b00100, 0b01100]);
        let rn = match operation {
            0b00100 | 0b01100 => self.below(16),
            _ if self.rng.once_in(8) => *self.rng.pick(&[SP, PC]),
            _ => self.free(&[]),
        };
        let first = 0xF200 | self.bit() << 10 | operation << 4 | rn;
        halves(&[first, self.below(8) << 12 | self.free(&[]) << 8 | self.below(256)])
    }

    fn field(&mut self) -> Vec<u8> {
        let operation = *self.rng.pick(&[0b10100, 0b10110, 0b11100]);
        let (lowest, mut rn) = (self.below(32), self.free(&[]));
        let mut last = self.below(32 - lowest);
        if operation == 0b10110 {
            last += lowest;
            rn = if self.rng.once_in(4) { PC } else { rn };
        }
        let second = (lowest >> 2) << 12 | self.free(&[]) << 8 | (lowest & 3) << 6 | last;
        halves(&[0xF200 | operation << 4 | rn, second])
    }

    fn saturate(&mut self) -> Vec<u8> {
        let amount = self.below(32);
        let right = if amount == 0 { 0 } else { self.bit() };
        halves(&[
            0xF300 | self.bit() << 7 | right << 5 | self.free(&[]),
            (amount >> 2) << 12 | self.free(&[]) << 8 | (amount & 3) << 6 | self.below(32),
        ])
    }

    fn shift_wide(&mut self) -> Vec<u8> {
        let amount = self.free(&[]);
        let mut code = Vec::new();
        if self.rng.once_in(2) {
            code = constant(amount, *self.rng.pick(&[0, 1, 31, 32, 33, 63, 64, 255]));
        }
        code.extend(halves(&[
            0xFA00 | self.below(4) << 5 | self.bit() << 4 | self.free(&[]),
            0xF000 | self.free(&[]) << 8 | amount,
        ]));
        code
    }

    fn extend_wide(&mut self) -> Vec<u8> {
        let operation = *self.rng.pick(&[0, 1, 4, 5]);
        halves(&[0xFA0F | operation << 4, 0xF080 | self.free(&[]) << 8 | self.below(4) << 4 | self.free(&[])])
    }

    fn bits_wide(&mut self) -> Vec<u8> {
        let (rm, rd) = (self.free(&[]), self.free(&[]));
        if self.rng.once_in(5) {
            return halves(&[0xFAB0 | rm, 0xF080 | rd << 8 | rm]);
        }
        halves(&[0xFA90 | rm, 0xF080 | rd << 8 | self.below(4) << 4 | rm])
    }

    /// An instruction with three registers: the bits of its halfwords besides them.
    fn three(&mut self, first: u32, second: u32) -> Vec<u8> {
        halves(&[first | self.free(&[]), second | self.free(&[]) << 8 | self.free(&[])])
    }

    /// An instruction with four registers; the fourth, in the upper bits, is not the destination.
    fn four(&mut self, first: u32, second: u32) -> Vec<u8> {
        let high = self.free(&[]);
        let low = self.free(&[high]);
        halves(&[first | self.free(&[]), second | low << 12 | high << 8 | self.free(&[])])
    }

    fn multiply(&mut self) -> Vec<u8> {
        let kind = self.below(3);
        let ra = if kind == 0 { PC } else { self.free(&[]) };
        self.three(0xFB00, ra << 12 | u32::from(kind == 2) << 4)
    }

    fn long(&mut self) -> Vec<u8> {
        let operation = *self.rng.pick(&[0, 2, 4, 6]);
        self.four(0xFB80 | operation << 4, 0)
    }

    fn divide(&mut self) -> Vec<u8> {
        let operation = self.bit();
        self.three(0xFB90 | operation << 5, 0xF0F0)
    }

    fn single_wide(&mut self) -> Vec<u8> {
        self.access(0, false)
    }

    fn unaligned(&mut self) -> Vec<u8> {
        let fine = self.below(4);
        self.access(fine, true)
    }

    fn access(&mut self, fine: u32, any_offset: bool) -> Vec<u8> {
        let (load, size) = (self.bit(), self.below(3));
        let signed = if load == 1 && size < 2 { self.bit() } else { 0 };
        let first = 0xF800 | signed << 8 | size << 5 | load << 4;
        let base = self.free(&[]);
        let rt = self.free(&[base]) << 12;
        let step = if any_offset { 1 } else { 1 << size };
        let mut code = self.base(base, fine);
        code.extend(match self.below(3) {
            0 => halves(&[first | 0x80 | base, rt | self.rng.multiple(step, 0x800)]),
            1 => {
                let (before, up, writeback) =
                    *self.rng.pick(&[(1, 0, 0), (1, 0, 1), (1, 1, 1), (0, 0, 1), (0, 1, 1)]);
                let form = 0x800 | before << 10 | up << 9 | writeback << 8;
                halves(&[first | base, rt | form | self.rng.multiple(step, 256)])
            }
            _ => {
                let offset = self.free(&[base]);
                let amount = constant(offset, self.rng.multiple(step, 0x100));
                [amount, halves(&[first | base, rt | self.below(4) << 4 | offset])].concat()
            }
        });
        code
    }

    fn multiple_wide(&mut self) -> Vec<u8> {
        let (base, load, writeback) = (self.free(&[]), self.bit(), self.bit());
        let mut registers = self.below(1 << 13) | self.bit() << 14;
        if writeback == 1 || load == 0 {
            registers &= !(1 << base);
        }
        if registers.count_ones() < 2 {
            registers |= if base < 2 { 0xC } else { 3 };
        }
        let direction = self.rng.pick(&[0x80, 0x100]);
        let first = 0xE800 | direction | writeback << 5 | load << 4 | base;
        [self.base(base, 0), halves(&[first, registers])].concat()
    }

    fn pair(&mut self) -> Vec<u8> {
        let (base, load) = (self.free(&[]), self.bit());
        let first = self.free(&[base]);
        let second = self.free(&[base, first]);
        let (before, up, writeback) =
            *self.rng.pick(&[(1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1), (0, 0, 1), (0, 1, 1)]);
        let form = before << 8 | up << 7 | writeback << 5 | load << 4;
        let code = halves(&[0xE840 | form | base, first << 12 | second << 8 | self.below(256)]);
        [self.base(base, 0), code].concat()
    }

    fn exclusive(&mut self) -> Vec<u8> {
        let base = self.free(&[]);
        let (value, other) = (self.free(&[base]), self.free(&[base]));
        let result = self.free(&[base, other]);
        let access = match self.below(3) {
            0 => {
                let offset = self.below(256);
                let store = [0xE840 | base, other << 12 | result << 8 | offset];
                [0xE850 | base, value << 12 | 0xF00 | offset, store[0], store[1]]
            }
            width => {
                let code = if width == 1 { 0x40 } else { 0x50 };
                let store = [0xE8C0 | base, other << 12 | 0xF00 | code | result];
                [0xE8D0 | base, value << 12 | 0xF0F | code, store[0], store[1]]
            }
        };
        [self.base(base, 0), halves(&access)].concat()
    }

    fn ordered(&mut self) -> Vec<u8> {
        let base = self.free(&[]);
        let rt = self.free(&[base]);
        let access = halves(&[0xE8C0 | self.bit() << 4 | base, rt << 12 | 0xF8F | self.below(3) << 4]);
        [self.base(base, 0), access].concat()
    }

    fn branch_wide(&mut self) -> Vec<u8> {
        let skipped = self.shifted().repeat(self.below(3) as usize);
        let ahead = skipped.len() as u32 / 2;
        let branch = if self.rng.once_in(2) {
            [0xF000 | self.below(14) << 6, 0x8000 | ahead]
        } else {
            [0xF000, 0xB800 | ahead]
        };
        [halves(&branch), skipped].concat()
    }

    fn compare_branch(&mut self) -> Vec<u8> {
        let (skipped, count) = self.skipped(1);
        let register = self.low(&[]);
        let zero = if self.rng.once_in(2) { halves(&[0x2000 | register << 8]) } else { Vec::new() };
        [zero, halves(&[0xB100 | self.bit() << 11 | (count - 1) << 3 | register]), skipped].concat()
    }

    /// `movw rM, #index; tbb or tbh [pc, rM]`, the table, and a narrow instruction for each way.
    fn table(&mut self) -> Vec<u8> {
        const WAYS: u32 = 4;
        let (index, chosen) = (self.free(&[]), self.below(WAYS));
        let body: Vec<u8> = (0..WAYS).flat_map(|_| self.register_narrow()).collect();
        let (form, table) = if self.rng.once_in(2) {
            (0, (0..WAYS).map(|way| (WAYS / 2 + way) as u8).collect())
        } else {
            (0x10, halves(&[WAYS, WAYS + 1, WAYS + 2, WAYS + 3]))
        };
        [constant(index, chosen), halves(&[0xE8DF, 0xF000 | form | index]), table, body].concat()
    }

    /// `it` and one to four instructions of any size that write no flags or do.
    fn block(&mut self) -> Vec<u8> {
        let (length, first) = (1 + self.below(4), self.below(14));
        let others = (0..length - 1).fold(0, |mask, place| mask | ((first & 1) ^ self.bit()) << (3 - place));
        let mask = others | 1 << (4 - length);
        let kinds = [
            Self::shift_narrow,
            Self::sum_narrow,
            Self::immediate_narrow,
            Self::register_narrow,
            Self::modified,
            Self::shifted,
            Self::plain,
            Self::field,
            Self::multiply,
            Self::bits_wide,
            Self::extend_narrow,
        ];
        let mut code = halves(&[0xBF00 | first << 4 | mask]);
        for _ in 0..length {
            let kind = *self.rng.pick(&kinds);
            code.extend(kind(self));
        }
        code
    }

    /// A load, a branch over the literals, and those: one of them is read, at a multiple of four.
    fn literal_wide(&mut self) -> Vec<u8> {
        let load = *self.rng.pick(&[0xF8DF, 0xF8BF, 0xF89F, 0xF99F, 0xF9BF]);
        let code = halves(&[load, self.free(&[]) << 12 | 8, 0xF000, 0xB804]);
        [code, self.rng.word().to_le_bytes().to_vec()].concat()
    }

    fn parallel(&mut self) -> Vec<u8> {
        let [operation, kind] = [(); 2].map(|()| *self.rng.pick(&[0, 1, 2, 4, 5, 6]));
        self.three(0xFA80 | operation << 4, 0xF000 | kind << 4)
    }

    fn select(&mut self) -> Vec<u8> {
        self.three(0xFAA0, 0xF080)
    }

    fn saturating(&mut self) -> Vec<u8> {
        let operation = self.below(4);
        self.three(0xFA80, 0xF080 | operation << 4)
    }

    fn extend_add(&mut self) -> Vec<u8> {
        let (operation, amount) = (self.below(6), self.below(4));
        if matches!(operation, 2 | 3) && self.rng.once_in(2) {
            return halves(&[0xFA0F | operation << 4, 0xF080 | self.free(&[]) << 8 | amount << 4 | self.free(&[])]);
        }
        self.three(0xFA00 | operation << 4, 0xF080 | amount << 4)
    }

    fn pack(&mut self) -> Vec<u8> {
        let (amount, top) = (self.below(32), self.bit());
        self.three(0xEAC0, (amount >> 2) << 12 | (amount & 3) << 6 | top << 5)
    }

    fn halves_product(&mut self) -> Vec<u8> {
        let operation = 1 + self.below(7);
        let option = match operation {
            1 => self.below(4),
            7 => 0,
            _ => self.bit(),
        };
        let ra = if operation == 6 || self.rng.once_in(2) { self.free(&[]) } else { PC };
        self.three(0xFB00 | operation << 4, ra << 12 | option << 4)
    }

    fn halves_product_long(&mut self) -> Vec<u8> {
        const FORMS: [(u32, u32); 9] =
            [(4, 8), (4, 9), (4, 10), (4, 11), (4, 12), (4, 13), (5, 12), (5, 13), (6, 6)];
        let (operation, option) = *self.rng.pick(&FORMS);
        self.four(0xFB80 | operation << 4, option << 4)
    }

    fn saturate_halves(&mut self) -> Vec<u8> {
        halves(&[0xF320 | self.bit() << 7 | self.free(&[]), self.free(&[]) << 8 | self.below(16)])
    }
}
