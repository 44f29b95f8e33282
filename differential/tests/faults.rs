//! The tester against planted faults, and simavr's chips against the catalogue's. What needs a reference that is missing
//! is left out.

use differential::chip::Catalogue;
use differential::families::FAMILIES;
use differential::programs::CODE;
use differential::protocol::Reference;
use differential::references::recording::Recording;
use differential::stream::{Asked, Outcome, Stream};
use std::path::Path;

const SEED: u64 = 20_030_919;
/// Enough for a fault in a single instruction to show.
const INSTRUCTIONS: u64 = 20_000;

fn stream(name: &str) -> &'static Stream {
    FAMILIES.iter().flat_map(|family| family.streams).find(|stream| stream.name == name).unwrap()
}

fn reference(name: &str) -> Option<Box<dyn Reference>> {
    let found = (stream(name).reference)(name);
    found.map_err(|why| eprintln!("left out: {why}")).ok()
}

fn run(name: &str, reference: &mut dyn Reference, instructions: u64, catalogue: &Catalogue) -> Outcome {
    (stream(name).run)(&Asked { catalogue, name, seed: SEED, instructions }, reference).unwrap()
}

/// What differs where a line of a core's data is another one; `None` without the reference.
fn with_core(name: &str, core: &str, line: &str, instead: &str) -> Option<(String, Vec<String>)> {
    let mut reference = reference(name)?;
    let folder = std::env::temp_dir().join(format!("differential-{}-{core}-{}", std::process::id(), instead.len()));
    std::fs::create_dir_all(folder.join("cores")).unwrap();
    let shipped = Catalogue::default().0;
    let file = Path::new("cores").join(core).with_extension("toml");
    let data = std::fs::read_to_string(shipped.join(&file)).unwrap();
    assert_eq!(data.matches(line).count(), 1, "{line}");
    std::fs::write(folder.join(&file), data.replace(line, instead)).unwrap();
    for shared in [Path::new("families").to_owned(), Path::new(name).with_extension("toml")] {
        std::os::unix::fs::symlink(shipped.join(&shared), folder.join(&shared)).unwrap();
    }
    let outcome = run(name, reference.as_mut(), INSTRUCTIONS, &Catalogue(folder.clone()));
    std::fs::remove_dir_all(folder).unwrap();
    let difference = outcome.difference.unwrap();
    Some((difference.kind.map_or(String::new(), |kind| outcome.executions[kind].0.clone()), difference.details))
}

#[test]
fn a_wrong_cycle_count_is_caught() {
    let Some((name, details)) = with_core("atmega128", "avr51", "\nadc = 1\n", "\nadc = 2\n") else { return };
    assert_eq!((name.as_str(), details), ("adc", vec!["2 clocks, reference 1".to_owned()]));
    let (_, details) = with_core("atmega328p", "avr5", "\nskip_two_words = 2\n", "\nskip_two_words = 1\n").unwrap();
    assert_eq!(details, ["2 clocks, reference 3"]);
}

#[test]
fn a_fault_of_the_emulator_is_caught() {
    let older = ("architecture = \"armv5te\"", "architecture = \"armv4\"");
    let Some((_, details)) = with_core("armv5te", "xscale", older.0, older.1) else { return };
    assert!(details[0].contains("is no instruction of the xscale core"), "{details:?}");
}

/// A reference that is asked, or answers, something else.
struct Faulty<'a> {
    reference: &'a mut dyn Reference,
    ask: &'a dyn Fn(&mut [u8]),
    answer: &'a dyn Fn(&mut [u8]),
}

impl Reference for Faulty<'_> {
    fn exchange(&mut self, batch: &[u8]) -> Result<Vec<u8>, String> {
        let mut batch = batch.to_vec();
        (self.ask)(&mut batch);
        let mut answer = self.reference.exchange(&batch)?;
        (self.answer)(&mut answer);
        Ok(answer)
    }
}

