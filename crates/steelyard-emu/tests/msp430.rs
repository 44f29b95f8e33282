//! MSP430: what a comparison with gdb's simulator does not show, or shows otherwise than the manuals say.

use crate::common::core_data;
use crate::common::image::ImageBuilder;
use crate::common::msp430::{chip_of, cycles, description, run, CODE, FLASH, RAM};
use crate::common::values::{assert_alike, Random};
use crate::common::witness::{assert_sums, witnessed, Causes, Leaks, Witness};
use serde_json::Value;
use steelyard_emu::fault::Trap;
use steelyard_emu::memory_system::{FlashPath, Immediate};
use steelyard_emu::msp430::decode::{decode, PC, SP};
use steelyard_emu::msp430::isa::{Op, ROWS};
use steelyard_emu::msp430::{self, timing::Core, Msp430};
use steelyard_emu::observe::{Cause, Leak};
use steelyard_emu::processor::Exit;
use steelyard_emu::profile::Class;
use steelyard_emu::value::{Beside, Shadowed};
use steelyard_emu::{machine_from_json, Argument, CallResult, Description, FaultKind, Machine, Observe, Space};

const RET: u16 = 0x4130;
const OVERFLOW: u32 = 0x100;
const CARRY: u32 = 1;

fn chip(core: &str) -> Msp430 {
    chip_of(&core_data(core)).unwrap()
}

/// Registers after instructions.
fn registers(core: &str, words: &[u16]) -> [u32; 32] {
    let mut chip = chip(core);
    assert_eq!(run(&mut chip, words), Exit::Stop, "{words:x?}");
    chip.processor().registers
}

fn fault(core: &str, words: &[u16]) -> FaultKind {
    match run(&mut chip(core), words) {
        Exit::Trap(Trap { kind, .. }) => kind,
        other => panic!("{words:x?}: {other:?}"),
    }
}

/// SLAU049F 3.4: the simulator takes the sign of `and`, `bit`, `rra` and `rrc` for an overflow, and forgets that of
/// `sub`.
#[test]
fn overflow_is_that_of_the_manual() {
    for core in ["msp430", "msp430x"] {
        let overflow = |words: &[u16]| registers(core, words)[2] & OVERFLOW != 0;
        let with = |instruction: u16| [0x4036, 0x8000, 0xd032, OVERFLOW as u16, instruction];
        assert!(!overflow(&with(0xf606)), "and r6, r6");
        assert!(!overflow(&with(0xb606)), "bit r6, r6");
        assert!(!overflow(&with(0x1106)), "rra r6");
        assert!(!overflow(&with(0x1006)), "rrc r6");
        assert!(!overflow(&with(0x1186)), "sxt r6");
        assert!(overflow(&[0x4036, 0x8000, 0x8316]), "mov #8000h, r6; sub #1, r6");
        assert!(!overflow(&[0x4036, 0x8001, 0x8316]), "mov #8001h, r6; sub #1, r6");
        assert!(overflow(&with(0xe606)), "xor r6, r6, both negative");
    }
}

/// The carry of `sxt` is the opposite of zero; of a 20-bit register it fills all.
#[test]
fn sign_extension() {
    for (core, extended) in [("msp430", 0xff80), ("msp430x", 0xf_ff80)] {
        let after = registers(core, &[0x4036, 0x0080, 0x1186]);
        assert_eq!((after[6], after[2] & CARRY), (extended, 1), "mov #80h, r6; sxt r6");
        let after = registers(core, &[0x4306, 0x1186]);
        assert_eq!((after[6], after[2] & CARRY), (0, 0), "clr r6; sxt r6");
    }
}

/// SLAU049F, figure 3-4: what is pushed of the stack pointer is its new value, so that popping it changes nothing.
#[test]
fn the_stack_pointer_is_pushed_as_it_is_afterwards() {
    let after = registers("msp430", &[0x1201, 0x4136]);
    assert_eq!(after[6], after[1] - 2, "push sp; pop r6");
    let before = registers("msp430", &[0x4303]);
    assert_eq!(registers("msp430", &[0x1201, 0x4131])[1], before[1] - 2, "push sp; pop sp");
}

