//! RL78: what a comparison with another simulator does not show, or shows otherwise than the manufacturer's tables.

use crate::common::image::ImageBuilder;
use crate::common::rl78::{call, chip, description, Chip, CODE, MIRROR, RAM, RAM_END};
use crate::common::values::{assert_alike, Random};
use crate::common::witness::{assert_sums, witnessed, Causes, Leaks, Witness};
use crate::common::{core_data, follow};
use serde_json::{json, Value};
use steelyard_emu::observe::{Cause, Leak};
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::profile::Class;
use steelyard_emu::rl78::decode::row_of;
use steelyard_emu::rl78::isa::ROWS;
use steelyard_emu::rl78::operand::{Mode, Operand};
use steelyard_emu::rl78::timing::Core;
use steelyard_emu::rl78::{self, Rl78};
use steelyard_emu::value::{Beside, Shadowed};
use steelyard_emu::{machine_from_json, Argument, CallResult, Description, FaultKind, Machine, Observe, Space};

const RET: u8 = 0xd7;

fn code(hex: &str) -> Vec<u8> {
    let hex = hex.replace(' ', "");
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// The chip behind a call of a function of these bytes.
fn behind(core: &str, hex: &str) -> (Chip, CallResult) {
    let function = [&code(hex)[..], &[RET]].concat();
    let mut chip = chip(core, &[("f", &function)]);
    let result = call(&mut chip, CODE, &[0x1234, 0x5678, 0x9abc]);
    (chip, result)
}

/// AX, then Z, CY and AC, behind instructions.
fn state(core: &str, hex: &str) -> (u16, [bool; 3]) {
    let (chip, result) = behind(core, hex);
    assert!(result.fault.is_none(), "{hex}: {:?}", result.fault);
    let registers = &chip.processor().registers;
    (registers.pairs[0], [registers.zero, registers.carry, registers.auxiliary_carry])
}

fn ax(core: &str, hex: &str) -> u16 {
    state(core, hex).0
}

fn fault(core: &str, hex: &str) -> FaultKind {
    behind(core, hex).1.fault.expect("a fault").kind
}

#[test]
fn the_auxiliary_carry_is_that_between_the_halves() {
    for (text, hex, byte, flags) in [
        ("mov a, #0x0f; add a, #1", "510f 0c01", 0x10, [false, false, true]),
        ("mov a, #0x10; sub a, #1", "5110 2c01", 0x0f, [false, false, true]),
        ("mov a, #0xff; add a, #1", "51ff 0c01", 0x00, [true, true, true]),
        ("mov a, #0x10; cmp a, #0x10", "5110 4c10", 0x10, [true, false, false]),
        ("set1 cy; mov a, #0x0f; addc a, #0", "7180 510f 1c00", 0x10, [false, false, true]),
        ("set1 cy; mov a, #0; subc a, #0xff", "7180 5100 3cff", 0x00, [true, true, true]),
        ("mov a, #0x0f; inc a", "510f 81", 0x10, [false, false, true]),
        ("mov a, #0x10; dec a", "5110 91", 0x0f, [false, false, true]),
        ("mov a, #0xff; inc a: CY stays", "51ff 81", 0x00, [true, false, true]),
    ] {
        let (found, found_flags) = state("rl78-s2", hex);
        assert_eq!((found >> 8, found_flags), (byte, flags), "{text}");
    }
}

#[test]
fn words_have_flags_of_their_own() {
    assert_eq!(state("rl78-s2", "30ff00 040100"), (0x100, [false, false, true]), "movw ax, #0xff; addw ax, #1");
    assert_eq!(state("rl78-s2", "300000 240100"), (0xffff, [false, true, true]), "movw ax, #0; subw ax, #1");
    assert_eq!(state("rl78-s2", "303412 7180 1004 2004"), (0x1234, [false, true, false]), "addw sp; subw sp: none");
}

#[test]
fn shifts_leave_the_last_bit_in_the_carry() {
    for (text, hex, word, carry) in [
        ("mov a, #0x81; shl a, 1", "5181 3119", 0x0200, true),
        ("mov a, #1; shl a, 7", "5101 3179", 0x8000, false),
        ("mov a, #0x81; sar a, 1", "5181 311b", 0xc000, true),
        ("mov a, #0x40; shr a, 7", "5140 317a", 0x0000, true),
        ("movw ax, #0x8001; sarw ax, 15", "300180 31ff", 0xffff, false),
        ("set1 cy; movw ax, #0x8001; rolwc ax, 1", "7180 300180 61ee", 0x0003, true),
    ] {
        let (found, [_, found_carry, _]) = state("rl78-s2", hex);
        assert_eq!(
            (found & 0xff00 | if word & 0xff != 0 { found & 0xff } else { 0 }, found_carry),
            (word, carry),
            "{text}"
        );
    }
}

#[test]
fn strings_end_where_the_carry_says() {
    // movw hl, #0xfe00; movw ax, #...; movs [hl+2], x
    for (a_and_x, flags) in [(0x0100, [true, true]), (0x0001, [false, true]), (0x0101, [false, false])] {
        let [low, high] = u16::to_le_bytes(a_and_x);
        let (_, [zero, carry, _]) = state("rl78-s2", &format!("3600fe 30{low:02x}{high:02x} 61ce02"));
        assert_eq!([zero, carry], flags, "movs with {a_and_x:#06x}");
    }
    // movw hl, #0xfe00; mov !0xfe02, #5; movw ax, #...; cmps x, [hl+2]
    for (a_and_x, flags) in [(0x0105, [true, false]), (0x0106, [false, true]), (0x0005, [true, true])] {
        let [low, high] = u16::to_le_bytes(a_and_x);
        let (_, [zero, carry, _]) = state("rl78-s2", &format!("3600fe cf02fe05 30{low:02x}{high:02x} 61de02"));
        assert_eq!([zero, carry], flags, "cmps with {a_and_x:#06x}");
    }
}

#[test]
fn the_status_word_lies_in_the_upper_byte_on_the_stack() {
    assert_eq!(ax("rl78-s2", "cefa87 5101 61ddc0"), 0x8700, "mov psw, #0x87; push psw; pop ax");
    let (chip, result) = behind("rl78-s2", "300041 c1 61cd");
    assert!(result.fault.is_none());
    assert_eq!(chip.processor().psw(), 0x41, "movw ax, #0x4100; push ax; pop psw");
    let (chip, result) = behind("rl78-s2", "7180 61cc");
    assert!(result.fault.is_none(), "brk pushes it, retb takes it back");
    assert_eq!((chip.processor().psw(), result.cycles), (0x07, 3 + 1 + 5 + 6 + 6));
}

#[test]
fn the_third_core_multiplies_and_divides() {
    let bcax = |hex: &str| {
        let (chip, result) = behind("rl78-s3", hex);
        assert!(result.fault.is_none(), "{hex}");
        u32::from(chip.processor().registers.pairs[1]) << 16 | u32::from(chip.processor().registers.pairs[0])
    };
    assert_eq!(bcax("300080 320080 cefb02"), 0x4000_0000, "mulh");
    assert_eq!(bcax("30ffff 32ffff cefb01"), 0xfffe_0001, "mulhu");
    assert_eq!(ax("rl78-s3", "30e803 340700 cefb03"), 142, "1000 / 7");
    assert_eq!(ax("rl78-s3", "303412 340000 cefb03"), 0xffff, "by 0");
    assert_eq!(ax("rl78-s3", "307856 323412 340000 360000 cefb0b 15"), 0x5678, "the remainder by 0");
    // Of 0x7fffffff + 1: negative, and over.
    let overflow = "30ffff bef0 30ff7f bef2 300100 320100 cefb06 aef2";
    assert_eq!(state("rl78-s3", overflow), (0x8000, [false, true, true]));
    let wrap = "30ffff bef0bef2 300100 320100 cefb05 aef0";
    assert_eq!(state("rl78-s3", wrap), (0, [false, true, false]));
    // On the others the encoding is a store to where no register is.
    assert_eq!(ax("rl78-s2", "300200 320300 cefb01"), 2);
    assert_eq!(fault("rl78-s1", "61df"), FaultKind::IllegalOpcode, "sel rb1");
    assert_eq!(fault("rl78-s3", "cefb04"), FaultKind::IllegalOpcode);
}

#[test]
fn registers_lie_in_memory_and_change_with_the_bank() {
    let banks = "301111 61df 302222 61cf 33 aff0fe";
    assert_eq!(ax("rl78-s2", banks), 0x2222, "AX of bank 1 at 0xFFEF0, seen from bank 0");
    assert_eq!(ax("rl78-s2", "301111 bffafe 13"), 0x1111, "a store to 0xFFEFA is one to BC");
    let third = "5121 cefa28 5143 cefa00 8fe1fe";
    assert_eq!(ax("rl78-s2", third) >> 8, 0x43, "A of bank 3, chosen by PSW");
    assert_eq!(ax("rl78-s2", "3001fd bef8 aef8 12 30d6fe bef8 13"), 0xfd00, "SP is even");
    assert_eq!(ax("rl78-s2", "51f5 9efd 8efd") >> 8, 0x05, "ES has four bits");
}

#[test]
fn the_mirror_shows_the_flash_and_neither_can_be_written() {
    for (core, offset) in [("rl78-s2", 0xf_0000), ("rl78-s1", 0xf_8000)] {
        let mut chip = chip(core, &[("f", &code("af0080 d7"))]);
        chip.write(Space::Data, MIRROR - offset, &[0x34, 0x12]).unwrap();
        assert!(call(&mut chip, CODE, &[]).fault.is_none());
        assert_eq!(chip.processor().registers.pairs[0], 0x1234, "{core}: movw ax, !0x8000");
        chip.write(Space::Data, MIRROR, &[0x78]).unwrap();
        assert_eq!(chip.read(Space::Data, MIRROR - offset, 2).unwrap(), [0x78, 0x12], "what is placed there");
    }
    let found = behind("rl78-s2", "cf008401").1.fault.unwrap();
    assert_eq!((found.kind, found.address), (FaultKind::WriteToFlash, Some(0xf_8400)));
    assert_eq!(found.message, "a store to flash at address 0xf8400, at 0x0400 (f+0x0)");
    assert_eq!(fault("rl78-s2", "4100 11cf000401"), FaultKind::WriteToFlash, "es: and the flash itself");
    let (chip, result) = behind("rl78-s2", "4101 36f0ff 118c20");
    assert_eq!(result.fault.unwrap().address, Some(0x2_0010), "an address from ES carries into its upper bits");
    assert_eq!(chip.processor().pc(), CODE + 5);
}

#[test]
fn the_message_of_a_fault_says_where_and_what() {
    let message = behind("rl78-s2", "00 ff").1.fault.unwrap().message;
    assert_eq!(message, "ff d7 ff at 0x0401 (f+0x1) is no instruction of the rl78-s2 core");
    let message = behind("rl78-s2", "3601fe ab").1.fault.unwrap().message;
    assert_eq!(message, "a word at 0xffe01, which is odd, wanted at 0x0403 (f+0x3)");
    let message = behind("rl78-s2", "8f0010").1.fault.unwrap().message;
    assert_eq!(message, "nothing answers at address 0xf1000, wanted at 0x0400 (f+0x0)");
    let message = behind("rl78-s2", "ec000002").1.fault.unwrap().message;
    assert_eq!(message, "the flow reached 0x20000, where nothing lies");
    assert_eq!(fault("rl78-s2", "61ed"), FaultKind::Sleep, "halt");
    assert_eq!(fault("rl78-s2", "effe"), FaultKind::CycleBudget, "br $.");
    assert_eq!(fault("rl78-s2", "1002 c1"), FaultKind::UnmappedAddress, "a return to an argument");
    assert_eq!(fault("rl78-s2", "11 61e8"), FaultKind::IllegalOpcode, "a prefix without an address");
    assert_eq!(fault("rl78-s2", "61c8 ff"), FaultKind::IllegalOpcode, "skc, and a skip over nothing");
}

#[test]
fn arguments_are_on_the_stack_and_results_begin_at_r8() {
    // movw ax, [sp+4]; movw 0xffef0, ax; movw ax, [sp+6]; movw 0xffef2, ax; movw ax, [sp+10]; movw 0xffef4, ax
    let function = code("a804 bdf0 a806 bdf2 a80a bdf4 d7");
    let mut chip = chip("rl78-s2", &[("f", &function)]);
    let arguments =
        [(0x56, 1), (0x1234_5678, 4), (0x9abc, 2)].map(|(value, size_bytes)| Argument { value, size_bytes });
    let result = chip.call(CODE, &arguments, 1000, Observe::Stack).unwrap();
    assert!(result.fault.is_none(), "{:?}", result.fault);
    assert_eq!(result.return_value & 0xffff_ffff_ffff, 0x9abc_5678_0056);
    assert_eq!(result.stack_bytes, 4, "the return address; arguments are the caller's");
    assert_eq!(chip.stack_pointer(), RAM_END);
    // On a core without banks the compiler's registers lie elsewhere: movw ax, [sp+4]; movw !0xfec8, ax
    let mut chip = crate::common::rl78::chip("rl78-s1", &[("f", &code("a804 bfc8fe d7"))]);
    chip.set_stack_pointer(0xf_fec8).unwrap();
    assert_eq!(call(&mut chip, CODE, &[0x4321]).return_value & 0xffff, 0x4321);
}

#[test]
fn the_stack_peak_is_exact_and_the_stack_ends_at_static_data() {
    // f: push hl; subw sp, #24; call g; addw sp, #24; pop hl; ret; g: push ax; pop ax; ret
    let f = code("c7 2018 fc0b0400 1018 c6 d7 c1 c0 d7");
    let image = |end: Option<u32>| {
        let mut image = ImageBuilder::of_rl78(CODE, &[("f", &f)]);
        image.symbols.extend(end.map(|end| ("_end", end, 0, false)));
        image.build()
    };
    let mut chip = chip("rl78-s2", &[]);
    chip.load_elf(&image(None)).unwrap();
    let result = call(&mut chip, CODE, &[]);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    assert_eq!(result.stack_bytes, 4 + 2 + 24 + 4 + 2);
    chip.load_elf(&image(Some(RAM_END - 36))).unwrap();
    assert!(call(&mut chip, CODE, &[]).fault.is_none());
    chip.load_elf(&image(Some(RAM_END - 35))).unwrap();
    let found = call(&mut chip, CODE, &[]).fault.unwrap();
    assert_eq!((found.kind, found.address), (FaultKind::StackOverflow, Some(RAM_END - 36)));
    // Without static data it ends at the start of its RAM: a function that calls itself; one that moves SP there.
    for hex in ["fc000400", "3000ef bef8 c1"] {
        let found = behind("rl78-s2", hex).1.fault.unwrap();
        assert_eq!((found.kind, found.address), (FaultKind::StackOverflow, Some(RAM - 2)));
    }
    assert!(chip.set_stack_pointer(0xf_fed1).is_err());
    assert!(chip.set_stack_pointer(0x1000).is_err());
}

#[test]
fn a_return_with_another_stack_pointer_is_noticed() {
    // The return address goes two bytes up: movw ax, sp; addw ax, #2; movw de, ax; movw ax, [sp]; movw [de], ax; movw ax, [sp+2]; movw [de+2], ax; addw sp, #2
    let found = behind("rl78-s2", "aef8 040200 14 a802 ba02 a800 b9 1002").1.fault.unwrap();
    assert_eq!(found.kind, FaultKind::BadReturn);
}

#[test]
fn the_multiplier_takes_its_time_and_its_signs() {
    let product = "5108 9fe800 30feff bef0 300300 bef2 00 aef6";
    assert_eq!(ax("rl78-s2", product), (-6_i16) as u16, "-2 * 3, signed");
    // The sum of 0x7fffffff and 1: over, and negative.
    let signed = "5148 9fe800 30ffff bfe000 30ff7f bfe200 300100 bef0bef2 0000 8fe800";
    assert_eq!(ax("rl78-s2", signed) >> 8, 0x48 | 0x04 | 0x02);
    let unsigned = "5140 9fe800 30ffff bfe000 bfe200 300100 bef0bef2 0000 8fe800";
    assert_eq!(ax("rl78-s2", unsigned) >> 8, 0x40 | 0x04);
    // 0x10000000 / 3: the upper half of the quotient, and the remainder.
    let divide = "300000 bef0 300010 bef2 300300 bef6 300000 bef4 51c1 9fe800 8fe800 3103fa";
    assert_eq!(ax("rl78-s2", &format!("{divide} aef2")), 0x0555);
    assert_eq!(ax("rl78-s2", &format!("{divide} afe000")), 1);
    // No such unit on the others: plain storage.
    assert_eq!(ax("rl78-s3", "300200 bef0 bef2 300700 bef6 00 aef6"), 7);
}

#[test]
fn the_mix_counts_what_ran() {
    // f: mov b, #3; 1: mov a, [hl]; inc !0xfe00; push ax; pop ax; dec b; bnz 1b; set1 cy; skc; mov a, es:[hl]; skc; sknc;
    //    nop; call g; ret; g: mov a, #1; ret
    let hex = "5303 8b a000fe c1 c0 93 dff7 7180 61c8 118b 61d8 00 fc180400 d7 5101 d7";
    let mut chip = chip("rl78-s2", &[("f", &code(&hex[..hex.len() - 10])), ("g", &code("5101 d7"))]);
    // movw hl is the caller's: HL is 0, where special function registers lie.
    let result = call(&mut chip, CODE, &[]);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    let count = |class: Class| result.totals.mix[class as usize];
    assert_eq!((count(Class::Load), count(Class::Stack)), (3, 6));
    assert_eq!(count(Class::Branch), 3 + 2, "and two skips");
    assert_eq!((result.totals.branches, result.totals.branches_taken), (5, 3));
    assert_eq!(count(Class::Other), 1 + 1, "one instruction is skipped, and nop");
    assert_eq!((count(Class::Call), count(Class::Return)), (2, 2));
    assert_eq!((result.totals.loads, result.totals.stores), (3 + 3 + 6, 3 + 6));
    assert_eq!(result.instructions, result.totals.mix.iter().sum::<u64>());
    assert_eq!(result.cycles, result.totals.functions.iter().map(|function| function.cycles).sum::<u64>());
    let names: Vec<&str> = result.totals.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["f", "g", "?"]);
    for observe in [Observe::Nothing, Observe::Stack] {
        let again = chip.call(CODE, &[], 1000, observe).unwrap();
        assert_eq!(again.cycles, result.cycles);
    }
}