/// What differs where a byte of the first state of each answer is another one.
fn with_answer(name: &str, reference: &mut dyn Reference, instructions: u64, seed: u64, at: usize, mask: u8) -> String {
    let answer = |answer: &mut [u8]| answer[4 + at] ^= mask;
    let mut faulty = Faulty { reference, ask: &|_| {}, answer: &answer };
    let asked = Asked { catalogue: &Catalogue::default(), name, seed, instructions };
    (stream(name).run)(&asked, &mut faulty).unwrap().difference().unwrap()
}

#[test]
fn a_wrong_flag_and_a_wrong_clock_of_a_state_are_caught() {
    const CLOCKS: usize = 5;
    const STATUS: usize = 13 + 32;
    if let Some(mut reference) = reference("atmega128") {
        let text = with_answer("atmega128", reference.as_mut(), INSTRUCTIONS, SEED, STATUS, 8);
        assert!(text.contains("sreg 0x"), "{text}");
    }
    let bytes = stream("rl78-g13").layout.state_bytes();
    let file = include_bytes!("recordings/rl78-g13.recording");
    let replayed = |at, mask| {
        let mut recording = Recording::new(file, bytes).unwrap();
        let (seed, instructions) = (recording.seed, recording.instructions);
        with_answer("rl78-g13", &mut recording, instructions, seed, at, mask)
    };
    let text = replayed(bytes - 1, 1);
    assert!(text.contains("psw 0x"), "{text}");
    let text = replayed(CLOCKS, 1);
    assert!(text.contains(" clocks, reference "), "{text}");
}

/// A stream, and an instruction by its size, mask and bits that Unicorn takes for another one, by the bits that change.
const FAULTS: &[(&str, usize, u32, u32, u32)] = &[
    ("armv4", 4, 0x0FE0_0010, 0x00A0_0000, 1 << 22), // adc of a register is sbc
    ("armv4", 4, 0x0FF0_00F0, 0x0010_0090, 1 << 20), // muls sets no flags
    ("armv4", 4, 0x0FF0_00F0, 0x00D0_00F0, 1 << 5),  // ldrsh loads half
    ("armv5te", 4, 0x0FF0_00F0, 0x0140_0050, 1 << 22), // qdadd is qadd
    ("armv6-m", 2, 0xFFC0, 0x4140, 0x00C0),          // adcs is sbcs
    ("armv6-m", 2, 0xFFC0, 0xB2C0, 0x0040),          // uxtb is uxth
    ("armv7-m", 2, 0xFFF0, 0xFBA0, 0x0020),          // umull is smull
    ("armv7e-m", 2, 0xFFF0, 0xFA90, 0x0010),         // a parallel sum of halves is exchanged
    ("armv8-m-mainline", 2, 0xFFF0, 0xEAC0, 0x0020), // pkh becomes a data processing instruction
    ("rv32imac", 4, 0xFE00_707F, 0x4000_5033, 1 << 30), // sra is srl
    ("rv32imac", 4, 0xFE00_707F, 0x0200_1033, 3 << 12), // mulh is mulhsu
    ("rv32imac", 4, 0xFE00_707F, 0x0200_6033, 1 << 12), // rem is remu
    ("rv32imac", 4, 0x0000_707F, 0x0000_5003, 1 << 14), // lhu is lh
    ("rv32imac", 4, 0xF800_707F, 0x8000_202F, 1 << 30), // amomin is amominu
    ("rv32imac", 4, 0x0000_707F, 0x0000_3073, 1 << 12), // csrrc is csrrs
    ("rv32imac", 2, 0xEC03, 0x8401, 1 << 10),        // c.srai is c.srli
    ("leon2", 4, 0xC1F8_0000, 0x8038_0000, 1 << 21), // xnor is xor
];

