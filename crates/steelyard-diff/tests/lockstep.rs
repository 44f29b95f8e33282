//! The emulator against simavr, and the tester against planted faults.
#![cfg(have_simavr)]

use serde_json::json;
use std::path::Path;
use steelyard_diff::chip::{Emulator, Target};
use steelyard_diff::lockstep::{Pair, State, Subject};
use steelyard_diff::random::{self, Outcome};
use steelyard_diff::simavr::Simavr;
use steelyard_emu::avr::table::{ROWS, RUNS};

/// Chips simavr knows too.
const CHIPS: [&str; 3] = ["atmega128", "atmega328p", "attiny45"];
const SEED: u64 = 20_030_919;
const INSTRUCTIONS: u64 = 200_000;
const PROGRAMS: u64 = 1_000;
/// Enough for a fault in a single instruction to show.
const FAULT_INSTRUCTIONS: u64 = 20_000;

fn target(id: &str) -> Target {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../targets");
    Target::load(&folder, id).unwrap()
}

/// Runs a random stream on a subject made from the emulator.
fn stream<S: Subject>(target: &Target, instructions: u64, subject: impl FnOnce(Emulator) -> S) -> Outcome {
    let reference = Simavr::new(&target.id, 0).unwrap();
    let emulator = Emulator::new(target).unwrap();
    let chip = emulator.chip(target, &reference).unwrap();
    let mut pair = Pair::new(subject(emulator), reference);
    random::run(&mut pair, &chip, SEED, instructions)
}

#[test]
fn random_streams_agree_with_simavr_and_run_every_instruction() {
    for id in CHIPS {
        let target = target(id);
        let outcome = stream(&target, INSTRUCTIONS, |emulator| emulator);
        for row in ROWS {
            println!("{id} {:<10} {:>8}", row.name, outcome.executions[row.index()]);
        }
        assert!(outcome.difference.is_none(), "{id}: {}", outcome.difference.unwrap());
        assert_eq!(outcome.instructions(), INSTRUCTIONS);
        let core_rows = target.description["core"]["cycles"].as_object().unwrap();
        for (number, row) in ROWS.iter().enumerate() {
            let ran = outcome.executions[number] > 0;
            assert_eq!(ran, core_rows.contains_key(row.name), "{id}: {}", row.name);
        }
        println!("{id}: difference 0 in {INSTRUCTIONS} instructions");
    }
}

/// Runs random programs on a subject made from the emulator.
fn programs<S: Subject>(target: &Target, programs: u64, subject: impl FnOnce(Emulator) -> S) -> Outcome {
    let reference = Simavr::new(&target.id, 0).unwrap();
    let emulator = Emulator::new(target).unwrap();
    let chip = emulator.chip(target, &reference).unwrap();
    let mut pair = Pair::new(subject(emulator), reference);
    random::run_programs(&mut pair, &chip, SEED, programs)
}

#[test]
fn random_programs_at_full_speed_agree_with_simavr() {
    for id in CHIPS {
        let outcome = programs(&target(id), PROGRAMS, |emulator| emulator);
        assert!(outcome.difference.is_none(), "{id}: {}", outcome.difference.unwrap());
        let target = target(id);
        let core_rows = target.description["core"]["cycles"].as_object().unwrap();
        for op in RUNS.iter().copied().flatten() {
            let ran = outcome.executions[*op as usize] > 0;
            assert_eq!(ran, core_rows.contains_key(ROWS[*op as usize].name), "{id}: {op:?}");
        }
    }
}

#[test]
fn a_wrong_cycle_count_is_caught_at_full_speed() {
    let mut target = target("atmega128");
    target.description["core"]["cycles"]["sbci"] = json!(2);
    assert!(programs(&target, PROGRAMS, |emulator| emulator).difference.is_some());
}

#[test]
fn a_wrong_cycle_count_is_caught() {
    let mut target = target("atmega128");
    target.description["core"]["cycles"]["adc"] = json!(2);
    let difference = stream(&target, FAULT_INSTRUCTIONS, |emulator| emulator).difference.unwrap();
    assert_eq!(difference.words[0] & 0xFC00, 0x1C00, "ADC: {difference}");
    assert_eq!(difference.details.len(), 1, "{difference}");
    assert!(difference.details[0].starts_with("cycles"), "{difference}");
}

