//! What nobody meant to give the emulator: mutated images, mutated machine descriptions and random programs for every
//! chip. Each is refused or runs to a fault or its end, without a panic, in bounded time and memory.
//!
//! Every case follows from its number, so that a failure is repeated by its number alone. `STEELYARD_FUZZ_SECONDS` asks
//! for a long run, `STEELYARD_FUZZ_FIRST` for its first case.

// The emulator's own tests use the rest of it.
#[allow(dead_code)]
#[path = "../../crates/steelyard-emu/tests/common/image.rs"]
mod image;

use differential::chip::{Catalogue, Target};
use differential::rng::Rng;
use image::ImageBuilder;
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};
use steelyard_emu::{machine_from_json, Argument, Machine, Observe, Space, Start};

/// Of the ordinary run; each takes about a millisecond.
const CASES: u64 = 3000;
const MAX_CYCLES: u64 = 20_000;
/// Of one program in eight, which may come far, or go round for long.
const LONG_MAX_CYCLES: u64 = 1_000_000;
/// Far above what a case needs on a busy machine.
const CASE_LIMIT: Duration = Duration::from_secs(20);
const MEMORY_LIMIT_KB: u64 = 2 << 20;

/// What became of the cases.
#[derive(Debug, Default)]
struct Counts {
    images: u64,
    images_loaded: u64,
    descriptions: u64,
    descriptions_accepted: u64,
    programs: u64,
    instructions: u64,
}

#[test]
fn hostile_input_is_refused_or_runs_to_an_end() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect(name));
    let seconds = number("STEELYARD_FUZZ_SECONDS").map(Duration::from_secs);
    let first = number("STEELYARD_FUZZ_FIRST").unwrap_or(0);
    let targets = targets();
    let began = Instant::now();
    let mut counts = Counts::default();
    let mut case = first;
    while seconds.map_or(case - first < CASES, |limit| began.elapsed() < limit) {
        let case_began = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| one(case, &targets, &mut counts)));
        assert!(done.is_ok(), "case {case} panicked");
        assert!(case_began.elapsed() < CASE_LIMIT, "case {case} took {:?}", case_began.elapsed());
        case += 1;
    }
    println!("{} cases from {first} in {:.0?}: {counts:?}, peak {} MB", case - first, began.elapsed(), peak_kb() >> 10);
    assert!(peak_kb() < MEMORY_LIMIT_KB, "{} KB", peak_kb());
}

/// Names that share their bytes: a small file that would be a large table.
#[test]
fn a_symbol_table_is_no_bomb() {
    const SYMBOLS: usize = 100_000;
    let mut builder = ImageBuilder::of_arm(0x8000, &[("f", &[0])]);
    builder.symbols = vec![("n", 0, 0, false); SYMBOLS];
    builder.symbols[0].0 = "n".repeat(1 << 20).leak();
    let mut file = builder.build();
    let word = |file: &[u8], at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let table = word(&file, word(&file, 32) + 2 * 40 + 16);
    for symbol in 1..=SYMBOLS {
        // All have the name of the first.
        file[table + 16 * symbol..][..4].copy_from_slice(&1_u32.to_le_bytes());
    }
    let chip = Catalogue::default().target("sa1100").unwrap();
    let mut machine = machine_from_json(&chip.description.to_string()).unwrap();
    let refused = machine.load_elf(&file).unwrap_err().to_string();
    assert!(refused.contains("symbol"), "{refused}");
    assert!(peak_kb() < MEMORY_LIMIT_KB);
}

fn targets() -> Vec<Target> {
    let catalogue = Catalogue::default();
    let files = std::fs::read_dir(&catalogue.0).unwrap().map(|entry| entry.unwrap().path());
    let mut ids: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|kind| kind == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    ids.sort();
    let targets: Vec<Target> = ids.iter().map(|id| catalogue.target(id).unwrap()).collect();
    let families: BTreeSet<&str> = targets.iter().map(|target| target.family.as_str()).collect();
    assert_eq!(families.len(), 8);
    targets
}

fn one(case: u64, targets: &[Target], counts: &mut Counts) {
    let rng = &mut Rng::new(case);
    let target = rng.pick(targets);
    match case % 3 {
        0 => {
            counts.programs += 1;
            let mut machine = machine_from_json(&target.description.to_string()).unwrap();
            run_program(&mut *machine, &target.description, rng, counts);
        }
        1 => {
            counts.images += 1;
            let mut machine = machine_from_json(&target.description.to_string()).unwrap();
            let mut file = image_of(target, rng);
            mutate(&mut file, rng);
            if machine.load_elf(&file).is_ok() {
                counts.images_loaded += 1;
                run_image(&mut *machine, rng, counts);
            }
        }
        _ => {
            counts.descriptions += 1;
            let mut description = target.description.clone();
            for _ in 0..=rng.below(3) {
                mutate_value(&mut description, rng);
            }
            if let Ok(mut machine) = machine_from_json(&description.to_string()) {
                counts.descriptions_accepted += 1;
                run_program(&mut *machine, &target.description, rng, counts);
            }
        }
    }
}

/// Loads random bytes where the chip has its program, and runs them.
fn run_program(machine: &mut dyn Machine, description: &Value, rng: &mut Rng, counts: &mut Counts) {
    let base = program_base(description);
    let code = random_code(rng);
    if machine.load_raw(base, &code).is_err() {
        return;
    }
    let places = [base, base.wrapping_add(rng.multiple(2, code.len() as u32)), rng.value()];
    use_machine(machine, &places, rng, counts);
}

fn run_image(machine: &mut dyn Machine, rng: &mut Rng, counts: &mut Counts) {
    let mut places: Vec<u32> = machine.symbols().iter().map(|symbol| symbol.address).take(20).collect::<Vec<_>>();
    places.push(rng.value());
    let _ = machine.run_until(machine.address(*rng.pick(&places)), MAX_CYCLES);
    use_machine(machine, &places, rng, counts);
}

