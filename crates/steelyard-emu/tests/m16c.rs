//! The M16C where gdb's simulator is no reference: what it does otherwise than the manual, and what it has not; and calls.
//!
//! All else is compared with it instruction by instruction (`differential/src/families/m16c.rs`).

use crate::common::core_data;
use crate::common::image::ImageBuilder;
use crate::common::values::{assert_alike, Random};
use crate::common::witness::{assert_sums, witnessed, Causes, Witness};
use serde_json::{json, Value};
use steelyard_emu::m16c::cpu::{Cpu, Registers, B, C, O, S, U, Z};
use steelyard_emu::m16c::decode::{row_of, Op, A0, A1, FB, R0, R1, R2, R3, SB, SP};
use steelyard_emu::m16c::{chip, isa, M16c};
use steelyard_emu::observe::{Cause, Leak, Nothing};
use steelyard_emu::processor::{Exit, Processor};
use steelyard_emu::profile::Class;
use steelyard_emu::value::{Beside, Shadowed};
use steelyard_emu::{Argument, Description, FaultKind, Machine, Observe, Space};

const RAM: u32 = 0x400;
const RAM_BYTES: u32 = 0x400;
const LAB: u32 = 0x1000;
const CODE: u32 = 0xf_a000;
const RTS: u8 = 0xf3;

fn description(memory: Value) -> Description {
    let description = json!({"core": core_data("m16c"), "memory": memory, "clock_hz": 16_000_000});
    Description::from_json(&description.to_string()).unwrap()
}

fn memories() -> Value {
    json!([
        {"name": "sfr", "space": "data", "kind": "io", "base": 0, "size": 0x400},
        {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_BYTES},
        {"name": "lab", "space": "data", "kind": "ram", "base": LAB, "size": 0xe000},
        {"name": "flash", "space": "data", "kind": "flash", "base": CODE, "size": 0x6000},
    ])
}

fn empty() -> M16c {
    chip(&description(memories())).unwrap()
}

/// Executes the bytes at the start of the flash after `set_up`; returns the processor behind them.
fn after(bytes: &[u8], set_up: impl FnOnce(&mut Cpu)) -> Cpu {
    let mut chip = empty();
    let cpu = chip.processor_mut();
    assert!(cpu.poke(CODE, bytes));
    cpu.registers.pc = CODE;
    set_up(cpu);
    cpu.plant_stop(CODE + bytes.len() as u32);
    let exit = cpu.run(&mut Nothing, 10_000);
    assert_eq!(exit, Exit::Stop, "{bytes:02x?}");
    cpu.clone()
}

fn set(registers: &[(u8, u16)]) -> impl FnOnce(&mut Cpu) + '_ {
    move |cpu| {
        for &(number, value) in registers {
            cpu.registers.file[usize::from(number)] = value;
        }
    }
}

fn get(cpu: &Cpu, number: u8) -> u16 {
    cpu.registers.file[usize::from(number)]
}

fn flags(cpu: &Cpu, among: u32) -> u32 {
    cpu.registers.flags & among
}

#[test]
fn a_call_finds_memory_as_start_up_code_leaves_it() {
    let mut image = ImageBuilder::of_m16c(CODE);
    image.function("f", vec![0xf3], 0);
    image.data = Some((RAM + 16, vec![1, 2, 3]));
    image.cleared_bytes = 4;
    let mut chip = empty();
    chip.write(Space::Data, RAM + 16, &[0x55; 8]).unwrap();
    chip.load_elf(&image.build()).unwrap();
    assert_eq!(chip.read(Space::Data, RAM + 16, 8).unwrap(), [1, 2, 3, 0, 0, 0, 0, 0]);
    assert_eq!(chip.read(Space::Data, CODE + 1, 3).unwrap(), [1, 2, 3], "stored behind the program");
    image.cleared_bytes = RAM_BYTES;
    let sentence = chip.load_elf(&image.build()).unwrap_err().to_string();
    assert_eq!(
        sentence,
        "the image does not fit the chip: its static data are 19 bytes longer than the RAM in which they begin"
    );
}

#[test]
fn bytes_to_an_address_register_make_an_operation_of_words() {
    // add.b #1, a0
    let cpu = after(&[0x76, 0x44, 0x01], set(&[(A0, 0x12ff)]));
    assert_eq!(get(&cpu, A0), 0x1300);
    // mov.b #0x80, a0
    let cpu = after(&[0x74, 0xc4, 0x80], set(&[(A0, 0xffff)]));
    assert_eq!((get(&cpu, A0), flags(&cpu, S | Z)), (0x80, 0));
}

