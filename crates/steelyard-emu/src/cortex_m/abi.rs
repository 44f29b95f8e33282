//! The calling convention of Cortex-M, which is that of ARM without floating point registers.

pub use crate::arm::abi::{place, Placement};
