//! The ARM family: A32 and Thumb-1 in user mode.

pub mod timing;
