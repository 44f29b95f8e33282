//! Cortex-M: what a comparison with another simulator does not show: faults, alignment, timers, the flash's read path.

use crate::common::core_data;
use crate::common::cortex_m::{description, Bench, CODE, FLASH, RAM, RETURN};
use crate::common::observed::{assert_causes_fit, assert_leaks, keep_secret, secret_bits, watch, Case, Stalls, SECRET};
use crate::common::values::{assert_alike, Random};
use serde_json::{json, Value};
use steelyard_emu::cortex_m::decode::{Place, LR, PC, SP};
use steelyard_emu::cortex_m::isa::{self, Feature};
use steelyard_emu::cortex_m::{self, CortexM};
use steelyard_emu::memory_system::{FlashPath, Immediate, MemorySystem};
use steelyard_emu::observe::Cause;
use steelyard_emu::profile::Class;
use steelyard_emu::value::{Beside, HeldWord, Shadowed};
use steelyard_emu::{machine_from_json, Argument, CallResult, Description, FaultKind, Machine, Observe, Space};

const ALL: [&str; 5] = ["cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m33"];
const NARROW: [&str; 2] = ["cortex-m0", "cortex-m0plus"];
const WIDE: [&str; 3] = ["cortex-m3", "cortex-m4", "cortex-m33"];
const NOP: u16 = 0xbf00;

fn run(core: &str, halves: &[u16]) -> CallResult {
    Bench::new(&core_data(core)).unwrap().run(halves)
}

fn returned(core: &str, halves: &[u16]) -> u32 {
    let result = run(core, halves);
    assert!(result.fault.is_none(), "{core}: {:?}", result.fault);
    result.return_value as u32
}

fn fault(core: &str, halves: &[u16]) -> FaultKind {
    run(core, halves).fault.unwrap_or_else(|| panic!("{core}: no fault")).kind
}

/// DDI 0419, A3.2.1: ARMv6-M faults on every unaligned access.
#[test]
fn armv6m_refuses_every_unaligned_access() {
    for core in NARROW {
        assert_eq!(returned(core, &[0x58c0]), 0x1716_1514, "ldr r0, [r0, r3]");
        assert_eq!(fault(core, &[0x3001, 0x6800]), FaultKind::UnalignedAddress, "adds r0, #1; ldr r0, [r0]");
        assert_eq!(fault(core, &[0x3001, 0x8800]), FaultKind::UnalignedAddress, "adds r0, #1; ldrh r0, [r0]");
        assert_eq!(fault(core, &[0x3002, 0x6001]), FaultKind::UnalignedAddress, "adds r0, #2; str r1, [r0]");
        assert_eq!(fault(core, &[0x3002, 0xc806]), FaultKind::UnalignedAddress, "adds r0, #2; ldmia r0!, {{r1, r2}}");
    }
}

/// DDI 0403, A3.2.1: single loads and stores may be unaligned, all others fault.
#[test]
fn armv7m_takes_single_accesses_anywhere_and_no_others() {
    for core in WIDE {
        assert_eq!(returned(core, &[0xf8d0, 0x0001]), 0x1413_1211, "ldr.w r0, [r0, #1]");
        assert_eq!(returned(core, &[0xf8b0, 0x0001]), 0x1211, "ldrh.w r0, [r0, #1]");
        assert_eq!(returned(core, &[0xf8c0, 0x1003, 0x6840]), 0x1720_0001, "str.w r1, [r0, #3]; ldr r0, [r0, #4]");
        assert_eq!(fault(core, &[0x3002, 0xe890, 0x0006]), FaultKind::UnalignedAddress, "ldm");
        assert_eq!(fault(core, &[0x3002, 0xe9d0, 0x1200]), FaultKind::UnalignedAddress, "ldrd");
        assert_eq!(fault(core, &[0x3002, 0xe850, 0x1f00]), FaultKind::UnalignedAddress, "ldrex");
    }
}

#[test]
fn each_architecture_has_its_instructions() {
    let of_v7 = [
        ("cbz r0, .+4", vec![0xb100]),
        ("it eq; moveq r0, r1", vec![0xbf08, 0x4608]),
        ("movw r0, #1", vec![0xf240, 0x0001]),
        ("udiv r0, r0, r3", vec![0xfbb0, 0xf0f3]),
    ];
    for (name, halves) in of_v7 {
        for core in WIDE {
            assert!(run(core, &halves).fault.is_none(), "{name} on {core}");
        }
        for core in NARROW {
            assert_eq!(fault(core, &halves), FaultKind::IllegalOpcode, "{name} on {core}");
        }
    }
    for (name, halves) in [("umaal", [0xfbe2, 0x0163]), ("sadd8", [0xfa81, 0xf002])] {
        assert!(run("cortex-m4", &halves).fault.is_none(), "{name}");
        assert!(run("cortex-m33", &halves).fault.is_none(), "{name}");
        assert_eq!(fault("cortex-m3", &halves), FaultKind::IllegalOpcode, "{name}");
    }
    for (name, halves) in [("lda", [0xe8d0, 0x0faf]), ("tt", [0xe840, 0xf000]), ("sg", [0xe97f, 0xe97f])] {
        assert!(run("cortex-m33", &halves).fault.is_none(), "{name}");
        assert_eq!(fault("cortex-m4", &halves), FaultKind::IllegalOpcode, "{name}");
    }
    for core in ALL {
        assert!(run(core, &[0xf3ef, 0x8010]).fault.is_none(), "mrs r0, primask");
        assert_eq!(fault(core, &[0xdf00]), FaultKind::IllegalOpcode, "svc 0");
        assert_eq!(fault(core, &[0xbe01]), FaultKind::IllegalOpcode, "bkpt 1");
        assert_eq!(fault(core, &[0xde00]), FaultKind::IllegalOpcode, "udf");
        assert_eq!(fault(core, &[0xbf30]), FaultKind::Sleep, "wfi");
        assert!(run(core, &[0xbf40, 0xbf20]).fault.is_none(), "sev; wfe");
    }
}