#[test]
fn the_lowest_number_has_no_absolute_value() {
    // abs.w r0, abs.b r0l
    let cpu = after(&[0x77, 0xf0], set(&[(R0, 0x8000)]));
    assert_eq!((get(&cpu, R0), flags(&cpu, S | Z | O)), (0x8000, S | O));
    let cpu = after(&[0x76, 0xf0], set(&[(R0, 0x80)]));
    assert_eq!((get(&cpu, R0), flags(&cpu, O)), (0x80, O));
    let cpu = after(&[0x76, 0xf0], set(&[(R0, 0xff)]));
    assert_eq!((get(&cpu, R0), flags(&cpu, O)), (0x01, 0));
}

#[test]
fn a_dividend_is_twice_as_wide_as_its_divisor() {
    let quotient = |bytes: &[u8], r2: u16, r0: u16, r1: u16| {
        let cpu = after(bytes, set(&[(R0, r0), (R1, r1), (R2, r2)]));
        (get(&cpu, R0), get(&cpu, R2), flags(&cpu, O) != 0)
    };
    // div.w r1
    assert_eq!(quotient(&[0x77, 0xd1], 0x0001, 0x2345, 0x10), (0x1234, 5, false));
    assert_eq!(quotient(&[0x77, 0xd1], 0xfffe, 0xdcbb, 0x10), (0xedcc, 0xfffb, false));
    assert!(quotient(&[0x77, 0xd1], 0x0001, 0x2345, 1).2);
    // div.b #3 of 291, divx.b #2 of -7
    assert_eq!(quotient(&[0x7c, 0xe1, 3], 0, 0x0123, 0), (0x0061, 0, false));
    assert_eq!(quotient(&[0x7c, 0xe3, 2], 0, 0xfff9, 0), (0x01fc, 0, false));
    // divu.w #1: 65536 does not fit
    assert!(quotient(&[0x7d, 0xe0, 1, 0], 1, 0, 0).2);
    assert_eq!(quotient(&[0x7d, 0xe0, 2, 0], 1, 0xffff, 0), (0xffff, 1, false));
    // By nothing: O alone.
    assert_eq!(quotient(&[0x7d, 0xe0, 0, 0], 1, 7, 0), (7, 1, true));
}

#[test]
fn an_arithmetic_shift_tells_that_the_sign_changed() {
    // sha.w #1, #2, #-1, r0
    for (code, value, expected, overflow) in [
        (0x00, 0x4000, 0x8000, true),
        (0x00, 0x2000, 0x4000, false),
        (0x10, 0x4000, 0x0000, true),
        (0x10, 0xc000, 0x0000, true),
        (0x00, 0xc000, 0x8000, false),
        (0x80, 0x8000, 0xc000, false),
    ] {
        let cpu = after(&[0xf1, code], set(&[(R0, value)]));
        assert_eq!((get(&cpu, R0), flags(&cpu, O) != 0), (expected, overflow), "{code:02x} {value:04x}");
    }
}

#[test]
fn a_shift_by_no_place_leaves_the_flags() {
    // rot.w, shl.w, sha.w r1h, r0 and sha.l r1h, r2r0
    for bytes in [[0x75, 0x60], [0x75, 0xe0], [0x75, 0xf0], [0xeb, 0x21]] {
        let cpu = after(&bytes, |cpu| {
            cpu.registers.file[0] = 0x8000;
            cpu.registers.flags = Z | C | O;
        });
        assert_eq!((get(&cpu, R0), flags(&cpu, C | Z | S | O)), (0x8000, Z | C | O), "{bytes:02x?}");
    }
}

#[test]
fn a_far_load_sets_flags() {
    // lde.w 0xfa000 + 5, r0 of the bytes behind it
    let cpu = after(&[0x75, 0x80, 0x07, 0xa0, 0x0f, 0xfe, 0x01, 0x00, 0x80][..5], |cpu| {
        assert!(cpu.poke(CODE + 7, &[0x00, 0x80]));
    });
    assert_eq!((get(&cpu, R0), flags(&cpu, S | Z)), (0x8000, S));
    // lde.b [a1a0], r0l
    let cpu = after(&[0x74, 0xa0], set(&[(A0, 0xb000), (A1, 0x000f), (R0, 0x1234)]));
    assert_eq!((get(&cpu, R0), flags(&cpu, S | Z)), (0x1200, Z));
}