#[test]
fn code_in_ram_that_changes_is_decoded_anew() {
    // mov !0xfe00, #0x51; mov !0xfe01, #1; mov !0xfe02, #0xd7; call !!0xffe00; mov !0xfe01, #2; call !!0xffe00
    let hex = "cf00fe51 cf01fe01 cf02fed7 fc00fe0f cf01fe02 fc00fe0f";
    assert_eq!(ax("rl78-s2", hex) >> 8, 2);
}

#[test]
fn a_snapshot_is_all_memory_and_registers() {
    // movw ax, #0x7777; sel rb1; movw ax, #0x8888; mov !0xfe00, a
    let mut chip = chip("rl78-s2", &[("f", &code("307777 61df 308888 9f00fe d7"))]);
    assert!(chip.restore().is_err());
    chip.write(Space::Data, 0xf_fe00, &[5]).unwrap();
    chip.processor_mut().registers.pairs[0] = 0x1111;
    chip.snapshot();
    assert!(call(&mut chip, CODE, &[]).fault.is_none());
    assert_eq!(chip.read(Space::Data, 0xf_fef0, 2).unwrap(), [0x88, 0x88]);
    chip.write(Space::Data, CODE, &[RET]).unwrap();
    chip.restore().unwrap();
    assert_eq!(chip.processor().registers.pairs[0], 0x1111);
    assert_eq!(chip.read(Space::Data, 0xf_fef0, 2).unwrap(), [0, 0]);
    assert_eq!(chip.read(Space::Data, 0xf_fe00, 1).unwrap(), [5]);
    assert_eq!(chip.read(Space::Data, CODE, 1).unwrap(), [0x30], "and the flash");
    assert!(call(&mut chip, CODE, &[]).cycles > 3 + 6);
}