#[test]
fn the_message_of_a_fault_says_where_and_what() {
    let message = |core: &str, halves: &[u16]| run(core, halves).fault.unwrap().message;
    assert_eq!(
        message("cortex-m0", &[NOP, 0xfbb0, 0xf0f3]),
        "0xfbb0 0xf0f3 at 0x100002 is no instruction of the cortex-m0 core"
    );
    assert_eq!(message("cortex-m3", &[0xdf00]), "0xdf00 at 0x100000 calls an operating system, and there is none");
    assert_eq!(
        message("cortex-m3", &[0x4618, 0x4700]),
        "the flow went to 0x0004 as A32 code, which the cortex-m3 core has not"
    );
    assert_eq!(message("cortex-m0", &[0x3001, 0x6800]), "an unaligned access to 0x20000001, wanted at 0x100002");
    assert_eq!(fault("cortex-m4", &[0xe7fe]), FaultKind::CycleBudget, "b .");
    assert_eq!(fault("cortex-m4", &[0xb082]), FaultKind::BadReturn, "sub sp, #8");
    assert_eq!(fault("cortex-m4", &[0x2000, 0x6800]), FaultKind::UnmappedAddress, "movs r0, #0; ldr r0, [r0]");
    // movs r0, #8; lsls r0, r0, #24; str r1, [r0]
    assert_eq!(fault("cortex-m4", &[0x2008, 0x0600, 0x6001]), FaultKind::WriteToFlash);
    assert_eq!(FLASH, 0x0800_0000);
}

#[test]
fn a_stack_below_its_memory_is_refused() {
    // mov sp, r0; push {r1}
    let found = run("cortex-m0", &[0x4685, 0xb402]).fault.unwrap();
    assert_eq!((found.kind, found.address), (FaultKind::StackOverflow, Some(RAM - 4)));
}

#[test]
fn stack_and_mix_are_counted() {
    // push {r1, r2}; ldr r2, [r0]; str r2, [r0]; muls r1, r2; pop {r1, r2}
    let result = run("cortex-m4", &[0xb406, 0x6802, 0x6002, 0x4351, 0xbc06]);
    assert_eq!(result.stack_bytes, 8);
    let count = |class: Class| result.totals.mix[class as usize];
    assert_eq!((count(Class::Stack), count(Class::Load), count(Class::Store), count(Class::Multiply)), (2, 1, 1, 1));
    assert_eq!((count(Class::Call), count(Class::Return)), (1, 1));
    assert_eq!((result.totals.loads, result.totals.stores), (3, 3));
    assert_eq!(result.instructions, 7);
}

#[test]
fn special_registers_keep_what_they_are_given() {
    assert_eq!(returned("cortex-m0", &[0xb672, 0xf3ef, 0x8010]), 1, "cpsid i; mrs r0, primask");
    // msr psp, r1; movs r0, #2; msr control, r0; mov r0, sp; movs r2, #0; msr control, r2
    let halves = [0xf381, 0x8809, 0x2002, 0xf380, 0x8814, 0x4668, 0x2200, 0xf382, 0x8814];
    assert_eq!(returned("cortex-m3", &halves), RAM + 0x100, "the process stack");
}

#[test]
fn code_that_changes_is_decoded_anew() {
    let mut bench = Bench::new(&core_data("cortex-m4")).unwrap();
    assert_eq!(bench.run(&[0x2001]).return_value as u32, 1, "movs r0, #1");
    assert_eq!(bench.run(&[0x2002]).return_value as u32, 2, "movs r0, #2");
    // cmp r0, r0; it ne; movne r0, #3; then the ruled instruction alone changes.
    assert_eq!(bench.run(&[0x4280, 0xbf18, 0x2003]).return_value as u32, RAM);
    bench.chip.write(Space::Program, CODE + 2, &0xbf08_u16.to_le_bytes()).unwrap();
    let again = bench.chip.call(CODE | 1, &[], 1000, Observe::Nothing).unwrap();
    assert_eq!(again.return_value as u32, 3, "it eq");
}

#[test]
fn instructions_lie_across_the_pieces_the_program_is_kept_in() {
    // Sixty-four kilobytes of it: the wide instruction and the block behind it straddle the border.
    let mut bench = Bench::new(&core_data("cortex-m4")).unwrap();
    let border = CODE + 0x1_0000;
    for (before, halves) in [
        (2, vec![0xf240_u16, 0x0007, RETURN]),             // movw r0, #7
        (4, vec![0x4280, 0xbf08, 0x2005, RETURN]),         // cmp r0, r0; it eq; moveq r0, #5
        (4, vec![0x4280, 0xbf18, 0x2005, 0x2006, RETURN]), // it ne: only movs r0, #6 is done
    ] {
        let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        bench.chip.write(Space::Program, border - before, &bytes).unwrap();
        let result = bench.chip.call((border - before) | 1, &[], 1000, Observe::Profile).unwrap();
        assert!(result.fault.is_none(), "{:?}", result.fault);
        assert!((5..=7).contains(&(result.return_value as u32)), "{:x}", result.return_value);
    }
}

/// DDI 0403, C1.8 and B3.3: firmware that times itself.
#[test]
fn the_cycle_counter_and_systick_count_the_cycles() {
    // DEMCR.TRCENA, DWT_CTRL.CYCCNTENA; reads CYCCNT, three nops, reads it again.
    let cyccnt = [
        0x4906, 0x2201, 0x0612, 0x600a, 0x4905, 0x2201, 0x600a, 0x6848, NOP, NOP, NOP, 0x684a, 0x1a10, 0x4770, 0xedfc,
        0xe000, 0x1000, 0xe000,
    ];
    assert_eq!(returned("cortex-m3", &cyccnt), 2 + 3, "a load and three nops");
    assert_eq!(returned("cortex-m33", &cyccnt), 1 + 3);
    assert_eq!(returned("cortex-m0", &cyccnt), 0, "a core without the counter");
    // SysTick counts down from 999; the same between its reads.
    let systick = [
        0x4906, 0xf240, 0x32e7, 0x604a, 0x608a, 0x2205, 0x600a, 0x6888, NOP, NOP, NOP, 0x688a, 0x1a80, 0x4770, 0xe010,
        0xe000,
    ];
    assert_eq!(returned("cortex-m4", &systick), 2 + 3);
    assert_eq!(fault("cortex-m4", &[0x2005, 0x0700, 0x6800]), FaultKind::UnmappedAddress, "0x50000000");
}

