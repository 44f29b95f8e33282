//! Decodes bytes into instructions by the rows of [`super::isa`], and says which registers they make others wait for.

use super::isa::{fitting, Op, Row, CMP, IF_SET_CLEAR_IT};
use super::operand::{Code, Mode, Operand};
use super::timing::{Core, Multiplier};
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

/// Addresses of the CPU's own registers, within the last 256 bytes.
pub const SFR_SP: u8 = 0xf8;
pub const SFR_PSW: u8 = 0xfa;
pub const SFR_MUL: u8 = 0xfb;
pub const SFR_CS: u8 = 0xfc;

/// A decoded instruction.
#[derive(Debug, Clone, Copy)]
pub struct Decoded {
    pub op: Op,
    pub detail: u8,
    /// Register that is written, or compared with something.
    pub destination: u8,
    /// Register that is read.
    pub source: u8,
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
            destination: 0,
            source: 0,
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

    /// Whether the instruction multiplies or divides.
    pub fn multiplies(&self) -> bool {
        matches!(self.op, Op::Mulu | Op::Mulhu | Op::Mulh | Op::Divhu | Op::Divwu | Op::Machu | Op::Mach)
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

    /// Whether the operand in memory is a word.
    pub fn is_word(&self) -> bool {
        matches!(self.op, Op::Loadw | Op::StorewAx | Op::StorewImm | Op::AluwMem | Op::IncwMem)
    }

    /// Returns the registers that may form an address and are written, as bits of `held`.
    fn written(&self) -> u8 {
        match self.op {
            Op::AluImm | Op::AluReg | Op::AluMem | Op::AluwImm | Op::AluwReg | Op::AluwMem if self.detail == CMP => 0,
            Op::MovImm | Op::MovReg | Op::Load | Op::XchMem | Op::AluImm | Op::AluReg | Op::AluMem | Op::Inc => {
                held::byte(self.destination)
            }
            Op::Shl | Op::Shr | Op::Sar | Op::Ror | Op::Rol | Op::Rorc | Op::Rolc => held::byte(self.destination),
            Op::MovwImm | Op::MovwReg | Op::Loadw | Op::Pop | Op::AluwImm | Op::AluwReg | Op::AluwMem | Op::Incw => {
                held::pair(self.destination)
            }
            Op::Shlw | Op::Shrw | Op::Sarw | Op::Rolwc => held::pair(self.destination),
            Op::Xch => held::AX | held::byte(self.source),
            Op::Xchw => held::AX | held::pair(self.source),
            Op::AddSp => held::SP,
            Op::Mulu | Op::BitReg => held::AX,
            Op::BbitReg if self.detail == IF_SET_CLEAR_IT => held::AX,
            Op::Mulhu | Op::Mulh => held::AX | held::B | held::C,
            Op::Divhu => held::AX | held::DE,
            Op::Divwu | Op::Sel => held::BANK,
            _ => 0,
        }
    }

    /// Returns the registers that form an address, as bits of `held`.
    fn used(&self) -> u8 {
        let base = match self.base {
            DE => held::DE,
            HL => held::HL,
            SP => held::SP,
            BC => held::B | held::C,
            _ => 0,
        };
        let index = match (self.index_mask, self.index_shift) {
            (0, _) => 0,
            (_, 0) => held::C,
            _ => held::B,
        };
        let by_itself = match self.op {
            Op::Push | Op::Pop | Op::PushPsw | Op::PopPsw => held::SP,
            Op::Call | Op::Callt | Op::Brk | Op::Ret | Op::Reti => held::SP,
            Op::CallReg => held::SP | held::CS | held::pair(self.source),
            Op::BrAx => held::AX | held::CS,
            _ => 0,
        };
        base | index | by_itself
    }
}

/// Returns the row of the instruction that these bytes begin and the instruction; `None` if there is none. Its length
/// may exceed the given bytes; the caller refuses it then.
pub fn row_of(bytes: &[u8; 5], address: u32, core: &Core) -> Option<(&'static Row, Decoded)> {
    let [first, rest @ ..] = *bytes;
    let prefixed = first == PREFIX;
    let [second, third, fourth, _] = rest;
    let word = u32::from_be_bytes(if prefixed { rest } else { [first, second, third, fourth] });
    fitting(word).find_map(|row| Some((row, of_row(row, word, prefixed, address, core)?)))
}

/// Decodes the instruction that these bytes begin; [`Op::Illegal`] if there is none.
pub fn decode(bytes: &[u8; 5], address: u32, core: &Core) -> Decoded {
    row_of(bytes, address, core).map_or(Decoded::bare(Op::Illegal), |(_, decoded)| decoded)
}

/// Byte in front of an instruction that puts ES above the address of its operand.
pub const PREFIX: u8 = 0x11;

/// Decodes an instruction by its row; `None` for an encoding that is reserved, or that the core has not.
fn of_row(row: &Row, word: u32, prefixed: bool, address: u32, core: &Core) -> Option<Decoded> {
    if !core.has(row.feature) || prefixed && !row.operands.iter().any(|operand| operand.takes_prefix()) {
        return None;
    }
    let length = row.pattern.bits / 8 + u32::from(prefixed);
    let mut code = Code::new(word, &row.pattern, address + length, prefixed);
    let (op, detail, _) = row.op;
    let mut decoded = Decoded { detail, class: row.class, length: length as u8, ..Decoded::bare(op) };
    if !row.operands.iter().all(|operand| operand.read(&mut code, &mut decoded)) {
        return None;
    }
    let multiplies = op == Op::StoreImm
        && core.multiplier == Multiplier::Instructions
        && row.operands.contains(&Operand::At(Mode::Sfr))
        && decoded.offset as u8 == SFR_MUL;
    (!multiplies).then(|| refined(row, decoded, core))
}

/// Adds the clocks, and the registers that make others wait.
fn refined(row: &Row, mut decoded: Decoded, core: &Core) -> Decoded {
    let prefix = if decoded.far { core.clocks.prefix } else { 0 };
    let (_, _, time) = row.op;
    [decoded.clocks, decoded.taken_clocks] = time.map(|clocks| clocks(&core.clocks) + prefix);
    decoded.uses = decoded.used();
    decoded.writes = decoded.written();
    let special = row.operands.iter().any(|operand| operand.is_special());
    let near = decoded.base == ZERO && decoded.index_mask == 0 && !decoded.far;
    let stored = match decoded.op {
        Op::StorewAx => near,
        Op::StoreA | Op::StoreImm | Op::StorewImm | Op::BitMem => special,
        _ => false,
    };
    if stored {
        decoded.writes |= match decoded.offset.to_be_bytes() {
            [0xff, low] if low & 0xfe == SFR_SP => held::SP,
            [0xff, SFR_CS] => held::CS,
            _ => 0,
        };
    }
    decoded
}

/// Returns the text of an instruction.
pub fn text(row: &Row, decoded: &Decoded) -> String {
    let operands: Vec<String> = row.operands.iter().filter_map(|operand| operand.text(decoded)).collect();
    format!("{} {}", row.mnemonic, operands.join(", ")).trim_end().to_string()
}