#[test]
fn the_flow_passes_from_one_chunk_into_the_next() {
    let mut data = description(&core_data("rl78-s2"));
    data["memory"][0]["size"] = json!(0x2_0000);
    let mut chip = machine_from_json(&data.to_string()).unwrap();
    // An instruction over the boundary: movw ax, #0x1234; movw 0xffef0, ax
    let function = code("00 303412 bdf0 d7");
    chip.load_elf(&ImageBuilder::of_rl78(0xfffe, &[("f", &function)]).build()).unwrap();
    let result = chip.call(0xfffe, &[], 1000, Observe::Profile).unwrap();
    assert!(result.fault.is_none(), "{:?}", result.fault);
    assert_eq!((result.return_value & 0xffff, result.cycles), (0x1234, 3 + 3 + 6));
}

#[test]
fn start_up_code_runs_to_a_symbol() {
    // _start: movw sp, #0xfe00; mov !0xfe10, #7; br $. at harness_ready
    let mut image = ImageBuilder::of_rl78(CODE, &[("_start", &code("cbf800fe cf10fe07 effe"))]);
    image.symbols.push(("harness_ready", CODE + 8, 2, true));
    let mut chip = chip("rl78-s2", &[]);
    chip.load_elf(&image.build()).unwrap();
    let ready = chip.symbols().get("harness_ready").unwrap().address;
    chip.run_until(ready, 100).unwrap();
    assert_eq!((chip.stack_pointer(), chip.read(Space::Data, 0xf_fe10, 1).unwrap()), (0xf_fe00, vec![7]));
    assert!(chip.run_until(0x3_0000, 100).is_err());
}

