//! SPARC: windows, faults and what a comparison with another simulator does not show.

use crate::common::observed::{assert_causes_fit, assert_leaks, keep_secret, secret_bits, watch, Case, Stalls};
use crate::common::sparc::{call, chip_with, description_with, Chip, CODE, FLASH, RAM, RAM_BYTES, RETURN};
use crate::common::values::{assert_alike, Random};
use crate::common::{core_data, follow};
use steelyard_emu::isa::bits;
use steelyard_emu::memory_system::Immediate;
use steelyard_emu::observe::Cause;
use steelyard_emu::profile::Class;
use steelyard_emu::sparc::{self, isa, Sparc};
use steelyard_emu::value::{Beside, HeldWord, Shadowed};
use steelyard_emu::{Argument, CallResult, Description, FaultKind, Machine, Observe, Space};

const NOP: u32 = 0x0100_0000;
/// `save %sp, -96, %sp`, `restore`, `ret`.
const SAVE: u32 = 0x9de3_bfa0;
const RESTORE: u32 = 0x81e8_0000;
const RET: u32 = 0x81c7_e008;

fn chip(core: &str, words: &[u32]) -> Chip {
    let function = [words, &RETURN].concat();
    chip_with(&core_data(core), &[("f", &function)]).unwrap()
}

/// What a function of these words comes to; %o0 is the start of RAM, filled with 0x10, 0x11, ...
fn run_on(core: &str, words: &[u32]) -> CallResult {
    let mut chip = chip(core, words);
    let bytes: Vec<u8> = (0x10..0x50).collect();
    chip.write(Space::Data, RAM, &bytes).unwrap();
    call(&mut chip, CODE, &[RAM, FLASH, 0xaabb_ccdd, 3])
}

fn run(words: &[u32]) -> CallResult {
    run_on("leon2", words)
}

fn returned(words: &[u32]) -> u32 {
    let result = run(words);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    (result.return_value >> 32) as u32
}

fn fault_of(core: &str, words: &[u32]) -> (FaultKind, String) {
    let fault = run_on(core, words).fault.expect("a fault");
    (fault.kind, fault.message)
}

fn fault(words: &[u32]) -> FaultKind {
    fault_of("leon2", words).0
}

#[test]
fn memory_is_big_endian() {
    assert_eq!(returned(&[0xd002_0000]), 0x1011_1213); // ld [%o0], %o0
    assert_eq!(returned(&[0xd012_2002]), 0x1213); // lduh [%o0 + 2], %o0
    assert_eq!(returned(&[0xd00a_2003]), 0x13); // ldub [%o0 + 3], %o0
    let result = run(&[0xd01a_2008]); // ldd [%o0 + 8], %o0
    assert_eq!(result.return_value, 0x1819_1a1b_1c1d_1e1f);
    let mut chip = chip("leon2", &[0xd432_0000, 0xd42a_2002, 0xd422_2004]); // sth, stb, st %o2
    let result = call(&mut chip, CODE, &[RAM, 0, 0xaabb_ccdd]);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    assert_eq!(chip.read(Space::Data, RAM, 8).unwrap(), [0xcc, 0xdd, 0xdd, 0, 0xaa, 0xbb, 0xcc, 0xdd]);
}

#[test]
fn a_quotient_that_does_not_fit_is_the_nearest_that_does() {
    // wr %g0, -1, %y; sdiv %o2, 3, %o0: of ffff_ffff_aabb_ccdd
    assert_eq!(returned(&[0x8180_3fff, 0x907a_a003]), 0xe393_eef5);
    // wr %g0, 1, %y; udivcc %o2, 1, %o0; of 1_aabb_ccdd
    assert_eq!(returned(&[0x8180_2001, 0x90f2_a001]), 0xffff_ffff);
    // wr %g0, 1, %y; sdivcc %o2, 1, %o0; and with a negative divisor
    assert_eq!(returned(&[0x8180_2001, 0x90fa_a001]), 0x7fff_ffff);
    assert_eq!(returned(&[0x8180_2001, 0x90fa_bfff]), 0x8000_0000);
}

