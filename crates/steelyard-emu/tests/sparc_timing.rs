//! The cycles of short sequences on the cores that are shipped, each worked out by hand from the core's rules, and
//! the proof that every number of a core's data is under one of them.
//!
//! `data/sparc-timing.tsv` has the sequences. Each instruction starts when the one before it has issued, or with it in a
//! group, and its operands are there. Counted is from the start of the first instruction to the start of the return behind
//! the last, with %o0 at RAM, %o1 0x100 above, %o3 = 4, a warm branch buffer and memory as fast as a hit. The words are
//! what an assembler makes of the text.

use crate::common::sparc::cycles_with;
use crate::common::timing::{Clock, Sequence, Table};
use serde_json::Value;

const TABLE: Table<u32> =
    Table { text: include_str!("data/sparc-timing.tsv"), cores: &["tsc691", "leon2", "leon3", "ultrasparc-ii"], clock };

fn clock(core: &Value, _: &[Sequence<u32>]) -> Option<Clock<u32>> {
    cycles_with(core, &[])?;
    let core = core.clone();
    Some(Box::new(move |_, one| cycles_with(&core, &one.code).unwrap()))
}

/// Numbers that no sequence can show: instructions the core has not, a multiplier that nothing ends early.
fn unseen(core: &str, path: &str) -> bool {
    let v8 = ["/cost/multiply", "/cost/divide"];
    core == "tsc691" && v8.iter().any(|one| path.starts_with(one))
}

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    TABLE.check_cycles();
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    TABLE.check_numbers(&["cost", "group", "prediction"], 40, |core, path, _| unseen(core, path));
}