#[test]
fn a_call_finds_memory_as_start_up_code_leaves_it() {
    let mut image = ImageBuilder::of_rl78(CODE, &[("f", &code("d7"))]);
    image.data = Some((RAM + 16, vec![1, 2, 3]));
    image.cleared_bytes = 4;
    let mut chip = chip("rl78-s2", &[]);
    chip.write(Space::Data, RAM + 16, &[0x55; 8]).unwrap();
    chip.load_elf(&image.build()).unwrap();
    assert_eq!(chip.read(Space::Data, RAM + 16, 8).unwrap(), [1, 2, 3, 0, 0, 0, 0, 0]);
    assert_eq!(chip.read(Space::Data, CODE + 1, 3).unwrap(), [1, 2, 3], "stored behind the program");
    image.cleared_bytes = RAM_END - RAM;
    let sentence = chip.load_elf(&image.build()).unwrap_err().to_string();
    assert_eq!(
        sentence,
        "the image does not fit the chip: its static data are 19 bytes longer than the RAM in which they begin"
    );
}

#[test]
fn a_wrong_description_is_refused_in_a_sentence() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut data = description(&core_data("rl78-s2"));
        change(&mut data);
        machine_from_json(&data.to_string()).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(with(&|_| {}), "");
    for (change, sentence) in [
        (&(|data: &mut Value| data["memory"][3]["base"] = json!(0xf_8000)) as &dyn Fn(&mut Value), "overlaps another"),
        (&|data| data["memory"][4]["size"] = json!(0x10_0000), "beyond the address space"),
        (&|data| data["memory"][4]["base"] = json!(0xf_ef04), "multiples of 8"),
        (&|data| data["memory"][4]["wait_read_cycles"] = json!(1), "those of its core"),
        (&|data| data["memory"][0]["size"] = json!(0x4000), "shows what is no flash"),
        (&|data| data["memory"][3]["kind"] = json!("eeprom"), "in one address space"),
        (&|data| data["core"]["unit"] = Value::Null, "multiplier and divider"),
        (&|data| data["core"]["multiplier"] = json!("instructions"), "long multiplications"),
        (&|data| data["core"]["banks"] = json!(false), "register banks"),
        (&|data| data["core"]["clocks"]["nop"] = Value::Null, "not usable"),
    ] {
        let found = with(change);
        assert!(found.contains(sentence), "{found:?} without {sentence:?}");
    }
}

