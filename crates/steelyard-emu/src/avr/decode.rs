//! Decodes instructions by the rows of [`super::isa`].

use super::isa::{row_of, Code, Op};
use super::timing::Core;

/// A flash word decoded as an instruction.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(8))]
pub struct Decoded {
    pub op: Op,
    /// The operation, or the run of operations that begins with it.
    pub step: Op,
    pub cycles: u8,
    pub words: u8,
    pub operands: Operands,
}

/// What is no instruction.
pub const OUTSIDE: Decoded = Decoded { op: Op::Outside, step: Op::Outside, cycles: 0, words: 1, operands: Operands(0) };

/// Operands of an instruction.
///
/// They are packed into one number and unpacked on use because the interpreter's loop has too few machine registers for
/// all of them at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operands(u32);

macro_rules! packed {
    ($($(#[$documentation:meta])* $get:ident $set:ident $type:ty, $low:literal;)*) => {
        impl Operands {
            $(
                $(#[$documentation])*
                #[inline(always)]
                pub fn $get(self) -> $type {
                    (self.0 >> $low) as $type
                }

                pub(super) fn $set(&mut self, value: $type) {
                    let mask = u32::from(<$type>::MAX) << $low;
                    self.0 = self.0 & !mask | u32::from(value) << $low;
                }
            )*
        }
    };
}

packed! {
    /// Register in the manual's place of Rd; a pair by its lower register.
    rd set_rd u8, 0;
    /// Mask of a bit of the status register.
    flag set_flag u8, 0;
    rr set_rr u8, 8;
    immediate set_immediate u8, 8;
    /// What is added to a pointer.
    displacement set_displacement u8, 8;
    /// Mask of a bit of a byte.
    bit set_bit u8, 8;
    /// Address of the data space.
    address set_address u16, 16;
    /// Word address of a jump or branch.
    target set_target u16, 16;
}

/// What operands depend on besides their bits.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Word address of the next instruction.
    pub next: u16,
    /// Mask of the program counter; relative jumps wrap within it.
    pub pc_mask: u16,
    /// Data address of I/O register 0.
    pub io: u16,
}

/// Decodes the instruction at a word address of a core's flash.
pub fn decode(code: Code, pc: u16, pc_mask: u16, core: &Core) -> Decoded {
    let illegal = Decoded { op: Op::Illegal, step: Op::Illegal, ..OUTSIDE };
    let Some(row) = row_of(code.first) else { return illegal };
    let Some(cycles) = core.cycles[row.op as usize] else { return illegal };
    let words = row.words();
    let place = Place { next: pc.wrapping_add(u16::from(words)), pc_mask, io: core.address.io };
    let mut operands = Operands(0);
    for operand in row.operands {
        if !operand.read(code, place, &mut operands) {
            return illegal;
        }
    }
    Decoded { op: row.op, step: row.op, cycles, words, operands }
}
