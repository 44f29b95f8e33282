//! Decodes bytes into instructions: four opcode maps, and the prefix for addresses outside the last 64 KB.

use super::timing::{Clocks, Core, Multiplier};
use crate::profile::Class;

/// Register pairs, and the other bases of an address.
pub const AX: u8 = 0;
pub const BC: u8 = 1;
pub const DE: u8 = 2;
pub const HL: u8 = 3;
pub const SP: u8 = 4;
/// Pair that is always zero: the base of an absolute address.
pub const ZERO: u8 = 5;

/// Byte registers, numbered as twice the pair, plus one for the high byte.
pub const X: u8 = 0;
pub const A: u8 = 1;
pub const C: u8 = 2;
pub const B: u8 = 3;

/// Bits of the registers that may form an address; an instruction waits if one was just written.
mod held {
    pub const AX: u8 = 1;
    pub const B: u8 = 2;
    pub const C: u8 = 4;
    pub const DE: u8 = 8;
    pub const HL: u8 = 16;
    pub const SP: u8 = 32;
    pub const CS: u8 = 64;
    pub const BANK: u8 = AX | B | C | DE | HL;

    pub fn byte(register: u8) -> u8 {
        [AX, AX, C, B, DE, DE, HL, HL][usize::from(register & 7)]
    }

    pub fn pair(register: u8) -> u8 {
        [AX, B | C, DE, HL][usize::from(register & 3)]
    }
}

/// Operations on one or two numbers, numbered as the rows of the first map.
pub const ADD: u8 = 0;
pub const ADDC: u8 = 1;
pub const SUB: u8 = 2;
pub const SUBC: u8 = 3;
pub const CMP: u8 = 4;
pub const AND: u8 = 5;
pub const OR: u8 = 6;
pub const XOR: u8 = 7;

/// Conditions of branches and skips.
pub const IF_C: u8 = 0;
pub const IF_NC: u8 = 1;
pub const IF_Z: u8 = 2;
pub const IF_NZ: u8 = 3;
pub const IF_H: u8 = 4;
pub const IF_NH: u8 = 5;

/// Changes of a bit.
pub const SET: u8 = 0;
pub const CLEAR: u8 = 1;
pub const FROM_CARRY: u8 = 2;

/// Operations on the carry with a bit.
pub const TAKE: u8 = 0;
pub const AND_BIT: u8 = 1;
pub const OR_BIT: u8 = 2;
pub const XOR_BIT: u8 = 3;

/// Branches on a bit.
pub const IF_SET: u8 = 0;
pub const IF_CLEAR: u8 = 1;
pub const IF_SET_CLEAR_IT: u8 = 2;

/// Addresses of the CPU's own registers, within the last 256 bytes.
pub const SFR_SP: u8 = 0xf8;
pub const SFR_PSW: u8 = 0xfa;
pub const SFR_MUL: u8 = 0xfb;
pub const SFR_CS: u8 = 0xfc;

/// Operations of the processor. `a` is the register written, `b` the one read, `imm` an immediate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// Address that has not been decoded yet.
    Undecoded,
    /// End of a chunk of addresses.
    ChunkEnd,
    /// Planted end of the run.
    Stop,
    Illegal,
    Nop,
    MovImm,
    MovReg,
    Load,
    StoreA,
    StoreImm,
    LoadEs,
    SetEs,
    Xch,
    XchMem,
    Movs,
    MovwImm,
    MovwReg,
    Loadw,
    StorewAx,
    StorewImm,
    Xchw,
    Push,
    Pop,
    PushPsw,
    PopPsw,
    AluImm,
    AluReg,
    AluMem,
    AluMemImm,
    Cmps,
    AluwImm,
    AluwReg,
    AluwMem,
    AddSp,
    Inc,
    IncMem,
    Incw,
    IncwMem,
    Mulu,
    Mulhu,
    Mulh,
    Divhu,
    Divwu,
    Machu,
    Mach,
    Shl,
    Shr,
    Sar,
    Shlw,
    Shrw,
    Sarw,
    Ror,
    Rol,
    Rorc,
    Rolc,
    Rolwc,
    BitReg,
    BitMem,
    CarryReg,
    CarryMem,
    SetCarry,
    NotCarry,
    Br,
    BrAx,
    Bcc,
    BbitReg,
    BbitMem,
    Call,
    CallReg,
    Callt,
    Ret,
    Reti,
    Brk,
    Skip,
    Sel,
    Sleep,
}

