//! RISC-V: what a comparison with another simulator does not show, or shows otherwise than the chips.

use crate::common::observed::{assert_causes_fit, assert_leaks, keep_secret, secret_bits, watch, Case, Stalls, SECRET};
use crate::common::riscv::{call, chip, description, run, CODE, FLASH, RAM, RAM_BYTES, RETURN};
use crate::common::values::{assert_alike, Random};
use crate::common::{core_data, follow};
use serde_json::{json, Value};
use steelyard_emu::memory_system::{FlashPath, Immediate};
use steelyard_emu::observe::Cause;
use steelyard_emu::profile::Class;
use steelyard_emu::riscv::{self, decode, isa, RiscV};
use steelyard_emu::value::{Beside, HeldWord, Shadowed};
use steelyard_emu::{machine_from_json, Argument, CallResult, Description, FaultKind, Machine, Observe, Space, Start};

const NOP: u32 = 0x0000_0013;
const LOOP: u32 = 0x0000_006f;
const CORES: [&str; 6] = ["e31", "e31-2016", "bumblebee", "esp32-c3", "ibex-small", "ibex-maxperf"];

fn returned(core: &str, words: &[u32]) -> u32 {
    let result = run(core, words);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    result.return_value as u32
}

fn fault(core: &str, words: &[u32]) -> FaultKind {
    run(core, words).fault.expect("a fault").kind
}

fn message(core: &str, words: &[u32]) -> String {
    run(core, words).fault.expect("a fault").message
}

fn code(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).chain(RETURN).collect()
}

#[test]
fn e31_refuses_misaligned_data_and_the_others_take_them() {
    for core in CORES {
        let traps = core.starts_with("e31");
        for (name, word, value) in [
            ("lw a0, 1(a0)", 0x0015_2503_u32, 0x8483_8281_u32),
            ("lw a0, 2(a0)", 0x0025_2503, 0x8584_8382),
            ("lh a0, 1(a0)", 0x0015_1503, 0xffff_8281),
            ("lhu a0, 3(a0)", 0x0035_5503, 0x0000_8483),
        ] {
            if traps {
                assert_eq!(fault(core, &[word]), FaultKind::UnalignedAddress, "{core}: {name}");
            } else {
                assert_eq!(returned(core, &[word]), value, "{core}: {name}");
            }
        }
        // sw a3, 3(a0); lw a0, 4(a0)
        let stored = [0x00d5_21a3, 0x0045_2503];
        if traps {
            assert_eq!(fault(core, &stored), FaultKind::UnalignedAddress);
            assert_eq!(
                message(core, &stored),
                "an unaligned access to 0x40000003, wanted at 0x10000 (f+0x0)",
                "{core}"
            );
        } else {
            assert_eq!(returned(core, &stored), 0x8700_0000);
        }
    }
}

#[test]
fn a_call_of_four_bytes_across_two_words_fetches_twice() {
    for (core, more) in [("ibex-small", 1), ("ibex-maxperf", 1), ("esp32-c3", 1), ("bumblebee", 0)] {
        let cycles = |instruction: &[u8]| {
            // What is called lies behind c.nop.
            let code = [&[1, 0], instruction, &RETURN].concat();
            call(&mut chip(&core_data(core), &[("f", &code)]).unwrap(), CODE + 2, &[]).cycles
        };
        assert_eq!(cycles(&NOP.to_le_bytes()), cycles(&[1, 0]) + more, "{core}");
    }
}

#[test]
fn a_stop_is_fetched_like_the_instruction_there() {
    // j .+6; c.nop; nop at an odd halfword, or two c.nop there.
    let cycles = |target: [u8; 4]| {
        let code = [&[0x6f, 0, 0x60, 0, 1, 0], &target[..]].concat();
        let mut chip = chip(&core_data("ibex-small"), &[("f", &code)]).unwrap();
        let start = Start { from: Some(CODE), writes: Vec::new(), registers: Vec::new() };
        chip.run(&start, CODE + 6, 100, Observe::Nothing).unwrap().cycles
    };
    assert_eq!((cycles(NOP.to_le_bytes()), cycles([1, 0, 1, 0])), (3, 2));
}

