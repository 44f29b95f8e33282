//! The cycles of short sequences on the MSP430 cores, each worked out by hand from the tables of the family guides,
//! and the proof that every number of a core's data is under one of them.

use crate::common::msp430::{chip_of, cycles};
use crate::common::timing::{Clock, Sequence, Table};
use serde_json::Value;

const TABLE: Table<u16> = Table { text: include_str!("data/msp430-timing.tsv"), cores: &["msp430", "msp430x"], clock };

fn clock(core: &Value, _: &[Sequence<u16>]) -> Option<Clock<u16>> {
    let mut chip = chip_of(core)?;
    Some(Box::new(move |_, one| cycles(&mut chip, &one.code)))
}

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    TABLE.check_cycles();
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    TABLE.check_numbers(&["cycles", "extended"], 30, |_, _, _| false);
}
