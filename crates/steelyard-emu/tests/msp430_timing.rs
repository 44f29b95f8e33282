//! The cycles of short sequences on the MSP430 cores, each worked out by hand from the tables of the family guides,
//! and the proof that every number of a core's data is under one of them.

use crate::common::core_data;
use crate::common::msp430::{chip_of, cycles};
use crate::common::timing::{changes, sequences, silent, wrong};

const TABLE: &str = include_str!("data/msp430-timing.tsv");

const CORES: [&str; 2] = ["msp430", "msp430x"];

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    for core in CORES {
        let own = sequences(TABLE, core);
        let mut chip = chip_of(&core_data(core)).unwrap();
        let wrong = wrong(&own, |place| cycles(&mut chip, &own[place].code));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    for core in CORES {
        let own = sequences(TABLE, core);
        let data = core_data(core);
        let numbers = changes(&data, &["cycles", "extended"]);
        assert!(numbers.len() > 30);
        let silent = silent(&data, &numbers, |other| {
            // A description that is refused does not go unseen.
            chip_of(other).is_none_or(|mut chip| own.iter().any(|one| cycles(&mut chip, &one.code) != one.cycles))
        });
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