#[test]
fn event_counters_count_what_goes_beyond_a_cycle() {
    let mut bench = Bench::new(&core_data("cortex-m3")).unwrap();
    // r0: DWT, r1: what to count or the register's offset, r2: its value.
    let functions: [(u32, &[u16]); 4] = [
        (0x1000, &[0x4a02, 0x2301, 0x061b, 0x6013, 0x6001, RETURN, 0xedfc, 0xe000]),
        (0x2000, &[0xb40e, 0xbc0e, 0x4280, 0xbf08, 0x4619, 0x4280, RETURN]),
        (0x3000, &[0x5840, RETURN]),
        (0x4000, &[0x5042, RETURN]),
    ];
    for (place, halves) in functions {
        let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        bench.chip.write(Space::Program, CODE + place, &bytes).unwrap();
    }
    let mut call = |place: u32, words: &[u32]| {
        let arguments: Vec<_> = words.iter().map(|&word| Argument { value: word.into(), size_bytes: 4 }).collect();
        let result = bench.chip.call((CODE + place) | 1, &arguments, 1000, Observe::Profile).unwrap();
        assert!(result.fault.is_none(), "{:?}", result.fault);
        (result.cycles, result.return_value as u32)
    };
    let (dwt, lsu, fold) = (0xe000_1000, 0x14, 0x18);
    call(0x1000, &[dwt, 1 | 1 << 17 | 1 << 20 | 1 << 21]);
    let folded = call(0x3000, &[dwt, fold]).1;
    call(0x4000, &[dwt, lsu, 0]);
    assert_eq!(call(0x2000, &[]).0, 2 + 4 + 5 + 1 + 1 + 1 + 2, "call, push, pop, cmp, mov, cmp, bx lr; it for nothing");
    assert_eq!(call(0x3000, &[dwt, lsu]).1, 1 + 3 + 4, "of the store that cleared it, push and pop");
    assert_eq!(call(0x3000, &[dwt, fold]).1 - folded, 1);
}

/// Loads a word from each address, having stored another there where one is given.
fn words(core: &str, accesses: &[(u32, Option<u32>)]) -> Vec<Result<u32, FaultKind>> {
    let mut bench = Bench::new(&core_data(core)).unwrap();
    let mut code = |halves: &[u16], arguments: &[u32]| {
        let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        bench.chip.write(Space::Program, CODE, &bytes).unwrap();
        let words: Vec<_> = arguments.iter().map(|&word| Argument { value: word.into(), size_bytes: 4 }).collect();
        let result = bench.chip.call(CODE | 1, &words, 1000, Observe::Nothing).unwrap();
        result.fault.map_or(Ok(result.return_value as u32), |fault| Err(fault.kind))
    };
    let mut access = |&(address, stored): &(u32, Option<u32>)| {
        // str r1, [r0]; ldr r0, [r0]
        stored.map_or(Ok(0), |word| code(&[0x6001, RETURN], &[address, word]))?;
        code(&[0x6800, RETURN], &[address])
    };
    accesses.iter().map(&mut access).collect()
}

#[test]
fn registers_of_the_system_control_space_are_there() {
    let ids = [0x410c_c200, 0x410c_c601, 0x412f_c231, 0x410f_c241, 0x410f_d214];
    for (core, id) in ALL.iter().zip(ids) {
        let offset = if *core == "cortex-m0" { 0 } else { 0x2000_0f80 };
        let asked = [
            (0xe000_ed00, None),
            (0xe000_ed00, Some(5)),
            (0xe000_ed08, None),
            (0xe000_ed08, Some(0x2000_0fff)),
            (0xe000_edfc, Some(1 << 24)),
        ];
        assert_eq!(words(core, &asked), [Ok(id), Ok(id), Ok(0), Ok(offset), Ok(1 << 24)], "{core}");
    }
}

/// DDI 0403, B3.1 and A3.7: a word for each bit of the first megabyte of SRAM, where memory is.
#[test]
fn words_stand_for_bits() {
    for core in ["cortex-m3", "cortex-m4"] {
        let (byte, third) = (RAM + 0x1001, 0x2200_0000 + 0x1001 * 32 + 3 * 4);
        let asked = [
            (byte & !3, Some(0x0000_f700)),
            (third, None),
            (third + 4, None),
            (third, Some(0xff)),
            (byte & !3, None),
            (third + 4, Some(2)),
            (byte & !3, None),
        ];
        let bits = [Ok(0xf700), Ok(0), Ok(1), Ok(1), Ok(0xff00), Ok(0), Ok(0xef00)];
        assert_eq!(words(core, &asked), bits, "{core}");
        // No memory: beyond the RAM, and the peripherals.
        let beyond = [(0x2200_0000 + 0x8000 * 32, None), (0x4200_0000, Some(1))];
        assert_eq!(words(core, &beyond), [Err(FaultKind::UnmappedAddress); 2], "{core}");
        let mut without = description(&core_data(core));
        without["core_options"] = json!({"bit_band": 0});
        let mut chip = machine_from_json(&without.to_string()).unwrap();
        chip.write(Space::Program, CODE, &[0x00, 0x68, 0x70, 0x47]).unwrap();
        let argument = Argument { value: third.into(), size_bytes: 4 };
        let fault = chip.call(CODE | 1, &[argument], 1000, Observe::Nothing).unwrap().fault.unwrap();
        assert_eq!(fault.kind, FaultKind::UnmappedAddress, "{core}");
        without["core_options"] = json!({"bit_band": 1});
        assert!(machine_from_json(&without.to_string()).is_err());
    }
    assert_eq!(words("cortex-m33", &[(0x2200_0000, None)]), [Err(FaultKind::UnmappedAddress)]);
}