#[test]
fn atomics_want_their_extension_and_an_aligned_word() {
    // amoadd.w a0, a3, (a0)
    assert_eq!(returned("e31", &[0x00d5_252f]), 0x8382_8180);
    assert_eq!(fault("esp32-c3", &[0x00d5_252f]), FaultKind::IllegalOpcode);
    assert_eq!(
        message("esp32-c3", &[0x00d5_252f]),
        "0x00d5252f at 0x10000 (f+0x0) is no instruction of the esp32-c3 core"
    );
    // addi a0, a0, 2; amoadd.w a0, a3, (a0)
    assert_eq!(fault("bumblebee", &[0x0025_0513, 0x00d5_252f]), FaultKind::UnalignedAddress);
    // A store between them takes no reservation away, another conditional store does: lr.w a4, (a0); sc.w a5, a3, (a0);
    // sc.w a0, a3, (a0)
    assert_eq!(returned("e31", &[0x1005_272f, 0x18d5_27af, 0x18d5_252f]), 1);
    assert_eq!(returned("e31", &[0x1005_272f, 0x00d5_2023, 0x18d5_252f]), 0);
}

#[test]
fn what_is_no_instruction_is_refused() {
    for (name, word) in [
        ("all zeros", 0x0000_0000),
        ("all ones", 0xffff_ffff),
        ("a shift by 32", 0x0205_1513),
        ("sret", 0x1020_0073),
        ("flw", 0x0005_2007),
        ("c.flw", 0x0000_6108),
        ("a load of eight bytes", 0x0005_3503),
    ] {
        for core in CORES {
            assert_eq!(fault(core, &[word]), FaultKind::IllegalOpcode, "{core}: {name}");
        }
    }
    assert_eq!(message("e31", &[0x0000_0000]), "0x0000 at 0x10000 (f+0x0) is no instruction of the e31 core");
}

#[test]
fn an_embedded_core_has_sixteen_registers_and_no_products() {
    for (name, word) in [
        ("addi x16, x0, 1", 0x0010_0813),
        ("add a0, a0, x16", 0x0105_0533),
        ("add a0, x16, a0", 0x00a8_0533),
        ("lw x31, 0(a0)", 0x0005_2f83),
        ("sw x16, 0(a0)", 0x0105_2023),
        ("beq x16, x0, 8", 0x0008_0463),
        ("jalr x0, 0(x16)", 0x0008_0067),
        ("csrr x16, mscratch", 0x3400_2873),
        ("csrw mscratch, x16", 0x3408_1073),
        ("c.li x16, 1; c.nop", 0x0001_4805),
        ("c.mv a0, x16; c.nop", 0x0001_8542),
        ("mul a0, a0, a3", 0x02d5_0533),
        ("divu a0, a0, a3", 0x02d5_5533),
        ("amoadd.w a0, a3, (a0)", 0x00d5_252f),
    ] {
        assert_eq!(fault("qingke-v2a", &[word]), FaultKind::IllegalOpcode, "{name}");
    }
    assert_eq!(
        message("qingke-v2a", &[0x0010_0813]),
        "0x00100813 at 0x10000 (f+0x0) is no instruction of the qingke-v2a core"
    );
    // csrwi mscratch, 31; csrr a0, mscratch; csrr a1, misa: RV32EC. The number is no register.
    let result = run("qingke-v2a", &[0x340f_d073, 0x3400_2573, 0x3010_25f3]);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    assert_eq!(result.return_value, 31 | 0x4000_0014 << 32);
    // A result that is discarded, slli by 31, c.addi: addi x0, x0, 1; slli a0, a3, 31; c.addi a0, 1; c.nop
    assert_eq!(returned("qingke-v2a", &[0x0010_0013, 0x01f6_9513, 0x0001_0505]), 1);
}