/// A decoded instruction.
#[derive(Debug, Clone, Copy)]
pub struct Decoded {
    pub op: Op,
    pub detail: u8,
    pub a: u8,
    pub b: u8,
    /// Register pair that is the base of the address.
    pub base: u8,
    /// Shift of BC that yields the byte added to the address; `index_mask` is 0 if none is added.
    pub index_shift: u8,
    pub index_mask: u8,
    /// Whether ES holds the upper bits of the address.
    pub far: bool,
    pub length: u8,
    pub clocks: u8,
    /// Clocks of the branch if it is taken.
    pub taken_clocks: u8,
    /// Registers written, as bits of `held`; `uses` are those that form an address.
    pub writes: u8,
    pub uses: u8,
    pub class: Class,
    pub imm: u16,
    /// Offset that is added to the base of an address.
    pub offset: u16,
    pub target: u32,
}

impl Decoded {
    /// Returns a mark, which is no instruction.
    pub const fn bare(op: Op) -> Self {
        Decoded {
            op,
            detail: 0,
            a: 0,
            b: 0,
            base: ZERO,
            index_shift: 0,
            index_mask: 0,
            far: false,
            length: 1,
            clocks: 0,
            taken_clocks: 0,
            writes: 0,
            uses: 0,
            class: Class::Other,
            imm: 0,
            offset: 0,
            target: 0,
        }
    }

    /// Whether the instruction is a branch or skip that may or may not be taken.
    pub fn conditional(&self) -> bool {
        matches!(self.op, Op::Bcc | Op::BbitReg | Op::BbitMem | Op::Skip)
    }

    /// Returns the number of bytes loaded and stored.
    pub fn transfers(&self) -> (u32, u32) {
        match self.op {
            Op::Load | Op::LoadEs | Op::AluMem | Op::Cmps | Op::CarryMem => (1, 0),
            Op::AluMemImm if self.detail == CMP => (1, 0),
            Op::BbitMem if self.detail != IF_SET_CLEAR_IT => (1, 0),
            Op::AluMemImm | Op::XchMem | Op::IncMem | Op::BitMem | Op::BbitMem => (1, 1),
            Op::StoreA | Op::StoreImm | Op::Movs => (0, 1),
            Op::Loadw | Op::AluwMem | Op::Pop | Op::PopPsw => (2, 0),
            Op::StorewAx | Op::StorewImm | Op::Push | Op::PushPsw => (0, 2),
            Op::IncwMem => (2, 2),
            _ => (0, 0),
        }
    }
}

/// Addressing mode of an operand in memory.
#[derive(Clone, Copy)]
enum At {
    Saddr,
    Sfr,
    Absolute,
    De,
    DeByte,
    Hl,
    HlByte,
    HlB,
    HlC,
    SpByte,
    WordB,
    WordC,
    WordBc,
}

/// Addressing modes of the loads and stores in one row of the map.
const ROW: [At; 8] = [At::SpByte, At::De, At::DeByte, At::Hl, At::HlByte, At::Saddr, At::Sfr, At::Absolute];

/// Bytes of an instruction that are still to be read.
struct Bytes<'a> {
    bytes: &'a [u8; 5],
    next: usize,
}

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        self.next += 1;
        self.bytes.get(self.next - 1).copied().unwrap_or(0)
    }

    fn word(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }
}

/// An instruction under construction.
struct Draft<'a> {
    bytes: Bytes<'a>,
    address: u32,
    prefixed: bool,
    /// Whether the prefix was used.
    far: bool,
    clocks: &'a Clocks,
    made: Decoded,
}