#[test]
fn a_delay_slot_is_executed_or_annulled() {
    // ba 1f; add %o0, 1, %o0; add %o0, 2, %o0; 1:
    assert_eq!(returned(&[0x1080_0003, 0x9002_2001, 0x9002_2002]), RAM + 1);
    // ba,a 1f
    assert_eq!(returned(&[0x3080_0003, 0x9002_2001, 0x9002_2002]), RAM);
    // subcc %g0, 0, %g0; bne,a 1f: not taken, so annulled
    assert_eq!(returned(&[0x80a0_2000, 0x3280_0003, 0x9002_2001, 0x9002_2002]), RAM + 2);
    // be,a 1f: taken, so executed
    assert_eq!(returned(&[0x80a0_2000, 0x2280_0003, 0x9002_2001, 0x9002_2002]), RAM + 1);
}

/// `save`, a call of itself until %i3 is 0, `restore`: returns the sum of %i3 and what the next one returned.
const RECURSION: [u32; 10] = [
    SAVE,
    0x80a6_e000, // cmp %i3, 0
    0x0280_0005, // be 1f
    0x9010_2000, // mov 0, %o0
    0x9606_ffff, // sub %i3, 1, %o3 (add -1)
    0x7fff_fffb, // call f
    NOP,
    0xb002_001b, // 1: add %o0, %i3, %i0
    RET,
    RESTORE,
];

#[test]
fn windows_go_to_the_stack_and_come_back() {
    for core in ["tsc691", "leon2", "leon3", "ultrasparc-ii"] {
        for depth in [0, 4, 5, 6, 7, 20] {
            let mut chip = chip(core, &RECURSION);
            let result = call(&mut chip, CODE, &[0, 0, 0, depth]);
            assert!(result.fault.is_none(), "{core}: {:?}", result.fault);
            assert_eq!((result.return_value >> 32) as u32, depth * (depth + 1) / 2, "{core}, depth {depth}");
            assert_eq!(result.stack_bytes, 96 * (depth + 1), "{core}");
        }
    }
}

#[test]
fn windows_are_spilled_from_the_seventh_save_on() {
    let cycles = |depth| {
        let mut chip = chip("leon2", &RECURSION);
        call(&mut chip, CODE, &[0, 0, 0, depth]).cycles
    };
    let turn = cycles(5) - cycles(4);
    // Seven saves: one is the caller's window's own end. A spill of 25 and eight std, a fill of 25 and eight ldd.
    assert_eq!(cycles(6) - cycles(5), turn + 25 + 8 * 3 + 25 + 8 * 2);
}

#[test]
fn what_no_core_has_is_refused() {
    assert_eq!(fault(&[0]), FaultKind::IllegalOpcode); // unimp
    assert_eq!(fault(&[0x8148_0000]), FaultKind::IllegalOpcode); // rd %psr, %g0
    assert_eq!(fault(&[0xd102_0000]), FaultKind::IllegalOpcode); // ld [%o0], %f8
    let (kind, message) = fault_of("leon2", &[0x91d0_2000]); // ta 0
    assert_eq!(kind, FaultKind::IllegalOpcode);
    assert!(message.contains("calls an operating system"), "{message}");
    let (kind, message) = fault_of("tsc691", &[0x9052_a003]); // umul %o2, 3, %o0
    assert_eq!(kind, FaultKind::IllegalOpcode);
    assert!(message.contains("no instruction of the tsc691 core"), "{message}");
    let (_, message) = fault_of("leon2", &[0x9072_8000]); // udiv %o2, %g0, %o0
    assert!(message.contains("division by zero"), "{message}");
}

