//! Decodes Thumb halfwords into what the processor executes; each has the meaning of one A32 instruction.
//!
//! Section numbers are those of the ARM Architecture Reference Manual, ARM DDI 0100E, part A, chapters A6 and A7.

use super::decode::{
    alu, immediate_shift, transfer, transfer_multiple, Decoded, Op, Operand, Processing, Width, ALWAYS, ASR, BEFORE,
    BY_REGISTER, FLAGS, LR, LSL, LSR, NONE, PC, ROR, SP, UP, WRITEBACK,
};
use super::timing::{Architecture, Multiply};
use crate::profile::Class;

fn bits(word: u32, high: u32, low: u32) -> u32 {
    (word >> low) & ((1 << (high - low + 1)) - 1)
}

fn low_register(word: u32, low: u32) -> u8 {
    bits(word, low + 2, low) as u8
}

fn sign_extended(value: u32, width: u32) -> u32 {
    ((value << (32 - width)) as i32 >> (32 - width)) as u32
}

/// Decodes the halfword at an address.
pub fn decode(half: u32, address: u32, architecture: Architecture) -> Decoded {
    let illegal = Decoded::bare(Op::Illegal);
    if architecture < Architecture::Armv4t {
        return illegal;
    }
    let pc = address.wrapping_add(4);
    let enhanced = architecture == Architecture::Armv5te;
    let process = |operation, flags, rd, rn, operand| Processing { operation, flags, rd, rn, operand }.decode(pc);
    let register = |number| Operand::Shifted(number, LSL, 0);
    let immediate = |value| Operand::Immediate(value, None);
    let at = |a: u8, b: u8, offset: u32, load: bool, width: Width| {
        let place = Decoded { a, b, imm: offset, detail: BEFORE | UP, ..illegal };
        transfer(place, load, width)
    };
    match bits(half, 15, 12) {
        // A6.4.1, A6.4.2: shifts by an immediate, sums of three operands.
        0b0000 | 0b0001 => {
            let (rd, rm) = (low_register(half, 0), low_register(half, 3));
            let kind = bits(half, 12, 11);
            if kind < 3 {
                return process(alu::MOV, true, rd, NONE, immediate_shift(rm, kind, bits(half, 10, 6)));
            }
            let operation = if bits(half, 9, 9) == 1 { alu::SUB } else { alu::ADD };
            let third = low_register(half, 6);
            let operand = if bits(half, 10, 10) == 1 { immediate(u32::from(third)) } else { register(third) };
            process(operation, true, rd, rm, operand)
        }
        0b0010 | 0b0011 => {
            let operation = [alu::MOV, alu::CMP, alu::ADD, alu::SUB][bits(half, 12, 11) as usize];
            let rd = low_register(half, 8);
            process(operation, true, rd, rd, immediate(bits(half, 7, 0)))
        }
        0b0100 if bits(half, 11, 10) == 0b00 => two_registers(half, pc),
        0b0100 if bits(half, 11, 10) == 0b01 => high_registers(half, pc, enhanced),
        // A7.1.27: a word behind the program.
        0b0100 => at(low_register(half, 8), NONE, (pc & !3).wrapping_add(bits(half, 7, 0) * 4), true, Width::Word),
        0b0101 => {
            let (load, width) = [
                (false, Width::Word),
                (false, Width::Half),
                (false, Width::Byte),
                (true, Width::SignedByte),
                (true, Width::Word),
                (true, Width::Half),
                (true, Width::Byte),
                (true, Width::SignedHalf),
            ][bits(half, 11, 9) as usize];
            let place = Decoded {
                a: low_register(half, 0),
                b: low_register(half, 3),
                c: low_register(half, 6),
                imm: LSL,
                detail: BEFORE | UP | BY_REGISTER,
                ..illegal
            };
            transfer(place, load, width)
        }
        0b0110..=0b1000 => {
            let width = [Width::Word, Width::Byte, Width::Half][bits(half, 15, 12) as usize - 0b0110];
            let scale = [4, 1, 2][bits(half, 15, 12) as usize - 0b0110];
            let load = bits(half, 11, 11) == 1;
            at(low_register(half, 0), low_register(half, 3), bits(half, 10, 6) * scale, load, width)
        }
        0b1001 => at(low_register(half, 8), SP, bits(half, 7, 0) * 4, bits(half, 11, 11) == 1, Width::Word),
        // A7.1.5, A7.1.7: addresses.
        0b1010 => {
            let (rd, offset) = (low_register(half, 8), bits(half, 7, 0) * 4);
            if bits(half, 11, 11) == 0 {
                return process(alu::MOV, false, rd, NONE, immediate((pc & !3).wrapping_add(offset)));
            }
            process(alu::ADD, false, rd, SP, immediate(offset))
        }
        0b1011 => match bits(half, 11, 8) {
            0b0000 => {
                let operation = if bits(half, 7, 7) == 1 { alu::SUB } else { alu::ADD };
                process(operation, false, SP, SP, immediate(bits(half, 6, 0) * 4))
            }
            0b0100 | 0b0101 => {
                let list = bits(half, 7, 0) | bits(half, 8, 8) << LR;
                if list == 0 {
                    illegal
                } else {
                    transfer_multiple(false, SP, list, BEFORE | WRITEBACK)
                }
            }
            0b1100 | 0b1101 => {
                let list = bits(half, 7, 0) | bits(half, 8, 8) << PC;
                if list == 0 {
                    illegal
                } else {
                    transfer_multiple(true, SP, list, UP | WRITEBACK)
                }
            }
            _ => illegal,
        },
        0b1100 => {
            let (rn, list, load) = (low_register(half, 8), bits(half, 7, 0), bits(half, 11, 11) == 1);
            if list == 0 {
                return illegal;
            }
            // A loaded base is not written back besides.
            let writeback = if load && list >> rn & 1 == 1 { 0 } else { WRITEBACK };
            transfer_multiple(load, rn, list, UP | writeback)
        }
        0b1101 => {
            let condition = bits(half, 11, 8) as u8;
            let imm = pc.wrapping_add(sign_extended(bits(half, 7, 0), 8) << 1);
            if condition >= ALWAYS {
                return illegal;
            }
            Decoded { condition, imm, class: Class::Branch, ..Decoded::bare(Op::Branch) }
        }
        0b1110 if bits(half, 11, 11) == 0 => {
            let imm = pc.wrapping_add(sign_extended(bits(half, 10, 0), 11) << 1);
            Decoded { imm, class: Class::Jump, ..Decoded::bare(Op::Branch) }
        }
        // A7.1.12: the halves of a long call.
        0b1110 if !enhanced || bits(half, 0, 0) == 1 => illegal,
        0b1111 if bits(half, 11, 11) == 0 => {
            let imm = pc.wrapping_add(sign_extended(bits(half, 10, 0), 11) << 12);
            Decoded { imm, ..Decoded::bare(Op::CallPrefix) }
        }
        high => {
            let op = if high == 0b1110 { Op::CallSuffixExchange } else { Op::CallSuffix };
            Decoded { imm: bits(half, 10, 0) * 2, class: Class::Call, ..Decoded::bare(op) }
        }
    }
}

