//! RV32IMAC with Zicsr and Zifencei beside Unicorn.

use super::Entry;
use crate::chip::{Chip, Family};
use crate::images::{Beside, Images, Start};
use crate::programs::{self, Unit, Units, BASE};
use crate::protocol::{Layout, Reference};
use crate::references::unicorn::{self, Model};
use crate::rng::Rng;
use crate::stream::{Asked, Outcome, Stream};
use crate::{layout, units};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::riscv::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::{emulated::Emulated, riscv, Description, Error};

pub const FAMILY: Entry = Entry::new::<Chip<RiscV>>(
    "riscv",
    &[Stream { name: "rv32imac", layout: RiscV::LAYOUT, reference: |_| programs::reference(MODEL), run }],
);

const MODEL: Model = Model { architecture: unicorn::RISCV, mode: 4, cpu: None, pc: 190, mark: 0 };

fn run(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    programs::run(Words { rng: Rng::new(asked.seed) }, asked.catalogue.core("e31")?, asked, reference)
}

pub struct RiscV;

const PC: usize = 32;

impl Family for RiscV {
    type Cpu = Cpu<Immediate>;
    const LAYOUT: Layout = layout!(little; 4: "x0" 1, "ra" 2, "sp" 3, "x3" 4, "x4" 5, "x5" 6, "x6" 7, "x7" 8, "x8" 9,
        "x9" 10, "x10" 11, "x11" 12, "x12" 13, "x13" 14, "x14" 15, "x15" 16, "x16" 17, "x17" 18, "x18" 19, "x19" 20,
        "x20" 21, "x21" 22, "x22" 23, "x23" 24, "x24" 25, "x25" 26, "x26" 27, "x27" 28, "x28" 29, "x29" 30, "x30" 31,
        "x31" 32, "pc" 190);

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, Error> {
        riscv::chip(description, Immediate)
    }

    fn register(cpu: &Self::Cpu, index: usize) -> u32 {
        match index {
            PC => cpu.pc,
            number => cpu.registers[number],
        }
    }

    fn set_register(cpu: &mut Self::Cpu, index: usize, value: u32) {
        match index {
            0 => {}
            PC => cpu.pc = value,
            number => cpu.registers[number] = value,
        }
    }
}

impl Images for RiscV {
    const RETURN_ADDRESS: u32 = RETURN_ADDRESS;

    const BESIDE: &'static [Start] = &[|target| Beside::unicorn(MODEL, target, RETURN_ADDRESS, Self::LAYOUT)];
}

const SP: u32 = 2;
/// The control and status register that instructions use.
const MSCRATCH: u32 = 0x340;

/// Little-endian bytes of instructions of four bytes.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Little-endian bytes of an instruction of two bytes.
fn half(half: u32) -> Vec<u8> {
    (half as u16).to_le_bytes().to_vec()
}

