//! ARM: what a comparison with another simulator does not show, or shows otherwise than the chips.

use crate::common::arm::{call, chip, cycles, description, CODE, FLASH, RAM, RAM_BYTES, RETURN};
use crate::common::image::ImageBuilder;
use crate::common::observed::{assert_causes_fit, assert_leaks, keep_secret, secret_bits, watch, Case, Stalls, SECRET};
use crate::common::values::{assert_alike, Random};
use serde_json::json;
use steelyard_emu::arm::{self, isa, Arm};
use steelyard_emu::memory_system::{Hierarchy, Immediate, MemorySystem};
use steelyard_emu::observe::Cause;
use steelyard_emu::profile::Class;
use steelyard_emu::value::{Beside, HeldWord, Shadowed};
use steelyard_emu::{
    machine_from_json, shadowed_from_json, Argument, CallResult, Description, FaultKind, Machine, Observe, Space,
    Window,
};

const NOP: u32 = 0xe1a0_0000;
const LOOP: u32 = 0xeaff_fffe;

/// What a function of these words returns; r0 is the start of RAM, filled with 0x10, 0x11, ...
fn run(core: &str, words: &[u32]) -> CallResult {
    let function: Vec<u32> = words.iter().copied().chain([RETURN]).collect();
    let mut chip = chip(core, &[("f", &function)]);
    let bytes: Vec<u8> = (0x10..0x50).collect();
    chip.write(Space::Data, RAM, &bytes).unwrap();
    call(&mut chip, CODE, &[RAM, RAM + 1, 0xaabb_ccdd, 3])
}

fn returned(core: &str, words: &[u32]) -> u32 {
    let result = run(core, words);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    result.return_value as u32
}

fn fault(core: &str, words: &[u32]) -> FaultKind {
    run(core, words).fault.expect("a fault").kind
}

/// DDI 0100E A2.7.3: the addressed byte of a word that is loaded from any address comes first, the rest in turn.
#[test]
fn unaligned_word_loads_rotate() {
    for core in ["armv4", "armv5te"] {
        for (offset, word) in [0x1312_1110, 0x1013_1211, 0x1110_1312, 0x1211_1013].into_iter().enumerate() {
            assert_eq!(returned(core, &[0xe590_0000 + offset as u32]), word, "ldr r0, [r0, #{offset}]");
        }
        assert_eq!(returned(core, &[0xe790_0003]), 0x1211_1013, "ldr r0, [r0, r3]");
        assert_eq!(returned(core, &[0xe491_0004]), 0x1013_1211, "ldr r0, [r1], #4");
        assert_eq!(returned(core, &[0xe101_0092]), 0x1013_1211, "swp r0, r2, [r1]");
    }
}

#[test]
fn unaligned_stores_and_multiple_transfers_ignore_the_lowest_bits() {
    for core in ["armv4", "armv5te"] {
        assert_eq!(returned(core, &[0xe581_2000, 0xe590_0000]), 0xaabb_ccdd, "str r2, [r1]; ldr r0, [r0]");
        assert_eq!(returned(core, &[0xe580_2003, 0xe590_0000]), 0xaabb_ccdd, "str r2, [r0, #3]");
        assert_eq!(returned(core, &[0xe101_c092, 0xe590_0000]), 0xaabb_ccdd, "swp r12, r2, [r1]");
        assert_eq!(returned(core, &[0xe891_0005]), 0x1312_1110, "ldmia r1, {{r0, r2}}");
        assert_eq!(returned(core, &[0xe881_000c, 0xe590_0004]), 3, "stmia r1, {{r2, r3}}");
        assert_eq!(returned(core, &[0xe1c1_20b0, 0xe590_0000]), 0x1312_ccdd, "strh r2, [r1]");
        assert_eq!(returned(core, &[0xe1d1_00b0]), 0x1110, "ldrh r0, [r1]");
    }
}

#[test]
fn a_pair_of_words_lies_at_a_multiple_of_eight() {
    assert_eq!(returned("armv5te", &[0xe1c0_20d0, 0xe1a0_0003]), 0x1716_1514, "ldrd r2, [r0]; mov r0, r3");
    assert_eq!(fault("armv5te", &[0xe1c0_20d4]), FaultKind::UnalignedAddress, "ldrd r2, [r0, #4]");
    assert_eq!(fault("armv5te", &[0xe1c0_20f4]), FaultKind::UnalignedAddress, "strd r2, [r0, #4]");
    assert_eq!(fault("armv5te", &[0xe1c0_30d0]), FaultKind::IllegalOpcode, "ldrd r3, [r0]");
}

/// DDI 0100E, A1.1 and the "architecture version" of each instruction.
#[test]
fn each_architecture_has_its_instructions() {
    let enhanced = [
        ("clz r0, r2", 0xe16f_0f12),
        ("qadd r0, r1, r2", 0xe102_0051),
        ("smulbb r0, r1, r2", 0xe160_0281),
        ("ldrd r2, [r0]", 0xe1c0_20d0),
        ("pld [r0]", 0xf5d0_f000),
        ("blx r14, back to the caller", 0xe12f_ff3e),
    ];
    for (name, word) in enhanced {
        assert!(run("armv5te", &[word]).fault.is_none(), "{name}");
        assert_eq!(fault("armv4t", &[word]), FaultKind::IllegalOpcode, "{name}");
        assert_eq!(fault("armv4", &[word]), FaultKind::IllegalOpcode, "{name}");
    }
    assert!(run("armv4t", &[0xe12f_ff1e]).fault.is_none(), "bx lr");
    assert_eq!(fault("armv4", &[0xe12f_ff1e]), FaultKind::IllegalOpcode, "bx lr");
    let refused = [
        ("swi 0", 0xef00_0000),
        ("cdp p0", 0xee00_0000),
        ("mcr p15", 0xee07_0f17),
        ("movs pc, lr", 0xe1b0_f00e),
        ("mrs r0, spsr", 0xe14f_0000),
        ("ldmia r0, {}", 0xe890_0000),
        ("ldmia r0, {r1}^", 0xe8d0_0002),
        ("undefined", 0xe7f0_00f0),
        ("bkpt", 0xe120_0070),
    ];
    for (name, word) in refused {
        for core in ["armv4", "armv5te"] {
            assert_eq!(fault(core, &[word]), FaultKind::IllegalOpcode, "{name}");
        }
    }
    assert!(run("armv4", &[0x0f00_0000]).fault.is_none(), "an instruction that is not executed is no fault");
}

