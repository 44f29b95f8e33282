//! Calls, faults, stack peaks, memories and images.

use crate::common::image::ImageBuilder;
use crate::common::{chip, chip_with, core_data, description, CORES, RAM, RAM_END};
use serde_json::json;
use steelyard_emu::avr::{self, Avr};
use steelyard_emu::profile::Class;
use steelyard_emu::{machine_from_json, Argument, CallResult, Error, FaultKind, Machine, Observe, Space};

const BUDGET: u64 = 1_000_000;

// add r24,r22; adc r25,r23; ret
const ADD: &[u16] = &[0x0f86, 0x1f97, 0x9508];
// ldi r18,3; again: dec r18; brne again; ret
const LOOP: &[u16] = &[0xe023, 0x952a, 0xf7f1, 0x9508];
// Z = SP; ldd r24,Z+3; ret
const STACK_ARGUMENT: &[u16] = &[0xb7ed, 0xb7fe, 0x8183, 0x9508];
// Saves Y, makes a frame of 20 bytes, SPH before SREG before SPL as compilers do, and takes it down again.
const FRAME_HIGH_FIRST: &[u16] = &[
    0x93cf, 0x93df, 0xb7cd, 0xb7de, 0x9764, 0xb60f, 0x94f8, 0xbfde, 0xbe0f, 0xbfcd, 0x9664, 0xb60f, 0x94f8, 0xbfde,
    0xbe0f, 0xbfcd, 0x91df, 0x91cf, 0x9508,
];
// The same with SPL before SPH, as compilers do for AVRxt.
const FRAME_LOW_FIRST: &[u16] =
    &[0x93cf, 0x93df, 0xb7cd, 0xb7de, 0x9764, 0xbfcd, 0xbfde, 0x9664, 0xbfcd, 0xbfde, 0x91df, 0x91cf, 0x9508];
// A frame of 8 bytes through SPL alone.
const FRAME_LOW_ONLY: &[u16] = &[0xb7cd, 0x50c8, 0xbfcd, 0, 0, 0, 0, 0, 0x5fc8, 0xbfcd, 0x9508];
const FOREVER: &[u16] = &[0xcfff];
const RECURSE: &[u16] = &[0xdfff];
// Pops the return address, pushes a byte under it, returns.
const BAD_RETURN: &[u16] = &[0x919f, 0x918f, 0x921f, 0x938f, 0x939f, 0x9508];
const SLEEP: &[u16] = &[0x9588, 0x9508];
const ERASED: &[u16] = &[0xffff, 0x9508];

fn store_and_load(address: u16) -> Vec<u16> {
    // sts address,r24; lds r24,address; ret
    vec![0x9380, address, 0x9180, address, 0x9508]
}

fn loaded(mut chip: Avr, words: &[u16]) -> Avr {
    chip.load_elf(&ImageBuilder::of(&[("f", words)]).build()).unwrap();
    chip
}

fn call(chip: &mut Avr, arguments: &[(u64, u32)]) -> CallResult {
    let arguments: Vec<_> = arguments.iter().map(|&(value, size_bytes)| Argument { value, size_bytes }).collect();
    let function = chip.symbols().get("f").unwrap().address;
    chip.call(function, &arguments, BUDGET, Observe::Profile).unwrap()
}

fn call_words(core: &str, words: &[u16]) -> CallResult {
    call(&mut loaded(chip(core), words), &[])
}

fn fault(core: &str, words: &[u16]) -> FaultKind {
    call_words(core, words).fault.expect("a fault").kind
}

fn result16(result: &CallResult) -> u64 {
    result.return_value >> 48
}

#[test]
fn a_call_costs_the_cores_call_and_what_the_function_does() {
    for (core, cycles) in [("avr31", 10), ("avr25", 9), ("avr5", 10), ("avr51", 10), ("avrxt", 9)] {
        let mut chip = loaded(chip(core), ADD);
        let sp = chip.processor().sp;
        let result = call(&mut chip, &[(0x12ff, 2), (0x0101, 2)]);
        assert_eq!(result.fault, None);
        assert_eq!((result.cycles, result.instructions, result.stack_bytes), (cycles, 4, 2), "{core}");
        assert_eq!(result16(&result), 0x1400);
        assert_eq!(chip.processor().sp, sp);
        let mix = |class: Class| result.totals.mix[class as usize];
        assert_eq!((mix(Class::Alu), mix(Class::Return), mix(Class::Call)), (2, 1, 1));
        assert_eq!(result.totals.mix.iter().sum::<u64>(), result.instructions);
    }
}