/// Decodes operations on two low registers, which set flags (A6.4.3, format 5).
fn two_registers(half: u32, pc: u32) -> Decoded {
    let (rd, rm) = (low_register(half, 0), low_register(half, 3));
    let (operation, rn, operand) = match bits(half, 9, 6) {
        0b0010 => (alu::MOV, NONE, Operand::ShiftedBy(rd, LSL, rm)),
        0b0011 => (alu::MOV, NONE, Operand::ShiftedBy(rd, LSR, rm)),
        0b0100 => (alu::MOV, NONE, Operand::ShiftedBy(rd, ASR, rm)),
        0b0111 => (alu::MOV, NONE, Operand::ShiftedBy(rd, ROR, rm)),
        0b1001 => (alu::RSB, rm, Operand::Immediate(0, None)),
        0b1101 => {
            return Decoded {
                a: rd,
                c: rm,
                d: rd,
                detail: Multiply::Mul as u8 | FLAGS,
                class: Class::Multiply,
                ..Decoded::bare(Op::Multiply)
            };
        }
        number => {
            let operation = [
                alu::AND,
                alu::EOR,
                0,
                0,
                0,
                alu::ADC,
                alu::SBC,
                0,
                alu::TST,
                0,
                alu::CMP,
                alu::CMN,
                alu::ORR,
                0,
                alu::BIC,
                alu::MVN,
            ][number as usize];
            (operation, rd, Operand::Shifted(rm, LSL, 0))
        }
    };
    Processing { operation, flags: true, rd, rn, operand }.decode(pc)
}

/// Decodes operations on any register (A6.4.3, format 8) and jumps to a register (A6.5).
fn high_registers(half: u32, pc: u32, enhanced: bool) -> Decoded {
    let rd = (bits(half, 7, 7) << 3 | bits(half, 2, 0)) as u8;
    let rm = bits(half, 6, 3) as u8;
    let process = |operation, flags| {
        Processing { operation, flags, rd, rn: rd, operand: Operand::Shifted(rm, LSL, 0) }.decode(pc)
    };
    match bits(half, 9, 8) {
        0b00 => process(alu::ADD, false),
        0b01 => process(alu::CMP, true),
        0b10 => process(alu::MOV, false),
        _ if bits(half, 7, 7) == 0 => {
            let class = if rm == LR { Class::Return } else { Class::Jump };
            Decoded { c: rm, class, ..Decoded::bare(Op::BranchExchange) }
        }
        _ if enhanced && rm != PC => {
            Decoded { c: rm, class: Class::Call, ..Decoded::bare(Op::BranchLinkExchangeRegister) }
        }
        _ => Decoded::bare(Op::Illegal),
    }
}
