//! Values with secrets beside them: instructions of an AVR take the same time and leave the same behind.

use crate::common::values::{assert_alike, Random};
use crate::common::witness::{assert_sums, witnessed, Causes, Witness};
use crate::common::{bytes_of, description, RAM};
use serde_json::json;
use steelyard_emu::avr::isa::{Code, Operand, ROWS};
use steelyard_emu::avr::{self, Avr, FLASH_BASE};
use steelyard_emu::observe::{Cause, Leak};
use steelyard_emu::processor::Exit;
use steelyard_emu::profile::Class;
use steelyard_emu::value::{Beside, Shadowed};
use steelyard_emu::{Argument, Description, Machine, Observe, Space};

const CODE: u32 = 0x400;
/// movw r30,r24; movw r28,r22; movw r26,r20
const POINTERS: [u16; 3] = [0x01fc, 0x01eb, 0x01da];
const RETURN: u16 = 0x9508;

fn chip_of(core: &str) -> (Avr, Avr<Shadowed<u8>>) {
    let description = Description::from_json(&description(core, json!({})).to_string()).unwrap();
    (avr::chip(&description).unwrap(), avr::chip(&description).unwrap())
}

fn pointers(distances: [u16; 3]) -> [Argument; 3] {
    distances.map(|distance| Argument { value: u64::from(RAM + distance), size_bytes: 2 })
}

#[test]
fn shadows_change_nothing() {
    for core in ["avr51", "avrxt"] {
        let (mut plain, mut shadowed) = chip_of(core);
        shadowed.processor_mut().beside.fill(RAM.into()..u32::from(RAM) + 0x80, 0xff);
        let memory = u32::from(RAM)..u32::from(RAM) + 0x100;
        assert_alike([&mut plain, &mut shadowed], CODE, memory, &pointers([0x40, 0x80, 0x20]), |random| {
            let code = (0..8).flat_map(|_| random_instruction(random));
            bytes_of(&POINTERS.into_iter().chain(code).chain([RETURN]).collect::<Vec<u16>>())
        });
    }
}

/// Any instruction but those that leave the line, move the stack or a pointer, or reach a peripheral.
fn random_instruction(random: &mut Random) -> Vec<u16> {
    use Operand::{Rd, RdHigh, RdPair, RdWord};
    loop {
        let row = &ROWS[random.below(ROWS.len())];
        let free = !row.pattern.mask & (u64::MAX >> (64 - row.pattern.bits)) as u32;
        let word = row.pattern.value | random.word() & free;
        let code = match row.words() {
            2 => Code { first: (word >> 16) as u16, second: RAM + (word as u16 & 0xff) },
            _ => Code { first: word as u16, second: 0 },
        };
        let moves_pointer =
            |operand: &Operand| matches!(operand, Rd | RdHigh | RdPair | RdWord) && operand.number(code) >= 26;
        let straight = matches!(
            row.class,
            Class::Alu | Class::Shift | Class::Multiply | Class::Load | Class::Store | Class::LoadProgram | Class::Bit
        );
        if straight && !row.operands.iter().any(moves_pointer) {
            return [code.first, code.second][..usize::from(row.words())].to_vec();
        }
    }
}

/// ld r18,Z; andi r18,0x0f; st Y,r18: of a secret byte the lower half stays secret.
#[test]
fn secrets_are_followed_through_registers_and_memory() {
    let (_, mut chip) = chip_of("avr51");
    let words = [0x01fc, 0x01eb, 0x8120, 0x702f, 0x8328, RETURN];
    chip.write(Space::Program, CODE, &bytes_of(&words)).unwrap();
    chip.processor_mut().beside.set_bits(u32::from(RAM) + 0x40, 0xff);
    let result = chip.call(CODE, &pointers([0x40, 0x80, 0x20]), 1000, Observe::Nothing).unwrap();
    assert!(result.fault.is_none());
    let beside = &chip.processor().beside;
    assert_eq!(beside.bits(u32::from(RAM) + 0x80), 0x0f);
}