#[test]
fn calls_of_the_system_want_a_handler() {
    assert_eq!(
        message("e31", &[0x0000_0073]),
        "0x00000073 at 0x10000 (f+0x0) calls an operating system, and there is none"
    );
    assert_eq!(message("e31", &[0x0010_0073]), "a breakpoint at 0x10000 (f+0x0), and no debugger is there");
    assert_eq!(fault("e31", &[0x1050_0073]), FaultKind::Sleep, "wfi");
    // auipc a4, 0; addi a4, a4, 20; csrw mtvec, a4; ecall; j .; csrr a0, mcause; csrr a1, mepc
    let handled = [0x0000_0717, 0x0147_0713, 0x3057_1073, 0x0000_0073, LOOP, 0x3420_2573, 0x3410_25f3];
    let result = run("e31", &handled);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    assert_eq!(result.return_value, 11 | u64::from(CODE + 12) << 32, "a call from machine mode, and where");
}

/// Machine mode goes to user mode with `mret`, and comes back with `ecall`.
#[test]
fn users_have_no_registers_of_the_machine() {
    let leave = |word: u32| {
        [
            0x0000_0717, // auipc a4, 0
            0x0207_0793, // addi a5, a4, 32: the handler
            0x3057_9073, // csrw mtvec, a5
            0x01c7_0793, // addi a5, a4, 28: the user's code
            0x3417_9073, // csrw mepc, a5
            0x3000_1073, // csrw mstatus, zero: back to users
            0x3020_0073, // mret
            word,
            0x3420_2573, // csrr a0, mcause
        ]
    };
    assert_eq!(returned("e31", &leave(0x0000_0073)), 8, "ecall from user mode");
    assert_eq!(fault("e31", &leave(0x3400_2573)), FaultKind::IllegalOpcode, "csrr a0, mscratch");
    assert_eq!(fault("e31", &leave(0xc000_2573)), FaultKind::IllegalOpcode, "csrr a0, cycle: not enabled");
    assert_eq!(fault("e31", &leave(0x3020_0073)), FaultKind::IllegalOpcode, "mret");
    let mut enabled = vec![0x3067_5073]; // csrwi mcounteren, 14; then 1: csrwi mcounteren, 1
    enabled[0] = 0x3060_d073;
    enabled.extend(leave(0xc000_2573));
    // The handler is not reached: the user's code runs into it, and reads mcause.
    assert_eq!(message("e31", &enabled).split(" wants ").nth(1), Some("control register 0x342 of the e31 core"));
}

#[test]
fn counters_count_and_can_be_set() {
    // csrr a4, minstret; nop; nop; csrr a5, minstret; sub a0, a5, a4
    assert_eq!(returned("e31", &[0xb020_2773, NOP, NOP, 0xb020_27f3, 0x40e7_8533]), 3);
    // csrr a4, mcycle; nop; nop; csrr a5, mcycle; sub a0, a5, a4
    assert_eq!(returned("e31", &[0xb000_2773, NOP, NOP, 0xb000_27f3, 0x40e7_8533]), 3);
    // The same of the ESP32-C3's counter.
    assert_eq!(returned("esp32-c3", &[0x7e20_2773, NOP, NOP, 0x7e20_27f3, 0x40e7_8533]), 3);
    // csrw minstret, zero; csrr a0, minstret
    assert_eq!(returned("e31", &[0xb020_1073, 0xb020_2573]), 1);
    // csrw minstreth, a3; csrr a0, instreth
    assert_eq!(returned("e31", &[0xb826_9073, 0xc820_2573]), 4);
    for (name, word) in [
        ("csrw cycle, a3", 0xc006_9073),
        ("csrw mhartid, a3", 0xf146_9073),
        ("csrr a0, 0x123", 0x1230_2573),
        ("csrr a0, mcycle of an ESP32-C3", 0xb000_2573),
    ] {
        let core = if name.ends_with("C3") { "esp32-c3" } else { "e31" };
        assert_eq!(fault(core, &[word]), FaultKind::IllegalOpcode, "{name}");
    }
    // csrr a0, misa: I, M, A, C, U
    assert_eq!(returned("e31", &[0x3010_2573]), 0x4010_1105);
    assert_eq!(returned("esp32-c3", &[0x3010_2573]), 0x4010_1104);
}