/// Whatever instructions compute, with secrets beside the values they take the same time and leave the same behind.
#[test]
fn shadows_change_nothing() {
    for core in ["rl78-s2", "rl78-s3"] {
        let data = core_data(core);
        let known = Core::from_data(&data).unwrap();
        let description = Description::from_json(&description(&data).to_string()).unwrap();
        let mut plain: Rl78 = rl78::chip(&description).unwrap();
        let mut shadowed: Rl78<Shadowed<u8>> = rl78::chip(&description).unwrap();
        shadowed.processor_mut().beside.fill(RAM..RAM + 0x80, 0xff);
        let arguments = [0x1234, 0x8001].map(|value| Argument { value, size_bytes: 2 });
        assert_alike([&mut plain, &mut shadowed], CODE, RAM..RAM + 0x100, &arguments, |random| {
            // movw hl, #0xef20; movw de, #0xef40; movw ax, [hl]; movw bc, ax; movw ax, [de]
            let mut code = code("3620ef 3440ef ab 12 a9");
            code.extend((0..8).flat_map(|_| random_instruction(random, &known)));
            code.push(RET);
            code
        });
    }
}

/// Any instruction of the core but those that jump; one with an address holds one in the RAM.
fn random_instruction(random: &mut Random, core: &Core) -> Vec<u8> {
    loop {
        let row = &ROWS[random.below(ROWS.len())];
        let shift = 32 - row.pattern.bits;
        let free = !row.pattern.mask << shift;
        let [first, second, third, fourth] = (row.pattern.value << shift | random.word() & free).to_be_bytes();
        let mut bytes = [first, second, third, fourth, 0];
        let of_words = [Mode::Absolute, Mode::WordB, Mode::WordC, Mode::WordBc];
        let has_word =
            |operand: &Operand| of_words.iter().any(|&mode| [Operand::At(mode), Operand::Bit(mode)].contains(operand));
        if row.operands.iter().any(has_word) {
            let at = (row.pattern.bits / 8 - row.pattern.mask.trailing_zeros() / 8) as usize;
            bytes[at..at + 2].copy_from_slice(&(0xef00 | random.word() as u16 & 0x7f).to_le_bytes());
        }
        if let Some((found, decoded)) = row_of(&bytes, CODE, core) {
            let jumps = matches!(row.class, Class::Jump | Class::Call | Class::Return | Class::Branch | Class::Other);
            if !jumps && std::ptr::eq(found, row) {
                return bytes[..usize::from(decoded.length)].to_vec();
            }
        }
    }
}

