//! The floating-point unit of Cortex-M: what a comparison with another simulator does not show.

use crate::common::core_data;
use crate::common::cortex_m::{description, Bench, CODE, RAM, RETURN};
use steelyard_emu::cortex_m::float::{self, DEFAULT_NAN, FLUSH_TO_ZERO, INEXACT, INVALID, OVERFLOW, UNDERFLOW};
use steelyard_emu::cortex_m::{self, CortexM};
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::value::{Beside, Shadowed};
use steelyard_emu::{machine_from_json, Argument, CallResult, Description, FaultKind, Machine, Observe, Space};

const WITHOUT: [&str; 3] = ["cortex-m0", "cortex-m0plus", "cortex-m3"];
const WITH: [&str; 2] = ["cortex-m4", "cortex-m33"];
/// vadd.f32 s0, s1, s2
const ADD: [u16; 2] = [0xee30, 0x0a81];
/// vmaxnm.f32 s0, s1, s2
const MAXIMUM: [u16; 2] = [0xfe80, 0x0a81];

fn run(core: &str, halves: &[u16]) -> CallResult {
    Bench::new(&core_data(core)).unwrap().run(halves)
}

fn fault(core: &str, halves: &[u16]) -> FaultKind {
    run(core, halves).fault.unwrap_or_else(|| panic!("{core}: no fault")).kind
}

#[test]
fn a_core_has_the_instructions_of_its_unit() {
    for core in WITHOUT {
        assert_eq!(fault(core, &ADD), FaultKind::IllegalOpcode, "{core}");
        let message = run(core, &ADD).fault.unwrap().message;
        assert_eq!(message, format!("0xee30 0x0a81 at 0x100000 is no instruction of the {core} core"));
    }
    for core in WITH {
        assert!(run(core, &ADD).fault.is_none(), "{core}");
    }
    assert!(run("cortex-m33", &MAXIMUM).fault.is_none());
    assert_eq!(fault("cortex-m4", &MAXIMUM), FaultKind::IllegalOpcode);
    // vlstm r0, a context that no other world saves.
    assert_eq!(fault("cortex-m33", &[0xec20, 0x0a00]), FaultKind::IllegalOpcode);
}

#[test]
fn double_precision_is_refused_in_words() {
    let all = [("vadd.f64", [0xee31, 0x0b02]), ("vmaxnm.f64", [0xfe81, 0x0b02]), ("vcvt.f64.f32", [0xeeb7, 0x0ac0])];
    for (name, halves) in all {
        for core in WITH {
            let fault = run(core, &halves).fault.unwrap_or_else(|| panic!("{name} on {core}"));
            assert_eq!(fault.kind, FaultKind::IllegalOpcode);
            let [first, second] = halves;
            assert_eq!(
                fault.message,
                format!(
                    "0x{first:04x} 0x{second:04x} at 0x100000 computes in double precision; the {core} core has single \
                     precision only"
                )
            );
        }
    }
}

/// Runs vmsr fpscr, r2; vmov s1, r0; vmov s2, r1, an instruction, vmov r0, s0; vmrs r1, fpscr; returns both.
fn computed(instruction: [u16; 2], status: u32, x: u32, y: u32) -> (u32, u32) {
    let mut chip = machine_from_json(&description(&core_data("cortex-m4")).to_string()).unwrap();
    let [first, second] = instruction;
    let halves =
        [0xeee1, 0x2a10, 0xee00, 0x0a90, 0xee01, 0x1a10, first, second, 0xee10, 0x0a10, 0xeef1, 0x1a10, RETURN];
    let code: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    chip.write(Space::Program, CODE, &code).unwrap();
    let arguments = [x, y, status].map(|word| Argument { value: word.into(), size_bytes: 4 });
    let result = chip.call(CODE | 1, &arguments, 1000, Observe::Nothing).unwrap();
    assert!(result.fault.is_none(), "{:?}", result.fault);
    (result.return_value as u32, (result.return_value >> 32) as u32)
}

const MULTIPLY: [u16; 2] = [0xee20, 0x0a81];

/// DDI 0403, FPRound: whether a result is tiny is seen before it is rounded, here up to the least normal number.
#[test]
fn a_tiny_result_underflows_though_it_rounds_to_a_normal_one() {
    let (least_normal, below_one) = (0x0080_0000, 0x3f7f_ffff);
    assert_eq!(computed(MULTIPLY, 0, least_normal, below_one), (least_normal, UNDERFLOW | INEXACT));
    assert_eq!(computed(MULTIPLY, FLUSH_TO_ZERO, least_normal, below_one), (0, FLUSH_TO_ZERO | UNDERFLOW));
    // An exact denormal result underflows not at all.
    assert_eq!(computed(MULTIPLY, 0, least_normal, 0x3f00_0000), (0x0040_0000, 0));
}

/// The largest number stands for a larger one where the rounding says so; that is an overflow too.
#[test]
fn modes_choose_what_overflows_and_what_stands_for_no_number() {
    let (large, toward_zero) = (0x7f00_0000, 3 << float::ROUNDING_SHIFT);
    assert_eq!(computed(MULTIPLY, 0, large, large), (0x7f80_0000, OVERFLOW | INEXACT));
    assert_eq!(computed(MULTIPLY, toward_zero, large, large), (0x7f7f_ffff, toward_zero | OVERFLOW | INEXACT));
    assert_eq!(computed(MULTIPLY, 0, 0x7f80_1234, 0xffc0_0001), (0x7fc0_1234, INVALID), "the signaling one");
    assert_eq!(computed(MULTIPLY, DEFAULT_NAN, 0x7f80_1234, 0), (0x7fc0_0000, DEFAULT_NAN | INVALID));
    assert_eq!(computed(ADD, 2 << float::ROUNDING_SHIFT, 0x3f80_0000, 0xbf80_0000).0, 0x8000_0000, "downwards");
}