#[test]
fn branches_are_counted_and_timed() {
    let result = call_words("avr51", LOOP);
    assert_eq!((result.cycles, result.instructions), (17, 9));
    assert_eq!((result.totals.branches, result.totals.branches_taken), (3, 2));
}

#[test]
fn every_observation_sees_the_same_cycles() {
    let mut chip = loaded(chip("avr51"), FRAME_HIGH_FIRST);
    let results: Vec<CallResult> = [Observe::Nothing, Observe::Stack, Observe::Profile]
        .map(|observe| chip.call(0, &[], BUDGET, observe).unwrap())
        .into();
    assert!(results.iter().all(|result| result.cycles == results[0].cycles && result.fault.is_none()));
    assert_eq!(results.iter().map(|result| result.stack_bytes).collect::<Vec<_>>(), [0, 24, 24]);
    assert_eq!(results.iter().map(|result| result.instructions).collect::<Vec<_>>(), [0, 20, 20]);
}

#[test]
fn the_profile_books_cycles_to_functions_and_labels() {
    // main: rcall leaf; rcall label; ret   leaf: nop; ret   label (no size): nop; nop; ret
    let mut image = ImageBuilder::of(&[("main", &[0xd002, 0xd003, 0x9508]), ("leaf", &[0, 0x9508])]);
    let label = image.program.len() as u32;
    image.program.extend(crate::common::bytes_of(&[0, 0, 0x9508]));
    image.symbols.push(("label", label, 0, false));
    image.symbols.push(("inside_leaf", 8, 0, false));
    let mut chip = chip("avr51");
    chip.load_elf(&image.build()).unwrap();
    let result = chip.call(0, &[], BUDGET, Observe::Profile).unwrap();
    let costs: Vec<_> =
        result.totals.functions.iter().map(|cost| (cost.name.as_str(), cost.cycles, cost.instructions)).collect();
    assert_eq!(costs, [("main", 10, 3), ("label", 6, 3), ("leaf", 5, 2), ("?", 4, 1)]);
    assert_eq!(result.totals.functions.iter().map(|cost| cost.cycles).sum::<u64>(), result.cycles);
    assert_eq!(result.stack_bytes, 4);
}

#[test]
fn arguments_behind_the_registers_are_on_the_stack() {
    let mut chip = loaded(chip("avr51"), STACK_ARGUMENT);
    let sp = chip.processor().sp;
    let result = call(&mut chip, &[(0, 8), (0, 8), (0, 2), (0xa5, 1), (0x1234, 2)]);
    assert_eq!(result.fault, None);
    assert_eq!(result16(&result) & 0xff, 0xa5);
    assert_eq!((result.stack_bytes, chip.processor().sp), (2, sp));
}

#[test]
fn r1_is_zero_at_a_call() {
    // mov r24,r1; ret
    let mut chip = loaded(chip("avr51"), &[0x2d81, 0x9508]);
    chip.processor_mut().registers[1] = 0x55;
    assert_eq!(result16(&call(&mut chip, &[])) & 0xff, 0);
}

/// The stack pointer stands where moving it by 20 changes its high byte: between its two halves it names an
/// address 236 bytes too low, which is no use of the stack.
#[test]
fn a_stack_pointer_between_its_halves_is_no_peak() {
    for (words, peak) in [(FRAME_HIGH_FIRST, 24), (FRAME_LOW_FIRST, 24), (FRAME_LOW_ONLY, 10)] {
        let mut chip = loaded(chip("avr51"), words);
        chip.processor_mut().sp = 0x3f10;
        let result = call(&mut chip, &[]);
        assert_eq!((result.fault.as_ref(), result.stack_bytes), (None, peak));
    }
}

