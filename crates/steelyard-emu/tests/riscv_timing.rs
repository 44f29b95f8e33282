//! The cycles of short sequences on the cores that are shipped, each worked out by hand from the core's rules, and
//! the proof that every number of a core's data is under one of them.
//!
//! `data/riscv-timing.tsv` has the sequences. Each instruction starts when the one before it has issued and its
//! operands are there. Counted is from the start of the first instruction to the end of the issue of the last, with
//! a0 at RAM (0x40000000), a3 = 4, branches known from calls before and memory as fast as a hit. The code is what an
//! assembler makes of the text at a multiple of four.

mod common;

use common::core_data;
use common::riscv::Stopwatch;
use serde_json::{json, Value};

const CORES: [&str; 4] = ["e31", "e31-2016", "bumblebee", "esp32-c3"];

struct Sequence {
    core: &'static str,
    cycles: u64,
    code: Vec<u8>,
    text: &'static str,
}

fn sequences(core: &str) -> Vec<Sequence> {
    let rows = include_str!("data/riscv-timing.tsv").lines().skip(1);
    rows.map(|row| {
        let [core, cycles, code, text, _why] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five columns: {row}");
        };
        let byte = |at| u8::from_str_radix(&code[at..at + 2], 16).unwrap();
        let code = (0..code.len()).step_by(2).map(byte).collect();
        Sequence { core, cycles: cycles.parse().unwrap(), code, text }
    })
    .filter(|one| one.core == core)
    .collect()
}

/// Numbers that no sequence can show: of instructions the core has not, and of guesses it does not make; how directions
/// are chosen is shown by the tests of the prediction itself.
fn unseen(core: &str, path: &str) -> bool {
    let atomic = ["/cost/load_reserved", "/cost/store_conditional", "/cost/atomic"];
    let guesses = ["/cost/late", "/cost/mispredicted"];
    let not_there = match core {
        "esp32-c3" => atomic.iter().any(|one| path.starts_with(one)) || guesses.contains(&path),
        "e31" => false,
        _ => path == "/cost/late",
    };
    let chosen = ["history_bits", "history_hash_bits", "address_fold_bits", "address_low_bit"];
    not_there || chosen.iter().any(|name| path.ends_with(name))
}

/// Every number and switch of a core's timing, by its place, with the values it is changed to.
fn changes(path: String, value: &Value, found: &mut Vec<(String, Vec<Value>)>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, one)| changes(format!("{path}/{name}"), one, found)),
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            let changed = [number + 1, number - 1].into_iter().filter(|&one| one >= 0).map(|one| json!(one));
            found.push((path, changed.collect()));
        }
        Value::Bool(switch) => found.push((path, vec![json!(!switch)])),
        _ => {}
    }
}

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    let mut wrong = Vec::new();
    for core in CORES {
        let own = sequences(core);
        let pieces: Vec<&[u8]> = own.iter().map(|one| one.code.as_slice()).collect();
        let mut watch = Stopwatch::new(&core_data(core), &pieces).unwrap();
        for (piece, one) in own.iter().enumerate() {
            let found = watch.cycles(piece);
            if found != one.cycles {
                wrong.push(format!("{core}: {}: {found}, not {}", one.text, one.cycles));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    for core in CORES {
        let own = sequences(core);
        let pieces: Vec<&[u8]> = own.iter().map(|one| one.code.as_slice()).collect();
        let data = core_data(core);
        let mut found = Vec::new();
        for part in ["cost", "misaligned", "prediction"] {
            if let Some(value) = data.get(part) {
                changes(format!("/{part}"), value, &mut found);
            }
        }
        assert!(found.len() > 30);
        let shows = |path: &str, changed: &Value| {
            let mut other = data.clone();
            *other.pointer_mut(path).unwrap() = changed.clone();
            // A description that is refused does not go unseen.
            let Some(mut watch) = Stopwatch::new(&other, &pieces) else { return true };
            own.iter().enumerate().any(|(piece, one)| watch.cycles(piece) != one.cycles)
        };
        let silent: Vec<&String> = found
            .iter()
            .filter(|(path, _)| !unseen(core, path))
            .filter(|(path, values)| !values.iter().any(|changed| shows(path, changed)))
            .map(|(path, _)| path)
            .collect();
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