/// 16 MHz, and the timer's 1 MHz.
#[test]
fn the_machine_timer_runs_at_its_own_rate() {
    let mtime = [0x0200_c737, 0xff87_0713]; // lui a4, 0x200c; addi a4, a4, -8
                                            // lw a5, 0(a4); 16 * 4 nops; lw a0, 0(a4); sub a0, a0, a5
    let mut words = mtime.to_vec();
    words.push(0x0007_2783);
    words.extend([NOP; 64]);
    words.extend([0x0007_2503, 0x40f5_0533]);
    assert_eq!(returned("e31", &words), 4);
    // sw a3, 4(a4); lw a0, 4(a4): the upper word
    assert_eq!(returned("e31", &[mtime[0], mtime[1], 0x00d7_2223, 0x0047_2503]), 4);
    // lui a4, 0x2004; sw a3, 0(a4); lw a0, 0(a4), of mtimecmp, and a byte of it
    assert_eq!(returned("e31", &[0x0200_4737, 0x00d7_2023, 0x0007_2503]), 4);
    assert_eq!(returned("e31", &[0x0200_4737, 0x00d7_0123, 0x0027_4503]), 4);
    assert_eq!(fault("e31", &[0x0200_8737, 0x0007_2503]), FaultKind::UnmappedAddress, "between them");
    let mut incomplete = description(&core_data("e31"));
    incomplete["core_options"].as_object_mut().unwrap().remove("mtime_hz");
    let refused = machine_from_json(&incomplete.to_string()).err().unwrap().to_string();
    assert!(refused.starts_with("a machine timer needs each of mtime_address"), "{refused}");
}

#[test]
fn faults_name_what_happened() {
    // lui a4, 0x50000; lw a0, 0(a4)
    assert_eq!(
        message("e31", &[0x5000_0737, 0x0007_2503]),
        "nothing answers at address 0x50000000, wanted at 0x10004 (f+0x4)"
    );
    // lui a4, 0x20000; sw a0, 0(a4)
    assert_eq!(fault("e31", &[FLASH | 0x737, 0x00a7_2023]), FaultKind::WriteToFlash);
    // lui a4, 0x50000; jr a4
    assert_eq!(fault("e31", &[0x5000_0737, 0x0007_0067]), FaultKind::UnmappedAddress);
    assert_eq!(fault("e31", &[LOOP]), FaultKind::CycleBudget);
    // addi sp, sp, -16
    assert_eq!(fault("e31", &[0xff01_0113]), FaultKind::BadReturn);
    // lui t0, 8; sub sp, sp, t0; c.nop; c.nop; add sp, sp, t0: all of the RAM, and sixteen bytes more
    assert!(run("e31", &[0x0000_82b7, 0x4051_0133, 0x0001_0001, 0x0051_0133]).fault.is_none());
    let deeper = [0x0000_82b7, 0x0102_8293, 0x4051_0133, 0x0051_0133];
    assert_eq!(fault("e31", &deeper), FaultKind::StackOverflow);
    let shallow = run("e31", &[0xff01_0113, 0x0101_0113]);
    assert_eq!((shallow.stack_bytes, shallow.fault.is_none()), (16, true));
}

#[test]
fn code_that_a_program_writes_is_decoded_anew() {
    // auipc a4, 0; lui a5, 0x500; addi a5, a5, 0x513: `li a0, 5` (0x00500513); sw a5, 16(a4); li a0, 1
    let words = [0x0000_0717, 0x0050_07b7, 0x5137_8793, 0x00f7_2823, 0x0010_0513];
    assert_eq!(returned("e31", &words), 5);
    // Also where half of an instruction changes that was decoded before.
    let code = code(&[0x0010_0513]);
    let mut chip = chip(&core_data("e31"), &[("f", &code)]).unwrap();
    assert_eq!(call(&mut chip, CODE, &[]).return_value as u32, 1);
    chip.write(Space::Program, CODE + 2, &[0x70, 0x00]).unwrap();
    assert_eq!(call(&mut chip, CODE, &[]).return_value as u32, 7);
}

