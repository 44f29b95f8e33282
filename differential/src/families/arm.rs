//! ARM beside Unicorn: A32, Thumb and the enhancements of ARMv5TE.

use super::cortex_m::Thumb;
use super::Entry;
use crate::chip::{Chip, Family};
use crate::images::{Beside, Images, Start};
use crate::programs::{self, Unit, Units, BASE};
use crate::protocol::{Layout, Reference};
use crate::references::unicorn::{self, Model};
use crate::rng::Rng;
use crate::stream::{Asked, Outcome, Stream};
use crate::{layout, units};
use steelyard_emu::arm::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::{arm, emulated::Emulated, Description, Error};

pub const FAMILY: Entry = Entry::new::<Chip<Arm>>("arm", &[stream("armv4"), stream("armv5te")]);

const fn stream(name: &'static str) -> Stream {
    Stream { name, layout: Arm::LAYOUT, reference: |name| programs::reference(model(name)), run }
}

fn run(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let enhanced = asked.name == "armv5te";
    let core = asked.catalogue.core(if enhanced { "xscale" } else { "sa1" })?;
    programs::run(A32 { rng: Rng::new(asked.seed), enhanced }, core, asked, reference)
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

/// Little-endian bytes of A32 words.
fn a32(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Little-endian bytes of halfwords.
pub fn halves(halves: &[u32]) -> Vec<u8> {
    halves.iter().flat_map(|half| (*half as u16).to_le_bytes()).collect()
}

/// `mov` and three `orr` that make a constant.
fn constant(register: u32, value: u32) -> Vec<u32> {
    let mut words = vec![0xE3A0_0000 | register << 12 | value & 0xFF];
    words.extend((1..4).map(|byte| {
        let part = value >> (8 * byte) & 0xFF;
        0xE380_0000 | register << 16 | register << 12 | (16 - 4 * byte) << 8 | part
    }));
    words
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

struct A32 {
    rng: Rng,
    enhanced: bool,
}

impl Units for A32 {
    type Of = Arm;

    fn units(&self) -> Vec<Unit<Self>> {
        let mut units = units![
            40 processing, 12 shift_by_register, 10 multiply, 16 single, 8 half, 8 multiple, 3 stack, 2 swap, 4 status,
            5 branch, 2 call, 4 jump, 2 literal
        ];
        if self.enhanced {
            units.extend(units![8 dsp, 5 saturating, 3 clz, 5 pair]);
            units.extend(units![10 thumb]);
        }
        units
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn registers(&mut self) -> Vec<(usize, u32)> {
        let mut registers: Vec<_> = FREE.map(|register| (register as usize, self.rng.value())).into();
        // ARMv4 knows no saturation.
        let flags = self.rng.word() as u32 & if self.enhanced { 0xF800_0000 } else { 0xF000_0000 };
        registers.extend([(SP as usize, BASE), (CPSR, flags | MODE)]);
        registers
    }
}

impl A32 {
    fn below(&mut self, bound: u32) -> u32 {
        self.rng.below(bound)
    }

    fn condition(&mut self) -> u32 {
        (if self.rng.below(10) < 7 { ALWAYS } else { self.rng.below(14) }) << 28
    }

    fn free(&mut self, taken: &[u32]) -> u32 {
        free_of(&mut self.rng, &FREE, taken)
    }

    fn source(&mut self) -> u32 {
        if self.rng.once_in(5) {
            self.below(16)
        } else {
            self.free(&[])
        }
    }

    /// `add register, sp, #n` with n in the middle of the data, and a finer step.
    fn base(&mut self, register: u32, alignment: u32) -> Vec<u32> {
        let (coarse, fine) = (0x1000 + self.rng.multiple(0x40, 0x2000), self.rng.multiple(alignment, 0x40));
        vec![
            0xE28D_0D00 | register << 12 | coarse >> 6,
            0xE280_0000 | register << 16 | register << 12 | fine,
        ]
    }

    /// Data processing but for its second operand; fields without a meaning are zero.
    fn operation(&mut self, first: u32) -> u32 {
        let (operation, flags) = (self.below(16), self.rng.bit());
        let word = self.condition() | operation << 21;
        match operation {
            8..=11 => word | 1 << 20 | first << 16,
            _ => {
                let first = if matches!(operation, 13 | 15) { 0 } else { first << 16 };
                word | first | flags << 20 | self.free(&[]) << 12
            }
        }
    }

    fn processing(&mut self) -> Vec<u8> {
        let first = self.source();
        let word = self.operation(first);
        if self.rng.once_in(2) {
            return a32(&[word | 1 << 25 | self.below(1 << 12)]);
        }
        a32(&[word | self.below(32) << 7 | self.below(4) << 5 | self.source()])
    }

    fn shift_by_register(&mut self) -> Vec<u8> {
        let first = self.free(&[]);
        let word = self.operation(first);
        let amount = self.free(&[]);
        let mut words = Vec::new();
        if self.rng.once_in(2) {
            // Amounts round the width of a word.
            words.push(0xE3A0_0000 | amount << 12 | self.rng.pick(&[0, 1, 31, 32, 33, 63, 64, 255]));
        }
        words.push(word | amount << 8 | self.below(4) << 5 | 1 << 4 | self.free(&[]));
        a32(&words)
    }

    fn multiply(&mut self) -> Vec<u8> {
        let kind = *self.rng.pick(&[0, 1, 4, 5, 6, 7]);
        let (high, rs) = (self.free(&[]), self.free(&[]));
        let low = match kind {
            0 => 0,
            1 => self.free(&[]),
            _ => self.free(&[high]),
        };
        let rm = if kind >= 4 { self.free(&[high, low]) } else { self.free(&[high]) };
        let word = self.condition() | kind << 21 | self.rng.bit() << 20 | high << 16 | low << 12;
        a32(&[word | rs << 8 | 0x90 | rm])
    }

    /// A register whose shifted value is a small multiple of the width: set-up, the register, and the shift.
    fn offset(&mut self, width: u32) -> (Vec<u32>, u32, u32) {
        let (kind, mut amount) = (self.below(4), self.below(32));
        let mut target = self.rng.multiple(width, 0x800);
        let register = self.free(&[]);
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
        (constant(register, value), register, amount << 7 | kind << 5)
    }

    fn single(&mut self) -> Vec<u8> {
        let [load, byte, before, mut up, mut writeback] = [(); 5].map(|()| self.rng.bit());
        let width = if byte == 1 { 1 } else { 4 };
        let (mut words, mut word, mut taken) = (Vec::new(), self.rng.multiple(width, 0x1000), Vec::new());
        if self.rng.once_in(2) {
            let (setup, rm, shift) = self.offset(width);
            (words, word, taken) = (setup, 1 << 25 | shift | rm, vec![rm]);
        }
        let mut base = self.free(&taken);
        if self.rng.once_in(10) && before == 1 && writeback == 0 && load == 1 && taken.is_empty() {
            (base, up) = (SP, 1);
        } else {
            words.extend(self.base(base, width));
        }
        let mut rd = self.free(&[base]);
        if load == 0 && byte == 0 && before == 1 && writeback == 0 && self.rng.once_in(20) {
            rd = PC;
        }
        if before == 0 {
            // Post-indexed with the bit set is a user's access.
            writeback = self.rng.bit();
        }
        word |= self.condition() | 1 << 26 | before << 24 | up << 23 | byte << 22 | writeback << 21;
        words.push(word | load << 20 | base << 16 | rd << 12);
        a32(&words)
    }

    fn half(&mut self) -> Vec<u8> {
        let (load, kind) = *self.rng.pick(&[(1, 1), (1, 2), (1, 3), (0, 1)]);
        self.split_offset(load, kind, if kind == 2 { 1 } else { 2 }, false)
    }

    fn pair(&mut self) -> Vec<u8> {
        let kind = 2 + self.rng.bit();
        self.split_offset(0, kind, 8, true)
    }

    fn split_offset(&mut self, load: u32, kind: u32, width: u32, pair: bool) -> Vec<u8> {
        let [before, up, writeback] = [(); 3].map(|()| self.rng.bit());
        let writeback = before & writeback;
        let written = writeback == 1 || before == 0;
        let rd = if pair { 2 * self.below(6) } else { self.free(&[]) };
        let taken = if pair { vec![rd, rd + 1] } else { vec![rd] };
        let base = self.free(&taken);
        let mut words = self.base(base, width);
        let mut word = before << 24 | up << 23 | writeback << 21 | load << 20 | base << 16 | rd << 12;
        let offset = self.rng.multiple(width, 256);
        if self.rng.once_in(2) {
            word |= 1 << 22 | offset >> 4 << 8 | offset & 15;
        } else {
            let taken = if written || pair { [&taken[..], &[base]].concat() } else { vec![base] };
            let rm = self.free(&taken);
            words.extend(constant(rm, offset));
            word |= rm;
        }
        words.push(self.condition() | word | 0x90 | kind << 5);
        a32(&words)
    }

    fn multiple(&mut self) -> Vec<u8> {
        let [load, before, up, writeback] = [(); 4].map(|()| self.rng.bit());
        let base = self.free(&[]);
        let count = 1 + self.below(13);
        let others: Vec<u32> = FREE.into_iter().filter(|register| *register != base).collect();
        let mut registers = bits_of(&mut self.rng, &others, count);
        if load == 1 && writeback == 0 && self.rng.once_in(2) {
            registers |= 1 << base;
        }
        if load == 0 && self.rng.once_in(4) {
            // The base among the stored is its old value if it comes first.
            registers = registers >> base << base | 1 << base;
        }
        if load == 0 && writeback == 0 && self.rng.once_in(10) {
            registers |= 1 << PC;
        }
        let word = self.condition() | 4 << 25 | before << 24 | up << 23 | writeback << 21 | load << 20;
        let mut words = self.base(base, 4);
        words.push(word | base << 16 | registers);
        a32(&words)
    }

    fn stack(&mut self) -> Vec<u8> {
        let count = 1 + self.below(8);
        let [store, load] = [(); 2].map(|()| bits_of(&mut self.rng, &FREE, count));
        a32(&[0xE92D_0000 | store, 0xE8BD_0000 | load])
    }

    fn swap(&mut self) -> Vec<u8> {
        let byte = self.rng.bit();
        let base = self.free(&[]);
        let (rd, rm) = (self.free(&[base]), self.free(&[base]));
        let mut words = self.base(base, if byte == 1 { 1 } else { 4 });
        words.push(self.condition() | 0x0100_0090 | byte << 22 | base << 16 | rd << 12 | rm);
        a32(&words)
    }

    fn status(&mut self) -> Vec<u8> {
        let (register, condition) = (self.free(&[]), self.condition());
        match self.below(3) {
            // The mode is not the same in every simulator.
            0 => a32(&[0xE10F_0000 | register << 12, 0xE200_04F8 | register << 16 | register << 12]),
            1 => a32(&[condition | 0x0328_F400 | self.below(16) << 4]),
            _ => a32(&[0xE200_04F8 | register << 16 | register << 12, condition | 0x0128_F000 | register]),
        }
    }

    fn branch(&mut self) -> Vec<u8> {
        let count = 1 + self.rng.bit();
        let skipped: Vec<u8> = (0..count).flat_map(|_| self.processing()).collect();
        [a32(&[self.condition() | 0x0A00_0000 | (count - 1)]), skipped].concat()
    }

    fn call(&mut self) -> Vec<u8> {
        [a32(&[self.condition() | 0x0B00_0000]), self.processing()].concat()
    }

    /// The program counter as the target of anything, always one instruction ahead.
    fn jump(&mut self) -> Vec<u8> {
        let (rd, condition) = (self.free(&[]), self.condition());
        // Read by the instruction before the last one, the program counter names the one behind the skipped.
        let near = 0xE28F_0004 | rd << 12;
        let (far, push) = (0xE28F_0008 | rd << 12, 0xE52D_0004 | rd << 12);
        let jump = match self.below(if self.enhanced { 6 } else { 4 }) {
            0 => a32(&[condition | 0x028F_F000]),
            1 => a32(&[near, condition | 0x01A0_F000 | rd]),
            2 => a32(&[far, push, 0xE49D_F004]),
            3 => a32(&[far, push, 0xE8BD_8000]),
            4 => a32(&[near, condition | 0x012F_FF10 | rd]),
            _ => a32(&[near, condition | 0x012F_FF30 | rd]),
        };
        [jump, self.processing()].concat()
    }

    fn literal(&mut self) -> Vec<u8> {
        let back = 8 + 4 * self.below(6);
        a32(&[self.condition() | 0x051F_0000 | self.free(&[]) << 12 | back])
    }

    fn dsp(&mut self) -> Vec<u8> {
        let (kind, halves) = (self.below(4), self.below(4));
        let [high, rm, rs] = [(); 3].map(|()| self.free(&[]));
        let low = if kind == 3 || kind == 1 && halves & 1 == 1 { 0 } else { self.free(&[high]) };
        let word = self.condition() | 0x0100_0080 | kind << 21 | high << 16 | low << 12;
        a32(&[word | rs << 8 | halves << 5 | rm])
    }

    fn saturating(&mut self) -> Vec<u8> {
        let [first, rd, second] = [(); 3].map(|()| self.free(&[]));
        a32(&[self.condition() | 0x0100_0050 | self.below(4) << 21 | first << 16 | rd << 12 | second])
    }

    fn clz(&mut self) -> Vec<u8> {
        a32(&[self.condition() | 0x016F_0F10 | self.free(&[]) << 12 | self.free(&[])])
    }

    /// Into Thumb, some instructions that a microcontroller has too, and back.
    fn thumb(&mut self) -> Vec<u8> {
        let register = self.free(&[]);
        let mut thumb = Thumb::narrow(self.rng.word());
        let mut body: Vec<u8> = (0..1 + self.below(8)).flat_map(|_| thumb.old()).collect();
        if body.len() % 4 != 0 {
            body.extend(halves(&[0x46C0]));
        }
        [a32(&[0xE28F_0001 | register << 12, 0xE12F_FF10 | register]), body, halves(&[0x4778, 0x46C0])].concat()
    }
}