#[test]
fn the_message_of_a_fault_says_where_and_what() {
    let message = run("armv4", &[NOP, 0xe12f_ff1e]).fault.unwrap().message;
    assert_eq!(message, "0xe12fff1e at 0x10004 (f+0x4) is no instruction of the sample core");
    let message = run("armv4", &[0xef00_0000]).fault.unwrap().message;
    assert_eq!(message, "0xef000000 at 0x10000 (f+0x0) calls an operating system, and there is none");
    let found = run("armv4", &[0xe3a0_1000, 0xe591_0000]).fault.unwrap();
    assert_eq!((found.kind, found.address, found.pc), (FaultKind::UnmappedAddress, Some(0), CODE + 4));
    assert_eq!(found.message, "nothing answers at address 0x00000000, wanted at 0x10004 (f+0x4)");
    let found = run("armv4", &[0xe3a0_f000]).fault.unwrap();
    assert_eq!(found.message, "the flow reached 0x0000, where nothing lies");
    assert_eq!(fault("armv4", &[0xe3a0_1202, 0xe581_0000]), FaultKind::WriteToFlash, "mov r1, #0x20000000; str");
    assert_eq!(fault("armv4", &[LOOP]), FaultKind::CycleBudget);
    assert_eq!(fault("armv4", &[0xe24d_d004]), FaultKind::BadReturn, "sub sp, sp, #4");
}

#[test]
fn thumb_runs_where_the_core_has_it() {
    // adds r0, #2; bx lr
    let code = [0x02, 0x30, 0x70, 0x47];
    for (core, has_it) in [("armv4", false), ("armv4t", true), ("armv5te", true)] {
        let mut chip = chip(core, &[]);
        let mut image = ImageBuilder::of_arm(CODE, &[("arm", &[NOP, RETURN])]);
        image.function("thumb", code.to_vec(), 1);
        chip.load_elf(&image.build()).unwrap();
        let address = chip.symbols().get("thumb").unwrap().address;
        assert_eq!(address, CODE + 9);
        let result = call(&mut chip, address, &[40]);
        if !has_it {
            let found = result.fault.unwrap();
            assert_eq!(found.message, "the sample core has no Thumb instructions, wanted at 0x10008 (thumb+0x0)");
            continue;
        }
        assert!(result.fault.is_none(), "{:?}", result.fault);
        assert_eq!((result.return_value as u32, result.instructions), (42, 3));
        let thumb = result.totals.functions.iter().find(|function| function.name == "thumb").unwrap();
        assert_eq!(thumb.instructions, 2);
    }
}

/// r0 to r3 and the stack, as AAPCS 5.5 deals them.
#[test]
fn arguments_are_placed_by_the_procedure_call_standard() {
    // ldr r12, [sp]; add r0, r0, r12; ldr r12, [sp, #8]; add r0, r0, r12; ldr r12, [sp, #12]; add r0, r0, r12
    let words = [
        0xe59d_c000,
        0xe080_000c,
        0xe59d_c008,
        0xe080_000c,
        0xe59d_c00c,
        0xe080_000c,
        0xe080_0003,
        0xe1a0_1002,
        RETURN,
    ];
    let mut chip = chip("armv4", &[("f", &words)]);
    let argument = |value, size_bytes| Argument { value, size_bytes };
    let arguments = [argument(1, 4), argument(0x20_0000_0010, 8), argument(0x100, 1), argument(0x4000_0000_1000, 8)];
    // The byte is 0; one register stays free.
    let result = chip.call(CODE, &arguments, 1000, Observe::Stack).unwrap();
    assert_eq!(result.return_value, 0x10_0000_0000 + 1 + 0x1000 + 0x4000 + 0x20);
    assert_eq!(chip.stack_pointer(), RAM + RAM_BYTES);
    assert_eq!(result.stack_bytes, 0, "arguments are the caller's");
}

#[test]
fn the_stack_peak_is_exact_and_the_stack_ends_at_static_data() {
    // f: push {r4, lr}; sub sp, sp, #24; bl g; add sp, sp, #24; pop {r4, pc}; g: push {r0}; pop {r0}; mov pc, lr
    let f = [0xe92d_4010, 0xe24d_d018, 0xeb00_0001, 0xe28d_d018, 0xe8bd_8010];
    let g = [0xe52d_0004, 0xe49d_0004, RETURN];
    let mut chip = chip("armv4", &[("f", &f), ("g", &g)]);
    let result = call(&mut chip, CODE, &[]);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    assert_eq!(result.stack_bytes, 8 + 24 + 4);
    let image = |end| {
        let mut image = ImageBuilder::of_arm(CODE, &[("f", &f), ("g", &g)]);
        image.symbols.push(("_end", end, 0, false));
        image.build()
    };
    chip.load_elf(&image(RAM + RAM_BYTES - 36)).unwrap();
    assert!(call(&mut chip, CODE, &[]).fault.is_none());
    chip.load_elf(&image(RAM + RAM_BYTES - 35)).unwrap();
    let found = call(&mut chip, CODE, &[]).fault.unwrap();
    assert_eq!((found.kind, found.address), (FaultKind::StackOverflow, Some(RAM + RAM_BYTES - 36)));
    // Without static data it ends at the start of its RAM: a function that calls itself.
    chip.load_elf(&ImageBuilder::of_arm(CODE, &[("f", &[0xe92d_4000, 0xebff_fffd])]).build()).unwrap();
    let found = call(&mut chip, CODE, &[]).fault.unwrap();
    assert_eq!((found.kind, found.address), (FaultKind::StackOverflow, Some(RAM - 4)));
}

