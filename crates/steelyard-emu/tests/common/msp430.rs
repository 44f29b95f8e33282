//! MSP430 chips for the tests, of the core data that the product ships.

use serde_json::{json, Value};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::msp430::{chip, Msp430};
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::{Description, Machine, Space};

pub const RAM: u32 = 0xc000;
pub const CODE: u32 = 0x8000;
pub const FLASH: u32 = 0xf000;
/// Where r4 points to: the address behind the instructions, as two words, over and over.
const WORDS: u32 = RAM;
const STACK: u32 = RAM + 0x100;

/// A chip with RAM for code and data, a flash, and the 16-bit multiplier.
pub fn description(core: &Value) -> Value {
    json!({
        "core": core,
        "memory": [
            {"name": "io", "space": "data", "kind": "io", "base": 0, "size": 0x200},
            {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": 0x1000},
            {"name": "code", "space": "program", "kind": "ram", "base": CODE, "size": 0x1000},
            {"name": "flash", "space": "program", "kind": "flash", "base": FLASH, "size": 0x1000},
        ],
        "core_options": {"multiplier_address": 0x130},
        "clock_hz": 8_000_000,
    })
}

/// That chip.
pub fn chip_of(core: &Value) -> Option<Msp430> {
    chip(&Description::from_json(&description(core).to_string()).ok()?, Immediate).ok()
}

/// Runs instructions to their end: r4 and r5 point to RAM, r10 is 2, r15 and the words in RAM are the end.
pub fn run(chip: &mut Msp430, words: &[u16]) -> Exit {
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let end = CODE + code.len() as u32;
    chip.write(Space::Data, CODE, &code).unwrap();
    chip.write(Space::Data, WORDS, &end.to_le_bytes().repeat(0x80)).unwrap();
    let processor = chip.processor_mut();
    for (number, value) in [(0, CODE), (1, STACK), (2, 0), (4, WORDS), (5, WORDS + 0x10), (10, 2), (15, end)] {
        processor.registers[number] = value;
    }
    processor.plant_stop(end);
    let limit = processor.cycles + 1000;
    let exit = Processor::run(processor, &mut Nothing, limit);
    processor.clear_stop();
    exit
}

/// Cycles of instructions.
pub fn cycles(chip: &mut Msp430, words: &[u16]) -> u64 {
    let before = chip.processor().cycles;
    assert_eq!(run(chip, words), Exit::Stop, "{words:x?}");
    chip.processor().cycles - before
}