#[test]
fn peripherals_have_words_for_bits_where_they_are_memory() {
    let mut chip = description(&core_data("cortex-m3"));
    let port = json!({"name": "port", "space": "data", "kind": "ram", "base": 0x4000_0000, "size": 0x1000});
    chip["memory"].as_array_mut().unwrap().push(port);
    let mut chip = machine_from_json(&chip.to_string()).unwrap();
    // str r1, [r0]
    chip.write(Space::Program, CODE, &[0x01, 0x60, 0x70, 0x47]).unwrap();
    let words = [0x4200_0000 + 0x10 * 32 + 5 * 4, 1].map(|value| Argument { value, size_bytes: 4 });
    assert!(chip.call(CODE | 1, &words, 1000, Observe::Nothing).unwrap().fault.is_none());
    assert_eq!(chip.read(Space::Data, 0x4000_0010, 1).unwrap(), [1 << 5]);
}

#[test]
fn ignored_accesses_read_zeros_and_are_counted() {
    let mut chip = Bench::new(&core_data("cortex-m3")).unwrap().chip;
    // str r1, [r0]; ldr r0, [r0]
    chip.write(Space::Program, CODE, &[0x01, 0x60, 0x00, 0x68, 0x70, 0x47]).unwrap();
    let call = |chip: &mut CortexM<Immediate>, address: u64| {
        let words = [address, 7].map(|value| Argument { value, size_bytes: 4 });
        let result = chip.call(CODE | 1, &words, 1000, Observe::Nothing).unwrap();
        result.fault.map_or(Ok(result.return_value as u32), |fault| Err(fault.kind))
    };
    assert_eq!(call(&mut chip, 0x4000_0000), Err(FaultKind::UnmappedAddress));
    chip.ignore(Some(&[(0x4000_0000, 0x2000_0000)])).unwrap();
    assert_eq!(call(&mut chip, 0x4000_0000), Ok(0));
    assert_eq!(chip.ignored(), 2);
    assert_eq!(call(&mut chip, 0x6000_0000), Err(FaultKind::UnmappedAddress), "not there");
    assert_eq!(call(&mut chip, 0xe000_edfc), Ok(0), "the core's own registers stay: bit 24 alone is kept");
    assert_eq!(chip.ignored(), 2);
    chip.ignore(None).unwrap();
    assert_eq!(call(&mut chip, 0x4000_0000), Err(FaultKind::UnmappedAddress));
}

/// The chip of a flash: `clock_hz` 48 MHz, an access of two cycles, a row of eight bytes.
fn flash_chip(flash: Value) -> Box<dyn Machine> {
    let mut chip = description(&core_data("cortex-m4"));
    chip["flash"] = flash;
    machine_from_json(&chip.to_string()).unwrap()
}

/// Cycles of a function at the start of the flash, the second time it is called.
fn flash_cycles(flash: &Value, halves: &[u16]) -> u64 {
    flash_cycles_at(FLASH, flash, halves)
}

fn flash_cycles_at(address: u32, flash: &Value, halves: &[u16]) -> u64 {
    let mut chip = flash_chip(flash.clone());
    let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    chip.write(Space::Program, address, &bytes).unwrap();
    chip.set_stack_pointer(RAM + 0x8000).unwrap();
    let mut call = || chip.call(address | 1, &[], 100_000, Observe::Nothing).unwrap();
    assert!(call().fault.is_none());
    call().cycles
}

#[test]
fn flash_waits_are_those_of_its_rows() {
    // Eight nops and a return in three rows of eight bytes; call 2, return 3.
    let code = [NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, RETURN];
    let at_once = 2 + 8 + 3;
    let plain = json!({"access_ns": 83.0, "row_bytes": 8});
    assert_eq!(flash_cycles(&json!({"access_ns": 20.0, "row_bytes": 8}), &code), at_once, "no waits at 48 MHz");
    assert_eq!(flash_cycles(&plain, &code), at_once + 3 * 3, "three waits for each row");
    let ahead = json!({"access_ns": 83.0, "row_bytes": 8, "prefetch": true});
    assert_eq!(flash_cycles(&ahead, &code), at_once + 3, "four nops hide the read of the next row");
    let cache = json!({"size_bytes": 64, "line_bytes": 8, "ways": 8});
    let cached = json!({"access_ns": 83.0, "row_bytes": 8, "instruction_cache": cache});
    assert_eq!(flash_cycles(&cached, &code), at_once, "everything is there the second time");
    let small = json!({"size_bytes": 16, "line_bytes": 8, "ways": 2});
    let thrashed = json!({"access_ns": 83.0, "row_bytes": 8, "instruction_cache": small});
    assert_eq!(flash_cycles(&thrashed, &code), at_once + 3 * 3, "three rows in two lines, by turns");
}

#[test]
fn a_program_switches_the_buffer_and_the_cache_of_the_flash() {
    const CONTROL: u32 = 0x4003_4004;
    const STATUS: u32 = 0x4003_4000;
    let mut flash = json!({"access_ns": 83.0, "row_bytes": 8, "one_port": true});
    flash["unified_cache"] = json!({"size_bytes": 64, "line_bytes": 8, "ways": 8});
    flash["switches"] = json!({
        "control": CONTROL, "status": STATUS, "reset": 1, "buffer_off": 0x20, "mode": 3, "mode_cached": 1,
    });
    let mut chip = flash_chip(flash);
    // Eight nops and a return in three rows; str r1, [r0]; ldr r0, [r2]; bx lr.
    let code = [NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, RETURN];
    for (at, halves) in [(FLASH, &code[..]), (FLASH + 0x40, &[0x6001, 0x6810, RETURN][..])] {
        let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        chip.write(Space::Program, at, &bytes).unwrap();
    }
    chip.set_stack_pointer(RAM + 0x8000).unwrap();
    let mut call = |at: u32, arguments: &[u32]| {
        let arguments: Vec<Argument> =
            arguments.iter().map(|&value| Argument { value: value.into(), size_bytes: 4 }).collect();
        let result = chip.call(at | 1, &arguments, 100_000, Observe::Nothing).unwrap();
        assert!(result.fault.is_none(), "{:?}", result.fault);
        result
    };
    let at_once = 2 + 8 + 3;
    call(FLASH, &[]);
    assert_eq!(call(FLASH, &[]).cycles, at_once, "the cache is on after a reset, and keeps the rows");
    let control = FLASH + 0x40;
    assert_eq!(call(control, &[CONTROL, 0, STATUS]).return_value as u32, 0, "the state tells the change");
    assert_eq!(call(FLASH, &[]).cycles, at_once + 3 * 3, "no cache: three waits for each row");
    assert_eq!(call(control, &[CONTROL, 0x30, CONTROL]).return_value as u32, 0x30);
    assert_eq!(call(FLASH, &[]).cycles, at_once + 3 * 3, "no buffer either; this core asks for a row once");
    call(control, &[CONTROL, 1, STATUS]);
    assert_eq!(call(FLASH, &[]).cycles, at_once + 3 * 3, "the cache was emptied");
    assert_eq!(call(FLASH, &[]).cycles, at_once);
}