#[test]
fn the_mix_counts_what_ran() {
    // f: mov r2, #3; loop: ldr r1, [r0]; muls r3, r1, r2; strne r1, [r0, #4]; ldmeqia r0, {r1, r12};
    //    subs r2, r2, #1; bne loop; bl g; (returns to itself through lr saved in r12)
    let words = [
        0xe3a0_2003,
        0xe590_1000,
        0xe013_0291,
        0x1580_1004,
        0x0890_1002,
        0xe252_2001,
        0x1aff_fff9,
        0xe1a0_c00e,
        0xeb00_0000,
        0xe1a0_f00c,
    ];
    let mut chip = chip("armv4", &[("f", &words), ("g", &[0xe1a0_00a0, RETURN])]);
    chip.write(Space::Data, RAM, &[1, 0, 0, 0]).unwrap();
    let result = call(&mut chip, CODE, &[RAM]);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    let count = |class: Class| result.totals.mix[class as usize];
    assert_eq!(count(Class::Load), 3);
    assert_eq!(count(Class::Multiply), 3);
    assert_eq!(count(Class::Store), 3);
    assert_eq!(count(Class::Other), 3, "ldmeq is skipped");
    assert_eq!(count(Class::Branch), 3);
    assert_eq!((result.totals.branches, result.totals.branches_taken), (3, 2));
    assert_eq!((result.totals.loads, result.totals.stores), (3, 3));
    assert_eq!((count(Class::Call), count(Class::Return), count(Class::Jump)), (2, 1, 1));
    assert_eq!((count(Class::Alu), count(Class::Shift)), (5, 1));
    assert_eq!(result.instructions, result.totals.mix.iter().sum::<u64>());
    assert_eq!(result.cycles, result.totals.functions.iter().map(|function| function.cycles).sum::<u64>());
    let instructions = |name: &str| result.totals.functions.iter().find(|f| f.name == name).unwrap().instructions;
    assert_eq!((instructions("f"), instructions("g"), instructions("?")), (22, 2, 1));
    for observe in [Observe::Nothing, Observe::Stack] {
        chip.empty_caches();
        let again = chip.call(CODE, &[Argument { value: RAM.into(), size_bytes: 4 }], 1000, observe).unwrap();
        assert_eq!(again.cycles, result.cycles);
        assert_eq!(again.instructions, if observe == Observe::Stack { result.instructions } else { 0 });
    }
}

#[test]
fn code_that_changes_is_decoded_anew() {
    // str r1, [pc, #0]; mov r0, #1 (replaced); nop; the stored word is mov r0, #2, read from behind.
    let words = [0xe59f_100c, 0xe50f_1004, NOP, 0xe3a0_0001, RETURN, 0xe3a0_0002];
    // The store's target: pc - 4 = CODE + 4 + 8 - 4 = CODE + 8.
    let mut changing = words;
    changing[2] = 0xe3a0_0001;
    changing[3] = NOP;
    let mut chip = chip("armv4", &[("f", &changing)]);
    chip.snapshot();
    for _ in 0..2 {
        assert_eq!(call(&mut chip, CODE, &[]).return_value as u32, 2);
    }
    chip.restore().unwrap();
    assert_eq!(chip.read(Space::Program, CODE + 8, 4).unwrap(), 0xe3a0_0001_u32.to_le_bytes());
    chip.write(Space::Program, CODE + 4, &NOP.to_le_bytes()).unwrap();
    assert_eq!(call(&mut chip, CODE, &[]).return_value as u32, 1, "the store is gone, and what it had stored");
    chip.write(Space::Program, CODE + 8, &0xe3a0_0007_u32.to_le_bytes()).unwrap();
    assert_eq!(call(&mut chip, CODE, &[]).return_value as u32, 7);
}

#[test]
fn a_snapshot_is_all_memory_and_registers() {
    let mut chip = chip("armv4", &[("f", &[0xe580_1000, 0xe880_0006, RETURN])]);
    assert!(chip.restore().is_err());
    chip.write(Space::Data, RAM + 0x1000, &[1, 2, 3]).unwrap();
    chip.snapshot();
    for _ in 0..3 {
        chip.write(Space::Data, RAM + 0x1001, &[9]).unwrap();
        call(&mut chip, CODE, &[RAM + 0x1ffc, 5, 6]);
        assert_eq!(chip.read(Space::Data, RAM + 0x1ffc, 8).unwrap(), [5, 0, 0, 0, 6, 0, 0, 0]);
        chip.set_stack_pointer(RAM).unwrap();
        chip.restore().unwrap();
        assert_eq!(chip.read(Space::Data, RAM + 0x1000, 3).unwrap(), [1, 2, 3]);
        assert_eq!(chip.read(Space::Data, RAM + 0x1ffc, 8).unwrap(), [0; 8]);
        assert_eq!(chip.stack_pointer(), RAM + RAM_BYTES);
    }
}

#[test]
fn the_flow_passes_from_one_chunk_into_the_next() {
    // 64 KB of nops and a counter at both ends.
    let mut words = vec![NOP; 0x4800];
    words[0x3fff] = 0xe280_0001;
    words[0x4000] = 0xe280_0010;
    words[0x47ff] = RETURN;
    let mut chip = chip("armv4", &[("f", &words)]);
    let result = call(&mut chip, CODE, &[1]);
    assert_eq!((result.return_value as u32, result.instructions), (0x12, 0x4801));
}

#[test]
fn start_up_code_runs_to_a_symbol() {
    let mut chip = chip("armv4", &[]);
    let start = [0xe3a0_1101, 0xe581_f000, LOOP];
    chip.load_elf(&ImageBuilder::of_arm(CODE, &[("_start", &start[..2]), ("harness_ready", &start[2..])]).build())
        .unwrap();
    chip.run_until(CODE + 8, 1000).unwrap();
    assert_eq!(chip.read(Space::Data, RAM, 4).unwrap(), (CODE + 4 + 8).to_le_bytes());
    chip.load_elf(&ImageBuilder::of_arm(CODE, &[("_start", &[LOOP])]).build()).unwrap();
    let sentence = chip.run_until(CODE + 8, 1000).unwrap_err().to_string();
    assert_eq!(sentence, "the start-up code failed: the cycle budget ran out at 0x10000 (_start+0x0)");
    // The image's entry point begins, whatever its name.
    chip.load_elf(&ImageBuilder::of_arm(CODE, &[("Reset", &start[..2]), ("main", &[LOOP])]).build()).unwrap();
    chip.run_until(CODE + 8, 1000).unwrap();
}