#[test]
fn bits_are_counted_from_the_byte_at_the_base() {
    let byte = |cpu: &Cpu, address: u32| cpu.peek(address, 1).unwrap()[0];
    // bset 0x05[a0]: 19 bits from the byte at 5
    let cpu = after(&[0x7e, 0x98, 0x05], set(&[(A0, 19)]));
    assert_eq!(byte(&cpu, 7), 8);
    // bset 0x1000[a1]
    let cpu = after(&[0x7e, 0x9d, 0x00, 0x10], set(&[(A1, 9)]));
    assert_eq!(byte(&cpu, 0x1001), 2);
    // bset 1, 5[sb]; bset 1, -5[fb]; bset 1, 0x1005[sb]: far above where 16 bits of bits would reach
    let cpu = after(&[0x7e, 0x9a, 0x29], set(&[(SB, 0x9000)]));
    assert_eq!(byte(&cpu, 0x9005), 2);
    let cpu = after(&[0x7e, 0x9b, 0xd9], set(&[(FB, 0x9000)]));
    assert_eq!(byte(&cpu, 0x8ffb), 2);
    let cpu = after(&[0x7e, 0x9e, 0x29, 0x80], set(&[(SB, 0x8000)]));
    assert_eq!(byte(&cpu, 0x9005), 2);
}

#[test]
fn control_registers_go_through_the_stack_as_they_were() {
    // pushc isp with U clear: what it was before
    let cpu = after(&[0xeb, 0x42], set(&[(SP, 0x600)]));
    assert_eq!((get(&cpu, SP), cpu.peek(0x5fe, 2).unwrap()), (0x5fe, vec![0x00, 0x06]));
    // popc sp: what was popped, and no more
    let cpu = after(&[0xeb, 0x53], |cpu| {
        cpu.registers.file[SP as usize] = 0x600;
        assert!(cpu.poke(0x600, &[0x34, 0x06]));
    });
    assert_eq!(get(&cpu, SP), 0x634);
    // ldipl #5
    let cpu = after(&[0x7d, 0xa5], |_| {});
    assert_eq!(cpu.registers.flags, 0x5000);
    // stc pc, r2r0 and stc pc, [a0]: where the next instruction is
    let cpu = after(&[0x7c, 0xc0], |_| {});
    assert_eq!((get(&cpu, R2), get(&cpu, R0)), (0x000f, 0xa002));
    let cpu = after(&[0x7c, 0xc6], set(&[(A0, 0x600)]));
    assert_eq!(cpu.peek(0x600, 4).unwrap(), [0x02, 0xa0, 0x0f, 0x00]);
}

#[test]
fn flags_select_the_bank_and_the_stack() {
    // fset b; mov.w #1, r0; mov.w #2, a0; fclr b
    let cpu = after(&[0xeb, 0x44, 0xd9, 0x10, 0xd9, 0x24, 0xeb, 0x45], set(&[(R0, 7), (A0, 8), (SB, 9)]));
    assert_eq!((get(&cpu, R0), get(&cpu, A0), get(&cpu, SB)), (7, 8, 9));
    assert_eq!((cpu.registers.other_bank[0], cpu.registers.other_bank[4]), (1, 2));
    assert_eq!(flags(&cpu, B), 0);
    // SB lies outside of the banks: fset b; stc sb, r1
    let cpu = after(&[0xeb, 0x44, 0x7b, 0xe1], set(&[(SB, 0x1234)]));
    assert_eq!(get(&cpu, R1), 0x1234);
    // fset u; push.b #1; fclr u
    let cpu = after(&[0xeb, 0x74, 0x7c, 0xe2, 0x01, 0xeb, 0x75], |cpu| {
        cpu.registers.file[SP as usize] = 0x600;
        cpu.registers.other_sp = 0x700;
    });
    assert_eq!((get(&cpu, SP), cpu.registers.other_sp, flags(&cpu, U)), (0x600, 0x6ff, 0));
}

#[test]
fn pairs_have_their_halves() {
    // jmpi.a r3r1 to the end
    let cpu = after(&[0x7d, 0x01], set(&[(R3, 0x000f), (R1, 0xa002), (R2, 1), (R0, 2)]));
    assert_eq!(cpu.pc(), CODE + 2);
    // mul.b #3, a0 leaves a1
    let cpu = after(&[0x7c, 0x54, 3], set(&[(A0, 0xff), (A1, 0x5555)]));
    assert_eq!((get(&cpu, A0), get(&cpu, A1)), (0xfffd, 0x5555));
    // bset 1,... of a 20-bit displacement: jmpi.w dsp:20[a0] reads the offset above 64 KB
    let cpu = after(&[0x7d, 0x2c, 0x00, 0xb0, 0x0f], |cpu| {
        assert!(cpu.poke(0xf_b010, &[5, 0]));
        cpu.registers.file[A0 as usize] = 0x10;
    });
    assert_eq!(cpu.pc(), CODE + 5);
}