/// A chip with a second flash, which also lies at 0x0c000000.
fn banked(flash: Value) -> Result<Box<dyn Machine>, steelyard_emu::Error> {
    let mut chip = description(&core_data("cortex-m4"));
    chip["memory"].as_array_mut().unwrap().push(json!({
        "name": "bank", "space": "program", "kind": "flash", "base": FLASH + 0x10_0000, "size": 0x1000,
        "also_at": [0x0c00_0000],
    }));
    chip["flash"] = flash;
    machine_from_json(&chip.to_string())
}

#[test]
fn every_flash_waits_wherever_it_lies() {
    let code = [NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, RETURN];
    let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
    let cycles = |flash: &Value, address: u32| {
        let mut chip = banked(flash.clone()).unwrap();
        chip.write(Space::Program, address, &bytes).unwrap();
        chip.set_stack_pointer(RAM + 0x8000).unwrap();
        let mut call = |at: u32| chip.call(at | 1, &[], 1000, Observe::Nothing).unwrap().cycles;
        call(address);
        call(if address > FLASH { 0x0c00_0000 } else { address })
    };
    let at_once = 2 + 8 + 3;
    let plain = json!({"access_ns": 83.0, "row_bytes": 8});
    let bank = FLASH + 0x10_0000;
    assert_eq!(cycles(&plain, FLASH), at_once + 3 * 3);
    assert_eq!(cycles(&plain, bank), at_once + 3 * 3, "the second memory, where it also lies");
    let cache = json!({"size_bytes": 64, "line_bytes": 8, "ways": 8});
    let cached = json!({"access_ns": 83.0, "row_bytes": 8, "instruction_cache": cache});
    assert_eq!(cycles(&cached, bank), at_once, "a line is held for both addresses");
    let one = json!({"access_ns": 83.0, "row_bytes": 8, "region": "bank"});
    assert_eq!((cycles(&one, FLASH), cycles(&one, bank)), (at_once, at_once + 3 * 3), "one memory alone");
    let unknown = banked(json!({"access_ns": 83.0, "row_bytes": 8, "region": "band"})).err().unwrap().to_string();
    assert!(unknown.contains("no memory `band` of the kind flash; there are: flash, bank"), "{unknown}");
}

#[test]
fn an_instruction_across_two_rows_waits_for_those_that_were_not_read() {
    let plain = json!({"access_ns": 83.0, "row_bytes": 8});
    // movw r0, #0 with a half in each row, behind three nops: call 2, return 3.
    let straight = [NOP, NOP, NOP, 0xf240, 0, RETURN];
    assert_eq!(flash_cycles(&plain, &straight), 2 + 3 + 1 + 3 + 2 * 3);
    // The same behind a branch from its first row, which takes 2 and 1 more as the target lies.
    let near = [0xe001, NOP, NOP, 0xf240, 0, RETURN];
    assert_eq!(flash_cycles(&plain, &near), 2 + 3 + 1 + 3 + 2 * 3);
    // Behind a branch from the row before: of two rows read one behind the other, the second comes four cycles later.
    let far = [0xe005, NOP, NOP, NOP, NOP, NOP, NOP, 0xf240, 0, RETURN];
    assert_eq!(flash_cycles(&plain, &far), 2 + 3 + 1 + 3 + 3 + 3 + 4);
}

#[test]
fn nothing_is_read_ahead_of_the_last_row() {
    let cache = json!({"size_bytes": 64, "line_bytes": 8, "ways": 8});
    let flash = json!({"access_ns": 83.0, "row_bytes": 8, "prefetch": true, "instruction_cache": cache});
    let last_row = FLASH + 0x1_0000 - 8;
    assert_eq!(flash_cycles_at(last_row, &flash, &[NOP, NOP, NOP, RETURN]), 2 + 3 + 3);
}