fn use_machine(machine: &mut dyn Machine, places: &[u32], rng: &mut Rng, counts: &mut Counts) {
    let observe = *rng.pick(&[Observe::Nothing, Observe::Stack, Observe::Profile]);
    let max_cycles = if rng.once_in(8) { LONG_MAX_CYCLES } else { MAX_CYCLES };
    let from = if rng.once_in(2) { None } else { Some(*rng.pick(places)) };
    let writes =
        if rng.once_in(2) { Vec::new() } else { vec![(*rng.pick(places), rng.value().to_le_bytes().to_vec())] };
    if let Ok(result) = machine.run(&Start { from, writes, ..Start::default() }, *rng.pick(places), max_cycles, observe)
    {
        counts.instructions += result.instructions;
    }
    machine.snapshot();
    if rng.once_in(4) {
        let _ = machine.set_stack_pointer(rng.value());
    }
    for _ in 0..2 {
        let arguments: Vec<Argument> =
            (0..rng.below(7)).map(|_| Argument { value: rng.word(), size_bytes: 1 << rng.below(4) }).collect();
        let address = machine.address(*rng.pick(places));
        if let Ok(result) = machine.call(address, &arguments, max_cycles, observe) {
            counts.instructions += result.instructions;
        }
        machine.restore().unwrap();
        machine.empty_caches();
    }
    let space = *rng.pick(&[Space::Program, Space::Data, Space::Eeprom]);
    let _ = machine.read(space, rng.value(), rng.below(1000) as usize);
    let _ = machine.write(space, rng.value(), &[1; 300][..rng.below(300) as usize]);
}

fn program_base(description: &Value) -> u32 {
    let memories = description["memory"].as_array().unwrap();
    let program = memories.iter().find(|memory| memory["kind"] == "flash").or_else(|| memories.first());
    program.and_then(|memory| memory["base"].as_u64()).unwrap_or(0) as u32
}

/// Random bytes, or a short piece again and again, so that something is reached twice.
fn random_code(rng: &mut Rng) -> Vec<u8> {
    let piece: Vec<u8> = (0..2 + rng.below(200)).map(|_| rng.byte()).collect();
    let length = 64 + rng.below(2000) as usize;
    match rng.below(3) {
        0 => piece.into_iter().cycle().take(length).collect(),
        1 => (0..length).map(|_| rng.byte()).collect(),
        _ => (0..length).map(|_| rng.word() as u8).collect(),
    }
}

/// A valid image for a chip with random code.
fn image_of(target: &Target, rng: &mut Rng) -> Vec<u8> {
    let base = program_base(&target.description);
    let mut builder = match target.family.as_str() {
        "avr" => ImageBuilder::of(&[]),
        "m16c" => ImageBuilder::of_m16c(base),
        "rl78" => ImageBuilder::of_rl78(base, &[]),
        "msp430" => ImageBuilder::of_msp430(base, &[]),
        "riscv" => ImageBuilder::of_riscv(base, 4, &[]),
        "sparc" => ImageBuilder::of_sparc(base, &[]),
        _ => ImageBuilder::of_arm(base, &[]),
    };
    for name in ["_start", "harness_ready", "f", "g"] {
        let mut code = random_code(rng);
        code.truncate(200);
        code.resize(code.len().next_multiple_of(4), 0);
        builder.function(name, code, u32::from(target.family == "cortex-m"));
    }
    builder.symbols.push(("_end", rng.value(), 0, false));
    builder.build()
}

/// Changes bytes and lengths; numbers become those at which sums overflow.
fn mutate(file: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..rng.below(8) {
        if file.is_empty() {
            return;
        }
        // The headers decide more than what they describe.
        let bound = if rng.once_in(2) { file.len().min(120) } else { file.len() };
        let at = rng.below(bound as u32) as usize;
        match rng.below(6) {
            0 => file[at] ^= 1 << rng.below(8),
            1 => file[at] = rng.byte(),
            2 | 3 => {
                let value = rng.value().to_le_bytes();
                let width = if rng.once_in(2) { 4 } else { 2 };
                for (byte, value) in file[at..].iter_mut().zip(&value[..width]) {
                    *byte = *value;
                }
            }
            4 => file.truncate(at),
            _ => {
                let piece = file[at..(at + 64).min(file.len())].to_vec();
                let to = rng.below(file.len() as u32) as usize;
                file.splice(to..to, piece);
            }
        }
    }
}

/// Changes one value somewhere below.
fn mutate_value(value: &mut Value, rng: &mut Rng) {
    let stay = rng.once_in(6);
    match value {
        Value::Object(fields) if !fields.is_empty() && !stay => {
            let name = fields.keys().nth(rng.below(fields.len() as u32) as usize).unwrap().clone();
            if rng.once_in(12) {
                fields.remove(&name);
            } else {
                mutate_value(&mut fields[&name], rng);
            }
        }
        Value::Array(items) if !items.is_empty() && !stay => {
            let at = rng.below(items.len() as u32) as usize;
            match rng.below(8) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => mutate_value(&mut items[at], rng),
            }
        }
        _ => {
            *value = match rng.below(12) {
                0 => json!(null),
                1 => json!(-1),
                2 => json!(u64::from(rng.value()) << rng.below(33)),
                3 => json!(1e300),
                4 => json!(["a", "flash", "ram", "none", ""][rng.below(5) as usize]),
                5 => json!([rng.value()]),
                6 => json!(1 << rng.below(12)),
                _ => json!(rng.below(64)),
            }
        }
    }
}

/// Peak memory of this process.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
