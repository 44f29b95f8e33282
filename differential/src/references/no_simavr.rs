//! Stands in for `simavr.rs` where libsimavr was not found when the tester was built.

use crate::protocol::Reference;

const MISSING: &str = "built without simavr: install libsimavr-dev and pkg-config, and build again";

pub fn start(_: &str, _: u16, _: u64) -> Result<Box<dyn Reference>, String> {
    Err(MISSING.into())
}

pub fn plain_io(_: &str) -> Result<Vec<u16>, String> {
    Err(MISSING.into())
}