impl Draft<'_> {
    fn of(mut self, op: Op, class: Class, clocks: u8) -> Self {
        self.made.op = op;
        self.made.class = class;
        self.made.clocks = clocks;
        self
    }

    fn detail(mut self, detail: u8) -> Self {
        self.made.detail = detail;
        self
    }

    fn writes(mut self, registers: u8) -> Self {
        self.made.writes |= registers;
        self
    }

    fn uses(mut self, registers: u8) -> Self {
        self.made.uses |= registers;
        self
    }

    /// Sets the byte register that is written.
    fn into_byte(mut self, register: u8) -> Self {
        self.made.a = register;
        self.writes(held::byte(register))
    }

    fn into_pair(mut self, register: u8) -> Self {
        self.made.a = register;
        self.writes(held::pair(register))
    }

    /// Sets a register that is only read.
    fn at_register(mut self, register: u8) -> Self {
        self.made.a = register;
        self
    }

    fn from(mut self, register: u8) -> Self {
        self.made.b = register;
        self
    }

    fn value(mut self, value: u16) -> Self {
        self.made.imm = value;
        self
    }

    fn byte(mut self) -> Self {
        self.made.imm = u16::from(self.bytes.byte());
        self
    }

    fn word(mut self) -> Self {
        self.made.imm = self.bytes.word();
        self
    }

    fn memory(mut self, at: At) -> Self {
        let made = &mut self.made;
        let (base, uses) = match at {
            At::Saddr | At::Sfr | At::Absolute => (ZERO, 0),
            At::De | At::DeByte => (DE, held::DE),
            At::Hl | At::HlByte => (HL, held::HL),
            At::HlB => (HL, held::HL | held::B),
            At::HlC => (HL, held::HL | held::C),
            At::SpByte => (SP, held::SP),
            At::WordB => (ZERO, held::B),
            At::WordC => (ZERO, held::C),
            At::WordBc => (BC, held::B | held::C),
        };
        made.base = base;
        made.uses |= uses;
        made.offset = match at {
            At::Saddr => match self.bytes.byte() {
                low @ 0..0x20 => 0xff00 | u16::from(low),
                high => 0xfe00 | u16::from(high),
            },
            At::Sfr => 0xff00 | u16::from(self.bytes.byte()),
            At::DeByte | At::HlByte | At::SpByte => u16::from(self.bytes.byte()),
            At::Absolute | At::WordB | At::WordC | At::WordBc => self.bytes.word(),
            At::De | At::Hl | At::HlB | At::HlC => 0,
        };
        (made.index_shift, made.index_mask) = match at {
            At::HlB | At::WordB => (8, 0xff),
            At::HlC | At::WordC => (0, 0xff),
            _ => (0, 0),
        };
        self.far = self.prefixed && !matches!(at, At::Saddr | At::Sfr | At::SpByte);
        self.made.far = self.far;
        self
    }

    /// Whether the operand is this register of the CPU.
    fn is_sfr(&self, sfr: u8) -> bool {
        self.made.base == ZERO
            && self.made.index_mask == 0
            && !self.far
            && self.made.offset & 0xfffe == 0xff00 | u16::from(sfr & 0xfe)
            && (sfr == SFR_SP || self.made.offset & 1 == u16::from(sfr & 1))
    }

    /// Replaces the clocks if the operand is the program status word.
    fn psw_clocks(mut self, clocks: u8) -> Self {
        if self.is_sfr(SFR_PSW) {
            self.made.clocks = clocks;
        }
        self
    }

    /// Adds the wait that a store to a register of the CPU causes.
    fn stored(mut self) -> Self {
        if self.is_sfr(SFR_SP) {
            self.made.writes |= held::SP;
        }
        if self.is_sfr(SFR_CS) {
            self.made.writes |= held::CS;
        }
        self
    }

    fn bit(self, bit: u8) -> Self {
        self.value(1 << bit)
    }

    /// Reads the one-byte distance of a branch, the last byte of the instruction.
    fn near(mut self, taken: u8) -> Self {
        let distance = self.bytes.byte() as i8;
        let behind = self.address + self.bytes.next as u32;
        self.made.target = behind.wrapping_add_signed(i32::from(distance)) & 0xf_ffff;
        self.made.taken_clocks = taken;
        self
    }

    fn relative(mut self) -> Self {
        let distance = self.bytes.word() as i16;
        let behind = self.address + self.bytes.next as u32;
        self.made.target = behind.wrapping_add_signed(i32::from(distance)) & 0xf_ffff;
        self
    }

    fn absolute(mut self) -> Self {
        self.made.target = u32::from(self.bytes.word());
        self
    }

    fn absolute_far(mut self) -> Self {
        let low = u32::from(self.bytes.word());
        self.made.target = (low | u32::from(self.bytes.byte()) << 16) & 0xf_ffff;
        self
    }
}

/// Decodes the instruction that these bytes begin; [`Op::Illegal`] if there is none. Its length may exceed the given
/// bytes; the caller refuses it then.
pub fn decode(bytes: &[u8; 5], address: u32, core: &Core) -> Decoded {
    let prefixed = bytes[0] == 0x11;
    let draft = Draft {
        bytes: Bytes { bytes, next: usize::from(prefixed) },
        address,
        prefixed,
        far: false,
        clocks: &core.clocks,
        made: Decoded::bare(Op::Illegal),
    };
    let Some(draft) = first_map(draft, core) else { return Decoded::bare(Op::Illegal) };
    if draft.prefixed != draft.far {
        return Decoded::bare(Op::Illegal);
    }
    let mut made = draft.made;
    made.length = draft.bytes.next as u8;
    if prefixed {
        made.clocks += core.clocks.prefix;
        made.taken_clocks += core.clocks.prefix;
    }
    made
}

