//! Every test of the emulator as one program: nineteen take four times as long to build.

mod arm;
mod avr;
mod calls;
mod common;
mod cortex_m;
mod cortex_m_float;
mod detail;
mod fence;
mod instructions;
mod m16c;
mod msp430;
mod riscv;
mod rl78;
mod runs;
mod sparc;
mod translated;

/// A file beside this one that is no module here would not be compiled.
#[test]
fn every_file_is_a_module_of_this_program() {
    let named = |name: &str| include_str!("main.rs").lines().any(|line| line == format!("mod {name};"));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(path.extension().is_none_or(|kind| kind != "rs") || name == "main" || named(name), "{name}");
    }
}
