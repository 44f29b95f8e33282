//! What instructions do: the values they compute, whatever stands for a value.

use super::decode::Op;
use crate::value::{Truth, Value, Word};

/// Returns the result of a computing instruction; `y` is the second register or the immediate.
#[inline(always)]
pub fn computed<W: Word>(op: Op, x: W, y: W) -> W {
    let amount = y.and(W::of(31));
    match op {
        Op::AddImm | Op::Add => x.add(y),
        Op::SetLessImm | Op::SetLess => W::from_truth(x.less(y)),
        Op::SetLessUnsignedImm | Op::SetLessUnsigned => W::from_truth(x.below(y)),
        Op::XorImm | Op::Xor => x.xor(y),
        Op::OrImm | Op::Or => x.or(y),
        Op::AndImm | Op::And => x.and(y),
        Op::ShiftLeftImm | Op::ShiftLeft => x.shl(amount),
        Op::ShiftRightImm | Op::ShiftRight => x.shr(amount),
        Op::ShiftRightSignedImm | Op::ShiftRightSigned => x.sar(amount),
        Op::Sub => x.sub(y),
        // Of constants, the only ones left.
        _ => y,
    }
}

/// Whether the second operand of a computing instruction is a register.
pub fn takes_register(op: Op) -> bool {
    op as u8 >= Op::Add as u8
}

/// Returns the product, or a half of it.
#[inline(always)]
pub fn product<W: Word>(op: Op, x: W, y: W) -> W {
    match op {
        Op::Mul => x.mul(y),
        Op::MulHigh => W::high_half(x.wide_signed().mul(y.wide_signed())),
        Op::MulHighSignedUnsigned => W::high_half(x.wide_signed().mul(y.wide())),
        _ => W::high_half(x.wide().mul(y.wide())),
    }
}

/// Returns the quotient or the remainder. By zero it is all ones or the dividend; the quotient that does not fit is the
/// dividend.
#[inline(always)]
pub fn divided<W: Word>(op: Op, x: W, y: W) -> W {
    match op {
        Op::Div => x.quotient_signed(y),
        Op::DivUnsigned => x.quotient(y),
        Op::Rem => x.remainder_signed(y),
        _ => x.remainder(y),
    }
}

/// Whether the condition of a branch holds.
#[inline(always)]
pub fn condition<W: Word>(op: Op, x: W, y: W) -> W::Truth {
    match op {
        Op::BranchEqual => x.equals(y),
        Op::BranchNotEqual => x.equals(y).not(),
        Op::BranchLess => x.less(y),
        Op::BranchGreaterEqual => x.less(y).not(),
        Op::BranchLessUnsigned => x.below(y),
        _ => x.below(y).not(),
    }
}

/// Returns the size in bytes of what an instruction loads or stores.
#[inline(always)]
pub fn size_bytes(op: Op) -> u32 {
    match op {
        Op::LoadByte | Op::LoadByteUnsigned | Op::StoreByte => 1,
        Op::LoadHalf | Op::LoadHalfUnsigned | Op::StoreHalf => 2,
        _ => 4,
    }
}

/// Returns what a load puts into its register.
#[inline(always)]
pub fn extended<W: Word>(op: Op, loaded: W) -> W {
    match op {
        Op::LoadByte => loaded.sign_extended(8),
        Op::LoadHalf => loaded.sign_extended(16),
        Op::LoadByteUnsigned => loaded.and(W::of(0xff)),
        Op::LoadHalfUnsigned => loaded.and(W::of(0xffff)),
        _ => loaded,
    }
}

/// Returns the target of a jump through a register.
#[inline(always)]
pub fn jump_target<W: Word>(base: W, distance: W) -> W {
    base.add(distance).and(W::of(!1))
}

/// Returns what `amo*.w` with this funct5 stores, from the memory's and the register's value.
pub fn combined<W: Word>(operation: u8, memory: W, register: W) -> W {
    let smaller = |is_smaller| W::chosen(is_smaller, memory, register);
    match operation {
        0 => memory.add(register),
        1 => register,
        4 => memory.xor(register),
        8 => memory.or(register),
        12 => memory.and(register),
        16 => smaller(memory.less(register)),
        20 => smaller(register.less(memory)),
        24 => smaller(memory.below(register)),
        _ => smaller(register.below(memory)),
    }
}

/// Returns what a control and status register gets, from its old value and the operand; `detail` is funct3.
pub fn controlled<W: Word>(detail: u8, old: W, operand: W) -> W {
    match detail & 3 {
        1 => operand,
        2 => old.or(operand),
        _ => old.and(operand.not()),
    }
}