#[test]
fn sums_of_products_stop_where_they_do_not_fit() {
    let sum = |bytes: &[u8], r2: u16, r0: u16, items: &[u8]| {
        let cpu = after(bytes, |cpu| {
            set(&[(R0, r0), (R2, r2), (R3, 2), (A0, 0x1000), (A1, 0x1100)])(cpu);
            assert!(cpu.poke(0x1000, items) && cpu.poke(0x1100, items));
        });
        (get(&cpu, R2), get(&cpu, R0), get(&cpu, R3), flags(&cpu, O) != 0)
    };
    // rmpa.b: 100 * 100 + 3 * 3 and then beyond 32767
    assert_eq!(sum(&[0x7c, 0xf1], 0, 5, &[100, 3]), (0, 10_014, 0, false));
    assert!(sum(&[0x7c, 0xf1], 0, 0x7fff, &[100, 3]).3);
    assert_eq!(sum(&[0x7c, 0xf1], 0, 0x7fff, &[100, 3]).2, 1);
    // rmpa.w
    assert_eq!(sum(&[0x7d, 0xf1], 0, 1, &[0, 1, 0xff, 0xff]), (1, 2, 0, false));
}

#[test]
fn strings_come_from_all_of_the_address_space() {
    // smovf.b from 0xfb000
    let cpu = after(&[0x7c, 0xe8], |cpu| {
        set(&[(A0, 0xb000), (R1, 0x0f55), (A1, 0x1000), (R3, 3)])(cpu);
        assert!(cpu.poke(0xf_b000, &[1, 2, 3]));
    });
    assert_eq!(cpu.peek(0x1000, 3).unwrap(), [1, 2, 3]);
    assert_eq!((get(&cpu, A0), get(&cpu, A1), get(&cpu, R1), get(&cpu, R3)), (0xb003, 0x1003, 0x0f55, 0));
}

#[test]
fn interrupts_of_instructions_come_back() {
    // int #33 through INTB = 0x1000 to a reit; the stack stays the user's
    let cpu = after(&[0xeb, 0xe1], |cpu| {
        assert!(cpu.poke(0x1000 + 4 * 33, &[0x00, 0xb0, 0x0f]));
        assert!(cpu.poke(0xf_b000, &[0xfb]));
        cpu.registers.intb = 0x1000;
        cpu.registers.file[SP as usize] = 0x600;
        cpu.registers.set_flags(C | 0x5000);
    });
    assert_eq!((get(&cpu, SP), cpu.registers.flags), (0x600, C | 0x5000));
    // The stack in between: low half of the address, flags, upper halves of both in a byte.
    assert_eq!(cpu.peek(0x5fc, 4).unwrap(), [0x02, 0xa0, 0x01, 0x5f]);
    // into without an overflow goes on
    after(&[0xf6], |_| {});
}

#[test]
fn contexts_are_put_away_and_brought_back() {
    let table = |cpu: &mut Cpu| {
        assert!(cpu.poke(0x1000, &[1]));
        // The second task keeps R0, A1 and FB.
        assert!(cpu.poke(0xf_b000, &[0, 0, 0xa1, 6]));
        set(&[(SP, 0x600), (R0, 1), (A1, 2), (FB, 3)])(cpu);
    };
    // stctx 0x1000, 0xfb000
    let cpu = after(&[0x7d, 0xf0, 0x00, 0x10, 0x00, 0xb0, 0x0f], table);
    assert_eq!((get(&cpu, SP), cpu.peek(0x5fa, 6).unwrap()), (0x5fa, vec![1, 0, 2, 0, 3, 0]));
    // ldctx
    let cpu = after(&[0x7c, 0xf0, 0x00, 0x10, 0x00, 0xb0, 0x0f], |cpu| {
        table(cpu);
        assert!(cpu.poke(0x600, &[7, 0, 8, 0, 9, 0]));
    });
    assert_eq!((get(&cpu, SP), get(&cpu, R0), get(&cpu, A1), get(&cpu, FB)), (0x606, 7, 8, 9));
}

fn image(code: &[u8]) -> Vec<u8> {
    let mut builder = ImageBuilder::of_m16c(CODE);
    builder.function("f", code.to_vec(), 0);
    builder.build()
}

fn called(code: &[u8], arguments: &[Argument]) -> (M16c, steelyard_emu::CallResult) {
    let mut chip = empty();
    chip.load_elf(&image(code)).unwrap();
    chip.snapshot();
    let result = chip.call(CODE, arguments, 10_000, Observe::Profile).unwrap();
    (chip, result)
}

fn words(values: &[u64]) -> Vec<Argument> {
    values.iter().map(|&value| Argument { value, size_bytes: 2 }).collect()
}