#[test]
fn data_in_flash_waits_too() {
    // ldr r0, [pc, #12]; ldr r1, [pc, #20]; nop; nop; bx lr in the second row; the literals in the third and fourth.
    let code = [0x4803, 0x4905, NOP, NOP, RETURN, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    // The loads are pipelined: 2 + 1.
    let at_once = 2 + 3 + 2 + 3;
    let plain = json!({"access_ns": 83.0, "row_bytes": 8});
    // The first load comes in the cycle in which the flash still gives the code's row.
    assert_eq!(flash_cycles(&plain, &code), at_once + 4 * 3 + 1, "two rows of code, two of data");
    let cache = json!({"size_bytes": 64, "line_bytes": 8, "ways": 8});
    let cached = json!({"access_ns": 83.0, "row_bytes": 8, "data_cache": cache});
    assert_eq!(flash_cycles(&cached, &code), at_once + 2 * 3, "the rows of the code alone");
    let zero = json!({"access_ns": 20.0, "row_bytes": 8});
    assert_eq!(flash_cycles(&zero, &code), at_once, "without wait states code and data do not meet");
}

#[test]
fn impossible_chips_are_refused_in_one_sentence() {
    let refusal = |change: &dyn Fn(&mut Value)| {
        let mut chip = description(&core_data("cortex-m0"));
        change(&mut chip);
        machine_from_json(&chip.to_string()).err().expect("a refusal").to_string()
    };
    let sentence = refusal(&|chip| chip["core_options"] = json!({"multiply_cycles": 33}));
    assert!(sentence.contains("multiply_cycles"), "{sentence}");
    let sentence = refusal(&|chip| chip["flash"] = json!({"access_ns": 20.0, "row_bytes": 3}));
    assert!(sentence.contains("a row of flash has 4 to 64 bytes"), "{sentence}");
    let cache = json!({"size_bytes": 24, "line_bytes": 8, "ways": 2});
    let flash = json!({"access_ns": 20.0, "row_bytes": 8, "data_cache": cache});
    let sentence = refusal(&|chip| chip["flash"] = flash.clone());
    assert!(sentence.contains("no power of two of sets"), "{sentence}");
    let sentence = refusal(&|chip| chip["memory"][2]["base"] = json!(0x1fff_0000));
    assert!(sentence.contains("where calls return to"), "{sentence}");
}

#[test]
fn the_multiplier_of_a_chip_is_an_option() {
    let cycles = |options: Value| {
        let mut chip = description(&core_data("cortex-m0"));
        chip["core_options"] = options;
        let mut chip = machine_from_json(&chip.to_string()).unwrap();
        let bytes: Vec<u8> = [0x4341_u16, RETURN].iter().flat_map(|half| half.to_le_bytes()).collect();
        chip.write(Space::Program, CODE, &bytes).unwrap();
        chip.call(CODE | 1, &[], 1000, Observe::Nothing).unwrap().cycles
    };
    assert_eq!(cycles(json!({"multiply_cycles": 32})) - cycles(json!({})), 31);
}

/// Whatever instructions compute, with secrets beside the values they take the same time and leave the same behind.
#[test]
fn shadows_change_nothing() {
    for core in ["cortex-m0", "cortex-m3", "cortex-m33"] {
        let description = Description::from_json(&description(&core_data(core)).to_string()).unwrap();
        let mut plain: CortexM<Immediate> = cortex_m::chip(&description, Immediate).unwrap();
        let mut shadowed: CortexM<Immediate, Shadowed<u32>> = cortex_m::chip(&description, Immediate).unwrap();
        shadowed.processor_mut().beside.fill(RAM..RAM + 0x80, 0xff);
        for chip in [&mut plain as &mut dyn Machine, &mut shadowed] {
            chip.set_stack_pointer(RAM + 0x8000).unwrap();
        }
        let arguments =
            [RAM, RAM + 0x40, 0x8000_0001, 7].map(|value: u32| Argument { value: value.into(), size_bytes: 4 });
        let has = |feature| match core {
            "cortex-m0" => feature == Feature::Base,
            "cortex-m3" => matches!(feature, Feature::Base | Feature::Thumb2),
            _ => true,
        };
        assert_alike([&mut plain, &mut shadowed], CODE, RAM..RAM + 0x100, &arguments, |random| {
            let mut code: Vec<u8> = (0..8).flat_map(|_| random_instruction(random, has)).collect();
            code.extend(RETURN.to_le_bytes());
            code
        });
    }
}

/// Any instruction but those that jump or write stack pointer or return address; one that loads or stores does so near
/// r0.
fn random_instruction(random: &mut Random, has: impl Fn(Feature) -> bool) -> Vec<u8> {
    loop {
        let row = &isa::ROWS[random.below(isa::ROWS.len())];
        let wide = row.pattern.bits == 32;
        let free = !row.pattern.mask & (u64::MAX >> (64 - row.pattern.bits)) as u32;
        let mut word = row.pattern.value | random.word() & free;
        if matches!(row.class, Class::Load | Class::Store) {
            word &= if wide { !(0xf << 16) } else { !(7 << 3) };
        }
        let fits = isa::row_of(word, row.pattern.bits).is_some_and(|found| found.pattern == row.pattern);
        let place = Place { address: CODE, in_block: false };
        let Some(decoded) = isa::fields(row, word, place).filter(|_| fits && has(row.feature)) else { continue };
        let kept = |register| register != SP && register != LR;
        let lists = decoded.class == Class::Load && decoded.imm >> LR & 1 == 1 || decoded.class == Class::Stack;
        let jumps = matches!(row.class, Class::Jump | Class::Call | Class::Return | Class::Branch | Class::Other);
        if !jumps && !lists && kept(decoded.rd) && kept(decoded.extra) && kept(decoded.rn) && decoded.rd != PC {
            let halves = if wide { vec![word >> 16, word] } else { vec![word] };
            return halves.iter().flat_map(|half| (*half as u16).to_le_bytes()).collect();
        }
    }
}

/// ldr r3, [r0]; adds r3, #1; uxtb r3, r3; str r3, [r0, #64]: of a secret word the lowest byte stays secret.
#[test]
fn secrets_are_followed_through_registers_and_memory() {
    let description = Description::from_json(&description(&core_data("cortex-m4")).to_string()).unwrap();
    let mut chip: CortexM<Immediate, Shadowed<u32>> = cortex_m::chip(&description, Immediate).unwrap();
    let code: Vec<u8> =
        [0x6803_u16, 0x3301, 0xb2db, 0x6403, RETURN].iter().flat_map(|half| half.to_le_bytes()).collect();
    chip.write(Space::Program, CODE, &code).unwrap();
    chip.set_stack_pointer(RAM + 0x8000).unwrap();
    chip.processor_mut().beside.fill(RAM..RAM + 4, 0xff);
    let arguments = [Argument { value: RAM.into(), size_bytes: 4 }];
    assert!(chip.call(CODE | 1, &arguments, 1000, Observe::Nothing).unwrap().fault.is_none());
    let beside = &chip.processor().beside;
    assert_eq!(beside.bits(RAM + 64), 0xff);
    assert!((65..68).all(|offset| beside.bits(RAM + offset) == 0));
}

const REGISTERS: [(&str, u32); 3] = [("r0", RAM), ("r1", RAM + 0x100), ("sp", RAM + 0x1000)];

fn bytes_of(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_le_bytes()).collect()
}