fn first_map<'a>(mut draft: Draft<'a>, core: &Core) -> Option<Draft<'a>> {
    let clocks = draft.clocks;
    let opcode = draft.bytes.byte();
    let (row, column) = (opcode >> 4, opcode & 15);
    Some(match opcode {
        0x00 => draft.of(Op::Nop, Class::Other, clocks.nop),
        0x08 => draft.of(Op::Xch, Class::Alu, clocks.exchange).into_byte(A).from(X),
        0x09 | 0x29 | 0x49 => {
            let at = [At::WordB, At::WordC, At::WordBc][usize::from(row / 2)];
            draft.of(Op::Load, Class::Load, clocks.load).into_byte(A).memory(at)
        }
        0x18 | 0x28 | 0x48 => {
            let at = [At::WordB, At::WordC, At::WordBc][usize::from(row / 2)];
            draft.of(Op::StoreA, Class::Store, clocks.store).memory(at)
        }
        0x19 | 0x38 | 0x39 => {
            let at = if opcode == 0x19 {
                At::WordB
            } else if opcode == 0x38 {
                At::WordC
            } else {
                At::WordBc
            };
            draft.of(Op::StoreImm, Class::Store, clocks.store).memory(at).byte()
        }
        0x58 | 0x68 | 0x78 => {
            let at = [At::WordB, At::WordC, At::WordBc][usize::from(row - 5)];
            draft.of(Op::StorewAx, Class::Store, clocks.store_word).memory(at)
        }
        0x59 | 0x69 | 0x79 => {
            let at = [At::WordB, At::WordC, At::WordBc][usize::from(row - 5)];
            draft.of(Op::Loadw, Class::Load, clocks.load_word).into_pair(AX).memory(at)
        }
        // Two numbers, byte by byte: a row for each operation.
        0x0a..=0x0f
        | 0x1a..=0x1f
        | 0x2a..=0x2f
        | 0x3a..=0x3f
        | 0x4a..=0x4f
        | 0x5a..=0x5f
        | 0x6a..=0x6f
        | 0x7a..=0x7f => {
            let draft = draft.detail(row);
            let draft = if row == CMP { draft.at_register(A) } else { draft.into_byte(A) };
            match column {
                0x0a => {
                    let draft = alu_memory(draft, row);
                    draft.memory(At::Saddr).byte()
                }
                0x0b => draft.of(Op::AluMem, Class::Alu, clocks.alu_load).memory(At::Saddr),
                0x0c => draft.of(Op::AluImm, Class::Alu, clocks.alu).byte(),
                0x0d => draft.of(Op::AluMem, Class::Alu, clocks.alu_load).memory(At::Hl),
                0x0e => draft.of(Op::AluMem, Class::Alu, clocks.alu_load).memory(At::HlByte),
                _ => draft.of(Op::AluMem, Class::Alu, clocks.alu_load).memory(At::Absolute),
            }
        }
        0x40 => alu_memory(draft.detail(CMP), CMP).memory(At::Absolute).byte(),
        // Two numbers, word by word.
        0x01..=0x07 | 0x22..=0x27 | 0x42..=0x47 => {
            let draft = draft.detail(row);
            let draft = if row == CMP { draft.at_register(AX) } else { draft.into_pair(AX) };
            match column {
                2 => draft.of(Op::AluwMem, Class::Alu, clocks.alu_word_load).memory(At::Absolute),
                4 => draft.of(Op::AluwImm, Class::Alu, clocks.alu_word).word(),
                6 => draft.of(Op::AluwMem, Class::Alu, clocks.alu_word_load).memory(At::Saddr),
                _ => draft.of(Op::AluwReg, Class::Alu, clocks.alu_word).from(column >> 1),
            }
        }
        0x10 => draft.of(Op::AddSp, Class::Stack, clocks.alu_stack_pointer).writes(held::SP).byte(),
        0x20 => {
            let draft = draft.of(Op::AddSp, Class::Stack, clocks.alu_stack_pointer).writes(held::SP).byte();
            let negative = draft.made.imm.wrapping_neg();
            draft.value(negative)
        }
        0x12 | 0x14 | 0x16 => draft.of(Op::MovwReg, Class::Alu, clocks.move_word).into_pair(column >> 1).from(AX),
        0x13 | 0x15 | 0x17 => draft.of(Op::MovwReg, Class::Alu, clocks.move_word).into_pair(AX).from(column >> 1),
        0x30 | 0x32 | 0x34 | 0x36 => draft.of(Op::MovwImm, Class::Alu, clocks.move_word).into_pair(column >> 1).word(),
        0x33 | 0x35 | 0x37 => {
            let draft = draft.of(Op::Xchw, Class::Alu, clocks.exchange_word).from(column >> 1);
            draft.into_pair(AX).writes(held::pair(column >> 1))
        }
        0x31 => return fourth_map(draft),
        0x61 => return second_map(draft, core),
        0x71 => return third_map(draft),
        0x41 => draft.of(Op::SetEs, Class::Io, clocks.move_byte).byte(),
        0x50..=0x57 => draft.of(Op::MovImm, Class::Alu, clocks.move_byte).into_byte(column).byte(),
        0x60 | 0x62..=0x67 => draft.of(Op::MovReg, Class::Alu, clocks.move_byte).into_byte(A).from(column),
        0x70 | 0x72..=0x77 => draft.of(Op::MovReg, Class::Alu, clocks.move_byte).into_byte(column).from(A),
        0x80..=0x87 => draft.of(Op::Inc, Class::Alu, clocks.alu).into_byte(column).value(1),
        0x90..=0x97 => draft.of(Op::Inc, Class::Alu, clocks.alu).into_byte(column).value(0xff),
        0x88..=0x8f => draft.of(Op::Load, Class::Load, clocks.load).into_byte(A).memory(ROW[usize::from(column & 7)]),
        0x98..=0x9f => {
            let draft = draft.of(Op::StoreA, Class::Store, clocks.store).memory(ROW[usize::from(column & 7)]);
            if column == 14 {
                draft.psw_clocks(clocks.move_psw).stored()
            } else {
                draft
            }
        }
        0xa8..=0xaf => {
            draft.of(Op::Loadw, Class::Load, clocks.load_word).into_pair(AX).memory(ROW[usize::from(column & 7)])
        }
        0xb8..=0xbf => {
            let at = ROW[usize::from(column & 7)];
            draft.of(Op::StorewAx, Class::Store, clocks.store_word).memory(at).stored()
        }
        0xa0..=0xa7 | 0xb0..=0xb7 => {
            let step = if row == 0x0a { 1 } else { 0xffff };
            let draft = draft.value(step);
            match column {
                0 => draft.of(Op::IncMem, Class::Alu, clocks.alu_memory).memory(At::Absolute),
                2 => draft.of(Op::IncwMem, Class::Alu, clocks.alu_word_memory).memory(At::Absolute),
                4 => draft.of(Op::IncMem, Class::Alu, clocks.alu_memory).memory(At::Saddr),
                6 => draft.of(Op::IncwMem, Class::Alu, clocks.alu_word_memory).memory(At::Saddr),
                _ => draft.of(Op::Incw, Class::Alu, clocks.alu_word).into_pair(column >> 1),
            }
        }
        0xc0 | 0xc2 | 0xc4 | 0xc6 => draft.of(Op::Pop, Class::Stack, clocks.pop).into_pair(column >> 1).uses(held::SP),
        0xc1 | 0xc3 | 0xc5 | 0xc7 => draft.of(Op::Push, Class::Stack, clocks.push).from(column >> 1).uses(held::SP),
        0xc8 | 0xca | 0xcc | 0xcd | 0xcf => {
            draft.of(Op::StoreImm, Class::Store, clocks.store).memory(ROW[usize::from(column & 7)]).byte()
        }
        0xce => {
            let draft = draft.of(Op::StoreImm, Class::Store, clocks.store).memory(At::Sfr).byte();
            if core.multiplier == Multiplier::Instructions && draft.made.offset == 0xff00 | u16::from(SFR_MUL) {
                return multiplication(draft);
            }
            draft.psw_clocks(clocks.move_psw).stored()
        }
        0xc9 => draft.of(Op::StorewImm, Class::Store, clocks.store_word).memory(At::Saddr).word(),
        0xcb => draft.of(Op::StorewImm, Class::Store, clocks.store_word).memory(At::Sfr).word().stored(),
        0xd0..=0xd3 => draft.of(Op::AluImm, Class::Alu, clocks.alu).detail(CMP).at_register(column).value(0),
        0xd4 => alu_memory(draft.detail(CMP), CMP).memory(At::Saddr).value(0),
        0xd5 => alu_memory(draft.detail(CMP), CMP).memory(At::Absolute).value(0),
        0xd6 => draft.of(Op::Mulu, Class::Multiply, clocks.multiply).writes(held::AX),
        0xd7 => draft.of(Op::Ret, Class::Return, clocks.return_).uses(held::SP),
        0xd8 | 0xe8 | 0xf8 => {
            let register = [X, B, C][usize::from(row - 0x0d)];
            draft.of(Op::Load, Class::Load, clocks.load).into_byte(register).memory(At::Saddr)
        }
        0xd9 | 0xe9 | 0xf9 => {
            let register = [X, B, C][usize::from(row - 0x0d)];
            draft.of(Op::Load, Class::Load, clocks.load).into_byte(register).memory(At::Absolute)
        }
        0xda | 0xea | 0xfa => {
            draft.of(Op::Loadw, Class::Load, clocks.load_word).into_pair(row - 0x0c).memory(At::Saddr)
        }
        0xdb | 0xeb | 0xfb => {
            draft.of(Op::Loadw, Class::Load, clocks.load_word).into_pair(row - 0x0c).memory(At::Absolute)
        }
        0xdc..=0xdf => {
            let condition = [IF_C, IF_Z, IF_NC, IF_NZ][usize::from(column - 0x0c)];
            let draft = draft.of(Op::Bcc, Class::Branch, clocks.branch_conditional).detail(condition);
            draft.near(clocks.branch_conditional_taken)
        }
        0xe0..=0xe3 | 0xf0..=0xf3 => {
            let value = u16::from(row == 0x0e);
            draft.of(Op::MovImm, Class::Alu, clocks.move_byte).into_byte(column).value(value)
        }
        0xe4 | 0xf4 | 0xe5 | 0xf5 => {
            let at = if column == 4 { At::Saddr } else { At::Absolute };
            draft.of(Op::StoreImm, Class::Store, clocks.store).memory(at).value(u16::from(row == 0x0e))
        }
        0xe6 | 0xe7 | 0xf6 | 0xf7 => {
            let draft = draft.of(Op::MovwImm, Class::Alu, clocks.move_word);
            draft.into_pair(column - 6).value(u16::from(row == 0x0e))
        }
        0xec => draft.of(Op::Br, Class::Jump, clocks.branch).absolute_far(),
        0xed => draft.of(Op::Br, Class::Jump, clocks.branch).absolute(),
        0xee => draft.of(Op::Br, Class::Jump, clocks.branch).relative(),
        0xef => draft.of(Op::Br, Class::Jump, clocks.branch).near(clocks.branch),
        0xfc => draft.of(Op::Call, Class::Call, clocks.call).absolute_far().uses(held::SP),
        0xfd => draft.of(Op::Call, Class::Call, clocks.call).absolute().uses(held::SP),
        0xfe => draft.of(Op::Call, Class::Call, clocks.call).relative().uses(held::SP),
        _ => return None,
    })
}

