//! Translated RISC-V instructions beside interpreted ones: random programs with branches, calls, loops, faults, stores to
//! their own code, and limits. An observer that takes no sums is the interpreter's.
#![cfg(feature = "translate")]

use crate::common::core_data;
use crate::common::riscv::{chip, description, Chip, CODE, RAM, RETURN};
use crate::common::values::Random;
use std::collections::BTreeMap;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::observe::Observer;
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::riscv::cpu::RETURN_ADDRESS;
use steelyard_emu::riscv::{self, decode, isa};
use steelyard_emu::{Description, Machine, Permit, Space};

const CORES: [&str; 6] = ["e31", "e31-2016", "bumblebee", "esp32-c3", "ibex-small", "ibex-maxperf"];
const MEMORY_BYTES: usize = 0x200;
const LIMIT: u64 = 3_000;

/// Everything that is seen of a run, by sums or by single events.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen<const BY_SUMS: bool> {
    /// Executions and cycles of each place.
    places: BTreeMap<u32, (u64, u64)>,
    taken: u64,
    lowest: Option<u32>,
    /// Instructions that were seen one by one.
    single: u64,
}

impl<const BY_SUMS: bool> Observer for Seen<BY_SUMS> {
    const SUMS: bool = BY_SUMS;

    fn retired(&mut self, place: u32, cycles: u32) {
        self.retired_often(place, 1, cycles.into());
        self.single += 1;
    }
    fn retired_often(&mut self, place: u32, times: u64, cycles: u64) {
        let spent = self.places.entry(place).or_default();
        *spent = (spent.0 + times, spent.1 + cycles);
    }
    fn taken(&mut self, _place: u32) {
        self.taken += 1;
    }
    fn taken_often(&mut self, times: u64) {
        self.taken += times;
    }
    fn stack(&mut self, pointer: u32) {
        self.lowest = Some(self.lowest.map_or(pointer, |lowest| lowest.min(pointer)));
    }
}

/// What a run leaves behind.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    exit: Exit,
    registers: [u32; 32],
    pc: u32,
    cycles: u64,
    instructions: u64,
    places: BTreeMap<u32, (u64, u64)>,
    taken: u64,
    lowest: Option<u32>,
    memory: Vec<u8>,
    code: Vec<u8>,
}

/// Runs a program from its start; returns what it leaves, and how many instructions were seen one by one.
fn run<const BY_SUMS: bool>(chip: &mut Chip, registers: &[u32; 32], limit: u64) -> (Left, u64) {
    let cpu = chip.processor_mut();
    cpu.registers = *registers;
    cpu.pc = CODE;
    cpu.set_stack_limit(RAM + 0x80);
    let (cycles, instructions) = (cpu.cycles, cpu.control.instructions);
    let mut seen = Seen::<BY_SUMS>::default();
    let exit = Processor::run(cpu, &mut seen, cycles + limit);
    let Seen { places, taken, lowest, single } = seen;
    let left = Left {
        exit,
        registers: cpu.registers,
        pc: cpu.pc,
        cycles: cpu.cycles - cycles,
        instructions: cpu.control.instructions - instructions,
        places: places.into_iter().filter(|(_, spent)| *spent != (0, 0)).collect(),
        taken,
        lowest,
        memory: cpu.peek(RAM, MEMORY_BYTES).unwrap(),
        code: cpu.peek(CODE, MEMORY_BYTES).unwrap(),
    };
    (left, single)
}

fn chips(core: &str) -> [Chip; 2] {
    [(); 2].map(|()| {
        let description = Description::from_json(&description(&core_data(core)).to_string()).unwrap();
        let mut chip: Chip = riscv::chip(&description, Immediate).unwrap();
        chip.processor_mut().translate_after(1);
        chip
    })
}

