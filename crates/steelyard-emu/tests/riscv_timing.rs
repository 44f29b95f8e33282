//! The cycles of short sequences on the cores that are shipped, each worked out by hand from the core's rules, and
//! the proof that every number of a core's data is under one of them.
//!
//! `data/riscv-timing.tsv` has the sequences. Each instruction starts when the one before it has issued and its
//! operands are there. Counted is from the start of the first instruction to the end of the issue of the last, with
//! a0 at RAM (0x40000000), a3 = 4, branches known from calls before and memory as fast as a hit. The code is what an
//! assembler makes of the text at a multiple of four.

use crate::common::riscv::Stopwatch;
use crate::common::timing::{Clock, Sequence, Table};
use serde_json::Value;

const TABLE: Table<u8> =
    Table { text: include_str!("data/riscv-timing.tsv"), cores: &["e31", "e31-2016", "bumblebee", "esp32-c3"], clock };

fn clock(core: &Value, own: &[Sequence<u8>]) -> Option<Clock<u8>> {
    let mut watch = Stopwatch::new(core, &own.iter().map(|one| one.code.as_slice()).collect::<Vec<_>>())?;
    Some(Box::new(move |place, _| watch.cycles(place)))
}

/// Numbers that no sequence can show: of instructions the core has not, and of guesses it does not make; how directions
/// are chosen is shown by the tests of the prediction itself.
fn unseen(core: &str, path: &str) -> bool {
    let atomic = ["/cost/load_reserved", "/cost/store_conditional", "/cost/atomic"];
    let guesses = ["/cost/late", "/cost/mispredicted"];
    let not_there = match core {
        "esp32-c3" => atomic.iter().any(|one| path.starts_with(one)) || guesses.contains(&path),
        "e31" => false,
        _ => path == "/cost/late",
    };
    let chosen = ["history_bits", "history_hash_bits", "address_fold_bits", "address_low_bit"];
    not_there || chosen.iter().any(|name| path.ends_with(name))
}

#[test]
fn sequences_take_the_cycles_worked_out_by_hand() {
    TABLE.check_cycles();
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    TABLE.check_numbers(&["cost", "misaligned", "prediction"], 30, |core, path, _| unseen(core, path));
}
