//! The clocks of short sequences on the cores that are shipped, each worked out by hand from the tables and rules of the
//! core's sources, and the proof that every number of a core's data is under one of them.
//!
//! `data/rl78-timing.tsv` has the sequences, which lie at 0x400; the bytes are what an assembler makes of the text. At
//! 0x3f0 lies `ret`, where the first entry of the call table points, and at 0x3f2 the handler of `brk`, `retb`.

use crate::common::core_data;
use crate::common::rl78::cycles_with;
use crate::common::timing::{changes, Change};
use serde_json::Value;

const CORES: [&str; 3] = ["rl78-s1", "rl78-s2", "rl78-s3"];

struct Sequence {
    /// By core; `None` where it lacks an instruction.
    cycles: [Option<u64>; 3],
    bytes: Vec<u8>,
    text: &'static str,
}

fn sequences() -> Vec<Sequence> {
    let rows = include_str!("data/rl78-timing.tsv").lines().skip(1);
    rows.map(|row| {
        let [s1, s2, s3, bytes, text, _why] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six columns: {row}");
        };
        let count = |text: &str| (text != "-").then(|| text.parse().unwrap());
        let pairs = (0..bytes.len()).step_by(2);
        let bytes = pairs.map(|at| u8::from_str_radix(&bytes[at..at + 2], 16).unwrap()).collect();
        Sequence { cycles: [s1, s2, s3].map(count), bytes, text }
    })
    .collect()
}

#[test]
fn sequences_take_the_clocks_worked_out_by_hand() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (place, core) in CORES.into_iter().enumerate() {
        let data = core_data(core);
        for one in sequences() {
            let Some(cycles) = one.cycles[place] else { continue };
            compared += 1;
            let found = cycles_with(&data, &one.bytes).unwrap();
            if found != cycles {
                wrong.push(format!("{core}: {}: {found}, not {cycles}", one.text));
            }
        }
    }
    assert!(compared > 180, "{compared}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    let sequences = sequences();
    for (place, core) in CORES.into_iter().enumerate() {
        let data = core_data(core);
        let numbers = changes(&data, &["clocks", "unit"]);
        assert!(numbers.len() > 45, "{}", numbers.len());
        let shows = |other: &Value| {
            // A description that is refused does not go unseen.
            sequences.iter().any(|one| {
                one.cycles[place]
                    .is_some_and(|cycles| cycles_with(other, &one.bytes).is_none_or(|found| found != cycles))
            })
        };
        let unshown = |one: &&Change| !one.values.iter().all(|value| shows(&one.of(&data, value)));
        let silent: Vec<&str> = numbers.iter().filter(unshown).map(|one| one.path.as_str()).collect();
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