fn branch(random: &mut Random, from: i32, length: i32) -> u32 {
    let target = random.below(length as usize / 2) as i32 * 2;
    let offset = (target - from) as u32;
    let bit = |number: u32| offset >> number & 1;
    let field = |low: u32, bits: u32| offset >> low & ((1 << bits) - 1);
    match random.below(5) {
        0 => {
            let link = [0, 1, 1, 5][random.below(4)];
            bit(20) << 31 | field(1, 10) << 21 | bit(11) << 20 | field(12, 8) << 12 | link << 7 | 0x6f
        }
        1 => [0x0000_8067, 0x0002_8067, 0x0000_80e7][random.below(3)],
        _ => {
            let funct3 = [0, 1, 4, 5, 6, 7][random.below(6)];
            let (first, second) = (10 + random.below(6) as u32, random.below(16) as u32);
            let high = bit(12) << 31 | field(5, 6) << 25 | second << 20 | first << 15;
            high | funct3 << 12 | field(1, 4) << 8 | bit(11) << 7 | 0x63
        }
    }
}

/// An instruction of any row. Loads and stores are near a0, or, seldom, in the program itself.
fn instruction(random: &mut Random) -> Vec<u8> {
    loop {
        let row = &isa::ROWS[random.below(isa::ROWS.len())];
        let free = !row.pattern.mask & (u64::MAX >> (64 - row.pattern.bits)) as u32;
        let mut word = row.pattern.value | random.word() & free;
        let long = row.pattern.bits == 32;
        let Some(decoded) = decode::of_row(row, word, CODE) else { continue };
        let (loads, stores) = decoded.transfers();
        if loads + stores > 0 && long {
            let base = if random.below(12) == 0 { 11 } else { 10 };
            word = word & !(0x1f << 15 | 0xf << 28) | base << 15;
            if random.below(4) > 0 {
                // Of the offset's lowest bits.
                word &= if stores > 0 { !(3 << 7) } else { !(3 << 20) };
            }
        }
        let Some(decoded) = decode::of_row(row, word, CODE) else { continue };
        // Bases stay, but for one in so many.
        if matches!(decoded.rd, 1 | 2 | 5 | 10 | 11) && random.below(10) > 0 {
            continue;
        }
        if decoded.conditional_branch() || matches!(decoded.op, decode::Op::Jump | decode::Op::JumpRegister) {
            continue;
        }
        return word.to_le_bytes()[..row.pattern.bits as usize / 8].to_vec();
    }
}

fn program(random: &mut Random) -> Vec<u8> {
    let length = 40 + random.below(160);
    let mut code = Vec::new();
    while code.len() < length {
        if random.below(6) == 0 {
            code.extend(branch(random, code.len() as i32, length as i32).to_le_bytes());
        } else {
            code.extend(instruction(random));
        }
    }
    code.extend(RETURN);
    code
}

/// Registers that point to memory, code, stack and back; the others are random, and often small.
fn registers(random: &mut Random) -> [u32; 32] {
    let mut registers = [(); 32].map(|()| random.word() >> [0, 0, 16, 28][random.below(4)]);
    registers[0] = 0;
    (registers[1], registers[2]) = (RETURN_ADDRESS, RAM + 0x100);
    (registers[5], registers[10], registers[11]) = (CODE + 2 * random.below(40) as u32, RAM, CODE);
    registers
}

