//! The cycles of short sequences on the cores that are shipped, each worked out by hand from the core's rules, and
//! the proof that every number of a core's data is under one of them.
//!
//! `data/sparc-timing.tsv` has the sequences. Each instruction starts when the one before it has issued, or with it in a
//! group, and its operands are there. Counted is from the start of the first instruction to the start of the return behind
//! the last, with %o0 at RAM, %o1 0x100 above, %o3 = 4, a warm branch buffer and memory as fast as a hit. The words are
//! what an assembler makes of the text.

use crate::common::core_data;
use crate::common::sparc::cycles_with;
use crate::common::timing::{changes, sequences, silent, wrong, Sequence};

const TABLE: &str = include_str!("data/sparc-timing.tsv");

const CORES: [&str; 4] = ["tsc691", "leon2", "leon3", "ultrasparc-ii"];

/// Numbers that no sequence can show: instructions the core has not, a multiplier that nothing ends early.
fn unseen(core: &str, path: &str) -> bool {
    let v8 = ["/cost/multiply", "/cost/divide"];
    core == "tsc691" && v8.iter().any(|one| path.starts_with(one))
}

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    for core in CORES {
        let own = sequences(TABLE, core);
        let data = core_data(core);
        let wrong = wrong(&own, |place| cycles_with(&data, &own[place].code).unwrap());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    for core in CORES {
        let own: Vec<Sequence<u32>> = sequences(TABLE, core);
        let data = core_data(core);
        let mut numbers = changes(&data, &["cost", "group", "prediction"]);
        assert!(numbers.len() > 40, "{core}: {} numbers", numbers.len());
        numbers.retain(|one| !unseen(core, &one.path));
        let silent = silent(&data, &numbers, |other| {
            // A description that is refused does not go unseen.
            own.iter().any(|one| cycles_with(other, &one.code).is_none_or(|cycles| cycles != one.cycles))
        });
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