/// mov a, !0xef00; add a, #1; and a, #0x0f; mov !0xef40, a: of a secret byte the lower half stays secret.
#[test]
fn secrets_are_followed_through_registers_and_memory() {
    let description = Description::from_json(&description(&core_data("rl78-s3")).to_string()).unwrap();
    let mut chip: Rl78<Shadowed<u8>> = rl78::chip(&description).unwrap();
    chip.write(Space::Program, CODE, &code("8f00ef 0c01 5c0f 9f40ef d7")).unwrap();
    chip.processor_mut().beside.set_bits(RAM, 0xff);
    assert!(follow(&mut chip, CODE, &[], 2).fault.is_none());
    assert_eq!(chip.processor().beside.bits(RAM + 0x40), 0x0f);
    assert_eq!(chip.processor().beside.bits(RAM + 0x41), 0);
}

/// What is told of single instructions sums up to the profile of the call.
#[test]
fn what_is_told_of_instructions_sums_up() {
    for core in ["rl78-s2", "rl78-s3"] {
        let data = core_data(core);
        let known = Core::from_data(&data).unwrap();
        let description = Description::from_json(&description(&data).to_string()).unwrap();
        let mut plain: Rl78 = rl78::chip(&description).unwrap();
        assert_sums(&mut plain, CODE, RAM..RAM + 0x100, &[], Witness::bytes, |random| {
            let mut code = code("3620ef 3440ef ab 12 a9");
            code.extend((0..8).flat_map(|_| random_instruction(random, &known)));
            code.push(RET);
            code
        });
    }
}

