//! The C calling convention of AVR-GCC, which clang follows.

use crate::error::{refuse, Error};
use crate::machine::Argument;

/// Arguments are assigned downwards from the register below r26.
const FIRST_REGISTER: usize = 26;

/// The first argument that would reach below r8, and all arguments after it, go on the stack.
const LAST_REGISTER: usize = 8;

/// Registers and stack bytes that hold the arguments of a call.
#[derive(Debug, PartialEq, Eq)]
pub struct Placement {
    pub registers: Vec<(usize, u8)>,
    /// Bytes on the stack, ascending from the address above the return address.
    pub stack: Vec<u8>,
}

/// Assigns arguments to registers and stack. Each takes an even number of registers and has its lowest byte in the
/// lowest of them.
pub fn place(arguments: &[Argument]) -> Result<Placement, Error> {
    let mut placement = Placement { registers: Vec::new(), stack: Vec::new() };
    let mut next = FIRST_REGISTER;
    let mut on_stack = false;
    for argument in arguments {
        let size = argument.size_bytes as usize;
        if !(1..=8).contains(&size) {
            return refuse(format!("an argument of {size} bytes cannot be passed; 1 to 8 can"));
        }
        let bytes = &argument.value.to_le_bytes()[..size];
        let rounded = size.next_multiple_of(2);
        on_stack = on_stack || next < LAST_REGISTER + rounded;
        if on_stack {
            placement.stack.extend_from_slice(bytes);
        } else {
            next -= rounded;
            placement.registers.extend(bytes.iter().enumerate().map(|(index, byte)| (next + index, *byte)));
        }
    }
    Ok(placement)
}

/// Returns the value of r18 to r25: a result of n bytes ends in r25, a result of one byte is in r24.
pub fn return_value(registers: &[u8; 32]) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&registers[18..26]);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argument(value: u64, size_bytes: u32) -> Argument {
        Argument { value, size_bytes }
    }

    #[test]
    fn registers_are_dealt_from_r25_down() {
        let placement = place(&[argument(0x1234, 2), argument(0x56, 1), argument(0x789a_bcde, 4)]).unwrap();
        assert_eq!(
            placement.registers,
            [(24, 0x34), (25, 0x12), (22, 0x56), (18, 0xde), (19, 0xbc), (20, 0x9a), (21, 0x78)]
        );
        assert!(placement.stack.is_empty());
    }

    #[test]
    fn what_does_not_fit_and_all_behind_it_goes_on_the_stack() {
        let eight = argument(0x0807_0605_0403_0201, 8);
        let four = argument(0x4433_2211, 4);
        let placement = place(&[eight, eight, four, argument(0x5566, 2), argument(0x77, 1)]).unwrap();
        assert_eq!(placement.registers.len(), 16);
        assert_eq!(placement.registers.last(), Some(&(17, 8)));
        assert_eq!(placement.stack, [0x11, 0x22, 0x33, 0x44, 0x66, 0x55, 0x77]);
    }

    #[test]
    fn eighteen_bytes_fill_the_registers() {
        let eight = argument(1, 8);
        let placement = place(&[eight, eight, argument(0xbbaa, 2)]).unwrap();
        assert_eq!(placement.registers[16..], [(8, 0xaa), (9, 0xbb)]);
        assert!(placement.stack.is_empty());
        assert!(place(&[argument(0, 0)]).is_err());
        assert!(place(&[argument(0, 9)]).is_err());
    }
}