#[test]
fn wrong_addresses_are_refused() {
    assert_eq!(fault(&[0xd002_2002]), FaultKind::UnalignedAddress); // ld [%o0 + 2]
    assert_eq!(fault(&[0xd01a_2004]), FaultKind::UnalignedAddress); // ldd [%o0 + 4]
    assert_eq!(fault(&[0x81c2_2002, NOP]), FaultKind::UnalignedAddress); // jmpl %o0 + 2
    assert_eq!(fault(&[0xd002_8000]), FaultKind::UnalignedAddress); // ld [%o2]
    assert_eq!(fault(&[0xd000_0000]), FaultKind::UnmappedAddress); // ld [0]
    assert_eq!(fault(&[0xd022_4000]), FaultKind::WriteToFlash); // st %o0, [%o1]
    assert_eq!(fault(&[0x81c0_2000, NOP]), FaultKind::UnmappedAddress); // jmp 0
}

#[test]
fn a_stack_that_leaves_its_ram_is_refused() {
    // sethi %hi(0x8000), %g1; sub %sp, %g1, %sp
    assert_eq!(fault(&[0x0300_0020, 0x9c23_8001]), FaultKind::StackOverflow);
    let mut chip = chip("leon2", &RECURSION);
    let result = call(&mut chip, CODE, &[0, 0, 0, RAM_BYTES / 96 + 1]);
    assert_eq!(result.fault.unwrap().kind, FaultKind::StackOverflow);
    // add %sp, 8, %sp
    assert_eq!(fault(&[0x9c03_a008]), FaultKind::BadReturn);
}

#[test]
fn a_loop_ends_with_the_budget() {
    let mut chip = chip("ultrasparc-ii", &[0x1080_0000, NOP]); // ba .
    let result = call(&mut chip, CODE, &[]);
    assert_eq!(result.fault.unwrap().kind, FaultKind::CycleBudget);
}

#[test]
fn code_that_is_written_is_decoded_anew() {
    // st %o2, [%o1]: a `nop` over the instruction behind the next one
    let words = [0xd422_4000, NOP, 0x9010_2001, 0x9002_2001];
    let mut chip = chip("leon2", &words);
    for _ in 0..2 {
        let result = call(&mut chip, CODE, &[5, CODE + 8, NOP]);
        assert_eq!((result.return_value >> 32) as u32, 6, "{:?}", result.fault);
    }
}

#[test]
fn arguments_beyond_the_sixth_lie_on_the_stack() {
    // ld [%sp + 92], %o0
    let mut chip = chip("leon2", &[0xd003_a05c]);
    let arguments: Vec<Argument> = (1..=7).map(|value| Argument { value, size_bytes: 4 }).collect();
    let result = chip.call(CODE, &arguments, 1000, Observe::Stack).unwrap();
    assert_eq!((result.return_value >> 32) as u32, 7);
    assert_eq!(result.stack_bytes, 0);
}

fn bare<W: HeldWord>(core: &str) -> Sparc<Immediate, W> {
    let description = Description::from_json(&description_with(&core_data(core)).to_string()).unwrap();
    sparc::chip(&description, Immediate).unwrap()
}

fn code(words: &[u32]) -> Vec<u8> {
    words.iter().chain(&RETURN).flat_map(|word| word.to_be_bytes()).collect()
}

/// Whatever instructions compute, with secrets beside the values they take the same time and leave the same behind.
#[test]
fn shadows_change_nothing() {
    for core in ["tsc691", "leon3", "ultrasparc-ii"] {
        let mut plain: Sparc<Immediate> = bare(core);
        let mut shadowed: Sparc<Immediate, Shadowed<u32>> = bare(core);
        shadowed.processor_mut().beside.fill(RAM..RAM + 0x80, 0xff);
        let arguments =
            [RAM, RAM + 0x40, 0x8000_0001, 7].map(|value: u32| Argument { value: value.into(), size_bytes: 4 });
        assert_alike([&mut plain, &mut shadowed], CODE, RAM..RAM + 0x100, &arguments, |random| {
            let mut words = vec![0x8202_2000]; // add %o0, 0, %g1
            words.extend((0..4).map(|_| random_instruction(random)));
            words.push(SAVE);
            words.extend((0..4).map(|_| random_instruction(random)));
            words.push(RESTORE);
            code(&words)
        });
    }
}