/// Calls a function behind `mov a, !0xef00` and returns what was seen, with places as bytes behind that, and the secret
/// bits of the word at 0xfef40.
fn seen(value: u8, secret: u8, hex: &str) -> (Witness, [u8; 2]) {
    let description = Description::from_json(&description(&core_data("rl78-s3")).to_string()).unwrap();
    let mut chip: Rl78<Shadowed<u8>> = rl78::chip(&description).unwrap();
    chip.write(Space::Program, CODE, &code(&format!("8f00ef {hex} d7"))).unwrap();
    chip.write(Space::Data, RAM, &[value]).unwrap();
    chip.processor_mut().beside.set_bits(RAM, secret);
    let (mut witness, exit, cycles) = witnessed(&mut chip, CODE, &[]);
    assert_eq!((exit, witness.cycles()), (Exit::Stop, cycles), "{hex}");
    let address = |place: u32| chip.processor().executed(place as usize).unwrap().address - CODE - 3;
    witness.leaks.iter_mut().for_each(|(place, _)| *place = address(*place));
    let beside = &chip.processor().beside;
    (witness, [beside.bits(RAM + 0x40), beside.bits(RAM + 0x41)])
}

#[test]
fn what_a_secret_decides_is_told_where_it_does() {
    let load = |address, size_bytes| Leak::Load { address, size_bytes };
    let store = |address, size_bytes| Leak::Store { address, size_bytes };
    let (none, byte, word) = ([0, 0], [0xff, 0], [0xff, 0xff]);
    let at = RAM + 6;
    let cases: [(&str, &str, &Leaks, [u8; 2]); 19] = [
        ("cmp a, #0; bz $+2", "4c00 dd00", &[(2, Leak::Branch)], none),
        ("cmp a, #0; bnc $+2", "4c00 de00", &[(2, Leak::Branch)], none),
        ("bt a.0, $+3", "310300", &[(0, Leak::Branch)], none),
        ("bf a.0, $+3", "310500", &[(0, Leak::Branch)], none),
        ("bt [hl].0 with a secret there", "3600ef 318300", &[(3, Leak::Branch)], none),
        ("cmp a, #0; skz; nop", "4c00 61e8 00", &[(2, Leak::Branch)], none),
        ("cmp a, #0; sknz; nop", "4c00 61f8 00", &[(2, Leak::Branch)], none),
        ("mov b, a; mov a, 0xef00[b]; mov !0xef40, a", "73 0900ef 9f40ef", &[(1, load(at, 1))], byte),
        ("mov c, a; mov a, 0xef00[c]; mov !0xef40, a", "72 2900ef 9f40ef", &[(1, load(at, 1))], byte),
        (
            "movw hl, #0xef00; mov b, a; mov a, [hl+b]; mov !0xef40, a",
            "3600ef 73 61c9 9f40ef",
            &[(4, load(at, 1))],
            byte,
        ),
        (
            "movw hl, #0xef00; mov l, a; movw ax, [hl]; movw !0xef40, ax",
            "3600ef 76 ab bf40ef",
            &[(4, load(at, 2))],
            word,
        ),
        (
            "movw hl, #0xef00; mov es, a; mov a, es:[hl]; mov !0xef40, a",
            "3600ef 9efd 118b 9f40ef",
            &[(5, load(RAM, 1))],
            byte,
        ),
        ("mov b, a; mov 0xef00[b], a", "73 1800ef", &[(1, store(at, 1))], none),
        ("movw hl, #0xef00; mov l, a; movw [hl], ax", "3600ef 76 bb", &[(4, store(at, 2))], none),
        ("movw hl, #0xef00; mov l, a; incw [hl+0]", "3600ef 76 617900", &[(4, load(at, 2)), (4, store(at, 2))], none),
        ("mov x, #7; br ax", "5007 61cb", &[(2, Leak::Target)], none),
        ("mov x, #7; call ax", "5007 61ca", &[(2, Leak::Target)], none),
        (
            "mov x, #12; movw bc, ax; movw ax, #0; push ax; push bc; ret",
            "500c 12 300000 c1 c3 d7",
            &[(8, Leak::Target)],
            none,
        ),
        (
            "mov x, a; mov a, #0xef; movw bc, sp; movw sp, ax; movw ax, bc; movw sp, ax",
            "70 51ef dbf8ff bef8 13 bef8",
            &[(6, Leak::Stack)],
            none,
        ),
    ];
    for (text, hex, leaks, result) in cases {
        // A target within the code, and upper bits of an address where memory lies.
        let value = match leaks[0] {
            (_, Leak::Target) => 4,
            (_, Leak::Load { address: RAM, .. }) => 15,
            _ => 6,
        };
        let (witness, secret) = seen(value, 0xff, hex);
        assert_eq!((&witness.leaks[..], secret), (leaks, result), "{text}");
        let (witness, secret) = seen(value, 0, hex);
        assert_eq!((witness.leaks, secret), (vec![], none), "{text}: public");
    }
    // Executed or skipped, the step of a pair takes one time; what it leaves depends on the secret.
    for (value, hex) in [(6, "4c20 61d8 a1 bf40ef"), (0x46, "4c20 61d8 a1 bf40ef")] {
        let (witness, secret) = seen(value, 0xff, hex);
        assert_eq!((witness.leaks, secret), (vec![], word), "cmp a, #0x20; sknc; incw ax; movw !0xef40, ax");
    }
    // The address behind the step waits for it: movw hl, #0xef00; cmp a, #0x20; sknc; incw hl; mov a, [hl].
    assert_eq!(seen(6, 0xff, "3600ef 4c20 61d8 a7 8b").0.leaks, [(5, Leak::Branch)]);
    // An index that is BC's other half is public: mov b, a; mov c, #6; mov a, 0xef00[c].
    let (witness, secret) = seen(6, 0xff, "73 5206 2900ef 9f40ef");
    assert_eq!((witness.leaks, secret), (vec![], none));
}