/// What is told of single instructions, of those in runs of operations too, sums up to the profile of the call.
#[test]
fn what_is_told_of_instructions_sums_up() {
    for core in ["avr51", "avrxt"] {
        let (mut plain, _) = chip_of(core);
        let memory = u32::from(RAM)..u32::from(RAM) + 0x100;
        let arguments = pointers([0x40, 0x80, 0x20]);
        assert_sums(&mut plain, CODE, memory, &arguments, Witness::bytes, |random| {
            let code = (0..8).flat_map(|_| random_instruction(random));
            bytes_of(&POINTERS.into_iter().chain(code).chain([RETURN]).collect::<Vec<u16>>())
        });
    }
}

/// Calls a function that gets Z at a byte, Y at a place for a result and X between, and returns what was seen, with places
/// counted from the function's start, and the secret bits of the result.
fn seen(value: u8, secret: u8, words: &[u16]) -> (Witness, u8) {
    let (_, mut chip) = chip_of("avr51");
    let code: Vec<u16> = POINTERS.into_iter().chain(words.iter().copied()).chain([RETURN]).collect();
    chip.write(Space::Program, CODE, &bytes_of(&code)).unwrap();
    chip.write(Space::Data, u32::from(RAM) + 0x40, &[value]).unwrap();
    chip.processor_mut().beside.set_bits(u32::from(RAM) + 0x40, secret);
    let (mut witness, exit, cycles) = witnessed(&mut chip, CODE, &pointers([0x40, 0x80, 0x20]));
    assert_eq!((exit, witness.cycles()), (Exit::Stop, cycles), "{words:04x?}");
    witness.leaks.iter_mut().for_each(|(place, _)| *place -= CODE / 2);
    (witness, chip.processor().beside.bits(u32::from(RAM) + 0x80))
}

/// `ld r18,Z` stands before each of these; the instruction of the leak is the word behind so many.
#[test]
fn what_a_secret_decides_is_told_where_it_does() {
    let table = u32::from(RAM) + 0x07;
    let cases: [(&str, &[u16], usize, Leak); 14] = [
        ("cpi r18,0; breq .", &[0x3020, 0xf001], 1, Leak::Branch),
        ("cpi r18,0; brne .", &[0x3020, 0xf401], 1, Leak::Branch),
        ("cpse r18,r1; nop", &[0x1121, 0], 0, Leak::Branch),
        ("sbrc r18,0; nop", &[0xfd20, 0], 0, Leak::Branch),
        ("sbrs r18,0; nop", &[0xff20, 0], 0, Leak::Branch),
        (
            "mov r26,r18; ldi r27,0x28; ld r19,X; st Y,r19",
            &[0x2fa2, 0xe2b8, 0x913c, 0x8338],
            2,
            Leak::Load { address: table, size_bytes: 1 },
        ),
        (
            "mov r26,r18; ldi r27,0x28; ld r19,X+; st Y,r19",
            &[0x2fa2, 0xe2b8, 0x913d, 0x8338],
            2,
            Leak::Load { address: table, size_bytes: 1 },
        ),
        (
            "mov r26,r18; ldi r27,0x28; st X,r1",
            &[0x2fa2, 0xe2b8, 0x921c],
            2,
            Leak::Store { address: table, size_bytes: 1 },
        ),
        (
            "mov r26,r18; ldi r27,0x28; st -X,r1",
            &[0x2fa2, 0xe2b8, 0x921e],
            2,
            Leak::Store { address: table - 1, size_bytes: 1 },
        ),
        (
            "mov r30,r18; ldi r31,4; lpm r19,Z; st Y,r19",
            &[0x2fe2, 0xe0f4, 0x9134, 0x8338],
            2,
            Leak::Load { address: FLASH_BASE + 0x407, size_bytes: 1 },
        ),
        ("mov r30,r18; ldi r31,2; ijmp", &[0x2fe2, 0xe0f2, 0x9409], 2, Leak::Target),
        ("ldi r19,2; push r18; push r19; ret", &[0xe032, 0x932f, 0x933f, 0x9508], 3, Leak::Target),
        ("in r20,SPL; out SPL,r18; out SPL,r20", &[0xb74d, 0xbf2d, 0xbf4d], 1, Leak::Stack),
        (
            "out RAMPZ,r18; elpm r19,Z; st Y,r19",
            &[0xbf2b, 0x9136, 0x8338],
            1,
            Leak::Load { address: FLASH_BASE + 0x1_2840, size_bytes: 1 },
        ),
    ];
    for (text, behind, place, leak) in cases {
        // Jumps go to the return.
        let value = if leak == Leak::Target { 4 + behind.len() as u8 } else { 7 };
        let words = [&[0x8120], behind].concat();
        let (witness, result) = seen(value, 0xff, &words);
        assert_eq!(witness.leaks, [(4 + place as u32, leak)], "{text}");
        let looks_up = matches!(leak, Leak::Load { .. });
        assert_eq!(result, if looks_up { 0xff } else { 0 }, "{text}: a value looked up by a secret is one");
        let (witness, result) = seen(value, 0, &words);
        assert_eq!((witness.leaks, result), (vec![], 0), "{text}: public");
    }
}