#[test]
fn bytes_clear_what_is_above_them() {
    assert_eq!(registers("msp430", &[0x4036, 0x1234, 0x4376, 0x4346])[6], 0, "mov.b #-1, r6; mov.b #0, r6");
    assert_eq!(registers("msp430", &[0x4036, 0x1234, 0x5356])[6], 0x35, "add.b #1, r6");
    assert_eq!(registers("msp430x", &[0x0186, 0x2345, 0x5316])[6], 0x2346, "mova #12345h, r6; inc r6");
    assert_eq!(registers("msp430x", &[0x0186, 0x2345, 0x1800, 0x1086])[6], 0x1_4523, "swpbx.a keeps bits 16 to 19");
}

/// SLAU049F, table 7-3: MAC adds to the product before, and leaves its carry.
#[test]
fn the_multiplier_accumulates() {
    let words = [
        0x40b2, 0xffff, 0x0130, 0x40b2, 0xffff, 0x0138, // mov #-1, &MPY; mov #-1, &OP2
        0x40b2, 0xffff, 0x0134, 0x40b2, 0xffff, 0x0138, // mov #-1, &MAC; mov #-1, &OP2
        0x4216, 0x013a, 0x4217, 0x013c, 0x4218, 0x013e, // RESLO, RESHI, SUMEXT to r6, r7, r8
    ];
    let after = registers("msp430", &words);
    assert_eq!(after[6..9], [2, 0xfffc, 1]);
}

#[test]
fn what_cannot_be_done_is_a_fault() {
    for core in ["msp430", "msp430x"] {
        assert_eq!(fault(core, &[0x4036, 0x0001, 0x4616, 0x0000]), FaultKind::UnalignedAddress, "mov 0(r6), r6, odd");
        assert_eq!(fault(core, &[0x4216, 0x1000]), FaultKind::UnmappedAddress, "mov &1000h, r6");
        assert_eq!(fault(core, &[0x4682, FLASH as u16]), FaultKind::WriteToFlash, "mov r6, &f000h");
        assert_eq!(fault(core, &[0x4030, 0x3000]), FaultKind::UnmappedAddress, "br #3000h");
        assert_eq!(fault(core, &[0xd032, 0x0010]), FaultKind::Sleep, "bis #CPUOFF, sr");
        assert_eq!(fault(core, &[0x1033]), FaultKind::IllegalOpcode, "rrc #-1");
        assert_eq!(fault(core, &[0x13c0]), FaultKind::IllegalOpcode);
    }
    for word in [0x0406, 0x1506, 0x1840, 0x134f] {
        assert_eq!(fault("msp430", &[word, 0x5506]), FaultKind::IllegalOpcode, "an instruction of the MSP430X");
    }
}

