//! Cores of RISC-V beside their own RTL.

use super::riscv::{immediate, named, Words, IMM, MSCRATCH, RD, RS1, SP};
use crate::chip::{bare, Chip, Family};
use crate::layout;
use crate::programs::{self, Units, BASE, CODE, CODE_MEMORY, DATA, RAM};
use crate::protocol::{Layout, Reference};
use crate::rng::Rng;
use crate::rows;
use crate::stream::{Asked, Outcome, Pair};
use crate::traced::images::Called;
use crate::traced::{compare, traced};
use serde_json::{json, Value};
use std::ops::Range;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::riscv::cpu::Cpu;
use steelyard_emu::riscv::isa;
use steelyard_emu::{emulated::Emulated, riscv, Description, Error};

/// A core of which the program counter and the clocks are seen; a program stores the other registers at its end.
pub struct Traced;

impl Family for Traced {
    type Cpu = Cpu<Immediate>;
    const LAYOUT: Layout = layout!(little; 4: "pc" 0);

    fn chip(description: &Description) -> Result<Emulated<Self::Cpu>, Error> {
        riscv::chip(description, Immediate)
    }

    fn register(cpu: &Self::Cpu, _: usize) -> u32 {
        cpu.pc
    }

    fn set_register(cpu: &mut Self::Cpu, _: usize, value: u32) {
        cpu.pc = value;
    }
}

const RA: u32 = 1;
/// The register that holds a function's address.
const CALLED: u32 = 5;

impl Called for Traced {
    const CALLER: Range<u32> = CODE_MEMORY.end - 0x1000..CODE_MEMORY.end - 0x800;

    fn caller(cpu: &Self::Cpu, stack_pointer: u32, function: u32) -> (Vec<u8>, usize, Vec<u8>) {
        let set = |register: u32, value: u32| {
            let upper = rows::with(named("lui"), RD, register) | value.wrapping_add(0x800) & 0xffff_f000;
            [&upper.to_le_bytes()[..], &immediate("addi", register, register, value & 0xfff)].concat()
        };
        let value = |register: u32| match register {
            SP => stack_pointer,
            CALLED => function,
            _ => cpu.registers[register as usize],
        };
        let mut code: Vec<u8> = (1..32).flat_map(|register| set(register, value(register))).collect();
        let before = code.len() / 4;
        code.extend(immediate("jalr", RA, CALLED, 0));
        (code, before, named("jal").to_le_bytes().to_vec())
    }

    fn memory() -> Option<Value> {
        let size = Self::CALLER.end - Self::CALLER.start;
        Some(json!({"name": "caller", "space": "data", "kind": "ram", "base": Self::CALLER.start, "size": size}))
    }
}

const MTVEC: u32 = 0x305;
const MEPC: u32 = 0x341;
const MTVAL: u32 = 0x343;
/// Control and status registers that hold what is written: two that flush no pipeline, and one that does.
const HELD: &[u32] = &[MSCRATCH, MEPC, MTVAL];
/// Where exceptions go.
const HANDLER: u32 = CODE_MEMORY.start;
/// The register that a handler works with, and that sets control registers before a program.
const TEMPORARY: u32 = 5;

/// An instruction of a control register.
fn control(mnemonic: &str, rd: u32, register: u32, rs1: u32) -> Vec<u8> {
    let word = rows::with(rows::with(named(mnemonic), IMM, register), RS1, rs1);
    rows::with(word, RD, rd).to_le_bytes().to_vec()
}

/// Returns four bytes behind an exception, and leaves all registers but `mepc` as they were.
fn handler() -> Vec<u8> {
    [
        control("csrrw", TEMPORARY, MSCRATCH, TEMPORARY),
        control("csrrs", TEMPORARY, MEPC, 0),
        immediate("addi", TEMPORARY, TEMPORARY, 4),
        control("csrrw", 0, MEPC, TEMPORARY),
        control("csrrw", TEMPORARY, MSCRATCH, TEMPORARY),
        named("mret").to_le_bytes().to_vec(),
    ]
    .concat()
}

/// Where a program finds its registers and leaves them, relative to the stack pointer.
fn place(register: u32) -> u32 {
    (4 * register).wrapping_sub(2048)
}

/// What a program does before its units and behind them.
fn framed(units: &[u8]) -> Vec<u8> {
    let numbered = || (1..32).filter(|&register| register != SP);
    let mut code = (BASE | SP << 7 | named("lui")).to_le_bytes().to_vec();
    code.extend((HANDLER | TEMPORARY << 7 | named("lui")).to_le_bytes());
    code.extend(control("csrrw", 0, MTVEC, TEMPORARY));
    code.extend(numbered().flat_map(|register| immediate("lw", register, SP, place(register))));
    code.extend(HELD.iter().flat_map(|&register| control("csrrw", 0, register, TEMPORARY)));
    code.extend(units);
    for register in numbered() {
        let offset = rows::with(named("sw") | register << 20, isa::STORE_OFFSET, place(register));
        code.extend(rows::with(offset, RS1, SP).to_le_bytes());
    }
    // The last store is done by then.
    code.extend((0..2).flat_map(|_| immediate("addi", 0, 0, 0)));
    code
}

/// Compares programs, instruction by instruction, until so many were executed; the first difference ends that.
pub fn run(asked: &Asked, reference: &mut dyn Reference) -> Result<Outcome, String> {
    let chip = Chip::<Traced>::new(&bare(asked.catalogue.core(asked.name)?, &[RAM, CODE_MEMORY])?)?;
    let mut pair = Pair::new(chip, Traced::LAYOUT);
    pair.write(HANDLER, &handler());
    let mut units =
        Words { rng: Rng::new(asked.seed), atomics: false, any_address: true, registers: HELD, handled: true };
    let kinds = units.units();
    let mut outcome = Outcome::of(kinds.iter().map(|(name, ..)| name.clone()));
    while outcome.instructions < asked.instructions && outcome.difference.is_none() {
        let code = framed(&programs::draw(&mut units, &kinds, &mut outcome));
        let end = CODE + code.len() as u32;
        // Behind the end lies a program that goes nowhere.
        pair.write(CODE, &[&code[..], &named("jal").to_le_bytes()].concat());
        let data: Vec<u8> = DATA.map(|_| units.rng.word() as u8).collect();
        pair.write(DATA.start, &data);
        for register in 1..32 {
            pair.write(BASE.wrapping_add(place(register)), &units.rng.value().to_le_bytes());
        }
        pair.set(0, CODE);
        let ours = traced(&mut pair.subject, end)?;
        outcome.instructions += ours.len() as u64;
        outcome.difference = compare(&mut pair, CODE, &ours, &[DATA], reference)?;
    }
    Ok(outcome)
}