/// An index of which one bit is secret makes all of the value secret, and an address that is public makes none.
#[test]
fn a_value_looked_up_is_secret_in_all_bits() {
    // ld r18,Z; mov r26,r18; ldi r27,0x28; ld r19,X; st Y,r19
    let words = [0x8120, 0x2fa2, 0xe2b8, 0x913c, 0x8338];
    assert_eq!(seen(7, 0x01, &words).1, 0xff);
    assert_eq!(seen(7, 0x00, &words).1, 0);
    // andi r18,0x0f before: the secret bits above are gone.
    let words = [0x8120, 0x702f, 0x2fa2, 0xe2b8, 0x913c, 0x8338];
    let (witness, result) = seen(0x57, 0xf0, &words);
    assert_eq!((witness.leaks, result), (vec![], 0));
}

/// Times by the core's data: a branch or skip taken, jumps, calls and returns, products, and a memory that waits.
#[test]
fn waits_have_causes() {
    let mut data = description("avr51", json!({}));
    let outer = json!({"name": "outer", "space": "data", "kind": "ram", "base": 0x5000, "size": 0x100,
        "wait_read_cycles": 2, "wait_write_cycles": 3});
    data["memory"].as_array_mut().unwrap().push(outer);
    let mut chip: Avr = avr::chip(&Description::from_json(&data.to_string()).unwrap()).unwrap();
    let branch = |cycles| vec![(Cause::Branch, cycles)];
    let cases: [(&str, &[u16], u32, Causes); 12] = [
        ("brts . of a T that is clear", &[0xf006], 1, vec![]),
        ("brtc .", &[0xf406], 2, branch(1)),
        ("cpse r1,r1; nop", &[0x1011, 0], 2, branch(1)),
        ("cpse r1,r1; lds r18,0x2800", &[0x1011, 0x9120, 0x2800], 3, branch(2)),
        ("rjmp .", &[0xc000], 2, branch(1)),
        ("jmp to the next", &[0x940c, 0x0202], 3, branch(2)),
        ("rcall .; pop; pop", &[0xd000, 0x912f, 0x912f], 3, branch(2)),
        ("mul r18,r18", &[0x9f22], 2, vec![(Cause::Multiply, 1)]),
        ("lds r18,0x2800", &[0x9120, 0x2800], 2, vec![]),
        ("lds r18,0x5000", &[0x9120, 0x5000], 4, vec![(Cause::Data, 2)]),
        ("sts 0x5000,r18", &[0x9320, 0x5000], 5, vec![(Cause::Data, 3)]),
        ("ret", &[], 4, branch(3)),
    ];
    for (text, words, cycles, causes) in cases {
        chip.write(Space::Program, CODE, &bytes_of(&[words, &[RETURN]].concat())).unwrap();
        let (witness, exit, sum) = witnessed(&mut chip, CODE, &[]);
        assert_eq!((exit, witness.cycles()), (Exit::Stop, sum), "{text}");
        assert_eq!(witness.spent_at(CODE / 2), (cycles, causes), "{text}");
    }
    // in r18,SREG is no access, push and pop are, and so is lpm; return addresses are none.
    let words = [0xb72f, 0x932f, 0x912f, 0x95c8, RETURN];
    chip.write(Space::Program, CODE, &bytes_of(&words)).unwrap();
    let (witness, _, _) = witnessed(&mut chip, CODE, &[]);
    let stack = chip.stack_pointer() - 2;
    let place = CODE / 2;
    let z = u32::from_le_bytes([chip.processor().registers[30], chip.processor().registers[31], 0, 0]);
    let wanted = [(place + 1, stack, 1, true), (place + 2, stack, 1, false), (place + 3, FLASH_BASE + z, 1, false)];
    assert_eq!(witness.accesses, wanted);
}