#[test]
fn faults_are_typed_and_say_where() {
    assert_eq!(fault("avr51", FOREVER), FaultKind::CycleBudget);
    assert_eq!(fault("avr51", BAD_RETURN), FaultKind::BadReturn);
    assert_eq!(fault("avr51", SLEEP), FaultKind::Sleep);
    assert_eq!(fault("avr51", ERASED), FaultKind::IllegalOpcode);
    assert_eq!(fault("avr51", &store_and_load(0x1800)), FaultKind::UnmappedAddress);
    assert_eq!(fault("avrxt", &store_and_load(0x4000)), FaultKind::WriteToFlash);
    // Z = 0xffff; lpm: beyond the flash of 4 KB
    assert_eq!(fault("avr25", &[0xefef, 0xefff, 0x95c8, 0x9508]), FaultKind::UnmappedAddress);
    // Z = 0x7000; ijmp: beyond the flash of 32 KB, which is 0x4000 words
    let lost = call_words("avr5", &[0xe0e0, 0xe7f0, 0x9409]).fault.unwrap();
    assert_eq!((lost.kind, lost.pc, lost.address), (FaultKind::UnmappedAddress, 0xe000, Some(0xe000)));
    let fault = call_words("avr51", &[0, 0, 0xffff]).fault.unwrap();
    assert_eq!((fault.pc, fault.kind.name()), (4, "illegal-opcode"));
    assert_eq!(fault.message, "0xffff at 0x0004 (f+0x4) is no instruction of the avr51 core");
}

#[test]
fn the_cycle_budget_is_the_callers() {
    let mut chip = loaded(chip("avr51"), LOOP);
    assert!(chip.call(0, &[], 17, Observe::Nothing).unwrap().fault.is_none());
    let short = chip.call(0, &[], 13, Observe::Nothing).unwrap();
    assert_eq!(short.fault.unwrap().kind, FaultKind::CycleBudget);
}

#[test]
fn the_stack_stays_above_its_ram_and_the_static_data() {
    let overflow = call_words("avr51", RECURSE);
    let fault = overflow.fault.unwrap();
    assert_eq!((fault.kind, fault.address), (FaultKind::StackOverflow, Some(u32::from(RAM) - 1)));
    assert_eq!(overflow.stack_bytes, u32::from(RAM_END - RAM) + 1);

    let mut image = ImageBuilder::of(&[("f", RECURSE)]);
    image.symbols.push(("_end", 0x80_3000, 0, false));
    let mut chip = chip("avr51");
    chip.load_elf(&image.build()).unwrap();
    let fault = call(&mut chip, &[]).fault.unwrap();
    assert_eq!((fault.kind, fault.address), (FaultKind::StackOverflow, Some(0x2fff)));
}

#[test]
fn static_data_that_fill_the_ram_leave_no_stack() {
    // Two bytes of return address and two pushed.
    for (end, overflows) in [(RAM_END - 3, false), (RAM_END - 2, true), (RAM_END + 1, true)] {
        let mut image = ImageBuilder::of(&[("f", &[0x921f, 0x921f, 0x910f, 0x910f, 0x9508])]);
        image.symbols.push(("_end", 0x80_0000 + u32::from(end), 0, false));
        let mut chip = chip("avr51");
        chip.load_elf(&image.build()).unwrap();
        let fault = call(&mut chip, &[]).fault;
        assert_eq!(fault.map(|fault| fault.kind), overflows.then_some(FaultKind::StackOverflow));
    }
}

#[test]
fn a_stack_that_grows_below_address_0_is_no_smaller_one() {
    // in r28, SPL; in r29, SPH; subi r28, 0; sbci r29, 0x80; out SPH, r29; out SPL, r28; ret
    let frame = call_words("avr51", &[0xb7cd, 0xb7de, 0x50c0, 0x48d0, 0xbfde, 0xbfcd, 0x9508]).fault.unwrap();
    assert_eq!(frame.kind, FaultKind::StackOverflow);
    assert!(frame.message.contains("below address 0"), "{}", frame.message);
}

#[test]
fn external_memory_makes_loads_stores_and_the_stack_wait() {
    let mut description = description("avr31", json!({}));
    description["memory"].as_array_mut().unwrap().push(json!({
        "name": "xram", "space": "data", "kind": "ram", "base": 0x1000, "size": 0x1000,
        "wait_read_cycles": 1, "wait_write_cycles": 1, "external": true
    }));
    let mut machine = machine_from_json(&description.to_string()).unwrap();
    let mut cycles = |words: &[u16]| {
        machine.load_elf(&ImageBuilder::of(&[("f", words)]).build()).unwrap();
        let result = machine.call(0, &[Argument { value: 0x5a, size_bytes: 1 }], BUDGET, Observe::Profile).unwrap();
        assert_eq!(result.fault, None);
        assert_eq!(result.totals.functions.iter().map(|cost| cost.cycles).sum::<u64>(), result.cycles);
        assert_eq!(result16(&result) & 0xff, 0x5a);
        (result.cycles, result.totals.loads, result.totals.stores)
    };
    assert_eq!(cycles(&store_and_load(RAM)), (12, 1, 1));
    assert_eq!(cycles(&store_and_load(0x1000)), (14, 1, 1));

    let mut chip = avr::chip(&steelyard_emu::Description::from_json(&description.to_string()).unwrap()).unwrap();
    chip = loaded(chip, ADD);
    chip.processor_mut().sp = 0x1fff;
    // Two waits for the return address going out, two for it coming back.
    assert_eq!(call(&mut chip, &[]).cycles, 14);
}

