//! The cycles of short sequences on the cores that are shipped, each worked out by hand from the core's rules, and
//! the proof that every number of a core's data is under one of them.
//!
//! `data/sparc-timing.tsv` has the sequences. Each instruction starts when the one before it has issued, or with it in a
//! group, and its operands are there. Counted is from the start of the first instruction to the start of the return behind
//! the last, with %o0 at RAM, %o1 0x100 above, %o3 = 4, a warm branch buffer and memory as fast as a hit. The words are
//! what an assembler makes of the text.

mod common;

use common::sparc::{core_data, cycles_with};
use serde_json::{json, Value};

const CORES: [&str; 4] = ["tsc691", "leon2", "leon3", "ultrasparc-ii"];

struct Sequence {
    core: &'static str,
    cycles: u64,
    words: Vec<u32>,
    text: &'static str,
}

fn sequences() -> Vec<Sequence> {
    let rows = include_str!("data/sparc-timing.tsv").lines().skip(1);
    rows.map(|row| {
        let [core, cycles, words, text, _why] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five columns: {row}");
        };
        let words = words.split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect();
        Sequence { core, cycles: cycles.parse().unwrap(), words, text }
    })
    .collect()
}

/// Numbers that no sequence can show: instructions the core has not, a multiplier that nothing ends early.
fn unseen(core: &str, path: &str) -> bool {
    let v8 = ["/cost/multiply", "/cost/divide"];
    core == "tsc691" && v8.iter().any(|one| path.starts_with(one))
}

/// Every number of a core's timing, by its place, with the values it is changed to.
fn changes(path: String, value: &Value, found: &mut Vec<(String, Vec<Value>)>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, one)| changes(format!("{path}/{name}"), one, found)),
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            let changed = [number + 1, number - 1].into_iter().filter(|&one| one >= 0).map(|one| json!(one));
            found.push((path, changed.collect()));
        }
        _ => {}
    }
}

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    let wrong: Vec<String> = sequences()
        .iter()
        .filter_map(|one| {
            let found = cycles_with(&core_data(one.core), &one.words).unwrap();
            (found != one.cycles).then(|| format!("{}: {}: {found}, not {}", one.core, one.text, one.cycles))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    let sequences = sequences();
    for core in CORES {
        let data = core_data(core);
        let mut found = Vec::new();
        for part in ["cost", "group", "prediction"] {
            if let Some(value) = data.get(part) {
                changes(format!("/{part}"), value, &mut found);
            }
        }
        assert!(found.len() > 40, "{core}: {} numbers", found.len());
        let shows = |path: &str, changed: &Value| {
            let mut other = data.clone();
            *other.pointer_mut(path).unwrap() = changed.clone();
            let own = sequences.iter().filter(|one| one.core == core);
            // A description that is refused does not go unseen.
            own.into_iter().any(|one| cycles_with(&other, &one.words).is_none_or(|cycles| cycles != one.cycles))
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