#[test]
fn initial_values_lie_where_the_program_and_the_loader_want_them() {
    let mut chip = chip("armv4", &[]);
    let mut image = ImageBuilder::of_arm(FLASH, &[("f", &[RETURN])]);
    image.data = Some((RAM + 16, vec![1, 2, 3, 4, 5]));
    chip.load_elf(&image.build()).unwrap();
    assert_eq!(chip.read(Space::Data, RAM + 16, 5).unwrap(), [1, 2, 3, 4, 5]);
    assert_eq!(chip.read(Space::Program, FLASH + 4, 5).unwrap(), [1, 2, 3, 4, 5]);
    let mut image = ImageBuilder::of_arm(0x9000_0000, &[("f", &[RETURN])]);
    image.data = None;
    let sentence = chip.load_elf(&image.build()).unwrap_err().to_string();
    assert_eq!(sentence, "the image does not fit the chip: 4 bytes at 0x90000000 reach where no memory lies");
}

#[test]
fn a_wrong_description_is_refused_in_a_sentence() {
    type Change<'a> = &'a dyn Fn(&mut serde_json::Value);
    let wrong: [(&str, Change); 9] = [
        ("unknown field `speed`", &|d| d["core"]["speed"] = json!(1)),
        ("no times for the multiplication Smlalxy", &|d| {
            d["core"]["multiply"].as_array_mut().unwrap().pop();
        }),
        ("no tier of [Mul, Mla] takes a multiplier of 28 bits", &|d| {
            d["core"]["multiply"][0]["tier"].as_array_mut().unwrap().pop();
        }),
        ("two rows for the multiplication Mul", &|d| d["core"]["multiply"][1]["instructions"] = json!(["mul", "mul"])),
        ("a power of two of entries", &|d| d["core"]["prediction"]["entries"] = json!(100)),
        ("no RAM of its own", &|d| {
            d["memory"].as_array_mut().unwrap().drain(..3);
        }),
        ("`code` overlaps another one", &|d| d["memory"][1]["base"] = json!(RAM + 4)),
        ("give an ARM its latency", &|d| d["memory"][0]["wait_read_cycles"] = json!(1)),
        ("lies where calls return to", &|d| d["memory"][0]["base"] = json!(0xffff_0000_u32)),
    ];
    for (part, change) in wrong {
        let mut description = description("armv5te");
        change(&mut description);
        let Err(error) = machine_from_json(&description.to_string()) else { panic!("{part}: accepted") };
        assert!(error.to_string().contains(part), "{error}");
    }
    assert!(machine_from_json(&description("armv5te").to_string()).is_ok());
}

/// The sample core's numbers, event by event.
#[test]
fn an_instruction_waits_for_its_operands() {
    let (ldr_r1, add_r2_r1, add_r2_r3) = (0xe590_1000, 0xe081_2003, 0xe083_2003);
    let sample = |words: &[u32]| cycles("armv5te", words);
    assert_eq!(sample(&[NOP, NOP, NOP]), 3);
    assert_eq!(sample(&[ldr_r1, NOP, NOP]), 3);
    assert_eq!(sample(&[ldr_r1, add_r2_r1]), 1 + 2 + 1, "result after three cycles");
    assert_eq!(sample(&[ldr_r1, add_r2_r3, add_r2_r1]), 1 + 1 + 1 + 1);
    assert_eq!(sample(&[ldr_r1, add_r2_r3, add_r2_r3, add_r2_r1]), 4);
    assert_eq!(sample(&[0xe5d0_1000, add_r2_r1]), 4, "ldrb");
    assert_eq!(sample(&[0xe1d0_10b0, add_r2_r1]), 4, "ldrh");
    assert_eq!(sample(&[0xe1d0_10d0, add_r2_r1]), 5, "ldrsb");
    assert_eq!(sample(&[ldr_r1, 0xe580_1004]), 4, "a store waits for its datum");
    assert_eq!(sample(&[ldr_r1, 0x0081_2003]), 2, "a skipped instruction waits for nothing");
    assert_eq!(sample(&[0xe490_1004, 0xe080_2003]), 2, "the base is written at once");
    assert_eq!(sample(&[0xe1a0_2311, 0xe082_2003]), 2 + 1, "shift by a register");
    assert_eq!(sample(&[0xe083_2003, 0xe083_3102]), 1 + 1 + 1, "a shifted operand is needed a cycle earlier");
    assert_eq!(sample(&[0xe083_2003, 0xe083_3002]), 2, "one that is not shifted is not");
    assert_eq!(sample(&[0xe083_2003, NOP, 0xe083_3102]), 3);
    assert_eq!(sample(&[0xe1c0_20d0, 0xe082_c002]), 1 + 2 + 1, "ldrd, first");
    assert_eq!(sample(&[0xe1c0_20d0, 0xe083_c003]), 1 + 3 + 1, "ldrd, second");
    assert_eq!(sample(&[0xe1c0_20d0, ldr_r1]), 2 + 1, "a load behind ldrd");
    assert_eq!(sample(&[0xe1c0_20d0, NOP, ldr_r1]), 3);
    assert_eq!(sample(&[ldr_r1, 0xe3a0_1000]), 3 + 1, "what is still to be loaded is not written before");
    assert_eq!(cycles("sa1", &[ldr_r1, 0xe3a0_1000]), 2, "where nobody has to mind");
    assert_eq!(sample(&[0xe1a0_2061, NOP]), 2 + 1, "rrx");
    assert_eq!(sample(&[0xe100_2091, 0xe082_c002]), 5 + 1, "swp");
    assert_eq!(sample(&[0xe10f_2000, 0xe082_c002]), 2 + 1, "mrs");
    assert_eq!(sample(&[0xe101_2052, 0xe082_c002]), 2 + 1, "qadd");
}