fn call(
    functions: &[(&'static str, &[u16])],
    arguments: &[Argument],
    max_cycles: u64,
) -> (Box<dyn Machine>, CallResult) {
    let mut machine = machine_from_json(&description(&core_data("msp430")).to_string()).unwrap();
    machine.load_elf(&ImageBuilder::of_msp430(CODE, functions).build()).unwrap();
    let result = machine.call(CODE, arguments, max_cycles, Observe::Profile).unwrap();
    (machine, result)
}

#[test]
fn a_call_counts_its_return_address_and_itself() {
    // push r10; mov r12, r10; add r13, r10; mov r10, r12; pop r10; ret
    let sum = [0x120a, 0x4c0a, 0x5d0a, 0x4a0c, 0x413a, RET];
    let arguments = [3, 4].map(|value| Argument { value, size_bytes: 2 });
    let (_, result) = call(&[("sum", &sum)], &arguments, 1000);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    assert_eq!(result.return_value as u16, 7);
    // call #N, push, three moves between registers, pop, ret.
    assert_eq!(result.cycles, 5 + 3 + 3 + 2 + 3);
    assert_eq!((result.instructions, result.stack_bytes), (7, 4));
    let mix = |class: Class| result.totals.mix[class as usize];
    assert_eq!([Class::Call, Class::Stack, Class::Alu, Class::Return].map(mix), [1, 2, 3, 1]);
    assert_eq!((result.totals.loads, result.totals.stores), (1, 1));
    assert_eq!(result.cycles, result.totals.functions.iter().map(|function| function.cycles).sum::<u64>());
}

#[test]
fn a_fifth_word_comes_from_the_stack() {
    // mov 2(sp), r12; ret
    let (_, result) = call(
        &[("fifth", &[0x411c, 0x0002, RET])],
        &[1, 2, 3, 4, 5].map(|value| Argument { value, size_bytes: 2 }),
        1000,
    );
    assert_eq!(result.return_value as u16, 5);
}

#[test]
fn a_call_that_does_not_come_back_rightly_says_so() {
    let fault = |words: &[u16]| call(&[("f", words)], &[], 1000).1.fault.expect("a fault").kind;
    assert_eq!(fault(&[0x3fff]), FaultKind::CycleBudget, "jmp $");
    assert_eq!(fault(&[0x413b, 0x120a, 0x4b00]), FaultKind::BadReturn, "pop r11; push r10; mov r11, pc");
}

#[test]
fn a_function_that_recurses_meets_the_end_of_the_stack() {
    // call #f
    let (_, result) = call(&[("f", &[0x12b0, CODE as u16])], &[], 1_000_000);
    let fault = result.fault.unwrap();
    assert_eq!(fault.kind, FaultKind::StackOverflow);
    assert_eq!(fault.message, "the stack reached 0xbffe, below 0xc000 where it must end, at 0x8000 (f+0x0)");
}

#[test]
fn code_that_is_changed_is_read_anew() {
    let mut chip = chip("msp430");
    // mov #4316h, &8008h; nop; nop where 8008h is: mov #1, r6
    let words = [0x40b2, 0x4316, 0x8008, 0x4303, 0x4303];
    assert_eq!(cycles(&mut chip, &words[3..]), 2);
    assert_eq!(run(&mut chip, &words), Exit::Stop);
    assert_eq!(chip.processor().registers[6], 1);
    chip.write(Space::Data, RAM, &[1, 2]).unwrap();
    chip.snapshot();
    chip.write(Space::Data, RAM, &[3, 4]).unwrap();
    chip.restore().unwrap();
    assert_eq!(chip.read(Space::Data, RAM, 2).unwrap(), [1, 2]);
}

/// Whatever instructions compute, with secrets beside the values they take the same time and leave the same behind.
#[test]
fn shadows_change_nothing() {
    for name in ["msp430", "msp430x"] {
        let core = Core::from_data(&core_data(name)).unwrap();
        let description = Description::from_json(&description(&core_data(name)).to_string()).unwrap();
        let mut plain: Msp430 = msp430::chip(&description, Immediate).unwrap();
        let mut shadowed: Msp430<Immediate, Shadowed<u32>> = msp430::chip(&description, Immediate).unwrap();
        shadowed.processor_mut().beside.fill(RAM..RAM + 0x80, 0xff);
        let arguments = [RAM, RAM + 0x40, 0x8001, 7].map(|value: u32| Argument { value: value.into(), size_bytes: 2 });
        assert_alike([&mut plain, &mut shadowed], CODE, RAM..RAM + 0x100, &arguments, |random| {
            let mut words: Vec<u16> = (0..8).flat_map(|_| random_instruction(&core, random)).collect();
            words.push(RET);
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        });
    }
}

/// Any instruction of the core but those that jump or move the stack pointer; one with memory near r12 or r13.
fn random_instruction(core: &Core, random: &mut Random) -> Vec<u16> {
    loop {
        let row = &ROWS[random.below(ROWS.len())];
        let free = !row.pattern.mask & (u64::MAX >> (64 - row.pattern.bits)) as u32;
        let word = row.pattern.value | random.word() & free;
        let own = [random.below(0x40) as u16 * 2, random.below(0x40) as u16 * 2];
        let words = match row.pattern.bits {
            32 => vec![(word >> 16) as u16 & !0x078f, word as u16, own[0], own[1]],
            _ => vec![word as u16, own[0], own[1]],
        };
        let read = |address: u32| words.get((address - CODE) as usize / 2).copied();
        let decoded = decode(core, CODE, read);
        let near = |register: u8| matches!(register, 12 | 13);
        let (loads, stores) = decoded.transfers();
        let safe = decoded.destination > SP && decoded.destination != 2 && decoded.op != Op::Reti;
        let placed = loads == 0 || near(decoded.source) || near(decoded.destination);
        let stored = stores == 0 || near(decoded.destination);
        let other = matches!(decoded.class, Class::Jump | Class::Call | Class::Return | Class::Branch | Class::Stack);
        if decoded.op as u8 > Op::Illegal as u8 && safe && placed && stored && !other && decoded.source != PC {
            return words[..usize::from(decoded.words)].to_vec();
        }
    }
}

/// `mov.b @r12, r14`; `add #1, r14`; `and #15, r14`; `mov r14, 64(r12)`: of a secret byte the lowest bits stay secret.
#[test]
fn secrets_are_followed_through_registers_and_memory() {
    let description = Description::from_json(&description(&core_data("msp430")).to_string()).unwrap();
    let mut chip: Msp430<Immediate, Shadowed<u32>> = msp430::chip(&description, Immediate).unwrap();
    let words = [0x4c6e, 0x531e, 0xf03e, 0x000f, 0x4e8c, 0x0040, RET];
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    chip.write(Space::Program, CODE, &code).unwrap();
    chip.processor_mut().beside.fill(RAM..RAM + 4, 0xff);
    let result = chip.call(CODE, &[Argument { value: RAM.into(), size_bytes: 2 }], 1000, Observe::Stack).unwrap();
    assert!(result.fault.is_none());
    let beside = &chip.processor().beside;
    assert_eq!(beside.bits(RAM + 64), 0x0f);
    assert_eq!(beside.bits(RAM + 65), 0);
}

/// `mov @r12+, &0x130`; `mov @r12, &0x138`; the three results to r12, r13 and r14, and from there to RAM: a secret operand of
/// the multiplier makes its results secret, from the lowest bit that it reaches.
#[test]
fn secrets_are_followed_through_the_multiplier() {
    let description = Description::from_json(&description(&core_data("msp430")).to_string()).unwrap();
    let results = |secret: [u8; 4], mode: u16| {
        let mut chip: Msp430<Immediate, Shadowed<u32>> = msp430::chip(&description, Immediate).unwrap();
        let words = [
            0x4cb2, mode, 0x4ca2, 0x0138, 0x421c, 0x013a, 0x421d, 0x013c, 0x421e, 0x013e, 0x4c82, 0xc040, 0x4d82,
            0xc042, 0x4e82, 0xc044, RET,
        ];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        chip.write(Space::Program, CODE, &code).unwrap();
        chip.write(Space::Data, RAM, &[0x34, 0x12, 0x78, 0x56]).unwrap();
        (RAM..).zip(secret).for_each(|(address, bits)| chip.processor_mut().beside.set_bits(address, bits));
        let result = chip.call(CODE, &[Argument { value: RAM.into(), size_bytes: 2 }], 1000, Observe::Stack).unwrap();
        assert!(result.fault.is_none());
        let stored = chip.read(Space::Data, RAM + 64, 4).unwrap();
        assert_eq!(stored, (0x1234_u32 * 0x5678).to_le_bytes());
        let beside = &chip.processor().beside;
        [0, 1, 2, 3, 4, 5].map(|offset| beside.bits(RAM + 64 + offset))
    };
    // `MPY` has no sum to carry; the sign of `MPYS` is that of the product.
    assert_eq!(results([0; 4], 0x130), [0; 6]);
    assert_eq!(results([0, 0x10, 0, 0], 0x130), [0, 0xf0, 0xff, 0xff, 0, 0]);
    assert_eq!(results([0, 0, 0xff, 0], 0x132), [0xff; 6]);
}

/// Marks of secrets go back with the bytes that they stand beside, and are gone with an image.
#[test]
fn a_snapshot_keeps_the_secrets_in_memory() {
    let description = Description::from_json(&description(&core_data("msp430")).to_string()).unwrap();
    let mut chip: Msp430<Immediate, Shadowed<u32>> = msp430::chip(&description, Immediate).unwrap();
    // `mov @r12, 64(r12)`.
    let code: Vec<u8> = [0x4cac, 0x0040, RET].iter().flat_map(|word: &u16| word.to_le_bytes()).collect();
    chip.write(Space::Program, CODE, &code).unwrap();
    chip.processor_mut().beside.set_bits(RAM, 0xff);
    chip.snapshot();
    chip.call(CODE, &[Argument { value: RAM.into(), size_bytes: 2 }], 1000, Observe::Nothing).unwrap();
    assert_eq!(chip.processor().beside.bits(RAM + 64), 0xff);
    chip.restore().unwrap();
    assert_eq!((chip.marks(RAM, 1), chip.marks(RAM + 64, 1)), (vec![0xff], vec![0]));
    chip.load_raw(CODE, &code).unwrap();
    assert_eq!(chip.marks(RAM, 2), [0, 0]);
}

/// A chip whose flash has lines of 8 bytes, two of them in each of two sets, and waits two cycles at 24 MHz.
fn flash_chip(more: &str) -> Result<Box<dyn Machine>, steelyard_emu::Error> {
    machine_from_json(&flash_data(more).to_string())
}

fn flash_data(more: &str) -> Value {
    let mut description = description(&core_data("msp430x"));
    description["clock_hz"] = 24_000_000.into();
    let flash = r#"{"access_ns": 125, "row_bytes": 8, "one_port": true,
        "unified_cache": {"size_bytes": 32, "line_bytes": 8, "ways": 2}MORE}"#;
    description["flash"] = serde_json::from_str(&flash.replace("MORE", more)).unwrap();
    description
}

/// Calls a function in flash; returns its result and the chip.
fn called_in_flash(words: &[u16]) -> (CallResult, Box<dyn Machine>) {
    let mut machine = flash_chip("").unwrap();
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.load_raw(FLASH, &code).unwrap();
    let result = machine.call(FLASH, &[Argument { value: FLASH.into(), size_bytes: 2 }], 1000, Observe::Nothing);
    (result.unwrap(), machine)
}

const NOP: u16 = 0x4303;

/// Every line waits once, whether its words are instructions, their operands or data; a call and a return add nothing.
#[test]
fn code_and_data_in_flash_wait_for_their_lines() {
    // The call, three instructions of the first line and the return of the second.
    let (result, mut machine) = called_in_flash(&[NOP, NOP, NOP, NOP, RET]);
    assert_eq!(result.cycles, 4 + (2 + 4) + (2 + 4));
    // The lines are there; after they were emptied they are not.
    let arguments = [Argument { value: FLASH.into(), size_bytes: 2 }];
    let mut again = || machine.call(FLASH, &arguments, 1000, Observe::Nothing).unwrap();
    assert_eq!(again().cycles, 4 + 4 + 4);
    let counters = again().memory.unwrap();
    assert_eq!((counters.icache_accesses, counters.icache_misses, counters.stall_cycles), (2, 0, 0));
    machine.empty_caches();
    let result = machine.call(FLASH, &arguments, 1000, Observe::Nothing).unwrap();
    assert_eq!(result.cycles, 4 + (2 + 4) + (2 + 4));
    assert_eq!(result.memory.unwrap().icache_misses, 2);
    // `mov 16(r12), r13`, its second word in the first line, reads a third line; so does `mov.b`.
    for (load, words) in [(0x4c1d, 4 + (2 + 3 + 2) + 1 + (2 + 4)), (0x4c5d, 4 + (2 + 3 + 2) + 1 + (2 + 4))] {
        let (result, _) = called_in_flash(&[load, 0x0010, NOP, NOP, RET]);
        assert_eq!(result.cycles, words + 1, "{load:x}");
        assert_eq!(result.memory.unwrap().dcache_misses, 1);
    }
    // An instruction of three words across two lines: `mov #1234h, 64(sp)`.
    let (result, _) = called_in_flash(&[NOP, NOP, 0x40b1, 0x1234, 0xff80, RET]);
    assert_eq!(result.cycles, 4 + (2 + 2) + (4 + 2) + 4);
}

#[test]
fn the_buffers_of_a_flash_are_not_switched() {
    let switches = r#", "switches": {"control": 320, "status": 322, "reset": 0, "buffer_off": 1, "mode": 2,
        "mode_cached": 2}"#;
    let refused = flash_chip(switches).err().unwrap().to_string();
    assert_eq!(refused, "no program of an MSP430 switches the buffers of its flash; leave `flash.switches` out");
}

