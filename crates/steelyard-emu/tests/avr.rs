//! Values with secrets beside them: instructions of an AVR take the same time and leave the same behind.

use crate::common::values::{assert_alike, Random};
use crate::common::{bytes_of, description, RAM};
use serde_json::json;
use steelyard_emu::avr::isa::{Code, Operand, ROWS};
use steelyard_emu::avr::{self, Avr};
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