#[test]
fn a_wrong_extra_cycle_of_a_skip_is_caught() {
    let mut target = target("atmega328p");
    target.description["core"]["extra"]["skip_two_words"] = json!(1);
    let difference = stream(&target, FAULT_INSTRUCTIONS, |emulator| emulator).difference.unwrap();
    assert!(difference.details[0].starts_with("cycles"), "{difference}");
}

/// The emulator with a fault of one instruction: `spoil` may change the state the instruction left.
struct Faulty<F> {
    emulator: Emulator,
    spoil: F,
}

impl<F: FnMut(u16, &mut State)> Subject for Faulty<F> {
    fn state(&self) -> State {
        self.emulator.state()
    }

    fn set_state(&mut self, state: &State) {
        self.emulator.set_state(state);
    }

    fn data(&self) -> &[u8] {
        self.emulator.data()
    }

    fn flash(&self) -> &[u8] {
        self.emulator.flash()
    }

    fn poke(&mut self, address: u16, value: u8) {
        self.emulator.poke(address, value);
    }

    fn write_flash(&mut self, address: u32, bytes: &[u8]) {
        self.emulator.write_flash(address, bytes);
    }

    fn step(&mut self) -> Result<(), String> {
        let at = self.state().pc as usize;
        let word = u16::from_le_bytes([self.flash()[at], self.flash()[at + 1]]);
        self.emulator.step()?;
        let mut state = self.state();
        (self.spoil)(word, &mut state);
        self.set_state(&state);
        Ok(())
    }

    fn run(&mut self, cycles: u64) -> Result<(), String> {
        self.emulator.run(cycles)
    }
}

#[test]
fn a_wrong_flag_is_caught() {
    const OVERFLOW: u8 = 0x08;
    let flag_fault = |word: u16, state: &mut State| {
        // INC that overflows forgets to say so.
        if word & 0xFE0F == 0x9403 && state.sreg & OVERFLOW != 0 {
            state.sreg &= !OVERFLOW;
        }
    };
    let target = target("atmega128");
    let outcome = stream(&target, FAULT_INSTRUCTIONS, |emulator| Faulty { emulator, spoil: flag_fault });
    let difference = outcome.difference.unwrap();
    assert_eq!(difference.words[0] & 0xFE0F, 0x9403, "INC: {difference}");
    assert_eq!(difference.details.len(), 1, "{difference}");
    assert!(difference.details[0].starts_with("SREG"), "{difference}");
}

#[test]
fn a_wrong_byte_in_memory_is_caught_at_once() {
    let target = target("atmega328p");
    let reference = Simavr::new("atmega328p", 0).unwrap();
    let mut pair = Pair::new(Emulator::new(&target).unwrap(), reference);
    pair.copy_to_reference();
    pair.write_flash(0, &[0x00, 0x00]);
    pair.step().unwrap();
    pair.subject.poke(0x0456, 0x78);
    pair.write_flash(2, &[0x00, 0x00]);
    let difference = pair.step().unwrap_err();
    assert_eq!(difference.details, ["data 0x0456 0x78, simavr 0x00"]);
}

#[test]
fn memories_are_as_large_as_simavr_says() {
    for id in CHIPS {
        let target = target(id);
        let reference = Simavr::new(id, 0).unwrap();
        let memories = target.description["memory"].as_array().unwrap();
        let memory = |name: &str| memories.iter().find(|memory| memory["name"] == name).unwrap();
        let number = |name: &str, field: &str| memory(name)[field].as_u64().unwrap() as usize;
        assert_eq!(number("flash", "size"), reference.flash_bytes(), "{id}");
        assert_eq!(number("sram", "base") + number("sram", "size"), reference.data_bytes(), "{id}");
        assert_eq!(number("io", "base") + number("io", "size"), reference.io_end() + 1, "{id}");
        assert_eq!(number("sram", "base"), reference.io_end() + 1, "{id}");
        assert_eq!(number("eeprom", "size"), reference.eeprom_bytes(), "{id}");
        let rampz = target.description["core"]["address"].get("rampz").and_then(|value| value.as_u64());
        assert_eq!(rampz.unwrap_or(0) as usize, reference.rampz(), "{id}");
    }
}