/// An instruction of four bytes may lie across the boundary of what is kept together.
#[test]
fn instructions_cross_every_boundary() {
    let mut chip = chip(&core_data("e31"), &[("f", &RETURN)]).unwrap();
    for start in [0x1_fffe_u32, 0x1_fffc, 0x1_fffa, 0x1_fff8] {
        // li a0, 5; addi a0, a0, 1; ret
        let bytes: Vec<u8> = code(&[0x0050_0513, 0x0015_0513]);
        chip.write(Space::Program, start, &bytes).unwrap();
        let result = call(&mut chip, start, &[]);
        assert!(result.fault.is_none(), "{start:#x}: {:?}", result.fault);
        assert_eq!((result.return_value as u32, result.instructions), (6, 4), "{start:#x}");
    }
}

#[test]
fn a_call_counts_its_classes_and_its_functions() {
    // f: c.mv s0, ra (0x8406); jal g (0x200 ahead) ...; g: lw a0, 0(a0); sw a0, 4(a1); mul a0, a0, a0
    let f: Vec<u8> = [0x1fe0_00ef_u32].iter().flat_map(|word| word.to_le_bytes()).collect();
    let f = [vec![0x06, 0x84], f, vec![0xa2, 0x80], RETURN.to_vec()].concat();
    let g = code(&[0x0005_2503, 0x00a5_a223, 0x02a5_0533]);
    let mut chip = chip(&core_data("e31"), &[("f", &f), ("g", &g)]).unwrap();
    let result = call(&mut chip, CODE, &[RAM, RAM]);
    assert!(result.fault.is_none(), "{:?}", result.fault);
    let totals = &result.totals;
    let of = |name: &str| {
        let class = steelyard_emu::profile::Class::ALL.iter().position(|class| class.name() == name).unwrap();
        totals.mix[class]
    };
    assert_eq!(result.instructions, 9);
    assert_eq!(totals.mix.iter().sum::<u64>(), 9);
    let counts = ["call", "return", "load", "store", "multiply", "alu"].map(of);
    assert_eq!(counts, [2, 2, 1, 1, 1, 2]);
    assert_eq!((totals.loads, totals.stores), (1, 1));
    let names: Vec<&str> = totals.functions.iter().map(|function| function.name.as_str()).collect();
    assert!(names.contains(&"f") && names.contains(&"g") && names.contains(&"?"), "{names:?}");
    assert_eq!(totals.functions.iter().map(|function| function.cycles).sum::<u64>(), result.cycles);
}

#[test]
fn arguments_beyond_the_eighth_lie_on_the_stack() {
    // lw a0, 0(sp); lw a1, 4(sp)
    let code = code(&[0x0001_2503, 0x0041_2583]);
    let mut chip = chip(&core_data("e31"), &[("f", &code)]).unwrap();
    let words: Vec<Argument> = (1..=10).map(|value: u32| Argument { value: value.into(), size_bytes: 4 }).collect();
    let result: CallResult = chip.call(CODE, &words, 1000, Observe::Stack).unwrap();
    assert_eq!(result.return_value, 9 | 10 << 32);
    assert_eq!(chip.stack_pointer(), RAM + RAM_BYTES);
}

#[test]
fn an_embedded_core_takes_six_arguments_in_registers() {
    // lw a0, 0(sp); add a1, a5, zero
    let code = code(&[0x0001_2503, 0x0007_85b3]);
    let mut chip = chip(&core_data("qingke-v2a"), &[("f", &code)]).unwrap();
    let words: Vec<Argument> = (1..=7).map(|value: u32| Argument { value: value.into(), size_bytes: 4 }).collect();
    let result: CallResult = chip.call(CODE, &words, 1000, Observe::Stack).unwrap();
    assert_eq!(result.return_value, 7 | 6 << 32);
}

