//! The cycles of short sequences on the MSP430 cores, each worked out by hand from the tables of the family guides,
//! and the proof that every number of a core's data is under one of them.

mod common;

use common::msp430::{chip_of, core_data, cycles};
use serde_json::{json, Value};

const CORES: [&str; 2] = ["msp430", "msp430x"];

struct Sequence {
    core: &'static str,
    cycles: u64,
    words: Vec<u16>,
    text: &'static str,
}

fn sequences() -> Vec<Sequence> {
    let rows = include_str!("data/msp430-timing.tsv").lines().skip(1);
    rows.map(|row| {
        let [core, cycles, words, text, _why] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five columns: {row}");
        };
        let words = words.split(' ').map(|word| u16::from_str_radix(word, 16).unwrap()).collect();
        Sequence { core, cycles: cycles.parse().unwrap(), words, text }
    })
    .collect()
}

/// Every number of a core's timing, by its place.
fn numbers(path: String, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, one)| numbers(format!("{path}/{name}"), one, found)),
        Value::Number(_) => found.push(path),
        _ => {}
    }
}

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    for core in CORES {
        let mut chip = chip_of(&core_data(core)).unwrap();
        let own = sequences().into_iter().filter(|one| one.core == core);
        let wrong: Vec<String> = own
            .filter_map(|one| {
                let found = cycles(&mut chip, &one.words);
                (found != one.cycles).then(|| format!("{core}: {}: {found}, not {}", one.text, one.cycles))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    let sequences = sequences();
    for core in CORES {
        let data = core_data(core);
        let mut found = Vec::new();
        for part in ["cycles", "extended"] {
            if let Some(value) = data.get(part) {
                numbers(format!("/{part}"), value, &mut found);
            }
        }
        assert!(found.len() > 30);
        let silent: Vec<&String> = found
            .iter()
            .filter(|path| {
                let mut other = data.clone();
                let number = other.pointer_mut(path).unwrap();
                *number = json!(number.as_u64().unwrap() + 1);
                let Some(mut chip) = chip_of(&other) else { return false };
                let mut own = sequences.iter().filter(|one| one.core == core);
                own.all(|one| cycles(&mut chip, &one.words) == one.cycles)
            })
            .collect();
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