#[test]
fn a_wrong_instruction_is_caught() {
    for &(name, size, mask, bits, instead) in FAULTS {
        let Some(mut reference) = reference(name) else { return };
        let ordered = |mut bytes: [u8; 4]| {
            if name == "leon2" {
                bytes.reverse();
            }
            bytes
        };
        let ask = |batch: &mut [u8]| {
            let write = [&[2], &CODE.to_le_bytes()[..]].concat();
            let Some(at) = batch.windows(write.len()).position(|bytes| bytes == write) else { return };
            let (length, code) = batch[at + write.len()..].split_at_mut(4);
            let mut left = &mut code[..u32::from_le_bytes(length.try_into().unwrap()) as usize];
            while left.len() >= size {
                let length = match name {
                    "rv32imac" if left[0] & 3 != 3 => 2,
                    "rv32imac" => 4,
                    _ => size,
                };
                let mut word = [0; 4];
                word[..size].copy_from_slice(&left[..size]);
                let value = u32::from_le_bytes(ordered(word));
                if length == size && value & mask == bits {
                    left[..size].copy_from_slice(&ordered((value ^ instead).to_le_bytes())[..size]);
                }
                left = left.get_mut(length..).unwrap_or_default();
            }
        };
        let mut faulty = Faulty { reference: reference.as_mut(), ask: &ask, answer: &|_| {} };
        let outcome = run(name, &mut faulty, INSTRUCTIONS, &Catalogue::default());
        assert!(outcome.difference.is_some(), "{name} {bits:x}");
    }
}

#[cfg(have_simavr)]
mod simavr {
    use super::{reference, Catalogue, SEED};
    use differential::families::avr::programs;
    use differential::references::simavr::{Simavr, Sizes};
    use serde_json::json;
    use steelyard_emu::avr::isa::ROWS;
    use steelyard_emu::avr::isa::RUNS;

    const CHIPS: [&str; 3] = ["atmega128", "atmega328p", "attiny45"];
    const PROGRAMS: u64 = 1_000;

    #[test]
    fn programs_at_full_speed_hold_every_run_of_instructions() {
        for id in CHIPS {
            let target = Catalogue::default().target(id).unwrap();
            let outcome = programs(&target, SEED, PROGRAMS, reference(id).unwrap().as_mut()).unwrap();
            assert!(outcome.difference.is_none(), "{id}: {}", outcome.difference.unwrap());
            for op in RUNS.iter().copied().flatten() {
                let name = ROWS[*op as usize].time();
                let known = outcome.executions.iter().find(|(known, _)| *known == name);
                assert!(known.is_none_or(|(_, count)| *count > 0), "{id}: {name}");
            }
        }
    }

    #[test]
    fn a_wrong_cycle_count_is_caught_at_full_speed() {
        let mut target = Catalogue::default().target("atmega128").unwrap();
        target.description["core"]["cycles"]["sbci"] = json!(2);
        let outcome = programs(&target, SEED, PROGRAMS, reference("atmega128").unwrap().as_mut()).unwrap();
        assert!(outcome.difference.is_some());
    }

    #[test]
    fn memories_are_as_large_as_simavr_says() {
        for id in CHIPS {
            let target = Catalogue::default().target(id).unwrap();
            let memories = target.description["memory"].as_array().unwrap();
            let number = |name: &str, field: &str| {
                let memory = memories.iter().find(|memory| memory["name"] == name).unwrap();
                memory[field].as_u64().unwrap() as u32
            };
            let rampz = target.description["core"]["address"].get("rampz").and_then(|value| value.as_u64());
            let ours = Sizes {
                flash_bytes: number("flash", "size"),
                data_bytes: number("sram", "base") + number("sram", "size"),
                eeprom_bytes: number("eeprom", "size"),
                io_end: number("io", "base") + number("io", "size") - 1,
                rampz: rampz.unwrap_or(0) as u32,
            };
            assert_eq!(ours, Simavr::new(id, 0, 1).unwrap().sizes(), "{id}");
            assert_eq!(number("sram", "base"), ours.io_end + 1, "{id}");
        }
    }
}
