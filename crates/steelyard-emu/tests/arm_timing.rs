//! The cycles of short sequences on the cores that are shipped, each worked out by hand from the core's rules, and
//! the proof that every number of a core's data is under one of them.
//!
//! `data/arm-timing.tsv` has the sequences. Each instruction starts when the one before it has issued and its
//! operands are there. Counted is from the start of the first instruction to the end of the issue of the last, with
//! r0 at RAM, r3 = 4, a warm branch buffer and memory as fast as a hit. The words are what an assembler makes of the
//! text.

use crate::common::arm::{core_data, cycles, Stopwatch};
use crate::common::timing::{changes, sequences, silent, wrong, Sequence};
use serde_json::Value;

const TABLE: &str = include_str!("data/arm-timing.tsv");

const CORES: [&str; 2] = ["sa1", "xscale"];

fn stopwatch(core: &Value, sequences: &[Sequence<u32>]) -> Option<Stopwatch> {
    Stopwatch::new(core, &sequences.iter().map(|one| one.code.as_slice()).collect::<Vec<_>>())
}

/// Numbers that no sequence can show: instructions the core has not, branches it fetches rightly where it predicts none,
/// and bounds beyond every multiplier.
fn unseen(core: &str, path: &str) -> bool {
    let not_there = ["/cost/preload", "/cost/load_pair", "/cost/store_pair", "/cost/clz", "/cost/saturating"];
    let not_needed = ["/cost/branch_register/issue", "/cost/branch/issue"];
    let armv4 = not_there.iter().any(|one| path.starts_with(one)) || not_needed.contains(&path);
    core == "sa1" && armv4 || path.ends_with("multiplier_bits=32")
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
    for core in CORES {
        let own = sequences(TABLE, core);
        let data = core_data(core);
        let mut numbers = changes(&data, &["cost", "multiply", "operand", "prediction"]);
        assert!(numbers.len() > 50);
        numbers.retain(|one| {
            let value = data.pointer(&one.path).unwrap();
            !unseen(core, &one.path) && !unseen(core, &format!("{}={value}", one.path))
        });
        let silent = silent(&data, &numbers, |other| {
            // A description that is refused does not go unseen.
            stopwatch(other, &own).is_none_or(|mut watch| !wrong(&own, |piece| watch.cycles(piece)).is_empty())
        });
        assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
    }
}