#[test]
fn a_transfer_of_several_registers_takes_time_for_each() {
    let sample = |words: &[u32]| cycles("armv5te", words);
    assert_eq!(sample(&[0xe890_000c]), 4, "ldmia r0, {{r2, r3}}");
    assert_eq!(sample(&[0xe890_000c, 0xe083_c003]), 4 + 2 + 1, "the last one is late by two");
    assert_eq!(sample(&[0xe890_000c, 0xe082_c002]), 4 + 1 + 1, "the one before it by one");
    assert_eq!(sample(&[0xe890_100e, 0xe081_0001]), 6 + 1, "the first of four not at all");
    assert_eq!(sample(&[0xe880_000c]), 4, "stmia r0, {{r2, r3}}");
}

#[test]
fn a_multiplication_ends_early() {
    let multiply = |rs: u32, next: u32| {
        // mov or mvn r12, #rs; mul r2, r0, r12; next
        cycles("armv5te", &[rs, 0xe002_0c90, next]) - 1
    };
    let use_it = 0xe082_3002;
    assert_eq!(multiply(0xe3a0_c07f, use_it), 2 + 1, "seven bits");
    assert_eq!(multiply(0xe3a0_c902, use_it), 3 + 1, "mov r12, #0x8000: sixteen bits");
    assert_eq!(multiply(0xe3e0_c000, use_it), 2 + 1, "all ones");
    assert_eq!(multiply(0xe3a0_c102, use_it), 4 + 1, "mov r12, #0x80000000");
    assert_eq!(multiply(0xe3a0_c102, NOP), 2, "nobody waits");
    // mul r3, r1, r12 waits for the multiplier alone.
    assert_eq!(multiply(0xe3a0_c102, 0xe003_0c91), 3 + 1);
    // muls
    assert_eq!(cycles("armv5te", &[0xe3a0_c102, 0xe012_0c90]), 1 + 4);
    // umull r2, r3, r0, r12: no early end on ones; then a use of the high half.
    assert_eq!(cycles("armv5te", &[0xe083_2c90, 0xe083_3003]), 5 + 1);
}

#[test]
fn branches_are_predicted_by_what_they_did() {
    // mov r2, #n; loop: subs r2, r2, #1; bne loop
    let looped = |count: u32| {
        let words = [0xe3a0_2000 | count, 0xe252_2001, 0x1aff_fffd, RETURN];
        let mut chip = chip("armv5te", &[("f", &words)]);
        let cold = call(&mut chip, CODE, &[]).cycles;
        let warm = call(&mut chip, CODE, &[]).cycles;
        chip.empty_caches();
        assert_eq!(call(&mut chip, CODE, &[]).cycles, cold, "as at first");
        (cold, warm)
    };
    // Cold: the call refills (5), mov 1, then per turn subs 1 and the branch: refill at first (5), right after that
    // (1), wrong at the end (5); return 5.
    let cold = 5 + 1 + (1 + 5) + 8 * (1 + 1) + (1 + 5) + 5;
    assert_eq!(looped(10), (cold, cold - 4 - 4), "warm: the call and the first turn are known");
    let sa1 = cycles("sa1", &[0xe3a0_2003, 0xe252_2001, 0x1aff_fffd]);
    assert_eq!(sa1, 1 + 3 + 2 * 2 + 1, "without prediction: two cycles taken, one not");
}

/// A chip of the sample core with a small data cache of two lines in each of four sets.
fn cached_chip(words: &[u32]) -> Box<dyn Machine> {
    let mut description = description("armv4");
    let latency = |cached: &str| {
        json!({"read_first_ns": 100, "read_next_ns": 10, "write_first_ns": 50, "write_next_ns": 10, "bus_bytes": 4,
            "cached": cached})
    };
    description["memory"][0]["latency"] = latency("yes");
    description["memory"][1]["latency"] = latency("yes");
    let cache = |size: u32| json!({"size": size, "line": 32, "ways": 2, "replacement": "lru"});
    description["cache"] = json!({"icache": cache(1024), "dcache": cache(256)});
    let mut chip = machine_from_json(&description.to_string()).unwrap();
    chip.load_elf(&ImageBuilder::of_arm(CODE, &[("f", words)]).build()).unwrap();
    chip
}

#[test]
fn caches_stay_warm_until_they_are_emptied() {
    // ldr r2, [r0]; ldr r3, [r0, #4]; ldr r1, [r0, #32]; mov pc, lr
    let mut chip = cached_chip(&[0xe590_2000, 0xe590_3004, 0xe590_1020, RETURN]);
    chip.snapshot();
    let mut counted = || {
        let result = call(chip.as_mut(), CODE, &[RAM]);
        chip.restore().unwrap();
        (result.cycles, result.memory.unwrap())
    };
    let (cold, memory) = counted();
    assert_eq!((memory.icache_misses, memory.dcache_accesses, memory.dcache_misses), (1, 3, 2));
    let (warm, memory) = counted();
    assert_eq!((memory.icache_misses, memory.dcache_accesses, memory.dcache_misses), (0, 3, 0));
    assert_eq!(memory.stall_cycles, 0);
    // Each line takes 100 ns and seven times 10: 34 cycles of 5 ns. The branch buffer knows the call.
    assert_eq!(cold, warm + 3 * 34 + 4);
    assert_eq!(warm, 1 + 3 + 5, "call, three loads, return");
    chip.empty_caches();
    assert_eq!(call(chip.as_mut(), CODE, &[RAM]).cycles, cold);
}

#[test]
fn a_chip_without_caches_has_nothing_to_count() {
    let mut chip = chip("armv4", &[("f", &[RETURN])]);
    assert_eq!(call(&mut chip, CODE, &[]).memory, None);
}