#[test]
fn core_data_are_checked() {
    let refused = |path: &str, value: Value| {
        let mut data = core_data("e31");
        *data.pointer_mut(path).unwrap() = value;
        machine_from_json(&description(&data).to_string()).err().expect(path).to_string()
    };
    assert_eq!(refused("/cost/alu/issue", json!(0)), "core `e31`: cost.alu issues in no time");
    assert!(refused("/prediction/directions", json!(500)).contains("a power of two"));
    assert!(refused("/prediction/counter_bits", json!(3)).contains("1 or 2 bits"));
    assert!(refused("/prediction/history_bits", json!(2)).contains("mixed into no more bits"));
    assert!(refused("/prediction/targets", json!(0)).contains("without branch targets"));
    assert!(refused("/cost/late", json!("x")).contains("not usable"));
}

/// Whatever instructions compute, with secrets beside the values they take the same time and leave the same behind.
#[test]
fn shadows_change_nothing() {
    for core in ["e31", "bumblebee"] {
        let description = Description::from_json(&description(&core_data(core)).to_string()).unwrap();
        let mut plain: RiscV<Immediate> = riscv::chip(&description, Immediate).unwrap();
        let mut shadowed: RiscV<Immediate, Shadowed<u32>> = riscv::chip(&description, Immediate).unwrap();
        shadowed.processor_mut().beside.fill(RAM..RAM + 0x80, 0xff);
        let arguments =
            [RAM, RAM + 0x40, 0x8000_0001, 7].map(|value: u32| Argument { value: value.into(), size_bytes: 4 });
        assert_alike([&mut plain, &mut shadowed], CODE, RAM..RAM + 0x100, &arguments, |random| {
            let mut code: Vec<u8> = (0..8).flat_map(|_| random_instruction(random)).collect();
            code.extend(RETURN);
            code
        });
    }
}

/// Any instruction but those that jump or move the return address; one that loads or stores does so near a0.
fn random_instruction(random: &mut Random) -> Vec<u8> {
    loop {
        let row = &isa::ROWS[random.below(isa::ROWS.len())];
        let free = !row.pattern.mask & (u64::MAX >> (64 - row.pattern.bits)) as u32;
        let mut word = row.pattern.value | random.word() & free;
        if matches!(row.class, Class::Load | Class::Store) && row.pattern.bits == 32 {
            word = word & !(0x1f << 15 | 0xf << 28) | 10 << 15;
        }
        let Some(decoded) = decode::of_row(row, word, CODE) else { continue };
        let jumps = matches!(row.class, Class::Jump | Class::Call | Class::Return | Class::Branch | Class::Other);
        if !jumps && decoded.rd != decode::RA {
            return word.to_le_bytes()[..row.pattern.bits as usize / 8].to_vec();
        }
    }
}

/// lw a4, (a0); addi a4, a4, 1; andi a5, a4, 255; sw a5, 64(a0): of a secret word the lowest byte stays secret.
#[test]
fn secrets_are_followed_through_registers_and_memory() {
    let description = Description::from_json(&description(&core_data("e31")).to_string()).unwrap();
    let mut chip: RiscV<Immediate, Shadowed<u32>> = riscv::chip(&description, Immediate).unwrap();
    let words = [0x0005_2703, 0x0017_0713, 0x0ff7_7793, 0x04f5_2023];
    chip.write(Space::Program, CODE, &code(&words)).unwrap();
    chip.processor_mut().beside.fill(RAM..RAM + 4, 0xff);
    assert!(follow(&mut chip, CODE, &[RAM], 4).fault.is_none());
    let beside = &chip.processor().beside;
    assert_eq!(beside.bits(RAM + 64), 0xff);
    assert!((65..68).all(|offset| beside.bits(RAM + offset) == 0));
}