#[test]
fn fpscr_has_the_bits_of_the_unit_alone() {
    // vmov.f32 s0, s1 between
    assert_eq!(computed([0xeeb0, 0x0a60], u32::MAX, 7, 0), (7, 0xf7c0_009f));
}

/// DDI 0403, A3.2.1: unaligned accesses of the unit fault.
#[test]
fn the_unit_takes_aligned_words_alone() {
    for core in WITH {
        // adds r0, #2, then vldr, vstr, vldmia
        for halves in [[0xed90, 0x0a00], [0xedc0, 0x0a10], [0xec90, 0x0a02]] {
            assert_eq!(fault(core, &[0x3002, halves[0], halves[1]]), FaultKind::UnalignedAddress, "{core}");
        }
    }
}

#[test]
fn a_push_of_the_unit_below_the_stack_is_refused() {
    // mov sp, r0; vpush {s16-s17}
    let found = run("cortex-m4", &[0x4685, 0xed2d, 0x8a02]).fault.unwrap();
    assert_eq!((found.kind, found.address), (FaultKind::StackOverflow, Some(RAM - 8)));
    // vpush {s16-s17}; vpop {s0-s1}
    let result = run("cortex-m4", &[0xed2d, 0x8a02, 0xecbd, 0x0a02]);
    assert_eq!((result.stack_bytes, result.totals.loads, result.totals.stores), (8, 2, 2));
}

/// A snapshot holds the unit's registers, and a call keeps s16 to s31 as it keeps r4 to r11: nobody else writes them.
#[test]
fn registers_stay_between_calls_and_go_with_a_snapshot() {
    let mut bench = Bench::new(&core_data("cortex-m4")).unwrap();
    bench.chip.snapshot();
    // vmov s16, r1
    assert!(bench.run(&[0xee08, 0x1a10]).fault.is_none());
    // vmov r0, s16
    assert_eq!(bench.run(&[0xee18, 0x0a10]).return_value as u32, RAM + 0x100);
    bench.chip.restore().unwrap();
    assert_eq!(bench.run(&[0xee18, 0x0a10]).return_value as u32, 0);
}

/// movs r0, #0; vcmp.f32 s0, s0; vmrs APSR_nzcv, fpscr; it eq; vmoveq s0, r1; vmov r0, s0
#[test]
fn a_comparison_decides_about_an_instruction_of_the_unit() {
    let halves = [0x2000, 0xeeb4, 0x0a40, 0xeef1, 0xfa10, 0xbf08, 0xee00, 0x1a10, 0xee10, 0x0a10];
    assert_eq!(run("cortex-m33", &halves).return_value as u32, RAM + 0x100);
}

/// Of secret words, sums, products and the flags they raise are secret; what is parked in the unit keeps its bits.
#[test]
fn secrets_are_followed_through_the_unit() {
    let description = Description::from_json(&description(&core_data("cortex-m4")).to_string()).unwrap();
    let mut chip: CortexM<Immediate, Shadowed<u32>> = cortex_m::chip(&description, Immediate).unwrap();
    // vldr s0, [r0]; vldr s1, [r0, #4]; vadd.f32 s2, s0, s1; vstr s2, [r0, #64]; vstr s0, [r0, #68]; vmov s3, r1;
    // vstr s3, [r0, #76]; vmrs r2, fpscr; str r2, [r0, #84]
    let halves = [
        0xed90, 0x0a00, 0xedd0, 0x0a01, 0xee30, 0x1a20, 0xed80, 0x1a10, 0xed80, 0x0a11, 0xee01, 0x1a90, 0xedc0, 0x1a13,
        0xeef1, 0x2a10, 0x6542, RETURN,
    ];
    let code: Vec<u8> = halves.iter().flat_map(|half: &u16| half.to_le_bytes()).collect();
    chip.write(Space::Program, CODE, &code).unwrap();
    chip.set_stack_pointer(RAM + 0x8000).unwrap();
    // The lowest byte of the first word alone is secret.
    chip.processor_mut().beside.set_bits(RAM, 0xff);
    let arguments = [RAM, 7].map(|word| Argument { value: word.into(), size_bytes: 4 });
    assert!(chip.call(CODE | 1, &arguments, 1000, Observe::Nothing).unwrap().fault.is_none());
    let beside = &chip.processor().beside;
    let secret = |offset: u32| -> Vec<u8> { (offset..offset + 4).map(|at| beside.bits(RAM + at)).collect() };
    assert_eq!(secret(64), [0xff; 4], "the sum");
    assert_eq!(secret(68), [0xff, 0, 0, 0], "the word itself");
    assert_eq!(secret(76), [0; 4], "a public word");
    assert_eq!(secret(84), [0x9f, 0, 0, 0], "the flags that the sum may raise");
}

#[test]
fn a_unit_comes_with_its_times() {
    let mut core = core_data("cortex-m4");
    core["cost"].as_object_mut().unwrap().remove("float");
    assert!(Bench::new(&core).is_none());
    let mut core = core_data("cortex-m4");
    core.as_object_mut().unwrap().remove("float");
    assert!(Bench::new(&core).is_none());
}