#[test]
fn a_call_takes_its_arguments_and_gives_its_result() {
    // mov.w r1, r0; add.w r2, r0; add.w 3[sp] by mov.w 3[sp], r1 and add; rts
    let code = [0x73, 0x10, 0xa1, 0x20, 0x75, 0xb1, 0x03, 0xa1, 0x10, 0xf3];
    let (chip, result) = called(&code, &words(&[0x1000, 0x200, 0x30]));
    assert_eq!(result.fault, None);
    assert_eq!(result.return_value, 0x1230);
    assert_eq!(result.stack_bytes, 3);
    assert_eq!(result.instructions, 6);
    // The stack begins at 0x800: the argument at 0x7fe, the return address at 0x7fb. Call 9 and 1, moves and sums 2
    // each, the load 2, return 6 and 1.
    assert_eq!(result.cycles, 10 + 2 + 2 + 2 + 2 + 7);
    assert_eq!(chip.stack_pointer(), RAM + RAM_BYTES);
    assert_eq!(result.totals.loads, 1);
}

#[test]
fn what_goes_wrong_is_a_fault_in_a_sentence() {
    let fault = |code: &[u8]| called(code, &[]).1.fault.unwrap();
    // An opcode that is none; und and an interrupt that no program handles.
    let illegal = fault(&[0xf7, 0x00]);
    assert_eq!(illegal.kind, FaultKind::IllegalOpcode);
    assert_eq!(illegal.message, "f7 00 at 0xfa000 (f+0x0) is no instruction of the m16c core");
    let undefined = fault(&[0x04, 0xff]);
    assert_eq!(undefined.kind, FaultKind::IllegalOpcode);
    assert_eq!(undefined.message, "the instruction at 0xfa001 (f+0x1) calls an interrupt routine, and there is none");
    // mov.w r0, 0x0900: nothing between RAM and lab
    assert_eq!(fault(&[0x73, 0x0f, 0x00, 0x09]).kind, FaultKind::UnmappedAddress);
    // ste.b r0l, 0xfa000
    assert_eq!(fault(&[0x74, 0x00, 0x00, 0xa0, 0x0f]).kind, FaultKind::WriteToFlash);
    // jmp.b to itself
    assert_eq!(fault(&[0xfe, 0xff]).kind, FaultKind::CycleBudget);
    // 1: push.w r0; jmp.b 1b
    assert_eq!(fault(&[0x75, 0x40, 0xfe, 0xfd]).kind, FaultKind::StackOverflow);
    // wait
    assert_eq!(fault(&[0x7d, 0xf3]).kind, FaultKind::Sleep);
    // push.b r0l; rts: into the zeros before the vectors, where brk is
    assert_eq!(fault(&[0x82, 0xf3]).kind, FaultKind::IllegalOpcode);
    // Returns with a stack pointer of its own: pop the return address into a pair and jump there.
    let bad = fault(&[0x7d, 0xb5, 0x74, 0xb0, 0xfb, 0xfc, 0xff, 0xff, 0x0f]);
    assert_eq!(bad.kind, FaultKind::BadReturn);
    // The flow runs where nothing lies.
    let nowhere = fault(&[0xfc, 0x00, 0x00, 0x08]);
    assert_eq!(nowhere.message, "the flow reached 0x80000, where nothing lies");
}

#[test]
fn snapshots_bring_memories_and_registers_back() {
    // mov.w #0x1234, 0x1000; rts
    let (mut chip, result) = called(&[0x75, 0xcf, 0x00, 0x10, 0x34, 0x12, 0xf3], &[]);
    assert_eq!(result.fault, None);
    assert_eq!(chip.read(Space::Data, 0x1000, 2).unwrap(), [0x34, 0x12]);
    chip.restore().unwrap();
    assert_eq!(chip.read(Space::Data, 0x1000, 2).unwrap(), [0, 0]);
    assert!(chip.read(Space::Data, 0x900, 1).is_err());
    assert!(chip.read(Space::Eeprom, 0, 1).is_err());
}

#[test]
fn code_that_changes_itself_is_decoded_anew() {
    // In lab memory: mov.b #0xb3 over the nop behind, so that it is mov.b:z #0, r0h; rts
    let mut chip = empty();
    chip.load_elf(&image(&[0xf3])).unwrap();
    let code = [0x74, 0xcf, 0x05, 0x10, 0xb3, 0x04, 0xf3];
    chip.write(Space::Data, LAB, &code).unwrap();
    chip.processor_mut().registers.file[0] = 0x1234;
    let first = chip.call(LAB, &[], 1000, Observe::Nothing).unwrap();
    assert_eq!((first.fault, first.return_value), (None, 0x34));
}