const REGISTERS: [(&str, u32); 3] = [("x10", RAM), ("x11", RAM + 0x100), ("x2", RAM + 0x1000)];

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn bare<W: HeldWord>(core: &str) -> RiscV<Immediate, W> {
    riscv::chip(&Description::from_json(&description(&core_data(core)).to_string()).unwrap(), Immediate).unwrap()
}

fn case<'a>(text: &'a str, words: &[u32], leaks: &'a [(u32, &'a str)]) -> Case<'a> {
    Case { text, code: bytes_of(words), leaks }
}

/// Of the word at a0, which is secret.
#[test]
fn what_a_secret_decides_is_told() {
    let cases = [
        case("lw a4, (a0); beqz a4, .+4", &[0x0005_2703, 0x0007_0263], &[(4, "branch")]),
        case("beqz a1, .+4", &[0x0005_2703, 0x0005_8263], &[]),
        case(
            "andi a5, a4, 4; auipc a3, 0; add a3, a3, a5; jr 12(a3)",
            &[0x0005_2703, 0x0047_7793, 0x0000_0697, 0x00f6_86b3, 0x00c6_8067],
            &[(16, "target")],
        ),
        case(
            "andi a5, a4, 4; add a3, a1, a5; lw a2, (a3)",
            &[0x0005_2703, 0x0047_7793, 0x00f5_86b3, 0x0006_a603],
            &[(12, "load")],
        ),
        case(
            "andi a5, a4, 4; add a3, a1, a5; sw a1, (a3)",
            &[0x0005_2703, 0x0047_7793, 0x00f5_86b3, 0x00b6_a023],
            &[(12, "store")],
        ),
        case("andi a5, a4, 4; sub sp, sp, a5", &[0x0005_2703, 0x0047_7793, 0x40f1_0133], &[(8, "stack")]),
        case("mul a2, a1, a4", &[0x0005_2703, 0x02e5_8633], &[]),
        case("sll a2, a1, a4", &[0x0005_2703, 0x00e5_9633], &[]),
    ];
    for core in ["e31", "ibex-small", "esp32-c3", "bumblebee"] {
        assert_leaks(bare::<Shadowed<u32>>(core).processor_mut(), CODE, RAM, &REGISTERS, &cases);
    }
    let divide: &[(u32, &str)] = &[(4, "divide")];
    // By the divisor, by the dividend.
    for (core, by_divisor, by_dividend) in
        [("e31", divide, divide), ("esp32-c3", divide, divide), ("ibex-small", divide, &[]), ("bumblebee", &[], &[])]
    {
        let cases = [
            case("divu a2, a1, a4", &[0x0005_2703, 0x02e5_d633], by_divisor),
            case("divu a2, a4, a1", &[0x0005_2703, 0x02b7_5633], by_dividend),
        ];
        assert_leaks(bare::<Shadowed<u32>>(core).processor_mut(), CODE, RAM, &REGISTERS, &cases);
    }
    let atomic = case(
        "amoadd.w a2, a1, (a3)",
        &[0x0005_2703, 0x0047_7793, 0x00f5_86b3, 0x00b6_a62f],
        &[(12, "load"), (12, "store")],
    );
    assert_leaks(bare::<Shadowed<u32>>("e31").processor_mut(), CODE, RAM, &REGISTERS, &[atomic]);
}

/// andi a5, a4, 4; add a3, a1, a5; lw a2, (a3); sw a2, 64(a0): a word that a secret selects is secret, a byte of it eight
/// bits.
#[test]
fn what_a_secret_selects_is_secret() {
    let mut chip = bare::<Shadowed<u32>>("e31");
    for (load, kept) in [(0x0006_a603, [0xff; 4]), (0x0006_c603, [0xff, 0, 0, 0])] {
        for (secret, wanted) in [(4, kept), (0, [0; 4])] {
            chip.write(Space::Data, RAM, &SECRET).unwrap();
            keep_secret(chip.processor_mut(), RAM, secret);
            let words = [0x0005_2703, 0x0047_7793, 0x00f5_86b3, load, 0x04c5_2023];
            watch(chip.processor_mut(), CODE, &bytes_of(&words), &REGISTERS).unwrap();
            assert_eq!(secret_bits(chip.processor(), RAM + 64), wanted, "{load:#x}");
        }
    }
}