/// Times by the core's data, for what leaves the line, products, an address just written, and the mirror.
#[test]
fn waits_have_causes() {
    let description = Description::from_json(&description(&core_data("rl78-s3")).to_string()).unwrap();
    let mut chip: Rl78 = rl78::chip(&description).unwrap();
    let branch = |clocks| vec![(Cause::Branch, clocks)];
    // The instruction looked at is the one behind so many bytes.
    let cases: [(&str, &str, u32, u32, Causes); 12] = [
        ("set1 cy; bnc $+2, not taken", "7180 de00", 2, 2, vec![]),
        ("set1 cy; bc $+2", "7180 dc00", 2, 4, branch(3)),
        ("movw ax, #0; bf a.0, $+3", "300000 310500", 3, 5, branch(4)),
        ("br $+2", "ef00", 0, 3, branch(2)),
        ("ret", "", 0, 6, branch(5)),
        ("set1 cy; skc; nop: the skip", "7180 61c8 00", 2, 1, vec![]),
        ("set1 cy; skc; nop: what is skipped", "7180 61c8 00", 4, 1, branch(1)),
        ("mulu x", "d6", 0, 1, vec![]),
        ("mulhu", "cefb01", 0, 2, vec![(Cause::Multiply, 1)]),
        ("divhu", "cefb03", 0, 9, vec![(Cause::Multiply, 8)]),
        ("movw hl, #0xef00; mov a, [hl]", "3600ef 8b", 3, 2, vec![(Cause::Result, 1)]),
        ("mov a, !0x8400", "8f0084", 0, 4, vec![(Cause::Data, 3)]),
    ];
    for (text, hex, behind, clocks, causes) in cases {
        chip.write(Space::Program, CODE, &code(&format!("{hex} d7"))).unwrap();
        let (witness, exit, sum) = witnessed(&mut chip, CODE, &[]);
        assert_eq!((exit, witness.cycles()), (Exit::Stop, sum), "{text}");
        let at = |place: u32| chip.processor().executed(place as usize).unwrap().address == CODE + behind;
        let place = witness.retired.iter().map(|&(place, _)| place).find(|&place| at(place)).unwrap();
        assert_eq!(witness.spent_at(place), (clocks, causes), "{text}");
    }
}
