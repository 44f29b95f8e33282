//! Random programs that both run at full speed, compared at their ends.
//!
//! A program is made of units; a unit is one instruction, or a few that make its operands usable before it: a base
//! register that points into the data, an offset that keeps an access aligned, a target that lies ahead.

use crate::chip::{bare, Chip, Family};
use crate::protocol::{Reference, Until};
use crate::references::unicorn::{self, Model};
use crate::rng::Rng;
use crate::stream::{Asked, Outcome, Pair, Placed, Subject};
use serde_json::Value;
use std::ops::Range;

/// Where a program begins. It may read what lies some words before.
pub const CODE: u32 = CODE_START + 0x100;
const CODE_START: u32 = 0x0010_0000;
pub const CODE_MEMORY: Range<u32> = CODE_START..CODE_START + 0x10_0000;
pub const RAM: Range<u32> = 0x4000_0000..0x4002_0000;
/// Where the base register of the data points.
pub const BASE: u32 = RAM.start + 0x8000;
/// What is filled before a program and compared behind it.
pub const DATA: Range<u32> = BASE - 0x1000..BASE + 0x4000;
/// Units of a program.
const UNITS: usize = 500;

/// A kind of unit: its name, how often it is drawn among the others, and what makes one.
pub type Unit<U> = (String, u32, Box<dyn Fn(&mut U) -> Vec<u8>>);

/// Makes a list of units from methods of their names.
#[macro_export]
macro_rules! units {
    ($($weight:literal $name:ident),+ $(,)?) => {
        vec![$((stringify!($name).to_owned(), $weight, Box::new(Self::$name) as Box<dyn Fn(&mut Self) -> Vec<u8>>)),+]
    };
}

/// Makes the units of a CPU family.
pub trait Units: Sized {
    type Of: Family;

    fn units(&self) -> Vec<Unit<Self>>;
    fn rng(&mut self) -> &mut Rng;
    /// Values for the registers at the start of a program, by their index, but for the program counter.
    fn registers(&mut self) -> Vec<(usize, u32)>;
    /// Registers that the reference does not show as they are.
    fn ignored() -> Vec<(usize, u32)> {
        Vec::new()
    }
    /// What a program does besides its units.
    fn framed(&mut self, units: Vec<u8>) -> Vec<u8> {
        units
    }
}

/// Unicorn with the memories of the programs.
pub fn reference(model: Model) -> Result<Box<dyn Reference>, String> {
    unicorn::start(model, &[CODE_MEMORY, RAM])
}

/// Draws the units of a program and counts them.
pub fn draw<U: Units>(units: &mut U, kinds: &[Unit<U>], outcome: &mut Outcome) -> Vec<u8> {
    let total = kinds.iter().map(|(_, weight, _)| weight).sum();
    let mut body = Vec::new();
    for _ in 0..UNITS {
        let mut drawn = units.rng().below(total);
        let number = kinds.iter().position(|(_, weight, _)| match drawn.checked_sub(*weight) {
            Some(left) => {
                drawn = left;
                false
            }
            None => true,
        });
        let number = number.unwrap_or_default();
        body.extend((kinds[number].2)(units));
        outcome.executions[number].1 += 1;
    }
    body
}

/// Compares programs until so many instructions were executed; the first difference ends that.
pub fn run<U: Units>(
    mut units: U,
    core: Value,
    asked: &Asked,
    reference: &mut dyn Reference,
) -> Result<Outcome, String> {
    let chip = Chip::<U::Of>::new(&bare(core, &[RAM, CODE_MEMORY])?)?;
    let mut pair = Pair::new(chip, U::Of::LAYOUT);
    let pc = U::Of::LAYOUT.registers.iter().position(|register| register.name == "pc").ok_or("no register is `pc`")?;
    let kinds = units.units();
    let mut outcome = Outcome::of(kinds.iter().map(|(name, ..)| name.clone()));
    while outcome.instructions < asked.instructions && outcome.difference.is_none() {
        let body = draw(&mut units, &kinds, &mut outcome);
        let code = units.framed(body);
        let end = CODE + code.len() as u32;
        // What a longer program left behind the end is forgotten too.
        pair.write(CODE, &[&code[..], &[0; 8]].concat());
        let data: Vec<u8> = DATA.map(|_| units.rng().word() as u8).collect();
        pair.write(DATA.start, &data);
        for (index, value) in units.registers() {
            pair.set(index, value);
        }
        pair.set(pc, CODE);
        let placed = Placed { ignored: U::ignored(), ..Placed::default() };
        pair.run(placed, Until::Address(end), |chip| chip.run_to(end));
        // A unit is at least one.
        outcome.instructions += UNITS as u64;
        outcome.difference = pair.catch_up(reference, &[DATA])?;
    }
    Ok(outcome)
}