/// By the cores' data.
#[test]
fn waits_have_their_causes() {
    let cases: [(&str, &str, &[u32], Stalls); 8] = [
        ("e31", "lw a4, (a0); addi a4, a4, 1", &[0x0005_2703, 0x0017_0713], &[(4, Cause::Result, 1)]),
        ("e31", "mul a2, a1, a1; addi a2, a2, 1", &[0x02b5_8633, 0x0016_0613], &[(4, Cause::Result, 4)]),
        ("e31", "mul a2, a1, a1; mul a3, a1, a1", &[0x02b5_8633, 0x02b5_86b3], &[(4, Cause::Multiply, 4)]),
        ("ibex-small", "mul a2, a1, a1", &[0x02b5_8633], &[(0, Cause::Multiply, 2)]),
        ("ibex-small", "beq zero, zero, .+4", &[0x0000_0263], &[(0, Cause::Branch, 2)]),
        ("ibex-small", "bne zero, zero, .+4", &[0x0000_1263], &[]),
        ("ibex-small", "divu a2, a1, a1", &[0x02b5_d633], &[(0, Cause::Multiply, 36)]),
        ("ibex-small", "lw a4, (a0): its own two cycles", &[0x0005_2703], &[]),
    ];
    for (core, text, words, stalls) in cases {
        let mut chip = bare::<u32>(core);
        let seen = watch(chip.processor_mut(), CODE, &bytes_of(words), &REGISTERS).expect(text);
        assert_eq!(seen.stalls, stalls, "{text} on {core}");
    }
    // lw a4, (a0); sb a4, 9(a0)
    let seen = watch(bare::<u32>("e31").processor_mut(), CODE, &bytes_of(&[0x0005_2703, 0x00e5_04a3]), &REGISTERS);
    assert_eq!(seen.unwrap().accesses, [(0, (RAM, 4, false)), (4, (RAM + 9, 1, true))]);
}

fn on_flash(core: &str) -> RiscV<FlashPath> {
    let mut data = description(&core_data(core));
    data["flash"] = json!({"access_ns": 240.0, "row_bytes": 8});
    let description = Description::from_json(&data.to_string()).unwrap();
    let path = FlashPath::of(&description).unwrap().unwrap();
    riscv::chip(&description, path).unwrap()
}

/// A row of eight bytes takes four cycles: three to wait.
#[test]
fn waits_for_flash_have_their_causes() {
    let nop = 0x0000_0013;
    let seen = watch(on_flash("ibex-small").processor_mut(), FLASH, &bytes_of(&[nop; 4]), &REGISTERS).unwrap();
    assert_eq!(seen.stalls, [(0, Cause::Fetch, 3), (8, Cause::Fetch, 3)]);
    let mut chip = on_flash("ibex-small");
    let registers = [("x10", FLASH + 0x100), ("x2", RAM + 0x1000)];
    let seen = watch(chip.processor_mut(), CODE, &bytes_of(&[0x0005_2703]), &registers).unwrap();
    assert_eq!(seen.stalls, [(0, Cause::Data, 3)]);
}

#[test]
fn causes_take_no_more_cycles_than_their_instruction() {
    for core in ["e31", "bumblebee", "ibex-small", "esp32-c3"] {
        let pieces = |random: &mut Random| (0..8).flat_map(|_| random_instruction(random)).collect();
        assert_causes_fit(bare::<u32>(core).processor_mut(), CODE, &REGISTERS, pieces);
        assert_causes_fit(on_flash(core).processor_mut(), FLASH, &REGISTERS, pieces);
    }
}