/// Whatever instructions compute, with secrets beside the values they take the same time and leave the same behind.
#[test]
fn shadows_change_nothing() {
    for core in ["armv4", "armv5te"] {
        let description = Description::from_json(&description(core).to_string()).unwrap();
        let mut plain: Arm<Immediate> = arm::chip(&description, Immediate).unwrap();
        let mut shadowed: Arm<Immediate, Shadowed<u32>> = arm::chip(&description, Immediate).unwrap();
        shadowed.processor_mut().beside.fill(RAM..RAM + 0x80, 0xff);
        let arguments =
            [RAM, RAM + 0x40, 0x8000_0001, 7].map(|value: u32| Argument { value: value.into(), size_bytes: 4 });
        assert_alike([&mut plain, &mut shadowed], CODE, RAM..RAM + 0x100, &arguments, |random| {
            let words = (0..8).map(|_| random_instruction(random)).chain([RETURN]);
            words.flat_map(u32::to_le_bytes).collect()
        });
    }
}

/// Any instruction; one that loads or stores does so near r0, and seldom does one write the return address.
fn random_instruction(random: &mut Random) -> u32 {
    let rows: Vec<_> = isa::ROWS.iter().filter(|row| row.pattern.bits == 32).collect();
    loop {
        let row = rows[random.below(rows.len())];
        let mut word = row.pattern.value | random.word() & !row.pattern.mask;
        if row.pattern.mask >> 28 == 0 && random.below(4) > 0 {
            word = word & 0x0fff_ffff | 0xe << 28;
        }
        match row.class {
            Class::Load | Class::Store => word &= !(0xf << 16 | 1 << 21 | 0xf << 8 | 0xc000),
            Class::Alu | Class::Shift | Class::Multiply => {}
            _ => continue,
        }
        let to_high = word >> 12 & 0xf >= 13;
        if !to_high && row.pattern.matches(word) {
            return word;
        }
    }
}

/// Registers read and written, worked out by hand; `mov pc, lr` reads one.
#[test]
fn ports_of_the_register_file_are_those_of_the_operands() {
    let cases: [(&str, u32, u64, u64); 20] = [
        ("mov r0, #1", 0xe3a0_0001, 0, 1),
        ("mov r0, r1", 0xe1a0_0001, 1, 1),
        ("mov r0, r1, lsl #3", 0xe1a0_0181, 1, 1),
        ("mov r0, r1, lsl r2", 0xe1a0_0211, 2, 1),
        ("add r0, r1, r2", 0xe081_0002, 2, 1),
        ("add r0, r1, r2, ror r3", 0xe081_0372, 3, 1),
        ("add r0, pc, #4", 0xe28f_0004, 0, 1),
        ("cmp r0, r1", 0xe150_0001, 2, 0),
        ("addeq r0, r1, r2, not executed", 0x0081_0002, 0, 0),
        ("mul r2, r0, r1", 0xe002_0190, 2, 1),
        ("mla r2, r0, r1, r3", 0xe022_3190, 3, 1),
        ("umull r2, r3, r0, r1", 0xe083_2190, 2, 2),
        ("umlal r2, r3, r0, r1", 0xe0a3_2190, 4, 2),
        ("ldr r2, [r0]", 0xe590_2000, 1, 1),
        ("ldr r2, [r0, r3, lsl #2]", 0xe790_2103, 2, 1),
        ("ldr r2, [r0], #4", 0xe490_2004, 1, 2),
        ("str r2, [r0]", 0xe580_2000, 2, 0),
        ("str r2, [r0, #4]!", 0xe5a0_2004, 2, 1),
        ("ldmia r0!, {r2, r3, r12}", 0xe8b0_100c, 1, 4),
        ("stmia r0, {r2, r3}", 0xe880_000c, 3, 0),
    ];
    for (text, word, reads, writes) in cases {
        let result = run("armv4", &[word]);
        assert!(result.fault.is_none(), "{text}: {:?}", result.fault);
        let totals = result.totals;
        assert_eq!((totals.register_reads - 1, totals.register_writes), (reads, writes), "{text}");
    }
}

#[test]
fn a_series_is_its_call() {
    let body = [0xe590_2000, 0xe082_2001, 0xe580_2000, 0xe002_0190, 0xe253_3001, 0x1aff_fff9, RETURN];
    let mut chip = chip("armv5te", &[("f", &body)]);
    let arguments = [RAM, 5, 0, 40].map(|value| Argument { value: value.into(), size_bytes: 4 });
    let whole = chip.call(CODE, &arguments, 100_000, Observe::Profile).unwrap();
    assert!(whole.fault.is_none(), "{:?}", whole.fault);
    for window_cycles in [1, 7, 100, 1_000_000] {
        chip.empty_caches();
        let series = chip.series(CODE, &arguments, 100_000, window_cycles).unwrap();
        assert_eq!((series.call.cycles, series.call.return_value), (whole.cycles, whole.return_value));
        let sum = |count: fn(&Window) -> u64| series.windows.iter().map(count).sum::<u64>();
        assert_eq!(sum(|window| window.cycles), whole.cycles, "{window_cycles}");
        assert_eq!(sum(|window| window.totals.mix.iter().sum()), whole.instructions);
        assert_eq!(sum(|window| window.totals.loads), whole.totals.loads);
        assert_eq!(sum(|window| window.totals.stores), whole.totals.stores);
        assert_eq!(sum(|window| window.totals.register_reads), whole.totals.register_reads);
        assert_eq!(sum(|window| window.totals.register_writes), whole.totals.register_writes);
        assert!(series.windows.len() as u64 >= whole.cycles / (window_cycles + 10));
    }
    assert!(chip.series(CODE, &arguments, 100_000, 0).is_err());
    let cut = chip.series(CODE, &arguments, 50, 10).unwrap();
    assert_eq!(cut.call.fault.expect("a fault").kind, FaultKind::CycleBudget);
}

const REGISTERS: [(&str, u32); 3] = [("r0", RAM), ("r1", RAM + 0x100), ("sp", RAM + 0x1000)];

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn bare<W: HeldWord>(core: &str) -> Arm<Immediate, W> {
    arm::chip(&Description::from_json(&description(core).to_string()).unwrap(), Immediate).unwrap()
}