/// Builds an operation on a byte in memory and an immediate; a comparison only reads.
fn alu_memory(draft: Draft<'_>, operation: u8) -> Draft<'_> {
    let clocks = draft.clocks;
    let spent = if operation == CMP { clocks.alu_load } else { clocks.alu_memory };
    let mut draft = draft.of(Op::AluMemImm, Class::Alu, spent);
    draft.made.writes = 0;
    draft
}

/// Decodes the multiplications that some cores encode as a store to a missing register.
fn multiplication(mut draft: Draft<'_>) -> Option<Draft<'_>> {
    let clocks = draft.clocks;
    let (op, spent, writes) = match draft.made.imm {
        1 => (Op::Mulhu, clocks.multiply_word, held::AX | held::B | held::C),
        2 => (Op::Mulh, clocks.multiply_word, held::AX | held::B | held::C),
        3 => (Op::Divhu, clocks.divide_word, held::AX | held::DE),
        0x0b => (Op::Divwu, clocks.divide_long, held::BANK),
        5 => (Op::Machu, clocks.multiply_accumulate, 0),
        6 => (Op::Mach, clocks.multiply_accumulate, 0),
        _ => return None,
    };
    draft.made.offset = 0;
    Some(draft.of(op, Class::Multiply, spent).writes(writes))
}

/// Decodes the map after the byte 0x61.
fn second_map<'a>(mut draft: Draft<'a>, core: &Core) -> Option<Draft<'a>> {
    let clocks = draft.clocks;
    let opcode = draft.bytes.byte();
    let (row, column) = (opcode >> 4, opcode & 15);
    Some(match opcode {
        0x09 | 0x29 | 0x49 => {
            let draft = draft.of(Op::AluwMem, Class::Alu, clocks.alu_word_load).detail(row).memory(At::HlByte);
            if row == CMP {
                draft.at_register(AX)
            } else {
                draft.into_pair(AX)
            }
        }
        0x59 => draft.of(Op::IncMem, Class::Alu, clocks.alu_memory).memory(At::HlByte).value(1),
        0x69 => draft.of(Op::IncMem, Class::Alu, clocks.alu_memory).memory(At::HlByte).value(0xffff),
        0x79 => draft.of(Op::IncwMem, Class::Alu, clocks.alu_word_memory).memory(At::HlByte).value(1),
        0x89 => draft.of(Op::IncwMem, Class::Alu, clocks.alu_word_memory).memory(At::HlByte).value(0xffff),
        0x19 | 0x39 => return None,
        0x00..=0x7f => {
            let (to, from) = if column < 8 { (column, A) } else { (A, column & 7) };
            let draft = draft.of(Op::AluReg, Class::Alu, clocks.alu).detail(row).from(from);
            if row == CMP {
                draft.at_register(to)
            } else {
                draft.into_byte(to)
            }
        }
        _ if column == 0 || column == 2 => {
            let at = if column == 0 { At::HlB } else { At::HlC };
            let draft = draft.of(Op::AluMem, Class::Alu, clocks.alu_load).detail(row - 8).memory(at);
            if row - 8 == CMP {
                draft.at_register(A)
            } else {
                draft.into_byte(A)
            }
        }
        _ if (4..8).contains(&column) => {
            let mut draft = draft.of(Op::Callt, Class::Call, clocks.call_table).uses(held::SP);
            draft.made.target = 0x80 + u32::from(column - 4) * 16 + u32::from(row - 8) * 2;
            draft
        }
        0xc3 | 0xd3 => {
            let condition = if opcode == 0xc3 { IF_H } else { IF_NH };
            let draft = draft.of(Op::Bcc, Class::Branch, clocks.branch_conditional).detail(condition);
            draft.near(clocks.branch_conditional_taken)
        }
        0xe3 | 0xf3 | 0xc8 | 0xd8 | 0xe8 | 0xf8 => {
            let condition = match opcode {
                0xe3 => IF_H,
                0xf3 => IF_NH,
                0xc8 => IF_C,
                0xd8 => IF_NC,
                0xe8 => IF_Z,
                _ => IF_NZ,
            };
            draft.of(Op::Skip, Class::Branch, clocks.skip).detail(condition)
        }
        0x8a..=0x8f => {
            let draft = draft.of(Op::Xch, Class::Alu, clocks.exchange).from(column & 7);
            draft.into_byte(A).writes(held::byte(column & 7))
        }
        0xa8..=0xaf | 0xb9 => {
            let at = match opcode {
                0xa8 => At::Saddr,
                0xa9 => At::HlC,
                0xaa => At::Absolute,
                0xab => At::Sfr,
                0xac => At::Hl,
                0xad => At::HlByte,
                0xae => At::De,
                0xaf => At::DeByte,
                _ => At::HlB,
            };
            draft.of(Op::XchMem, Class::Alu, clocks.exchange_memory).into_byte(A).memory(at)
        }
        0xb8 => draft.of(Op::LoadEs, Class::Load, clocks.load).memory(At::Saddr),
        0xc9 => draft.of(Op::Load, Class::Load, clocks.load).into_byte(A).memory(At::HlB),
        0xe9 => draft.of(Op::Load, Class::Load, clocks.load).into_byte(A).memory(At::HlC),
        0xd9 => draft.of(Op::StoreA, Class::Store, clocks.store).memory(At::HlB),
        0xf9 => draft.of(Op::StoreA, Class::Store, clocks.store).memory(At::HlC),
        0xca | 0xda | 0xea | 0xfa => {
            let draft = draft.of(Op::CallReg, Class::Call, clocks.call).from(row - 0x0c);
            draft.uses(held::SP | held::CS | held::pair(row - 0x0c))
        }
        0xcb => draft.of(Op::BrAx, Class::Jump, clocks.branch).uses(held::AX | held::CS),
        0xcc => draft.of(Op::Brk, Class::Call, clocks.software_break).uses(held::SP),
        0xcd => draft.of(Op::PopPsw, Class::Stack, clocks.pop_psw).uses(held::SP),
        0xdd => draft.of(Op::PushPsw, Class::Stack, clocks.push_psw).uses(held::SP),
        0xce => draft.of(Op::Movs, Class::Store, clocks.store).memory(At::HlByte),
        0xde => draft.of(Op::Cmps, Class::Alu, clocks.alu_load).memory(At::HlByte),
        0xcf | 0xdf | 0xef | 0xff if core.banks => {
            let draft = draft.of(Op::Sel, Class::Other, clocks.select_bank).value(u16::from(row - 0x0c));
            draft.writes(held::BANK)
        }
        0xdb => draft.of(Op::Ror, Class::Shift, clocks.shift).writes(held::AX),
        0xeb => draft.of(Op::Rol, Class::Shift, clocks.shift).writes(held::AX),
        0xfb => draft.of(Op::Rorc, Class::Shift, clocks.shift).writes(held::AX),
        0xdc => draft.of(Op::Rolc, Class::Shift, clocks.shift).writes(held::AX),
        0xee => draft.of(Op::Rolwc, Class::Shift, clocks.shift_word).into_pair(AX),
        0xfe => draft.of(Op::Rolwc, Class::Shift, clocks.shift_word).into_pair(BC),
        0xec | 0xfc => draft.of(Op::Reti, Class::Return, clocks.return_interrupt).uses(held::SP),
        0xed | 0xfd => draft.of(Op::Sleep, Class::Other, 0),
        _ => return None,
    })
}

