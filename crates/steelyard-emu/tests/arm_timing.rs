//! The cycles of short sequences on the cores that are shipped, each worked out by hand from the core's rules, and
//! the proof that every number of a core's data is under one of them.
//!
//! `data/arm-timing.tsv` has the sequences. Each instruction starts when the one before it has issued and its
//! operands are there. Counted is from the start of the first instruction to the end of the issue of the last, with
//! r0 at RAM, r3 = 4, a warm branch buffer and memory as fast as a hit. The words are what an assembler makes of the
//! text.

mod common;

use common::arm::{core_data, cycles, Stopwatch};
use serde_json::{json, Value};

const CORES: [&str; 2] = ["sa1", "xscale"];

struct Sequence {
    core: &'static str,
    cycles: u64,
    words: Vec<u32>,
    text: &'static str,
}

fn sequences() -> Vec<Sequence> {
    let rows = include_str!("data/arm-timing.tsv").lines().skip(1);
    rows.map(|row| {
        let [core, cycles, words, text, _why] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five columns: {row}");
        };
        let words = words.split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect();
        Sequence { core, cycles: cycles.parse().unwrap(), words, text }
    })
    .collect()
}

/// Numbers that no sequence can show: instructions the core has not, branches it fetches rightly where it predicts none,
/// and bounds beyond every multiplier.
fn unseen(core: &str, path: &str) -> bool {
    let not_there = ["/cost/preload", "/cost/load_pair", "/cost/store_pair", "/cost/clz", "/cost/saturating"];
    let not_needed = ["/cost/branch_register/issue", "/cost/branch/issue"];
    let armv4 = not_there.iter().any(|one| path.starts_with(one)) || not_needed.contains(&path);
    core == "sa1" && armv4 || path.ends_with("multiplier_bits=32")
}

/// Every number and switch of a core's timing, by its place, with the values it is changed to.
fn changes(path: String, value: &Value, found: &mut Vec<(String, Vec<Value>)>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, one)| changes(format!("{path}/{name}"), one, found)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, one)| changes(format!("{path}/{place}"), one, found));
        }
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
        let own: Vec<Sequence> = sequences().into_iter().filter(|one| one.core == core).collect();
        let pieces: Vec<&[u32]> = own.iter().map(|one| one.words.as_slice()).collect();
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
fn branches_share_the_buffer_as_far_as_it_goes() {
    // b .+4 at both ends: 128 words apart they have one place between them, 126 apart a place each. The first word's
    // place is that of the call.
    let apart = |words: usize| {
        let mut code = vec![0xe1a0_0000; words + 2];
        code[1] = 0xeaff_ffff;
        code[words + 1] = 0xeaff_ffff;
        cycles("xscale", &code)
    };
    assert_eq!(apart(126), 1 + 1 + 125 + 1);
    assert_eq!(apart(128), 1 + 5 + 127 + 5);
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    let sequences = sequences();
    for core in CORES {
        let data = core_data(core);
        let mut found = Vec::new();
        for part in ["cost", "multiply", "operand", "prediction"] {
            if let Some(value) = data.get(part) {
                changes(format!("/{part}"), value, &mut found);
            }
        }
        assert!(found.len() > 50);
        let own: Vec<&Sequence> = sequences.iter().filter(|one| one.core == core).collect();
        let pieces: Vec<&[u32]> = own.iter().map(|one| one.words.as_slice()).collect();
        let shows = |path: &str, changed: &Value| {
            let mut other = data.clone();
            *other.pointer_mut(path).unwrap() = changed.clone();
            // A description that is refused does not go unseen.
            let Some(mut watch) = Stopwatch::new(&other, &pieces) else { return true };
            own.iter().enumerate().any(|(piece, one)| watch.cycles(piece) != one.cycles)
        };
        let silent: Vec<&String> = found
            .iter()
            .filter(|(path, _)| {
                let value = data.pointer(path).unwrap();
                !unseen(core, path) && !unseen(core, &format!("{path}={value}"))
            })
            .filter(|(path, values)| !values.iter().any(|changed| shows(path, changed)))
            .map(|(path, _)| path)
            .collect();
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