#[test]
fn flash_and_eeprom_in_the_data_space_cost_a_cycle_more() {
    let mut chip = loaded(chip("avrxt"), &[0x9180, 0x4000, 0x9508]);
    let result = call(&mut chip, &[]);
    assert_eq!((result.cycles, result16(&result) & 0xff), (11, 0x80));
    let mut chip = loaded(crate::common::chip("avrxt"), &[0x9180, 0x1412, 0x9508]);
    chip.write(Space::Eeprom, 0x12, &[0xa5]).unwrap();
    let result = call(&mut chip, &[]);
    assert_eq!((result.cycles, result16(&result) & 0xff), (11, 0xa5));
}

const EEPROM_OPTIONS: &str = r#"{"eecr_address": 63, "eedr_address": 64, "eear_address": 65, "eeprom_write_us": 3400}"#;

#[test]
fn the_eeprom_is_written_by_its_timed_sequence_and_read_back() {
    // EEAR = 0x12, EEDR = 0xa5, EEMPE, EEPE, wait for EEPE, EEDR = 0, EERE, r24 = EEDR
    let words = [
        0xe102, 0x9300, 0x0041, 0xea05, 0x9300, 0x0040, 0x9afa, 0x9af9, 0x99f9, 0xcffe, 0x9210, 0x0040, 0x9af8, 0x9180,
        0x0040, 0x9508,
    ];
    let mut chip = loaded(chip_with("avr5", serde_json::from_str(EEPROM_OPTIONS).unwrap()), &words);
    let result = call(&mut chip, &[]);
    assert_eq!((result.fault.as_ref(), result16(&result) & 0xff), (None, 0xa5));
    assert_eq!(chip.read(Space::Eeprom, 0x11, 3).unwrap(), [0xff, 0xa5, 0xff]);
    // 3400 us at 16 MHz.
    assert!((54_400..54_450).contains(&result.cycles), "{} cycles", result.cycles);
    assert_eq!(result.totals.functions.iter().map(|cost| cost.cycles).sum::<u64>(), result.cycles);
}

#[test]
fn the_eeprom_ignores_a_write_out_of_sequence() {
    // EEMPE and EEPE at once; then EEPE five cycles after EEMPE.
    let words =
        [0xe102, 0x9300, 0x0041, 0x9210, 0x0040, 0xe006, 0xbb0f, 0x9afa, 0x0000, 0x0000, 0x0000, 0x9af9, 0x9508];
    let mut chip = loaded(chip_with("avr5", serde_json::from_str(EEPROM_OPTIONS).unwrap()), &words);
    assert_eq!(call(&mut chip, &[]).fault, None);
    assert_eq!(chip.read(Space::Eeprom, 0x12, 1).unwrap(), [0xff]);
}

#[test]
fn avrxt_writes_its_eeprom_through_the_data_space() {
    // (0x1412) = 0xa5; CCP = 0x9d; CTRLA = erase and write; wait for EEBUSY; r24 = (0x1412)
    let words = [
        0xea05, 0x9300, 0x1412, 0xe90d, 0xe013, 0xbf04, 0x9310, 0x1000, 0x9100, 0x1002, 0xfd01, 0xcffc, 0x9180, 0x1412,
        0x9508,
    ];
    let options = json!({"nvmctrl_address": 0x1000, "ccp_address": 0x34, "eeprom_write_us": 100});
    let mut chip = loaded(chip_with("avrxt", options.clone()), &words);
    let result = call(&mut chip, &[]);
    assert_eq!((result.fault.as_ref(), result16(&result) & 0xff), (None, 0xa5));
    assert!(result.cycles > 1600, "the write takes 100 us");
    assert_eq!(chip.read(Space::Eeprom, 0x12, 1).unwrap(), [0xa5]);

    let mut locked = words;
    locked[5] = 0x0000;
    let mut chip = loaded(chip_with("avrxt", options), &locked);
    assert_eq!(result16(&call(&mut chip, &[])) & 0xff, 0xff, "without the unlock nothing is written");
}

