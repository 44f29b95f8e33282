//! The cycles of short Thumb sequences on the Cortex-M cores, each worked out by hand from the core's rules, and the
//! proof that every number of a core's data is under one of them.
//!
//! `data/cortex-m-timing.tsv` has the sequences. Counted is from the start of the first instruction to the end of the
//! last, at a multiple of four, with r0 and up at RAM, r3 = 4, and memory that answers at once. The halfwords are what
//! an assembler makes of the text.

use crate::common::core_data;
use crate::common::cortex_m::Bench;
use crate::common::timing::{changes, sequences, silent, wrong};

const TABLE: &str = include_str!("data/cortex-m-timing.tsv");

const CORES: [&str; 5] = ["cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m33"];

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    for core in CORES {
        let own = sequences(TABLE, core);
        assert!(own.len() > 30, "{core}");
        let mut bench = Bench::new(&core_data(core)).unwrap();
        let wrong = wrong(&own, |place| bench.cycles(&own[place].code));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    for core in CORES {
        let own = sequences(TABLE, core);
        let data = core_data(core);
        let numbers = changes(&data, &["cost"]);
        assert!(numbers.len() > 15);
        let silent = silent(&data, &numbers, |other| {
            // A description that is refused does not go unseen.
            Bench::new(other).is_none_or(|mut bench| own.iter().any(|one| bench.cycles(&one.code) != one.cycles))
        });
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
