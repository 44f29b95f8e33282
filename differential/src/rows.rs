//! Random instructions from the rows of an instruction set.

use crate::rng::Rng;
use steelyard_emu::isa::Row;

/// An instruction of the row; its free bits are random, and those that should have a value have it.
pub fn random<Op, Operand, Feature>(row: &Row<Op, Operand, Feature>, rng: &mut Rng) -> u32 {
    let whole = u32::MAX >> (32 - row.pattern.bits);
    let free = whole & !row.pattern.mask & !row.pattern.usual_mask;
    row.pattern.value | row.pattern.usual | rng.word() as u32 & free
}

/// The instruction with another number in some of its bits: each of `moves` is (lowest bit in the instruction, number of
/// bits, lowest bit in the number), as [`steelyard_emu::isa::gathered`] reads them.
pub fn with(instruction: u32, moves: &[(u32, u32, u32)], number: u32) -> u32 {
    moves.iter().fold(instruction, |instruction, &(to, count, from)| {
        let mask = ((1 << count) - 1) << to;
        instruction & !mask | number >> from << to & mask
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use steelyard_emu::isa::gathered;
    use steelyard_emu::riscv::isa::ROWS;

    #[test]
    fn instructions_have_the_bits_of_their_row_and_the_number_that_is_set() {
        let mut rng = Rng::new(1);
        for row in ROWS {
            for _ in 0..100 {
                let instruction = random(row, &mut rng);
                assert!(row.pattern.matches(instruction) && u64::from(instruction) < 1 << row.pattern.bits);
            }
        }
        let moves = [(0, 3, 0), (10, 2, 3), (13, 1, 5)];
        for number in 0..64 {
            let set = with(0x5555, &moves, number);
            assert_eq!(gathered(set, &moves), number);
            assert_eq!((set ^ 0x5555) & !0b10_1100_0000_0111, 0);
        }
    }
}