/// Of the word at r0, which is secret.
#[test]
fn what_a_secret_decides_is_told() {
    let case = |text, words: &[u32], leaks| Case { text, code: bytes_of(words), leaks };
    let cases = [
        case("ldr r2, [r0]; cmp r2, #0; beq .+4", &[0xe590_2000, 0xe352_0000, 0x0aff_ffff], &[(8, "branch")]),
        case("adds r3, r2, r2; teq r1, #0; bne .+4", &[0xe590_2000, 0xe092_3002, 0xe331_0000, 0x1aff_ffff], &[]),
        case(
            "adds r3, r2, r2; teq r1, #0; bcs .+4",
            &[0xe590_2000, 0xe092_3002, 0xe331_0000, 0x2aff_ffff],
            &[(12, "branch")],
        ),
        case("and r3, r2, #4; add pc, pc, r3", &[0xe590_2000, 0xe202_3004, 0xe08f_f003, NOP], &[(8, "target")]),
        case("and r3, r2, #4; ldr r4, [r1, r3]", &[0xe590_2000, 0xe202_3004, 0xe791_4003], &[(8, "load")]),
        case("and r3, r2, #4; ldrh r4, [r1, r3]", &[0xe590_2000, 0xe202_3004, 0xe191_40b3], &[(8, "load")]),
        case("add r3, r1, r2, lsr #32; ldm r3, {r4, r5}", &[0xe590_2000, 0xe081_3022, 0xe893_0030], &[]),
        case("and r3, r2, #4; str r1, [r0, r3]", &[0xe590_2000, 0xe202_3004, 0xe780_1003], &[(8, "store")]),
        case("and r3, r2, #4; sub sp, sp, r3", &[0xe590_2000, 0xe202_3004, 0xe04d_d003], &[(8, "stack")]),
        case("cmp r2, #0; movne r4, r1", &[0xe590_2000, 0xe352_0000, NOP, 0x11a0_4001], &[]),
        case("cmp r2, #0; moveq r4, r1", &[0xe590_2000, 0xe352_0000, NOP, 0x01a0_4001], &[]),
        case("cmp r2, #0; ldrne r4, [r1]", &[0xe590_2000, 0xe352_0000, 0x1591_4000], &[(8, "condition")]),
        case("cmp r2, #0; ldreq r4, [r1]", &[0xe590_2000, 0xe352_0000, 0x0591_4000], &[(8, "condition")]),
        case("cmp r2, #0; muleq r4, r1, r1", &[0xe590_2000, 0xe352_0000, 0x0004_0191], &[(8, "condition")]),
        case("moveq r4, r1, lsl r1: two cycles", &[0xe590_2000, 0xe352_0000, 0x01a0_4111], &[(8, "condition")]),
        // What is executed waits for the word that r5 gets, what is not does not.
        case("ldr r5, [r1]; movne r4, r5", &[0xe590_2000, 0xe352_0000, 0xe591_5000, 0x11a0_4005], &[(12, "condition")]),
        case("mul r4, r1, r2", &[0xe590_2000, 0xe004_0291], &[(4, "multiply")]),
        case("mul r4, r2, r1", &[0xe590_2000, 0xe004_0192], &[]),
        case("and r3, r2, #255; mul r4, r1, r3", &[0xe590_2000, 0xe202_30ff, 0xe004_0391], &[]),
        case("umull r4, r5, r1, r2: as long for every factor", &[0xe590_2000, 0xe085_4291], &[]),
    ];
    assert_leaks(bare::<Shadowed<u32>>("armv5te").processor_mut(), CODE, RAM, &REGISTERS, &cases);
    for (core, leaks) in [("sa1", &[(4, "multiply")][..]), ("xscale", &[(4, "multiply")])] {
        let multiply = case("mul r4, r1, r2", &[0xe590_2000, 0xe004_0291], leaks);
        assert_leaks(bare::<Shadowed<u32>>(core).processor_mut(), CODE, RAM, &REGISTERS, &[multiply]);
    }
}

/// Where the pipeline goes on under a miss, an instruction that uses late data takes another time if it is left out.
#[test]
fn a_condition_on_a_secret_is_told_where_data_may_be_on_their_way() {
    // ldr r4, [r0, #64]; ldr r2, [r0]; cmp r2, #0; nop four times; movne r5, r4
    let words = [0xe590_4040, 0xe590_2000, 0xe352_0000, NOP, NOP, NOP, NOP, 0x11a0_5004, RETURN];
    let image = ImageBuilder::of_arm(CODE, &[("f", &words)]).build();
    let latency = json!({"read_first_ns": 90, "read_next_ns": 10, "write_first_ns": 50, "write_next_ns": 10,
        "bus_bytes": 4, "cached": "yes"});
    let cache = json!({"size": 256, "line": 32, "ways": 2, "replacement": "lru"});
    for (outstanding, kinds) in [(4, &["condition"][..]), (0, &[])] {
        let mut description = description("xscale");
        description["memory"][0]["latency"] = latency.clone();
        description["cache"] = json!({"dcache": cache, "fill": {"outstanding": outstanding}});
        let mut chip = shadowed_from_json(&description.to_string()).unwrap();
        chip.load_elf(&image).unwrap();
        chip.mark(RAM, 4, true).unwrap();
        let argument = Argument { value: RAM.into(), size_bytes: 4 };
        let result = chip.call(CODE, &[argument], 100_000, Observe::Secrets).unwrap();
        let found: Vec<_> = result.leaks.unwrap().iter().map(|leak| leak.kind).collect();
        assert_eq!(found, kinds, "{outstanding} lines on their way");
    }
}

