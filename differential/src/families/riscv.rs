//! RV32IMAC with Zicsr and Zifencei beside Unicorn.

use super::riscv_rtl::{self as rtl, Traced};
use super::Entry;
use crate::chip::{Chip, Family, Target};
use crate::images::{self, Agreement, Beside, Failure, Images, Job, Start};
use crate::speed::speeds;
use crate::programs::{self, Unit, Units, BASE};
use crate::protocol::{Layout, Reference};
use crate::references::unicorn::{self, Model};
use crate::rng::Rng;
use crate::rows;
use crate::stream::{Asked, Outcome, Stream};
use crate::traced;
use crate::layout;
use steelyard_emu::isa::gathered;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::profile::Class;
use steelyard_emu::riscv::cpu::{Cpu, RETURN_ADDRESS};
use steelyard_emu::riscv::decode::Op;
use steelyard_emu::riscv::exec::size_bytes;
use steelyard_emu::riscv::isa::{self, Feature, Operand, Row};
use steelyard_emu::{emulated::Emulated, riscv, Description, Error};

pub const FAMILY: Entry = Entry {
    name: "riscv",
    streams: &[
        Stream { name: "rv32imac", layout: RiscV::LAYOUT, reference: |_| programs::reference(MODEL), run },
        Stream { name: "ibex-small", layout: Traced::LAYOUT, reference: traced::reference, run: rtl::run },
        Stream { name: "ibex-maxperf", layout: Traced::LAYOUT, reference: traced::reference, run: rtl::run },
    ],
    compare,
    speeds: speeds::<Chip<RiscV>>,
};

/// Compares images with the RTL of the core where a stream beside it is there, with Unicorn otherwise.
fn compare(target: &Target, job: &Job) -> Result<Agreement, Failure> {
    let core = traced::images::core(target);
    if FAMILY.streams.iter().any(|stream| stream.name == core) {
        return traced::images::compare::<Traced>(target, job);
    }
    images::compare::<Chip<RiscV>>(target, job)
}

const MODEL: Model = Model { architecture: unicorn::RISCV, mode: 4, cpu: None, pc: 190, mark: 0 };

