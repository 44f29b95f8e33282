//! The cycles of short Thumb sequences on the Cortex-M cores, each worked out by hand from the core's rules, and the
//! proof that every number of a core's data is under one of them.
//!
//! `data/cortex-m-timing.tsv` has the sequences. Counted is from the start of the first instruction to the end of the
//! last, at a multiple of four, with r0 and up at RAM, r3 = 4, and memory that answers at once. The halfwords are what
//! an assembler makes of the text.

mod common;

use common::cortex_m::{core_data, Bench};
use serde_json::{json, Value};

const CORES: [&str; 5] = ["cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m33"];

struct Sequence {
    core: &'static str,
    cycles: u64,
    halves: Vec<u16>,
    text: &'static str,
}

fn sequences() -> Vec<Sequence> {
    let rows = include_str!("data/cortex-m-timing.tsv").lines().skip(1);
    rows.map(|row| {
        let [core, cycles, halves, text, _why] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five columns: {row}");
        };
        let halves = halves.split(' ').map(|half| u16::from_str_radix(half, 16).unwrap()).collect();
        Sequence { core, cycles: cycles.parse().unwrap(), halves, text }
    })
    .collect()
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
    let mut wrong = Vec::new();
    for core in CORES {
        let mut bench = Bench::new(&core_data(core)).unwrap();
        let own: Vec<Sequence> = sequences().into_iter().filter(|one| one.core == core).collect();
        assert!(own.len() > 30, "{core}");
        for one in own {
            let found = bench.cycles(&one.halves);
            if found != one.cycles {
                wrong.push(format!("{core}: {}: {found}, not {}", one.text, one.cycles));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    let sequences = sequences();
    for core in CORES {
        let data = core_data(core);
        let mut found = Vec::new();
        changes("/cost".into(), &data["cost"], &mut found);
        assert!(found.len() > 15);
        let shows = |path: &str, changed: &Value| {
            let mut other = data.clone();
            *other.pointer_mut(path).unwrap() = changed.clone();
            // A description that is refused does not go unseen.
            let Some(mut bench) = Bench::new(&other) else { return true };
            sequences.iter().filter(|one| one.core == core).any(|one| bench.cycles(&one.halves) != one.cycles)
        };
        let silent: Vec<&String> = found
            .iter()
            .filter(|(path, values)| !values.iter().any(|changed| shows(path, changed)))
            .map(|(path, _)| path)
            .collect();
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