/// Any instruction but those that jump, trap, or write %g1, a stack pointer or a return address; one that loads or stores
/// does so near %g1.
fn random_instruction(random: &mut Random) -> u32 {
    loop {
        let row = &isa::ROWS[random.below(isa::ROWS.len())];
        let mut word = row.pattern.value | random.word() & !row.pattern.mask;
        if matches!(row.class, Class::Load | Class::Store) {
            word = word & !(0x1f << 14 | 0x1fc7) | 1 << 14 | 1 << 13;
        }
        let flows = matches!(row.class, Class::Jump | Class::Call | Class::Branch | Class::Stack);
        let is_pair = row.operands.contains(&isa::Operand::Pair);
        let rd = bits(word, 25, 5);
        if !flows && !matches!((rd, is_pair), (1 | 14 | 15 | 30 | 31, _) | (0, true)) {
            return word;
        }
    }
}

/// ld [%o0], %o3; add %o3, 1, %o3; and %o3, 255, %o4; st %o4, [%o0 + 64]: of a secret word the lowest byte stays secret.
#[test]
fn secrets_are_followed_through_registers_and_memory() {
    let secret = secret_bytes_of(&[0xd602_0000, 0x9602_e001, 0x980a_e0ff, 0xd822_2040]);
    assert_eq!(secret, [(RAM + 67, 0xff)]);
}

/// ld [%o0], %l0; more windows than there are; st %l0, [%o0 + 64].
#[test]
fn secrets_are_followed_through_windows_on_the_stack() {
    let secret = secret_bytes_of(&[&[0xe002_0000], &[SAVE; 9][..], &[RESTORE; 9], &[0xe022_2040]].concat());
    assert_eq!(secret, [64, 65, 66, 67].map(|offset| (RAM + offset, 0xff)));
}

/// The secret bytes of the 64 behind the first 64 of RAM, when the first four of RAM are secret.
fn secret_bytes_of(words: &[u32]) -> Vec<(u32, u8)> {
    let mut chip = bare::<Shadowed<u32>>("leon2");
    chip.write(Space::Program, CODE, &code(words)).unwrap();
    chip.processor_mut().beside.fill(RAM..RAM + 4, 0xff);
    let result = follow(&mut chip, CODE, &[RAM], 4);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    let beside = &chip.processor().beside;
    (RAM + 64..RAM + 128).map(|address| (address, beside.bits(address))).filter(|(_, bits)| *bits != 0).collect()
}

const REGISTERS: [(&str, u32); 3] = [("%o0", RAM), ("%o1", RAM + 0x100), ("%sp", RAM + 0x1000)];

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

fn case<'a>(text: &'a str, words: &[u32], leaks: &'a [(u32, &'a str)]) -> Case<'a> {
    Case { text, code: bytes_of(words), leaks }
}

/// Of the word at %o0, which is secret.
#[test]
fn what_a_secret_decides_is_told() {
    let cases = [
        case("ld [%o0], %o3; cmp %o3, 0; be .+8", &[0xd602_0000, 0x80a2_e000, 0x0280_0002, NOP], &[(8, "branch")]),
        case("cmp %o3, 0; be,a .+8", &[0xd602_0000, 0x80a2_e000, 0x2280_0002, NOP], &[(8, "branch")]),
        case("cmp %o1, 0; be .+8", &[0xd602_0000, 0x80a2_6000, 0x0280_0002, NOP], &[]),
        case("and %o3, 4, %o4; ld [%o1 + %o4], %o2", &[0xd602_0000, 0x980a_e004, 0xd402_400c], &[(8, "load")]),
        case("and %o3, 4, %o4; st %o1, [%o0 + %o4]", &[0xd602_0000, 0x980a_e004, 0xd222_000c], &[(8, "store")]),
        case("swap [%o1 + %o4], %o2", &[0xd602_0000, 0x980a_e004, 0xd47a_400c], &[(8, "load"), (8, "store")]),
        case(
            "and %o3, 4, %o4; call .+8; nop; add %o7, %o4, %o7; jmp %o7 + 20; nop",
            &[0xd602_0000, 0x980a_e004, 0x4000_0002, NOP, 0x9e03_c00c, 0x81c3_e014, NOP],
            &[(20, "target")],
        ),
        case("and %o3, 8, %o4; sub %sp, %o4, %sp", &[0xd602_0000, 0x980a_e008, 0x9c23_800c], &[(8, "stack")]),
    ];
    for core in ["leon2", "leon3", "ultrasparc-ii"] {
        assert_leaks(bare::<Shadowed<u32>>(core).processor_mut(), CODE, RAM, &REGISTERS, &cases);
    }
    for (core, leaks) in [("leon2", &[][..]), ("ultrasparc-ii", &[(4, "multiply")])] {
        let first = case("umul %o3, %o1, %o2", &[0xd602_0000, 0x9452_c009], leaks);
        let second = case("umul %o1, %o3, %o2", &[0xd602_0000, 0x9452_400b], &[]);
        assert_leaks(bare::<Shadowed<u32>>(core).processor_mut(), CODE, RAM, &REGISTERS, &[first, second]);
    }
}

