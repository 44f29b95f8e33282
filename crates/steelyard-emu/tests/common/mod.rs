//! Chips for the tests, made of the core data that the product ships.

pub mod arm;
pub mod cortex_m;
pub mod image;
pub mod msp430;
pub mod riscv;
pub mod rl78;
pub mod sparc;
pub mod values;
pub mod witness;

use serde_json::{json, Value};
use steelyard_emu::avr::{self, Avr};
use steelyard_emu::observe::Nothing;
use steelyard_emu::processor::Exit;
use steelyard_emu::{Description, FaultKind};

/// Core ids and the flash that their tests get.
pub const CORES: [(&str, u32); 6] = [
    ("avr31", 0x2_0000),
    ("avr25", 0x1000),
    ("avr5", 0x8000),
    ("avr51", 0x2_0000),
    ("avr6", 0x4_0000),
    ("avrxt", 0xc000),
];

pub const RAM: u16 = 0x2800;
pub const RAM_END: u16 = 0x3fff;

/// A core's data file, without what it says of the chips that have the core.
pub fn core_data(core: &str) -> Value {
    let path = format!("{}/../../targets/cores/{core}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut data: Value = toml::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    data.as_object_mut().unwrap().remove("chip");
    data
}

/// A chip with RAM from 0x2800 to 0x3fff, an EEPROM of 256 bytes and the core's window to its flash.
pub fn description(core: &str, options: Value) -> Value {
    let flash = CORES.iter().find(|(id, _)| *id == core).unwrap().1;
    let mut memory = vec![
        json!({"name": "flash", "space": "program", "kind": "flash", "base": 0, "size": flash}),
        json!({"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_END - RAM + 1}),
    ];
    if core == "avrxt" {
        memory.push(json!({"name": "io", "space": "data", "kind": "io", "base": 0, "size": 0x1400}));
        memory.push(json!({"name": "eeprom", "space": "data", "kind": "eeprom", "base": 0x1400, "size": 256}));
        memory.push(json!({"name": "window", "space": "data", "kind": "flash-window", "base": 0x4000, "size": flash}));
    } else {
        memory.push(json!({"name": "io", "space": "data", "kind": "io", "base": 0x20, "size": 0xe0}));
        memory.push(json!({"name": "eeprom", "space": "eeprom", "kind": "eeprom", "base": 0, "size": 256}));
    }
    json!({"core": core_data(core), "memory": memory, "core_options": options, "clock_hz": 16_000_000})
}

/// That chip.
pub fn chip(core: &str) -> Avr {
    chip_with(core, json!({}))
}

/// That chip with options of its core.
pub fn chip_with(core: &str, options: Value) -> Avr {
    avr::chip(&Description::from_json(&description(core, options).to_string()).unwrap()).unwrap()
}

/// Runs one instruction.
pub fn step(chip: &mut Avr) -> Result<(), FaultKind> {
    let cpu = chip.processor_mut();
    match cpu.run(&mut Nothing, cpu.cycles + 1) {
        Exit::Limit | Exit::Stop => Ok(()),
        Exit::Trap(trap) => Err(trap.kind),
    }
}

/// Little-endian bytes of program words.
pub fn bytes_of(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