fn of_chip(core: &str) -> Description {
    Description::from_json(&description(&core_data(core)).to_string()).unwrap()
}

fn bytes_of(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// What is told of single instructions sums up to the profile of the call.
#[test]
fn what_is_told_of_instructions_sums_up() {
    for name in ["msp430", "msp430x"] {
        let core = Core::from_data(&core_data(name)).unwrap();
        let mut plain: Msp430 = msp430::chip(&of_chip(name), Immediate).unwrap();
        let arguments = [RAM, RAM + 0x40, 0x8001, 7].map(|value: u32| Argument { value: value.into(), size_bytes: 2 });
        assert_sums(&mut plain, CODE, RAM..RAM + 0x100, &arguments, Witness::count, |random| {
            let words: Vec<u16> = (0..8).flat_map(|_| random_instruction(&core, random)).collect();
            bytes_of(&[&words[..], &[RET]].concat())
        });
    }
}

/// Calls a function that gets r12 at a byte, and returns what was seen, with places as bytes from the function's start, and
/// the secret bits of the word 64 bytes behind.
fn seen(core: &str, value: u8, secret: u8, words: &[u16]) -> (Witness, [u8; 2]) {
    let mut chip: Msp430<Immediate, Shadowed<u32>> = msp430::chip(&of_chip(core), Immediate).unwrap();
    chip.write(Space::Program, CODE, &bytes_of(&[words, &[RET]].concat())).unwrap();
    chip.write(Space::Data, RAM, &[value, 0]).unwrap();
    chip.processor_mut().beside.set_bits(RAM, secret);
    let (mut witness, exit, cycles) = witnessed(&mut chip, CODE, &[Argument { value: RAM.into(), size_bytes: 2 }]);
    assert_eq!((exit, witness.cycles()), (Exit::Stop, cycles), "{words:04x?}");
    witness.leaks.iter_mut().for_each(|(place, _)| *place = 2 * *place - CODE);
    let beside = &chip.processor().beside;
    (witness, [beside.bits(RAM + 64), beside.bits(RAM + 65)])
}

/// `mov.b @r12, r14` stands before each of these; leaks are told by the distance of their instruction behind it.
#[test]
fn what_a_secret_decides_is_told_where_it_does() {
    let table = RAM + 6;
    let load = |address, size_bytes| Leak::Load { address, size_bytes };
    let store = |address, size_bytes| Leak::Store { address, size_bytes };
    let byte = [0xff, 0];
    let word = [0xff, 0xff];
    let none = [0, 0];
    let cases: [(&str, &[u16], &Leaks, [u8; 2]); 16] = [
        ("cmp.b #0, r14; jeq $+2", &[0x934e, 0x2400], &[(2, Leak::Branch)], none),
        ("cmp.b #0, r14; jne $+2", &[0x934e, 0x2000], &[(2, Leak::Branch)], none),
        ("cmp.b r14, r14; jc $+2", &[0x9e4e, 0x2c00], &[(2, Leak::Branch)], none),
        ("cmp.b #0, r14; jge $+2", &[0x934e, 0x3400], &[(2, Leak::Branch)], none),
        ("mov.b c000h(r14), r15; mov r15, 64(r12)", &[0x4e5f, 0xc000, 0x4f8c, 0x0040], &[(0, load(table, 1))], byte),
        (
            "bis #c000h, r14; mov @r14, r15; mov r15, 64(r12)",
            &[0xd03e, 0xc000, 0x4e2f, 0x4f8c, 0x0040],
            &[(4, load(table, 2))],
            word,
        ),
        (
            "bis #c000h, r14; mov @r14+, r15; mov r15, 64(r12)",
            &[0xd03e, 0xc000, 0x4e3f, 0x4f8c, 0x0040],
            &[(4, load(table, 2))],
            word,
        ),
        ("mov.b r15, c000h(r14)", &[0x4fce, 0xc000], &[(0, store(table, 1))], none),
        ("add r15, c000h(r14)", &[0x5f8e, 0xc000], &[(0, load(table, 2)), (0, store(table, 2))], none),
        ("cmp r15, c000h(r14)", &[0x9f8e, 0xc000], &[(0, load(table, 2))], none),
        ("rra c000h(r14)", &[0x111e, 0xc000], &[(0, load(table, 2)), (0, store(table, 2))], none),
        ("add #8002h, r14; br r14", &[0x503e, 0x8002, 0x4e00], &[(4, Leak::Target)], none),
        ("add #8002h, r14; call r14", &[0x503e, 0x8002, 0x128e], &[(4, Leak::Target)], none),
        ("add #8004h, r14; push r14; ret", &[0x503e, 0x8004, 0x120e, RET], &[(6, Leak::Target)], none),
        (
            "bis #c100h, r14; mov sp, r13; mov r14, sp; mov r13, sp",
            &[0xd03e, 0xc100, 0x410d, 0x4e01, 0x4d01],
            &[(6, Leak::Stack)],
            none,
        ),
        ("rpt r14; rrax r15; mov r15, 64(r12)", &[0x18ce, 0x110f, 0x4f8c, 0x0040], &[(0, Leak::Shift)], word),
    ];
    for (text, behind, leaks, result) in cases {
        let core = if leaks[0].1 == Leak::Shift { "msp430x" } else { "msp430" };
        let words = [&[0x4c6e], behind].concat();
        let (witness, secret) = seen(core, 6, 0xff, &words);
        let wanted: Vec<(u32, Leak)> = leaks.iter().map(|&(distance, leak)| (2 + distance, leak)).collect();
        assert_eq!((witness.leaks, secret), (wanted, result), "{text}");
        let (witness, secret) = seen(core, 6, 0, &words);
        assert_eq!((witness.leaks, secret), (vec![], [0, 0]), "{text}: public");
    }
    // A count of which only bits above the lowest four are secret is public.
    let words = [0x4c6e, 0x18ce, 0x110f, 0x4f8c, 0x0040];
    let (witness, secret) = seen("msp430x", 0x26, 0xf0, &words);
    assert_eq!((witness.leaks, secret), (vec![], [0, 0]));
    assert_eq!(seen("msp430x", 0x26, 0x01, &words).1, [0xff, 0xff]);
}

/// Times by the core's data: jumps taken, calls and returns, and the lines of a flash for code and for data.
#[test]
fn waits_have_causes() {
    let mut chip: Msp430 = msp430::chip(&of_chip("msp430"), Immediate).unwrap();
    let branch = |cycles| vec![(Cause::Branch, cycles)];
    let cases: [(&str, &[u16], u32, Causes); 6] = [
        ("jn over a nop, not taken", &[0x3001, NOP], 2, vec![]),
        ("jmp over a nop", &[0x3c01, NOP], 2, branch(1)),
        ("br #8006h", &[0x4030, 0x8006, NOP], 3, branch(2)),
        ("call #8006h; nop; pop r15", &[0x12b0, 0x8006, NOP, 0x413f], 5, branch(4)),
        ("mov #5, r15", &[0x403f, 5], 2, vec![]),
        ("ret", &[], 3, branch(2)),
    ];
    for (text, words, cycles, causes) in cases {
        chip.write(Space::Program, CODE, &bytes_of(&[words, &[RET]].concat())).unwrap();
        let (witness, exit, sum) = witnessed(&mut chip, CODE, &[]);
        assert_eq!((exit, witness.cycles()), (Exit::Stop, sum), "{text}");
        assert_eq!(witness.spent_at(CODE / 2), (cycles, causes), "{text}");
    }
    let description = Description::from_json(&flash_data("").to_string()).unwrap();
    let mut chip: Msp430<FlashPath> =
        msp430::chip(&description, FlashPath::of(&description).unwrap().unwrap()).unwrap();
    // `mov 16(r12), r13`, two nops of its line, and the return of the next.
    chip.load_raw(FLASH, &bytes_of(&[0x4c1d, 0x0010, NOP, NOP, RET])).unwrap();
    let arguments = [Argument { value: FLASH.into(), size_bytes: 2 }];
    let (witness, exit, cycles) = witnessed(&mut chip, FLASH, &arguments);
    assert_eq!((exit, witness.cycles()), (Exit::Stop, cycles));
    let load = (3 + 2 + 2, vec![(Cause::Fetch, 2), (Cause::Data, 2)]);
    assert_eq!(witness.spent_at(FLASH / 2), load);
    // One port: the line of the data has taken the place of the code's in the buffer, but not in the cache.
    assert_eq!(witness.spent_at(FLASH / 2 + 3), (1, vec![]));
    assert_eq!(witness.spent_at(FLASH / 2 + 4), (4 + 2, vec![(Cause::Fetch, 2), (Cause::Branch, 3)]));
    assert_eq!(witness.accesses, [(FLASH / 2, FLASH + 16, 2, false)]);
}