/// Decodes the map after the byte 0x71: operations on bits.
fn third_map(mut draft: Draft<'_>) -> Option<Draft<'_>> {
    let clocks = draft.clocks;
    let opcode = draft.bytes.byte();
    let (high, bit, column) = (opcode >= 0x80, opcode >> 4 & 7, opcode & 15);
    let what = match column {
        1 | 9 => FROM_CARRY,
        0 | 2 | 10 => SET,
        _ => CLEAR,
    };
    Some(match (high, column) {
        (true, 0) if opcode == 0x80 => draft.of(Op::SetCarry, Class::Bit, clocks.bit).value(1),
        (true, 8) if opcode == 0x88 => draft.of(Op::SetCarry, Class::Bit, clocks.bit).value(0),
        (true, 0) if opcode == 0xc0 => draft.of(Op::NotCarry, Class::Bit, clocks.bit),
        (true, 0 | 8) => return None,
        (true, 9..=11) => draft.of(Op::BitReg, Class::Bit, clocks.bit).detail(what).writes(held::AX).bit(bit),
        (true, 12..) => draft.of(Op::CarryReg, Class::Bit, clocks.bit).detail(column - 12).bit(bit),
        (_, 4..=7 | 12..) => {
            let at = match (high, column) {
                (true, _) => At::Hl,
                (_, 12..) => At::Sfr,
                _ => At::Saddr,
            };
            draft.of(Op::CarryMem, Class::Bit, clocks.bit_load).detail(column & 3).memory(at).bit(bit)
        }
        _ => {
            let at = match (high, column) {
                (true, _) => At::Hl,
                (_, 0 | 8) => At::Absolute,
                (_, 9..) => At::Sfr,
                _ => At::Saddr,
            };
            let draft = draft.of(Op::BitMem, Class::Bit, clocks.bit_memory).detail(what).memory(at).bit(bit);
            if matches!(at, At::Sfr) {
                draft.psw_clocks(clocks.bit_psw).stored()
            } else {
                draft
            }
        }
    })
}

/// Decodes the map after the byte 0x31: branches on bits, and shifts.
fn fourth_map(mut draft: Draft<'_>) -> Option<Draft<'_>> {
    let clocks = draft.clocks;
    let opcode = draft.bytes.byte();
    let (high, bit, count, column) = (opcode >= 0x80, opcode >> 4 & 7, opcode >> 4, opcode & 15);
    if column < 6 {
        let what = [IF_SET_CLEAR_IT, IF_SET, IF_CLEAR][usize::from(column / 2)];
        let draft = if high || column % 2 == 0 {
            let at = match (high, column % 2) {
                (true, 1) => At::Hl,
                (true, _) => At::Sfr,
                _ => At::Saddr,
            };
            draft.of(Op::BbitMem, Class::Branch, clocks.branch_bit).memory(at)
        } else {
            let draft = draft.of(Op::BbitReg, Class::Branch, clocks.branch_bit);
            if what == IF_SET_CLEAR_IT {
                draft.writes(held::AX)
            } else {
                draft
            }
        };
        return Some(draft.detail(what).bit(bit).near(clocks.branch_bit_taken));
    }
    let draft = draft.value(u16::from(count));
    let draft = match column {
        7 => draft.of(Op::Shl, Class::Shift, clocks.shift).into_byte(C),
        8 => draft.of(Op::Shl, Class::Shift, clocks.shift).into_byte(B),
        9 => draft.of(Op::Shl, Class::Shift, clocks.shift).into_byte(A),
        10 => draft.of(Op::Shr, Class::Shift, clocks.shift).into_byte(A),
        11 => draft.of(Op::Sar, Class::Shift, clocks.shift).into_byte(A),
        12 => draft.of(Op::Shlw, Class::Shift, clocks.shift_word).into_pair(BC),
        13 => draft.of(Op::Shlw, Class::Shift, clocks.shift_word).into_pair(AX),
        14 => draft.of(Op::Shrw, Class::Shift, clocks.shift_word).into_pair(AX),
        15 => draft.of(Op::Sarw, Class::Shift, clocks.shift_word).into_pair(AX),
        _ => return None,
    };
    let most = if column < 12 { 7 } else { 15 };
    (1..=most).contains(&count).then_some(draft)
}