fn i_type(opcode: u32, funct3: u32, rd: u32, rs1: u32, immediate: u32) -> u32 {
    immediate << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

fn r_type(opcode: u32, funct7: u32, funct3: u32, [rd, rs1, rs2]: [u32; 3]) -> u32 {
    funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

/// A bit of a number, moved to another place.
fn moved(value: u32, from: u32, width: u32, to: u32) -> u32 {
    (value >> from & ((1 << width) - 1)) << to
}

struct Words {
    rng: Rng,
}

impl Units for Words {
    type Of = RiscV;

    fn units(&self) -> Vec<Unit<Self>> {
        units![
            20 immediate, 20 registers, 12 multiply, 5 upper, 10 load, 8 store, 6 branch, 2 jump, 3 jump_register,
            4 atomic, 2 reserved, 3 control, 1 fence, 10 short_immediate, 8 short_registers, 4 short_stack,
            4 short_memory, 4 short_branch, 3 short_jump
        ]
    }

    fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn registers(&mut self) -> Vec<(usize, u32)> {
        let of = |number| (number, if number == SP as usize { BASE } else { self.rng.value() });
        (1..32).map(of).collect()
    }
}

impl Words {
    fn below(&mut self, bound: u32) -> u32 {
        self.rng.below(bound)
    }

    fn bit(&mut self) -> u32 {
        self.rng.bit()
    }

    /// A register that may be written: neither x0 nor the stack pointer.
    fn free(&mut self, taken: &[u32]) -> u32 {
        loop {
            let register = 1 + self.below(31);
            if register != SP && !taken.contains(&register) {
                return register;
            }
        }
    }

    fn rd(&mut self) -> u32 {
        if self.rng.once_in(32) {
            0
        } else {
            self.free(&[])
        }
    }

    fn rs(&mut self) -> u32 {
        self.below(32)
    }

    /// One of the registers that the short fields of compressed instructions name.
    fn short(&mut self) -> u32 {
        8 + self.below(8)
    }

    /// An instruction that may be jumped over, of either length.
    fn filler(&mut self) -> Vec<u8> {
        if self.rng.once_in(2) {
            self.short_immediate()
        } else {
            self.immediate()
        }
    }

    fn base(&mut self, register: u32) -> u32 {
        i_type(0x13, 0, register, SP, 1024 + 4 * self.below(200))
    }

    /// A signed offset of 12 bits from -1024 on.
    fn offset(&mut self, width: u32) -> u32 {
        self.rng.multiple(width, 3071).wrapping_sub(1024) & 0xFFF
    }

    fn immediate(&mut self) -> Vec<u8> {
        let funct3 = self.below(8);
        let value = match funct3 {
            1 => self.below(32),
            5 => self.below(32) | self.bit() << 10,
            _ => self.below(1 << 12),
        };
        words(&[i_type(0x13, funct3, self.rd(), self.rs(), value)])
    }

    fn registers(&mut self) -> Vec<u8> {
        let funct3 = self.below(8);
        let funct7 = if matches!(funct3, 0 | 5) { self.bit() << 5 } else { 0 };
        words(&[r_type(0x33, funct7, funct3, [self.rd(), self.rs(), self.rs()])])
    }

    fn multiply(&mut self) -> Vec<u8> {
        words(&[r_type(0x33, 1, self.below(8), [self.rd(), self.rs(), self.rs()])])
    }

    fn upper(&mut self) -> Vec<u8> {
        words(&[self.below(1 << 20) << 12 | self.rd() << 7 | self.rng.pick(&[0x37, 0x17])])
    }

    fn load(&mut self) -> Vec<u8> {
        let (base, funct3) = (self.free(&[]), *self.rng.pick(&[0, 1, 2, 4, 5]));
        let offset = self.offset(1 << (funct3 & 3));
        words(&[self.base(base), i_type(0x03, funct3, self.rd(), base, offset)])
    }

    fn store(&mut self) -> Vec<u8> {
        let (base, funct3) = (self.free(&[]), self.below(3));
        let offset = self.offset(1 << funct3);
        let store = r_type(0x23, offset >> 5, funct3, [offset & 31, base, self.rs()]);
        words(&[self.base(base), store])
    }

    fn branch(&mut self) -> Vec<u8> {
        let between: Vec<u8> = (0..self.below(4)).flat_map(|_| self.filler()).collect();
        let offset = 4 + between.len() as u32;
        let (funct3, rs1, rs2) = (*self.rng.pick(&[0, 1, 4, 5, 6, 7]), self.rs(), self.rs());
        let branch = r_type(0x63, moved(offset, 5, 6, 0), funct3, [moved(offset, 1, 4, 1), rs1, rs2]);
        [words(&[branch]), between].concat()
    }

    fn jump(&mut self) -> Vec<u8> {
        let between = self.filler();
        let offset = 4 + between.len() as u32;
        [words(&[moved(offset, 1, 10, 21) | self.rd() << 7 | 0x6F]), between].concat()
    }

    fn jump_register(&mut self) -> Vec<u8> {
        let (base, between) = (self.free(&[]), self.filler());
        // The lowest bit of the sum is ignored.
        let offset = 8 + between.len() as u32 + self.bit();
        [words(&[base << 7 | 0x17, i_type(0x67, 0, self.rd(), base, offset)]), between].concat()
    }

    fn atomic(&mut self) -> Vec<u8> {
        let base = self.free(&[]);
        let operation = *self.rng.pick(&[0, 1, 4, 8, 12, 16, 20, 24, 28]);
        let access = r_type(0x2F, operation << 2 | self.below(4), 2, [self.rd(), base, self.rs()]);
        words(&[self.base(base), access])
    }

    fn reserved(&mut self) -> Vec<u8> {
        let base = self.free(&[]);
        let mut code = vec![self.base(base)];
        // Now and then without a reservation, so that nothing is stored.
        if !self.rng.once_in(4) {
            code.push(r_type(0x2F, 2 << 2, 2, [self.free(&[base]), base, 0]));
        }
        code.push(r_type(0x2F, 3 << 2, 2, [self.rd(), base, self.rs()]));
        words(&code)
    }

    fn control(&mut self) -> Vec<u8> {
        words(&[i_type(0x73, *self.rng.pick(&[1, 2, 3, 5, 6, 7]), self.rd(), self.rs(), MSCRATCH)])
    }

    fn fence(&mut self) -> Vec<u8> {
        words(&[*self.rng.pick(&[0x0FF0_000F, 0x0000_100F])])
    }

    fn short_immediate(&mut self) -> Vec<u8> {
        let value = self.below(64);
        let split = (value >> 5) << 12 | (value & 31) << 2;
        let register = self.free(&[]) << 7;
        half(match self.below(6) {
            0 => 0x0001 | register | split,                                    // c.addi
            1 => 0x4001 | register | split,                                    // c.li
            2 => 0x6001 | register | if split == 0 { 4 } else { split },       // c.lui
            3 => 0x0002 | register | (value & 31) << 2,                        // c.slli
            4 => 0x8001 | self.bit() << 10 | self.below(8) << 7 | split & 0x7C, // c.srli, c.srai
            _ => 0x8801 | self.below(8) << 7 | split,                          // c.andi
        })
    }

    fn short_registers(&mut self) -> Vec<u8> {
        if self.rng.once_in(2) {
            // c.mv, c.add
            return half(self.rng.pick(&[0x8002, 0x9002]) | self.free(&[]) << 7 | self.free(&[]) << 2);
        }
        half(0x8C01 | self.below(8) << 7 | self.below(4) << 5 | self.below(8) << 2) // c.sub, c.xor, c.or, c.and
    }

    fn short_stack(&mut self) -> Vec<u8> {
        let offset = self.below(64);
        match self.below(4) {
            // c.lwsp
            0 => {
                let bits = moved(offset, 3, 1, 12) | moved(offset, 0, 3, 4) | moved(offset, 4, 2, 2);
                half(0x4002 | self.free(&[]) << 7 | bits)
            }
            // c.swsp
            1 => half(0xC002 | (offset & 15) << 9 | (offset >> 4) << 7 | self.rs() << 2),
            // c.addi4spn
            2 => {
                let value = 1 + self.below(255);
                let bits = moved(value, 2, 2, 11) | moved(value, 4, 4, 7) | moved(value, 0, 1, 6);
                half(bits | moved(value, 1, 1, 5) | self.below(8) << 2)
            }
            // c.addi16sp down and up again, with something between that does not look at the stack pointer.
            _ => {
                let step = 16 * (1 + self.below(15));
                let [down, up] = [step.wrapping_neg(), step].map(|value| {
                    let bits = moved(value, 9, 1, 12) | moved(value, 4, 1, 6) | moved(value, 6, 1, 5);
                    half(0x6101 | bits | moved(value, 7, 2, 3) | moved(value, 5, 1, 2))
                });
                [down, half(0x0001 | self.free(&[]) << 7 | self.below(32) << 2), up].concat()
            }
        }
    }

    fn short_memory(&mut self) -> Vec<u8> {
        let (base, data, offset) = (self.short(), self.short(), self.below(32));
        let bits = moved(offset, 1, 3, 10) | moved(offset, 0, 1, 6) | moved(offset, 4, 1, 5);
        let access = self.rng.pick(&[0x4000, 0xC000]) | bits | (base - 8) << 7 | (data - 8) << 2;
        [words(&[self.base(base)]), half(access)].concat()
    }

    fn short_branch(&mut self) -> Vec<u8> {
        let between: Vec<u8> = (0..self.below(3)).flat_map(|_| self.filler()).collect();
        let offset = 2 + between.len() as u32;
        let bits = moved(offset, 8, 1, 12) | moved(offset, 3, 2, 10) | moved(offset, 6, 2, 5);
        let branch = self.rng.pick(&[0xC001, 0xE001]) | bits | moved(offset, 1, 2, 3) | moved(offset, 5, 1, 2);
        [half(branch | self.below(8) << 7), between].concat()
    }

    fn short_jump(&mut self) -> Vec<u8> {
        let between = self.filler();
        let offset = 2 + between.len() as u32;
        if self.rng.once_in(2) {
            // c.j, c.jal
            let bits = moved(offset, 4, 1, 11) | moved(offset, 1, 3, 3) | moved(offset, 5, 1, 2);
            return [half(self.rng.pick(&[0xA001, 0x2001]) | bits), between].concat();
        }
        let base = self.free(&[]);
        let address = [base << 7 | 0x17, i_type(0x13, 0, base, base, 8 + offset)];
        // c.jr, c.jalr
        [words(&address), half(self.rng.pick(&[0x8002, 0x9002]) | base << 7), between].concat()
    }
}