fn bare<W: HeldWord>(core: &str) -> CortexM<Immediate, W> {
    cortex_m::chip(&Description::from_json(&description(&core_data(core)).to_string()).unwrap(), Immediate).unwrap()
}

fn case<'a>(text: &'a str, halves: &[u16], leaks: &'a [(u32, &'a str)]) -> Case<'a> {
    Case { text, code: bytes_of(halves), leaks }
}

/// Of the word at r0, which is secret.
#[test]
fn what_a_secret_decides_is_told() {
    let narrow = [
        case("ldr r2, [r0]; cmp r2, #0; beq .+2", &[0x6802, 0x2a00, 0xd0ff], &[(4, "branch")]),
        case("adds r3, r2, r2; cmp r1, #0; bne .+2", &[0x6802, 0x1893, 0x2900, 0xd1ff], &[]),
        case("movs r3, #4; ands r3, r2; add pc, r3", &[0x6802, 0x2304, 0x4013, 0x449f, NOP], &[(6, "target")]),
        case("movs r3, #4; ands r3, r2; ldr r4, [r1, r3]", &[0x6802, 0x2304, 0x4013, 0x58cc], &[(6, "load")]),
        case("movs r3, #4; ands r3, r2; str r1, [r0, r3]", &[0x6802, 0x2304, 0x4013, 0x50c1], &[(6, "store")]),
        case(
            "mov r4, sp; subs r4, r4, r3; mov sp, r4",
            &[0x6802, 0x2304, 0x4013, 0x466c, 0x1ae4, 0x46a5],
            &[(10, "stack")],
        ),
        case("muls r1, r2", &[0x6802, 0x4351], &[]),
    ];
    for core in ALL {
        assert_leaks(bare::<Shadowed<u32>>(core).processor_mut(), CODE | 1, RAM, &REGISTERS, &narrow);
    }
    let wide = [
        case("cbz r2, .+4", &[0x6802, 0xb102, NOP], &[(2, "branch")]),
        case("it ne; movne r4, r1", &[0x6802, 0x2a00, 0xbf18, 0x460c], &[]),
        case("it eq; moveq r4, r1", &[0x6802, 0x2a00, 0xbf08, 0x460c], &[]),
        case("it eq; addeq r4, r1, #1", &[0x6802, 0x2a00, 0xbf08, 0x1c4c], &[]),
        case("it ne; ldrne r4, [r1]", &[0x6802, 0x2a00, 0xbf18, 0x680c], &[(6, "condition")]),
        case("it eq; ldreq r4, [r1]", &[0x6802, 0x2a00, 0xbf08, 0x680c], &[(6, "condition")]),
        case("it eq; muleq r1, r2", &[0x6802, 0x2a00, 0xbf08, 0x4351], &[(6, "condition")]),
        case("it eq; beq .+2", &[0x6802, 0x2a00, 0xbf08, 0xe7ff], &[(6, "branch")]),
        case("tbb [r1, r3]", &[0x6802, 0x2304, 0x4013, 0xe8d1, 0xf003], &[(6, "load"), (6, "target")]),
        case("udiv r4, r1, r2", &[0x6802, 0xfbb1, 0xf4f2], &[(2, "divide")]),
        case("sdiv r4, r2, r1", &[0x6802, 0xfb92, 0xf4f1], &[(2, "divide")]),
    ];
    for core in WIDE {
        assert_leaks(bare::<Shadowed<u32>>(core).processor_mut(), CODE | 1, RAM, &REGISTERS, &wide);
    }
    for (core, leaks) in [("cortex-m3", &[(2, "multiply")][..]), ("cortex-m4", &[]), ("cortex-m33", &[])] {
        let long = case("umull r4, r5, r1, r2", &[0x6802, 0xfba1, 0x4502], leaks);
        assert_leaks(bare::<Shadowed<u32>>(core).processor_mut(), CODE | 1, RAM, &REGISTERS, &[long]);
    }
    // vldr s0, [r3], r3 = r0 + 4 bits of the secret
    let float = case("vldr s0, [r4]", &[0x6802, 0x2304, 0x4013, 0x18c4, 0xed94, 0x0a00], &[(8, "load")]);
    assert_leaks(bare::<Shadowed<u32>>("cortex-m4").processor_mut(), CODE | 1, RAM, &REGISTERS, &[float]);
}

/// What a secret selects is secret: by a condition, in a register, in the flags and in memory, and by an address.
#[test]
fn what_a_secret_selects_is_secret() {
    let cases: [(&str, &[u16]); 7] = [
        ("it ne; movne r4, r1", &[0x6802, 0x2a00, 0xbf18, 0x460c, 0x6404]),
        ("it eq; moveq r4, r1", &[0x6802, 0x2a00, 0xbf08, 0x460c, 0x6404]),
        ("it eq; ldreq r4, [r1]", &[0x6802, 0x2a00, 0xbf08, 0x680c, 0x6404]),
        ("it ne; strne r1, [r0, #64]", &[0x6802, 0x2a00, 0xbf18, 0x6401]),
        ("it eq; streq r1, [r0, #64]", &[0x6802, 0x2a00, 0xbf08, 0x6401]),
        ("ldr r4, [r1, r3]", &[0x6802, 0x2304, 0x4013, 0x58cc, 0x6404]),
        ("it ne; cmpne r1, #0; it cs; movcs r4, r1", &[0x6802, 0x2a00, 0xbf18, 0x2900, 0xbf28, 0x460c, 0x6404]),
    ];
    for core in WIDE {
        let mut chip = bare::<Shadowed<u32>>(core);
        for (text, halves) in cases {
            for (secret, wanted) in [(4, [0xff; 4]), (0, [0; 4])] {
                chip.write(Space::Data, RAM, &SECRET).unwrap();
                keep_secret(chip.processor_mut(), RAM, secret);
                watch(chip.processor_mut(), CODE | 1, &bytes_of(halves), &REGISTERS).expect(text);
                assert_eq!(secret_bits(chip.processor(), RAM + 64), wanted, "{text} on {core}");
            }
        }
    }
    // vldr s0, [r4]; vstr s0, [r0, #64]: a word that a secret selects, through the floating-point unit.
    let mut chip = bare::<Shadowed<u32>>("cortex-m4");
    keep_secret(chip.processor_mut(), RAM, 4);
    let halves = [0x6802, 0x2304, 0x4013, 0x18cc, 0xed94, 0x0a00, 0xed80, 0x0a10];
    let seen = watch(chip.processor_mut(), CODE | 1, &bytes_of(&halves), &REGISTERS).unwrap();
    assert_eq!(secret_bits(chip.processor(), RAM + 64), [0xff; 4]);
    assert_eq!(seen.accesses[1..], [(8, (RAM + 0x100, 4, false)), (12, (RAM + 64, 4, true))]);
}