#[test]
fn a_program_writes_and_runs_new_code() {
    // Erases the page at 0x0c00, writes `ldi r24,0x8a ^ ..` and `ret` there, calls it.
    let words = [
        0xe0e0, 0xe0fc, 0xe003, 0xbf07, 0x95e8, 0xe81a, 0x2e01, 0xee15, 0x2e11, 0xe001, 0xbf07, 0x95e8, 0x9632, 0xe018,
        0x2e01, 0xe915, 0x2e11, 0xe001, 0xbf07, 0x95e8, 0x9732, 0xe005, 0xbf07, 0x95e8, 0x2411, 0xe0e0, 0xe0f6, 0x9509,
        0x9508,
    ];
    for core in ["avr25", "avr5", "avr51"] {
        let mut chip = loaded(chip_with(core, json!({"spmcsr_address": 0x57, "spm_page_bytes": 64})), &words);
        chip.write(Space::Program, 0x0c00, &[0x00; 128]).unwrap();
        chip.snapshot();
        let result = call(&mut chip, &[]);
        assert_eq!((result.fault.as_ref(), result16(&result) & 0xff), (None, 0x5a), "{core}");
        assert_eq!(chip.read(Space::Program, 0x0c00, 6).unwrap(), [0x8a, 0xe5, 0x08, 0x95, 0xff, 0xff]);
        assert_eq!(chip.read(Space::Program, 0x0c40, 1).unwrap(), [0x00], "the next page is another one");
        assert_eq!(result.totals.mix.iter().sum::<u64>(), result.instructions);
        assert_eq!(result.totals.functions.iter().map(|cost| cost.cycles).sum::<u64>(), result.cycles);
        chip.restore().unwrap();
        assert_eq!(chip.read(Space::Program, 0x0c00, 2).unwrap(), [0, 0]);
        assert_eq!(result16(&call(&mut chip, &[])) & 0xff, 0x5a);
    }
}

#[test]
fn a_snapshot_brings_back_memories_and_registers() {
    let mut chip = loaded(chip("avr51"), &store_and_load(RAM));
    chip.write(Space::Data, u32::from(RAM), &[7]).unwrap();
    chip.write(Space::Eeprom, 3, &[9]).unwrap();
    chip.snapshot();
    let (registers, sp) = (chip.processor().registers, chip.processor().sp);
    call(&mut chip, &[(0x55, 1)]);
    chip.write(Space::Eeprom, 3, &[1]).unwrap();
    chip.write(Space::Program, 0, &[0xff]).unwrap();
    assert_eq!(chip.read(Space::Data, u32::from(RAM), 1).unwrap(), [0x55]);
    chip.restore().unwrap();
    assert_eq!(chip.read(Space::Data, u32::from(RAM), 1).unwrap(), [7]);
    assert_eq!(chip.read(Space::Eeprom, 3, 1).unwrap(), [9]);
    assert_eq!(chip.read(Space::Program, 0, 1).unwrap(), [0x80]);
    assert_eq!((chip.processor().registers, chip.processor().sp), (registers, sp));
    assert!(crate::common::chip("avr51").restore().is_err());
}

#[test]
fn start_up_code_runs_to_a_symbol() {
    // ldi r28,0xff; ldi r29,0x3e; out SPL; out SPH; ready: rjmp ready
    let mut image = ImageBuilder::of(&[("_start", &[0xefcf, 0xe3de, 0xbfcd, 0xbfde]), ("ready", FOREVER)]);
    image.data = Some((u32::from(RAM) + 16, vec![1, 2, 3]));
    let mut chip = chip("avr51");
    chip.load_elf(&image.build()).unwrap();
    let ready = chip.symbols().get("ready").unwrap().address;
    chip.run_until(ready, 100).unwrap();
    assert_eq!((chip.processor().sp, u32::from(chip.processor().pc) * 2), (0x3eff, ready));
    assert_eq!(chip.read(Space::Data, u32::from(RAM) + 16, 3).unwrap(), [1, 2, 3]);
    let program = image.program.len() as u32;
    assert_eq!(chip.read(Space::Program, program, 3).unwrap(), [1, 2, 3], "the initial values lie behind the program");
    let refused = chip.run_until(ready, 2).unwrap_err();
    assert!(refused.to_string().contains("cycle budget"), "{refused}");
}