/// What a secret selects is secret: by a condition, in a register, in the flags and in memory, and by an address.
#[test]
fn what_a_secret_selects_is_secret() {
    let cases: [(&str, &[u32]); 8] = [
        ("cmp r2, #0; movne r4, r1", &[0xe590_2000, 0xe352_0000, 0x11a0_4001, 0xe580_4040]),
        ("cmp r2, #0; moveq r4, r1", &[0xe590_2000, 0xe352_0000, 0x01a0_4001, 0xe580_4040]),
        ("ldreq r4, [r1]", &[0xe590_2000, 0xe352_0000, 0x0591_4000, 0xe580_4040]),
        ("strne r1, [r0, #64]", &[0xe590_2000, 0xe352_0000, 0x1580_1040]),
        ("streq r1, [r0, #64]", &[0xe590_2000, 0xe352_0000, 0x0580_1040]),
        ("and r3, r2, #4; ldr r4, [r1, r3]", &[0xe590_2000, 0xe202_3004, 0xe791_4003, 0xe580_4040]),
        ("ldmeq r1, {r4, r5}", &[0xe590_2000, 0xe352_0000, 0x0891_0030, 0xe580_4040]),
        ("umulleq r4, r5, r1, r1", &[0xe590_2000, 0xe352_0000, 0x0085_4191, 0xe580_4040]),
    ];
    let mut chip = bare::<Shadowed<u32>>("armv5te");
    for (text, words) in cases {
        for (secret, wanted) in [(4, [0xff; 4]), (0, [0; 4])] {
            chip.write(Space::Data, RAM, &SECRET).unwrap();
            keep_secret(chip.processor_mut(), RAM, secret);
            watch(chip.processor_mut(), CODE, &bytes_of(words), &REGISTERS).expect(text);
            assert_eq!(secret_bits(chip.processor(), RAM + 64), wanted, "{text}");
        }
    }
    // ldrb: of a byte that a secret selects, eight bits are secret.
    keep_secret(chip.processor_mut(), RAM, 4);
    let words = [0xe590_2000, 0xe202_3004, 0xe7d1_4003, 0xe580_4040];
    watch(chip.processor_mut(), CODE, &bytes_of(&words), &REGISTERS).unwrap();
    assert_eq!(secret_bits(chip.processor(), RAM + 64), [0xff, 0, 0, 0]);
    // cmpne r1, #0; movcs r4, r1: the flags are as secret as the condition under which they are set.
    let words = [0xe590_2000, 0xe352_0000, 0x1351_0000, 0x21a0_4001, 0xe580_4040];
    watch(chip.processor_mut(), CODE, &bytes_of(&words), &REGISTERS).unwrap();
    assert_eq!(secret_bits(chip.processor(), RAM + 64), [0xff; 4]);
}

/// By the sample core's data.
#[test]
fn waits_have_their_causes() {
    let cases: [(&str, &[u32], Stalls); 8] = [
        ("ldr r2, [r0]; add r3, r2, #1", &[0xe590_2000, 0xe282_3001], &[(4, Cause::Result, 2)]),
        ("ldr r2, [r0]; nop; add r3, r2, #1", &[0xe590_2000, NOP, 0xe282_3001], &[(8, Cause::Result, 1)]),
        ("b .+4, not predicted", &[0xeaff_ffff], &[(0, Cause::Branch, 4)]),
        ("add pc, pc, #0", &[0xe28f_f000, NOP], &[(0, Cause::Branch, 4)]),
        ("muls r4, r0, r0", &[0xe014_0090], &[(0, Cause::Multiply, 3)]),
        ("mul r4, r0, r0; mul r5, r0, r0", &[0xe004_0090, 0xe005_0090], &[(4, Cause::Multiply, 2)]),
        ("mul r4, r0, r0; add r5, r4, #1", &[0xe004_0090, 0xe284_5001], &[(4, Cause::Result, 3)]),
        ("mov r4, r0, lsl r1: its own two cycles", &[0xe1a0_4110], &[]),
    ];
    let mut chip = bare::<u32>("armv5te");
    for (text, words, stalls) in cases {
        let seen = watch(chip.processor_mut(), CODE, &bytes_of(words), &REGISTERS).expect(text);
        assert_eq!(seen.stalls, stalls, "{text}");
    }
    // ldr r2, [r0, #4]; strh r2, [r0, #8]
    let seen = watch(chip.processor_mut(), CODE, &bytes_of(&[0xe590_2004, 0xe1c0_20b8]), &REGISTERS).unwrap();
    assert_eq!(seen.accesses, [(0, (RAM + 4, 4, false)), (4, (RAM + 8, 2, true))]);
}

fn cached(uncached: bool) -> Arm<Hierarchy> {
    let mut description = description("armv4");
    let latency = |cached: &str| {
        json!({"read_first_ns": 100, "read_next_ns": 10, "write_first_ns": 50, "write_next_ns": 10, "bus_bytes": 4,
            "cached": cached})
    };
    description["memory"][0]["latency"] = latency(if uncached { "no" } else { "yes" });
    description["memory"][1]["latency"] = latency("yes");
    let cache = |size: u32| json!({"size": size, "line": 32, "ways": 2, "replacement": "lru"});
    description["cache"] = json!({"icache": cache(1024), "dcache": cache(256)});
    let description = Description::from_json(&description.to_string()).unwrap();
    arm::chip(&description, Hierarchy::of(&description).unwrap()).unwrap()
}

/// A line takes 100 ns and seven times 10, a word 100: cycles of 5 ns.
#[test]
fn misses_are_told_from_memory_without_a_cache() {
    // ldr r2, [r0]; ldr r3, [r0, #4]
    let words = bytes_of(&[0xe590_2000, 0xe590_3004]);
    let seen = watch(cached(false).processor_mut(), CODE, &words, &REGISTERS).unwrap();
    assert_eq!(seen.stalls, [(0, Cause::FetchMiss, 34), (0, Cause::DataMiss, 34)]);
    let seen = watch(cached(true).processor_mut(), CODE, &words, &REGISTERS).unwrap();
    assert_eq!(seen.stalls, [(0, Cause::FetchMiss, 34), (0, Cause::Data, 20), (4, Cause::Data, 20)]);
}

#[test]
fn causes_take_no_more_cycles_than_their_instruction() {
    fn check<M: MemorySystem>(mut chip: Arm<M>) {
        assert_causes_fit(chip.processor_mut(), CODE, &REGISTERS, |random| {
            (0..8).flat_map(|_| random_instruction(random).to_le_bytes()).collect()
        });
    }
    for core in ["armv4", "armv5te", "sa1", "xscale"] {
        check(bare::<u32>(core));
    }
    check(cached(false));
    check(cached(true));
}
