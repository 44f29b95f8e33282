//! The cycles of short sequences on the cores that are shipped, each worked out by hand from the core's rules, and
//! the proof that every number of a core's data is under one of them.
//!
//! `data/arm-timing.tsv` has the sequences. Each instruction starts when the one before it has issued and its
//! operands are there. Counted is from the start of the first instruction to the end of the issue of the last, with
//! r0 at RAM, r3 = 4, a warm branch buffer and memory as fast as a hit. The words are what an assembler makes of the
//! text.

use crate::common::arm::{cycles, Stopwatch};
use crate::common::timing::{Clock, Sequence, Table};
use serde_json::Value;

const TABLE: Table<u32> = Table { text: include_str!("data/arm-timing.tsv"), cores: &["sa1", "xscale"], clock };

fn clock(core: &Value, own: &[Sequence<u32>]) -> Option<Clock<u32>> {
    let mut watch = Stopwatch::new(core, &own.iter().map(|one| one.code.as_slice()).collect::<Vec<_>>())?;
    Some(Box::new(move |place, _| watch.cycles(place)))
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
    TABLE.check_cycles();
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
    TABLE.check_numbers(&["cost", "multiply", "operand", "prediction"], 50, |core, path, value| {
        unseen(core, path) || unseen(core, &format!("{path}={value}"))
    });
}