/// By the cores' data.
#[test]
fn waits_have_their_causes() {
    let cases: [(&str, &str, &[u16], Stalls); 11] = [
        ("cortex-m33", "ldr r2, [r0]; adds r2, #1", &[0x6802, 0x3201], &[(2, Cause::Result, 1)]),
        ("cortex-m33", "ldr r2, [r0]; adds r3, #1", &[0x6802, 0x3301], &[]),
        ("cortex-m4", "adds r0, #4; ldr r2, [r0]", &[0x3004, 0x6802], &[(2, Cause::Result, 1)]),
        ("cortex-m4", "str r1, [r0]; ldr r2, [r0]", &[0x6001, 0x6802], &[(2, Cause::Data, 1)]),
        ("cortex-m4", "ldr r2, [r0, #1]: unaligned", &[0xf8d0, 0x2001], &[(0, Cause::Data, 2)]),
        ("cortex-m4", "b .+2", &[0xe7ff], &[(0, Cause::Branch, 1)]),
        ("cortex-m0", "b .+2", &[0xe7ff], &[(0, Cause::Branch, 2)]),
        ("cortex-m3", "mla r4, r0, r1, r1", &[0xfb00, 0x1401], &[(0, Cause::Multiply, 1)]),
        ("cortex-m4", "udiv r4, r0, r0", &[0xfbb0, 0xf4f0], &[(0, Cause::Multiply, 1)]),
        ("cortex-m0", "ldr r2, [r0]: its own two cycles", &[0x6802], &[]),
        ("cortex-m4", "tbb [r1, r3]", &[0x2300, 0xe8d1, 0xf003], &[(2, Cause::Result, 1), (2, Cause::Branch, 5)]),
    ];
    for (core, text, halves, stalls) in cases {
        let mut chip = bare::<u32>(core);
        let seen = watch(chip.processor_mut(), CODE | 1, &bytes_of(halves), &REGISTERS).expect(text);
        assert_eq!(seen.stalls, stalls, "{text} on {core}");
    }
    let mut data = description(&core_data("cortex-m0"));
    data["core_options"] = json!({"multiply_cycles": 32});
    let mut slow: CortexM<Immediate> =
        cortex_m::chip(&Description::from_json(&data.to_string()).unwrap(), Immediate).unwrap();
    let seen = watch(slow.processor_mut(), CODE | 1, &bytes_of(&[0x4341]), &REGISTERS).unwrap();
    assert_eq!(seen.stalls, [(0, Cause::Multiply, 31)]);
}

fn on_flash(core: &str, flash: Value) -> CortexM<FlashPath> {
    let mut data = description(&core_data(core));
    data["flash"] = flash;
    let description = Description::from_json(&data.to_string()).unwrap();
    let path = FlashPath::of(&description).unwrap().unwrap();
    cortex_m::chip(&description, path).unwrap()
}

/// A row of eight bytes takes four cycles: three to wait.
#[test]
fn waits_for_flash_have_their_causes() {
    let rows = |flash: Value| {
        let mut chip = on_flash("cortex-m0", flash);
        // Five instructions, the last of which reads a word of the third row.
        let code = [NOP, NOP, NOP, NOP, 0x4801, 0xe003, NOP, NOP, NOP, NOP];
        watch(chip.processor_mut(), FLASH | 1, &bytes_of(&code), &REGISTERS).unwrap().stalls
    };
    let plain = rows(json!({"access_ns": 83.0, "row_bytes": 8}));
    let waits = |cause: Cause| plain.iter().filter(|(_, one, _)| *one == cause).map(|(.., cycles)| cycles).sum::<u32>();
    assert_eq!(plain[..2], [(0, Cause::Fetch, 3), (8, Cause::Fetch, 3)]);
    assert_eq!(waits(Cause::FetchMiss) + waits(Cause::DataMiss), 0);
    assert!(waits(Cause::Data) >= 3, "{plain:?}");
    let cache = json!({"size_bytes": 64, "line_bytes": 8, "ways": 8});
    let cached = rows(
        json!({"access_ns": 83.0, "row_bytes": 8, "instruction_cache": cache.clone(), "data_cache": cache.clone()}),
    );
    assert_eq!(cached[..2], [(0, Cause::FetchMiss, 3), (8, Cause::FetchMiss, 3)]);
    assert!(cached.iter().any(|(pc, cause, _)| (*pc, *cause) == (8, Cause::DataMiss)), "{cached:?}");
}

#[test]
fn causes_take_no_more_cycles_than_their_instruction() {
    fn check<M: MemorySystem>(mut chip: CortexM<M>, core: &str, code: u32) {
        let has = |feature| match core {
            "cortex-m0" => feature == Feature::Base,
            "cortex-m3" => matches!(feature, Feature::Base | Feature::Thumb2),
            _ => true,
        };
        assert_causes_fit(chip.processor_mut(), code | 1, &REGISTERS, |random| {
            (0..8).flat_map(|_| random_instruction(random, has)).collect()
        });
    }
    let cache = json!({"size_bytes": 64, "line_bytes": 8, "ways": 8});
    let flash =
        json!({"access_ns": 83.0, "row_bytes": 8, "prefetch": true, "instruction_cache": cache, "one_port": true});
    for core in ALL {
        check(bare::<u32>(core), core, CODE);
        check(on_flash(core, flash.clone()), core, FLASH);
    }
}
