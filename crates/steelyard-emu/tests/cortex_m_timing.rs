//! The cycles of short Thumb sequences on the Cortex-M cores, each worked out by hand from the core's rules, and the
//! proof that every number of a core's data is under one of them.
//!
//! `data/cortex-m-timing.tsv` has the sequences. Counted is from the start of the first instruction to the end of the
//! last, at a multiple of four, with r0 and up at RAM, r3 = 4, and memory that answers at once. The halfwords are what
//! an assembler makes of the text.

use crate::common::cortex_m::Bench;
use crate::common::timing::{Clock, Sequence, Table};
use serde_json::Value;

const TABLE: Table<u16> = Table {
    text: include_str!("data/cortex-m-timing.tsv"),
    cores: &["cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m33"],
    clock,
};

fn clock(core: &Value, _: &[Sequence<u16>]) -> Option<Clock<u16>> {
    let mut bench = Bench::new(core)?;
    Some(Box::new(move |_, one| bench.cycles(&one.code)))
}

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    TABLE.check_cycles();
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    TABLE.check_numbers(&["cost"], 15, |_, _, _| false);
}
