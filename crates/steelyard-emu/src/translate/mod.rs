//! Code of the host computer in place of an interpreter: values that emit it, and the memory that holds it.

pub mod emitted;
pub mod host;