/// and %o3, 4, %o4; ld [%o1 + %o4], %o2; st %o2, [%o0 + 64]: a word that a secret selects is secret, a byte of it eight
/// bits.
#[test]
fn what_a_secret_selects_is_secret() {
    let mut chip = bare::<Shadowed<u32>>("leon2");
    for (load, kept) in [(0xd402_400c, [0xff; 4]), (0xd40a_400c, [0, 0, 0, 0xff])] {
        for (secret, wanted) in [(4, kept), (0, [0; 4])] {
            keep_secret(chip.processor_mut(), RAM, secret);
            let words = [0xd602_0000, 0x980a_e004, load, 0xd422_2040];
            watch(chip.processor_mut(), CODE, &bytes_of(&words), &REGISTERS).unwrap();
            assert_eq!(secret_bits(chip.processor(), RAM + 64), wanted, "{load:#x}");
        }
    }
}

/// By the cores' data.
#[test]
fn waits_have_their_causes() {
    let cases: [(&str, &str, &[u32], Stalls); 6] = [
        ("leon2", "ld [%o0], %o3; add %o3, 1, %o3", &[0xd602_0000, 0x9602_e001], &[(4, Cause::Result, 1)]),
        ("leon2", "cmp %o1, 0; be .+8", &[0x80a2_6000, 0x0280_0002, NOP], &[(4, Cause::Result, 1)]),
        ("leon2", "umul %o1, %o1, %o2", &[0x9452_4009], &[(0, Cause::Multiply, 4)]),
        ("leon2", "st %o1, [%o0]: its own two cycles", &[0xd222_0000], &[]),
        ("ultrasparc-ii", "ba .+8, not foreseen", &[0x1080_0002, NOP], &[(0, Cause::Branch, 4)]),
        ("leon2", "ba,a .+8", &[0x3080_0002, NOP], &[(0, Cause::Branch, 1)]),
    ];
    for (core, text, words, stalls) in cases {
        let seen = watch(bare::<u32>(core).processor_mut(), CODE, &bytes_of(words), &REGISTERS).expect(text);
        assert_eq!(seen.stalls, stalls, "{text} on {core}");
    }
    // ld [%o0 + 4], %o3; std %o2, [%o0 + 8]
    let words = bytes_of(&[0xd602_2004, 0xd43a_2008]);
    let seen = watch(bare::<u32>("leon2").processor_mut(), CODE, &words, &REGISTERS).unwrap();
    assert_eq!(seen.accesses, [(0, (RAM + 4, 4, false)), (4, (RAM + 8, 4, true)), (4, (RAM + 12, 4, true))]);
}

#[test]
fn causes_take_no_more_cycles_than_their_instruction() {
    for core in ["tsc691", "leon2", "leon3", "ultrasparc-ii"] {
        let registers = [("%g1", RAM), ("%sp", RAM + 0x1000)];
        assert_causes_fit(bare::<u32>(core).processor_mut(), CODE, &registers, |random| {
            bytes_of(&(0..8).map(|_| random_instruction(random)).collect::<Vec<u32>>())
        });
    }
}