fn run(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let words = Words {
        rng: Rng::new(asked.seed),
        atomics: true,
        any_address: false,
        registers: &[MSCRATCH],
        handled: false,
    };
    programs::run(words, asked.catalogue.core("e31")?, asked, reference)
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

/// Register of the stack pointer, which a unit leaves as it found it.
pub const SP: u32 = 2;
/// A control and status register that holds what is written.
pub const MSCRATCH: u32 = 0x340;
/// Places of registers in an instruction: (lowest bit, number of bits, lowest bit of the number).
pub const RD: isa::Moves = &[(7, 5, 0)];
pub const RS1: isa::Moves = &[(15, 5, 0)];
const SHORT_RS2: isa::Moves = &[(2, 5, 0)];
const LOW_RS1: isa::Moves = &[(7, 3, 0)];
/// Place of the immediate of the format I.
pub const IMM: isa::Moves = &[(20, 12, 0)];
const CSR: isa::Moves = IMM;

/// Rows whose exceptions a handler takes.
fn raises(row: &Row) -> bool {
    matches!(row.op, Op::Call | Op::Break)
}

/// Rows that leave the program: exceptions, the return from a handler, and waiting for an interrupt.
fn leaves(row: &Row) -> bool {
    raises(row) || matches!(row.op, Op::MachineReturn | Op::Wait)
}

/// Little-endian bytes of an instruction of the row.
fn bytes(row: &Row, word: u32) -> Vec<u8> {
    word.to_le_bytes()[..row.pattern.bits as usize / 8].to_vec()
}

/// The bits of the row with this mnemonic, the free ones zero.
pub fn named(mnemonic: &str) -> u32 {
    let row = isa::ROWS.iter().find(|row| row.mnemonic == mnemonic);
    row.unwrap_or_else(|| panic!("no row is `{mnemonic}`")).pattern.value
}

/// `addi`, or another instruction of the format I.
pub fn immediate(mnemonic: &str, rd: u32, rs1: u32, value: u32) -> Vec<u8> {
    let word = [(RD, rd), (RS1, rs1), (IMM, value)];
    word.iter().fold(named(mnemonic), |word, &(moves, number)| rows::with(word, moves, number)).to_le_bytes().to_vec()
}

/// Makes units of the rows.
pub struct Words {
    pub rng: Rng,
    /// Whether the core has the atomic instructions.
    pub atomics: bool,
    /// Whether loads and stores lie at any address.
    pub any_address: bool,
    /// Control and status registers that instructions use.
    pub registers: &'static [u32],
    /// Whether a handler returns four bytes behind an exception.
    pub handled: bool,
}

impl Units for Words {
    type Of = RiscV;

    fn units(&self) -> Vec<Unit<Self>> {
        let of = |row: &'static Row| -> Unit<Self> {
            // What computes comes more often.
            let weight = if row.class == Class::Alu || row.class == Class::Shift { 4 } else { 3 };
            (row.mnemonic.to_owned(), weight, Box::new(move |words: &mut Self| words.unit(row)))
        };
        let has = |row: &&Row| self.atomics || row.feature != Feature::Atomic;
        let stays = |row: &&Row| !leaves(row) || self.handled && raises(row);
        isa::ROWS.iter().filter(stays).filter(has).map(of).collect()
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
    /// A register that may be written: neither x0 nor the stack pointer.
    fn free(&mut self) -> u32 {
        self.free_but(SP)
    }

    /// A register that may be written, and is not this one.
    fn free_but(&mut self, taken: u32) -> u32 {
        loop {
            let register = 1 + self.rng.below(31);
            if register != SP && register != taken {
                return register;
            }
        }
    }

    /// An instruction that may be jumped over, of either length.
    fn filler(&mut self) -> Vec<u8> {
        let mnemonic = *self.rng.pick(&["addi", "c.addi", "xor", "c.sub"]);
        let row = isa::ROWS.iter().find(|row| row.mnemonic == mnemonic);
        row.map_or(Vec::new(), |row| self.unit(row))
    }

    /// Lets a register point into the data.
    fn base(&mut self, register: u32) -> Vec<u8> {
        immediate("addi", register, SP, 1024 + 4 * self.rng.below(200))
    }

    /// An instruction of the row with all that its operands need around it.
    fn unit(&mut self, row: &Row) -> Vec<u8> {
        let mut word = rows::random(row, &mut self.rng);
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        let length_bytes = row.pattern.bits / 8;
        let set = |word: &mut u32, moves, number| *word = rows::with(*word, moves, number);
        if raises(row) && length_bytes == 2 {
            behind = named("c.nop").to_le_bytes()[..2].to_vec();
        }
        for operand in row.operands {
            match operand {
                Operand::Rd | Operand::Both => {
                    // Now and then a result is discarded, where that is no reserved encoding.
                    let discarded = row.pattern.bits == 32 && self.rng.once_in(32);
                    set(&mut word, RD, if discarded { 0 } else { self.free() });
                }
                Operand::Source => set(&mut word, SHORT_RS2, self.free()),
                Operand::Imm | Operand::Rs1 | Operand::Rs2 | Operand::CsrImm | Operand::Shift | Operand::Upper => {}
                Operand::UpperFromPc | Operand::Sets | Operand::Order | Operand::Link => {}
                Operand::RdLow | Operand::Rs2Low | Operand::Rs1High | Operand::BothHigh => {}
                Operand::ShortImm | Operand::ShortShift | Operand::StackLoad => {}
                Operand::Csr => set(&mut word, CSR, *self.rng.pick(self.registers)),
                Operand::LoadAddress | Operand::StoreAddress => {
                    let (base, size) = (self.free(), size_bytes(row.op));
                    before = self.base(base);
                    set(&mut word, RS1, base);
                    let distance = self.rng.multiple(if self.any_address { 1 } else { size }, 3071).wrapping_sub(1024);
                    let moves = if *operand == Operand::LoadAddress { IMM } else { isa::STORE_OFFSET };
                    set(&mut word, moves, distance);
                }
                Operand::Address => {
                    let base = self.free_but(gathered(word, RD));
                    before = self.base(base);
                    set(&mut word, RS1, base);
                    let beside = |mnemonic| rows::with(named(mnemonic), RS1, base).to_le_bytes();
                    // No reservation lasts until another unit stores: whether it is lost then, cores choose.
                    if row.op == Op::LoadReserved {
                        behind = beside("sc.w").to_vec();
                    } else if row.op == Op::StoreConditional && self.rng.once_in(2) {
                        before.extend(beside("lr.w"));
                    }
                }
                Operand::ShortAddress => {
                    let low = self.rng.below(8);
                    before = self.base(8 + low);
                    set(&mut word, LOW_RS1, low);
                }
                Operand::Branch | Operand::Jump | Operand::ShortBranch | Operand::ShortJump => {
                    behind = (0..self.rng.below(3)).flat_map(|_| self.filler()).collect();
                    let moves = match operand {
                        Operand::Branch => isa::BRANCH,
                        Operand::Jump => isa::JUMP,
                        Operand::ShortBranch => isa::SHORT_BRANCH,
                        _ => isa::SHORT_JUMP,
                    };
                    set(&mut word, moves, length_bytes + behind.len() as u32);
                }
                Operand::JumpAddress => {
                    let base = self.free();
                    behind = self.filler();
                    before = rows::with(named("auipc"), RD, base).to_le_bytes().to_vec();
                    set(&mut word, RS1, base);
                    // The lowest bit of the sum is ignored.
                    set(&mut word, IMM, 8 + behind.len() as u32 + self.rng.bit());
                }
                Operand::ShortJumpAddress => {
                    let base = self.free();
                    behind = self.filler();
                    before = rows::with(named("auipc"), RD, base).to_le_bytes().to_vec();
                    before.extend(immediate("addi", base, base, 10 + behind.len() as u32));
                    set(&mut word, RD, base);
                }
                Operand::ShortUpper => {
                    let value = 1 + self.rng.below(63);
                    set(&mut word, isa::SHORT_IMM, value);
                }
                Operand::StackStore => {}
                Operand::FromStack => {
                    let value = 4 * (1 + self.rng.below(255));
                    set(&mut word, isa::FROM_STACK, value);
                }
                Operand::StackStep => {
                    // Down and up again, with something between that does not look at the stack pointer.
                    let step = 16 * (1 + self.rng.below(15));
                    set(&mut word, isa::STACK_STEP, step.wrapping_neg());
                    behind = immediate("addi", self.free(), 0, self.rng.below(1 << 12));
                    behind.extend(bytes(row, rows::with(word, isa::STACK_STEP, step)));
                }
            }
        }
        [before, bytes(row, word), behind].concat()
    }
}
