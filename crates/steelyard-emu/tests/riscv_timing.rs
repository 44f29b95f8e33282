//! The cycles of short sequences on the cores that are shipped, each worked out by hand from the core's rules, and
//! the proof that every number of a core's data is under one of them.
//!
//! `data/riscv-timing.tsv` has the sequences. Each instruction starts when the one before it has issued and its
//! operands are there. Counted is from the start of the first instruction to the end of the issue of the last, with
//! a0 at RAM (0x40000000), a3 = 4, branches known from calls before and memory as fast as a hit. The code is what an
//! assembler makes of the text at a multiple of four.

use crate::common::core_data;
use crate::common::riscv::Stopwatch;
use crate::common::timing::{changes, sequences, silent, wrong, Sequence};
use serde_json::Value;

const TABLE: &str = include_str!("data/riscv-timing.tsv");

const CORES: [&str; 4] = ["e31", "e31-2016", "bumblebee", "esp32-c3"];

fn stopwatch(core: &Value, sequences: &[Sequence<u8>]) -> Option<Stopwatch> {
    Stopwatch::new(core, &sequences.iter().map(|one| one.code.as_slice()).collect::<Vec<_>>())
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
    for core in CORES {
        let own = sequences(TABLE, core);
        let mut watch = stopwatch(&core_data(core), &own).unwrap();
        let wrong = wrong(&own, |piece| watch.cycles(piece));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn every_number_of_a_core_is_under_a_sequence() {
    for core in CORES {
        let own = sequences(TABLE, core);
        let data = core_data(core);
        let mut numbers = changes(&data, &["cost", "misaligned", "prediction"]);
        assert!(numbers.len() > 30);
        numbers.retain(|one| !unseen(core, &one.path));
        let silent = silent(&data, &numbers, |other| {
            // A description that is refused does not go unseen.
            stopwatch(other, &own).is_none_or(|mut watch| !wrong(&own, |piece| watch.cycles(piece)).is_empty())
        });
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