#[test]
fn random_programs_do_the_same() {
    for core in CORES {
        let [mut interpreted, mut translated] = chips(core);
        let mut random = Random(7);
        let (mut all, mut single, mut stops) = (0, 0, 0);
        for number in 0..1_500 {
            let code = program(&mut random);
            let registers = registers(&mut random);
            let memory: Vec<u8> = (0..MEMORY_BYTES).map(|_| random.word() as u8).collect();
            let permits = [RAM, CODE].map(|base| Permit { base, size_bytes: 0x180, write: true });
            let fenced = number % 8 == 7;
            for chip in [&mut interpreted, &mut translated] {
                chip.write(Space::Program, CODE, &code).unwrap();
                chip.fence(fenced.then_some(&permits[..])).unwrap();
            }
            for repetition in 0..6 {
                for chip in [&mut interpreted, &mut translated] {
                    chip.write(Space::Data, RAM, &memory).unwrap();
                }
                let limit = if repetition == 5 { 1 + random.below(200) as u64 } else { LIMIT };
                let (expected, _) = run::<false>(&mut interpreted, &registers, limit);
                let (found, one_by_one) = run::<true>(&mut translated, &registers, limit);
                assert_eq!(found, expected, "{core}, program {number}, {repetition}: {code:02x?}");
                all += found.instructions;
                single += one_by_one;
                stops += u32::from(found.exit == Exit::Stop);
            }
        }
        assert!(stops > 500, "{core}: only {stops} programs end");
        assert!(single < all / 2, "{core}: of {all} instructions {single} were interpreted");
    }
}

/// li a4, 5; loop: mul a5, a5, a3; lw a2, (a0); add a5, a5, a2; sw a5, 4(a0); div a1, a5, a4; addi a4, a4, -1;
/// bnez a4, loop
const LOOP: [u32; 8] =
    [0x0050_0713, 0x02d7_87b3, 0x0005_2603, 0x00c7_87b3, 0x00f5_2223, 0x02e7_c5b3, 0xfff7_0713, 0xfe07_14e3];

#[test]
fn a_limit_ends_translated_code_at_the_same_cycle() {
    for core in CORES {
        let [mut interpreted, mut translated] = chips(core);
        let mut start = registers(&mut Random(3));
        start[13] = 77;
        let code: Vec<u8> = LOOP.iter().flat_map(|word| word.to_le_bytes()).chain(RETURN).collect();
        for chip in [&mut interpreted, &mut translated] {
            chip.write(Space::Program, CODE, &code).unwrap();
        }
        run::<true>(&mut translated, &start, LIMIT);
        let whole = run::<false>(&mut interpreted, &start, LIMIT).0.cycles;
        let mut quickest = u64::MAX;
        for limit in 0..whole + 3 {
            let (expected, _) = run::<false>(&mut interpreted, &start, limit);
            let (found, single) = run::<true>(&mut translated, &start, limit);
            if limit > whole {
                quickest = quickest.min(found.instructions - single);
            }
            assert_eq!(found, expected, "{core}, {limit} cycles");
        }
        // Divisions may be the interpreter's, and loops begin with it.
        assert!((5..u64::MAX).contains(&quickest), "{core}: only {quickest} instructions were translated");
    }
}

/// Two times: a loop, whose addition is then another one: loop: addi a5, a5, 1; addi a4, a4, -1; bnez a4, loop;
/// sw a3, (a1); li a4, 9; addi a2, a2, -1; bnez a2, loop
#[test]
fn a_store_to_translated_code_is_seen() {
    let words: [u32; 7] = [0x0017_8793, 0xfff7_0713, 0xfe07_1ce3, 0x00d5_a023, 0x0090_0713, 0xfff6_0613, 0xfe06_14e3];
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).chain(RETURN).collect();
    for core in CORES {
        let mut chip = chip(&core_data(core), &[("f", &code)]).unwrap();
        let mut start = [0; 32];
        // addi a5, a5, 7
        (start[1], start[2], start[11], start[13]) = (RETURN_ADDRESS, RAM + 0x100, CODE, 0x0077_8793);
        (start[12], start[14]) = (2, 20);
        for _ in 0..3 {
            chip.write(Space::Program, CODE, &code).unwrap();
            let (left, single) = run::<true>(&mut chip, &start, LIMIT);
            assert_eq!((left.exit, left.registers[15]), (Exit::Stop, 20 + 9 * 7), "{core}");
            assert!(single < 30, "{core}: {single} instructions were interpreted");
        }
    }
}
