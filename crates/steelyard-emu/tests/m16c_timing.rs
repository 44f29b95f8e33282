//! The cycles of short sequences on the M16C, each worked out by hand from the core's tables and rules, and the proof
//! that every number of the core's data is under one of them.
//!
//! `data/m16c-timing.tsv` has the sequences. They lie at 0xf2000, all memory is RAM, and the queue holds four bytes
//! at the start. R0 = 0x0102, R1 = 0x0304, R3 = 2, A0 = 0x1000 where the word 2 lies, A1 = 0x1100 and FB = 0x1200, where
//! the address of the end lies (behind a word at FB), SB = 0x1300, SP = 0x1400, and no flag is set. All vectors lead to
//! the end. The bytes are what an assembler makes of the text.

use crate::common::core_data;
use crate::common::timing::{changes, units};
use serde_json::{json, Value};
use steelyard_emu::bus::{Region, RegionKind, RegionSpace};
use steelyard_emu::m16c::cpu::{Cpu, Registers};
use steelyard_emu::m16c::memory::Memory;
use steelyard_emu::m16c::timing::Core;
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::{Exit, Processor};

const CODE: u32 = 0xf_2000;

struct Sequence {
    cycles: u64,
    bytes: Vec<u8>,
    text: &'static str,
}

fn sequences() -> Vec<Sequence> {
    let rows = include_str!("data/m16c-timing.tsv").lines().skip(1);
    rows.map(|row| {
        let [cycles, bytes, text, _why] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {row}");
        };
        Sequence { cycles: cycles.parse().unwrap(), bytes: units(bytes), text }
    })
    .collect()
}

/// A chip of RAM alone, which is used again for every sequence and every core.
struct Chip(Cpu);

impl Chip {
    fn new(core: Core) -> Self {
        let all = Region {
            name: "ram".into(),
            space: RegionSpace::Data,
            kind: RegionKind::Ram,
            base: 0,
            size_bytes: 1 << 20,
            wait_read_cycles: 0,
            wait_write_cycles: 0,
            external: false,
            latency: None,
        };
        let mut cpu = Cpu::new(core, Memory::new(&[all]).unwrap());
        cpu.snapshot_memory();
        Chip(cpu)
    }

    fn cycles(&mut self, bytes: &[u8]) -> u64 {
        let cpu = &mut self.0;
        cpu.memory.restore();
        cpu.program.forget(CODE, 64);
        let end = CODE + bytes.len() as u32;
        let vector = end.to_le_bytes();
        let vectors = |count: usize| vector.repeat(count);
        for (address, data) in [
            (CODE, bytes.to_vec()),
            (0x1000, vec![2, 0]),
            (0x1100, vectors(1)),
            (0x1202, vectors(1)),
            (0x3000, vectors(64)),
            (0x3300, vec![3, 4]),
            (0xf_fe00, vector[..2].repeat(0x1dc / 2)),
            (0xf_ffdc, vectors(3)),
        ] {
            assert!(cpu.poke(address, &data));
        }
        let mut registers = Registers::new(0x1400);
        registers.file[..8].copy_from_slice(&[0x0102, 0x0304, 0, 2, 0x1000, 0x1100, 0x1200, 0x1300]);
        registers.pc = CODE;
        cpu.set_registers(&registers);
        cpu.plant_stop(end);
        cpu.cycles = 0;
        let exit = cpu.run(&mut Nothing, 10_000);
        assert_eq!(exit, Exit::Stop, "{bytes:02x?} ended at {:05x}", cpu.pc());
        cpu.clear_stop();
        cpu.cycles
    }
}

/// Cycles of a sequence on a core of these data.
fn cycles(core: &Value, bytes: &[u8]) -> u64 {
    Chip::new(Core::from_data(core).unwrap()).cycles(bytes)
}

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    let mut chip = Chip::new(Core::from_data(&core_data("m16c")).unwrap());
    let wrong: Vec<String> = sequences()
        .iter()
        .filter_map(|one| {
            let found = chip.cycles(&one.bytes);
            (found != one.cycles).then(|| format!("{}: {found}, not {}", one.text, one.cycles))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_number_of_the_core_is_under_a_sequence() {
    let sequences = sequences();
    let data = core_data("m16c");
    let mut chip = Chip::new(Core::from_data(&data).unwrap());
    let numbers = changes(&data, &["bus", "cycles"]);
    assert!(numbers.len() > 150, "{}", numbers.len());
    let unseen: Vec<String> = numbers
        .iter()
        .flat_map(|one| one.values.iter().map(move |value| (one, value)))
        .filter(|(one, value)| {
            // What is refused has been noticed.
            let Ok(core) = Core::from_data(&one.of(&data, value)) else { return false };
            chip.0.core = core;
            !sequences.iter().any(|one| chip.cycles(&one.bytes) != one.cycles)
        })
        .map(|(one, value)| format!("{} = {value}", one.path))
        .collect();
    assert!(unseen.is_empty(), "no sequence shows these changes:\n{}", unseen.join("\n"));
}

#[test]
fn on_a_bus_of_a_byte_every_word_is_two_accesses() {
    let mut core = core_data("m16c");
    core["bus"]["bytes"] = json!(1);
    // mov.w 2[fb], r0 with three cycles and one more; add.w r0, 4[sb] reads and writes.
    assert_eq!(cycles(&core, &[0x73, 0xb0, 0x02]), 4);
    assert_eq!(cycles(&core, &[0xa1, 0x0a, 0x04]), 5);
    assert_eq!(cycles(&core, &[0x72, 0xb0, 0x02]), 3);
}