#[test]
fn a_chip_that_cannot_be_is_refused() {
    let refused = |memory: Value| chip::<u16>(&description(memory)).err().unwrap().to_string();
    let one = |base: u32, size: u32, kind: &str| json!({"name": "m", "space": "data", "kind": kind, "base": base, "size": size});
    assert!(refused(json!([one(0x400, 0x80, "ram")])).contains("multiple of 256"));
    assert!(refused(json!([one(0x400, 0x400, "ram"), one(0x600, 0x400, "ram")])).contains("overlaps"));
    assert!(refused(json!([one(0x10_0000, 0x400, "ram")])).contains("beyond the address space"));
    assert!(refused(json!([one(0x400, 0x400, "flash")])).contains("no RAM"));
    assert_eq!(Registers::<u16>::new(0x800).file[SP as usize], 0x800);
}

#[test]
fn shadowed_values_compute_as_plain_ones() {
    let description = description(memories());
    let mut plain: M16c = chip(&description).unwrap();
    let mut shadowed: M16c<Shadowed<u16>> = chip(&description).unwrap();
    shadowed.processor_mut().beside.fill(LAB..LAB + 0x80, 0xff);
    let arguments = words(&[u64::from(LAB), 7]);
    assert_alike([&mut plain, &mut shadowed], CODE, LAB..LAB + 0x100, &arguments, |random| {
        let mut code: Vec<u8> = (0..8).flat_map(|_| random_instruction(random)).collect();
        code.push(RTS);
        code
    });
}

/// Any instruction but those that jump, move the stack pointer or repeat themselves.
fn random_instruction(random: &mut Random) -> Vec<u8> {
    loop {
        let row = &isa::ROWS[random.below(isa::ROWS.len())];
        let opcode = row.pattern.value | random.word() & !row.pattern.mask;
        let mut bytes = (opcode << (32 - row.pattern.bits)).to_be_bytes()[..row.pattern.bits as usize / 8].to_vec();
        bytes.extend((0..6).map(|_| random.word() as u8));
        let Some((row, decoded)) = row_of(&bytes, CODE) else { continue };
        let leaves = matches!(
            row.class,
            Class::Jump | Class::Call | Class::Return | Class::Branch | Class::Stack | Class::Other
        );
        let repeats = matches!(row.op.op, Op::StringMove | Op::StringMoveDown | Op::StringStore | Op::ProductSum);
        if !leaves && !repeats {
            bytes.truncate(decoded.length.into());
            return bytes;
        }
    }
}

#[test]
fn secrets_are_followed_through_registers_and_memory() {
    let mut chip: M16c<Shadowed<u16>> = chip(&description(memories())).unwrap();
    // mov.w 0x1000, r0; add.w #1, r0; and.w #255, r0; mov.w r0, 0x1100: of a secret word the lower byte stays secret.
    let code = [0x73, 0xf0, 0x00, 0x10, 0xc9, 0x10, 0x77, 0x20, 0xff, 0x00, 0x73, 0x0f, 0x00, 0x11, RTS];
    chip.load_elf(&image(&code)).unwrap();
    chip.processor_mut().beside.fill(LAB..LAB + 2, 0xff);
    assert_eq!(chip.call(CODE, &[], 1000, Observe::Nothing).unwrap().fault, None);
    let beside = &chip.processor().beside;
    assert_eq!((beside.bits(LAB + 0x100), beside.bits(LAB + 0x101)), (0xff, 0));
}

/// What is told of single instructions sums up to the profile of the call.
#[test]
fn what_is_told_of_instructions_sums_up() {
    let mut plain: M16c = chip(&description(memories())).unwrap();
    let arguments = words(&[u64::from(LAB), 7]);
    // A profile counts a store of `stz` and `stnz` whether it was done or not.
    let counted = |random: &mut Random| loop {
        let code = random_instruction(random);
        let op = row_of(&code, CODE).unwrap().0.op.op;
        if !matches!(op, Op::StoreIfZero | Op::StoreIfNotZero) {
            return code;
        }
    };
    assert_sums(&mut plain, CODE, LAB..LAB + 0x100, &arguments, Witness::count, |random| {
        let mut code: Vec<u8> = (0..8).flat_map(|_| counted(random)).collect();
        code.push(RTS);
        code
    });
}

/// Calls a function behind `mov.b 0x1000, r0l` and returns what was seen, with places as bytes behind that, and the secret
/// bits of the word at 0x1100.
fn seen(value: u8, secret: u8, behind: &[u8]) -> (Witness, [u8; 2]) {
    let mut chip: M16c<Shadowed<u16>> = chip(&description(memories())).unwrap();
    let code = [&[0x72, 0xf0, 0x00, 0x10], behind, &[RTS]].concat();
    chip.write(Space::Program, CODE, &code).unwrap();
    chip.write(Space::Data, LAB, &[value]).unwrap();
    chip.processor_mut().beside.set_bits(LAB, secret);
    let (mut witness, exit, cycles) = witnessed(&mut chip, CODE, &[]);
    assert_eq!((exit, witness.cycles()), (Exit::Stop, cycles), "{behind:02x?}");
    let address = |place: u32| chip.processor().executed(place as usize).unwrap().address - CODE - 4;
    witness.leaks.iter_mut().for_each(|(place, _)| *place = address(*place));
    let beside = &chip.processor().beside;
    (witness, [beside.bits(LAB + 0x100), beside.bits(LAB + 0x101)])
}