#[test]
fn images_of_other_machines_and_too_large_ones_are_refused() {
    let mut chip = chip("avr25");
    let good = ImageBuilder::of(&[("f", ADD)]).build();
    let mut foreign = good.clone();
    foreign[18] = 40;
    let sentences: Vec<String> = [
        &foreign[..],
        &good[..40],
        b"",
        b"not an image",
        &ImageBuilder::of(&[("f", &[0; 0x801])]).build(),
        &ImageBuilder { data: Some((0x1000, vec![1])), ..ImageBuilder::of(&[("f", ADD)]) }.build(),
    ]
    .iter()
    .map(|bytes| match chip.load_elf(bytes) {
        Err(Error::Elf(sentence)) => sentence,
        other => panic!("{other:?}"),
    })
    .collect();
    assert!(sentences[0].contains("machine 40"), "{}", sentences[0]);
    assert!(sentences[4].contains("does not fit"), "{}", sentences[4]);
    assert!(sentences.iter().all(|sentence| !sentence.contains('\n')));
}

/// Mutations of a good image are loaded or refused, and what loads can be called, all without a panic.
#[test]
fn mutated_images_never_panic() {
    let mut image = ImageBuilder::of(&[("f", FRAME_HIGH_FIRST), ("g", LOOP)]);
    image.data = Some((u32::from(RAM), vec![1, 2, 3, 4]));
    image.symbols.push(("_end", 0x80_2900, 0, false));
    let good = image.build();
    let mut chip = chip("avr25");
    let mut random: u32 = 1;
    let mut next = |limit: usize| {
        // A linear congruential generator (Numerical Recipes constants) is enough to pick places and values.
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as usize % limit
    };
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..3000 {
        let mut bytes = good.clone();
        for _ in 0..=next(4) {
            let place = next(bytes.len());
            bytes[place] = [0x00, 0x01, 0x7f, 0x80, 0xff, next(256) as u8][next(6)];
        }
        if next(10) == 0 {
            bytes.truncate(next(bytes.len()));
        }
        match chip.load_elf(&bytes) {
            Ok(()) => {
                accepted += 1;
                let _ = chip.call(0, &[], 1000, Observe::Profile);
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(refused > 100 && accepted > 100, "{refused} refused, {accepted} accepted");
}

#[test]
fn wrong_descriptions_are_refused_in_a_sentence() {
    type Change<'a> = &'a dyn Fn(&mut serde_json::Value);
    let refusal = |change: Change| {
        let mut description = description("avr51", json!({}));
        change(&mut description);
        machine_from_json(&description.to_string()).err().expect("a refusal").to_string()
    };
    let cases: [(&str, Change); 9] = [
        ("no CPU family `z80`", &|d| d["core"]["family"] = json!("z80")),
        ("no cycle count for `add`", &|d| drop(d["core"]["cycles"].as_object_mut().unwrap().remove("add"))),
        ("which is no instruction", &|d| d["core"]["cycles"]["bogus"] = json!(1)),
        ("no feature `fast`", &|d| d["core"]["features"] = json!(["fast"])),
        ("which it lacks", &|d| d["core"]["features"] = json!(["jmp-call"])),
        ("cannot call with `jump`", &|d| d["core"]["call"] = json!("jump")),
        ("no option `turbo`", &|d| d["core_options"]["turbo"] = json!(1)),
        ("overlaps", &|d| d["memory"][2]["base"] = json!(RAM)),
        ("256 KB", &|d| d["memory"][0]["size"] = json!(0x8_0000)),
    ];
    for (words, change) in cases {
        let sentence = refusal(change);
        assert!(sentence.contains(words), "`{sentence}` does not say `{words}`");
    }
    assert!(machine_from_json("{").is_err());
}

#[test]
fn every_core_file_names_its_sources() {
    for (core, _) in CORES {
        let data = core_data(core);
        assert_eq!(data["id"], core);
        assert!(!data["source"].as_array().unwrap().is_empty(), "{core}");
    }
}