#[test]
fn what_a_secret_decides_is_told_where_it_does() {
    let load = |address, size_bytes| Leak::Load { address, size_bytes };
    let store = |address, size_bytes| Leak::Store { address, size_bytes };
    let (none, byte, word) = ([0, 0], [0xff, 0], [0xff, 0xff]);
    let keep_byte = [0x72, 0x0f, 0x00, 0x11]; // mov.b r0l, 0x1100
    let keep_word = [0x73, 0x2f, 0x00, 0x11]; // mov.w r2, 0x1100
    let with = |code: &[u8], behind: &[u8]| [code, behind].concat();
    let at = LAB + 2;
    type Case = (&'static str, Vec<u8>, Vec<(u32, Leak)>, [u8; 2]);
    let cases: Vec<Case> = vec![
        ("and.w #255, r0; jeq", vec![0x77, 0x20, 0xff, 0, 0x6a, 1], vec![(4, Leak::Branch)], none),
        ("and.w #255, r0; jle", vec![0x77, 0x20, 0xff, 0, 0x7d, 0xc8, 1], vec![(4, Leak::Branch)], none),
        ("btst 0, r0; jc", vec![0x7e, 0xb0, 0, 0x68, 1], vec![(3, Leak::Branch)], none),
        ("adjnz.w #-1, r0", vec![0xf9, 0xf0, 1], vec![(0, Leak::Branch)], none),
        (
            "mov.w r0, a0; mov.b 0x1000[a0], r0l",
            with(&[0x73, 0x04, 0x72, 0xc0, 0x00, 0x10], &keep_byte),
            vec![(2, load(at, 1))],
            byte,
        ),
        (
            "mov.w r0, a0; mov.w 0x1000[a0], r2",
            with(&[0x73, 0x04, 0x73, 0xc2, 0x00, 0x10], &keep_word),
            vec![(2, load(at, 2))],
            word,
        ),
        (
            "mov.w r0, a0; lde.b 0x1000[a0], r0l",
            with(&[0x73, 0x04, 0x74, 0x90, 0x00, 0x10, 0x00], &keep_byte),
            vec![(2, load(at, 1))],
            byte,
        ),
        (
            "mov.w #0, a1; mov.w r0, a0; lde.b [a1a0], r0l",
            with(&[0xaa, 0, 0, 0x73, 0x04, 0x74, 0xa0], &keep_byte),
            vec![(5, load(2, 1))],
            byte,
        ),
        ("mov.w r0, a0; btst [a0]", vec![0x73, 0x04, 0x7e, 0xb6], vec![(2, load(0, 1))], none),
        ("mov.w r0, a0; mov.b r0l, 0x1000[a0]", vec![0x73, 0x04, 0x72, 0x0c, 0, 0x10], vec![(2, store(at, 1))], none),
        (
            "mov.w r0, a0; add.w r2, 0x1000[a0]",
            vec![0x73, 0x04, 0xa1, 0x2c, 0, 0x10],
            vec![(2, load(at, 2)), (2, store(at, 2))],
            none,
        ),
        (
            "mov.b r0l, r1h; shl.w r1h, r2; mov.w r2, 0x1100",
            with(&[0x72, 0x03, 0x75, 0xe2], &keep_word),
            vec![(2, Leak::Shift)],
            word,
        ),
        (
            "mov.b r0l, r1h; rot.w r1h, r2; mov.w r2, 0x1100",
            with(&[0x72, 0x03, 0x75, 0x62], &keep_word),
            vec![(2, Leak::Shift)],
            word,
        ),
        (
            "mov.b r0l, r1h; sha.l r1h, r2r0; mov.w r2, 0x1100",
            with(&[0x72, 0x03, 0xeb, 0x21], &keep_word),
            vec![(2, Leak::Shift)],
            word,
        ),
        (
            "and.w #255, r0; stz #1, 0x1100",
            vec![0x77, 0x20, 0xff, 0, 0xcf, 1, 0, 0x11],
            vec![(4, Leak::Condition)],
            [1, 0],
        ),
        (
            "and.w #255, r0; stnz #1, 0x1100",
            vec![0x77, 0x20, 0xff, 0, 0xd7, 1, 0, 0x11],
            vec![(4, Leak::Condition)],
            [1, 0],
        ),
        ("jmpi.w r0", vec![0x7d, 0x20], vec![(0, Leak::Target)], none),
        (
            "push.b #15; add.w #0xa00c, r0; push.w r0; rts",
            vec![0x7c, 0xe2, 0x0f, 0x77, 0x40, 0x0c, 0xa0, 0x75, 0x40, RTS],
            vec![(9, Leak::Target)],
            none,
        ),
        (
            "mov.w r0, r3; mov.w #0x1000, a0; mov.w #0x1080, a1; smovf.b",
            vec![0x73, 0x03, 0xa2, 0, 0x10, 0xaa, 0x80, 0x10, 0x7c, 0xe8],
            vec![(8, Leak::Shift)],
            none,
        ),
        (
            "mov.w r0, a1; mov.w #2, r3; sstr.b",
            vec![0x73, 0x05, 0xd9, 0x23, 0x7c, 0xea],
            vec![(4, store(2, 1)), (4, store(3, 1))],
            none,
        ),
        (
            "mov.w #0x1000, a0; mov.w #0x1080, a1; mov.w #2, r3; rmpa.b",
            vec![0xa2, 0, 0x10, 0xaa, 0x80, 0x10, 0xd9, 0x23, 0x75, 0xc0, 0, 0, 0x7c, 0xf1],
            vec![(12, Leak::Multiply)],
            none,
        ),
        ("stc sp, r1; ldc r0, sp; ldc r1, sp", vec![0x7b, 0xd1, 0x7a, 0xd0, 0x7a, 0xd1], vec![(2, Leak::Stack)], none),
    ];
    for (text, behind, leaks, result) in cases {
        let (witness, secret) = seen(2, 0xff, &behind);
        assert_eq!((witness.leaks, secret), (leaks, result), "{text}");
        let (witness, secret) = seen(2, 0, &behind);
        assert_eq!((witness.leaks, secret), (vec![], none), "{text}: public");
    }
    // By no place at all the outcome is as secret: it tells that the count was 0.
    for shift in [[0x75, 0xe2], [0x75, 0x62], [0xeb, 0x21]] {
        assert_eq!(seen(0, 0xff, &[&[0x72, 0x03][..], &shift, &keep_word].concat()).1, word, "{shift:02x?}");
    }
}

/// Times by the core's data: what leaves the line, products and quotients, words at odd addresses, and an empty queue.
#[test]
fn waits_have_causes() {
    let mut chip: M16c = chip(&description(memories())).unwrap();
    let branch = |cycles: &[u32]| cycles.iter().map(|&cycles| (Cause::Branch, cycles)).collect();
    // The instruction looked at is the one behind so many bytes.
    let cases: [(&str, &[u8], u32, u32, Causes); 9] = [
        ("fclr c; jc, not taken", &[0xeb, 0x05, 0x68, 2, 0x04], 2, 2, vec![]),
        ("fset c; jc over a nop", &[0xeb, 0x04, 0x68, 2, 0x04], 2, 4, branch(&[2, 1])),
        ("jmp.b over a nop", &[0xfe, 2, 0x04], 0, 4, branch(&[3])),
        ("rts", &[], 0, 7, vec![(Cause::Data, 1), (Cause::Branch, 5)]),
        ("mul.w r1, r0", &[0x79, 0x10], 0, 5, vec![(Cause::Multiply, 4)]),
        ("divu.w r1", &[0x77, 0xc1], 0, 25, vec![(Cause::Multiply, 24)]),
        ("mov.w 0x1000, r0", &[0x73, 0xf0, 0x00, 0x10], 0, 3, vec![]),
        ("mov.w 0x1001, r0", &[0x73, 0xf0, 0x01, 0x10], 0, 4, vec![(Cause::Data, 1)]),
        ("mov.w #0x1234, a0, five times", &[0xa2, 0x34, 0x12].repeat(5), 12, 2, vec![(Cause::Fetch, 1)]),
    ];
    for (text, bytes, behind, cycles, causes) in cases {
        chip.write(Space::Program, CODE, &[bytes, &[RTS]].concat()).unwrap();
        let (witness, exit, sum) = witnessed(&mut chip, CODE, &[]);
        assert_eq!((exit, witness.cycles()), (Exit::Stop, sum), "{text}");
        let at = |place: u32| chip.processor().executed(place as usize).unwrap().address == CODE + behind;
        let place = witness.retired.iter().map(|&(place, _)| place).find(|&place| at(place)).unwrap();
        assert_eq!(witness.spent_at(place), (cycles, causes), "{text}");
    }
}
