//! Control and status registers, and the two privilege modes.

use super::timing::Core;

const USER: u32 = 0;
const MACHINE: u32 = 3;

const MSTATUS: u16 = 0x300;
const MISA: u16 = 0x301;
const MTVEC: u16 = 0x305;
const MCOUNTEREN: u16 = 0x306;
const MEPC: u16 = 0x341;
const MCAUSE: u16 = 0x342;
const MTVAL: u16 = 0x343;
const IDENTITY: std::ops::RangeInclusive<u16> = 0xf11..=0xf14;

/// Registers that hold what is written: enabled interrupts, handler, scratch, causes.
const HELD: [u16; 8] = [0x304, MTVEC, MCOUNTEREN, 0x340, MEPC, MCAUSE, MTVAL, 0x344];

/// Bits of mstatus.
const MIE: u32 = 1 << 3;
const MPIE: u32 = 1 << 7;
const MPP_SHIFT: u32 = 11;

const XLEN_32: u32 = 1 << 30;

/// Values of the counters at the time of an instruction.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    cycles: u64,
    instructions: u64,
}

/// All control and status registers, and the privilege mode.
#[derive(Debug, Clone)]
pub struct Control {
    mode: u32,
    status: u32,
    held: Vec<(u16, u32)>,
    /// Instructions executed since the machine was built, without those of the present run.
    pub instructions: u64,
    /// Amount by which a program moved the cycle counter.
    cycles_moved: u64,
    instructions_moved: u64,
}

/// The counter, and the half of it, that a register shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counter {
    Cycles,
    CyclesHigh,
    Instructions,
    InstructionsHigh,
}

fn counter(core: &Core, number: u16) -> Option<Counter> {
    let counters = &core.counters;
    [
        (&counters.cycles, Counter::Cycles),
        (&counters.cycles_high, Counter::CyclesHigh),
        (&counters.instructions, Counter::Instructions),
        (&counters.instructions_high, Counter::InstructionsHigh),
    ]
    .into_iter()
    .find_map(|(numbers, counter)| numbers.contains(&number).then_some(counter))
}

impl Control {
    /// Creates the registers at reset.
    pub fn new(core: &Core) -> Self {
        let numbers = HELD.iter().chain(&core.registers);
        Control {
            mode: MACHINE,
            status: MACHINE << MPP_SHIFT,
            held: numbers.map(|&number| (number, 0)).collect(),
            instructions: 0,
            cycles_moved: 0,
            instructions_moved: 0,
        }
    }

    /// Restores everything from `other` except the count of instructions, which continues.
    pub fn put_back(&mut self, other: Control) {
        *self = Control { instructions: self.instructions, ..other };
    }

    /// Returns the privilege mode: 0 for user, 3 for machine.
    pub fn mode(&self) -> u32 {
        self.mode
    }

    fn held(&mut self, number: u16) -> Option<&mut u32> {
        self.held.iter_mut().find(|(held, _)| *held == number).map(|(_, value)| value)
    }

    fn set(&mut self, number: u16, value: u32) {
        if let Some(held) = self.held(number) {
            *held = value;
        }
    }

    /// Returns the counters at a cycle, after `retired` instructions of the present run.
    pub fn counted(&self, cycle: u64, retired: u64) -> Counted {
        Counted {
            cycles: cycle.wrapping_add(self.cycles_moved),
            instructions: (self.instructions + retired).wrapping_add(self.instructions_moved),
        }
    }

    /// Whether the present mode may access a register.
    fn allowed(&mut self, number: u16) -> bool {
        let counts = (0xc00..0xca0).contains(&number);
        let enabled = self.held(MCOUNTEREN).is_some_and(|enabled| *enabled >> (number & 31) & 1 == 1);
        self.mode == MACHINE || number >> 8 & 3 == 0 && (!counts || enabled)
    }

    /// Returns a register's value, `None` if it does not exist or the mode may not read it.
    pub fn read(&mut self, core: &Core, number: u16, counted: Counted) -> Option<u32> {
        if !self.allowed(number) {
            return None;
        }
        if let Some(counter) = counter(core, number) {
            return Some(match counter {
                Counter::Cycles => counted.cycles as u32,
                Counter::CyclesHigh => (counted.cycles >> 32) as u32,
                Counter::Instructions => counted.instructions as u32,
                Counter::InstructionsHigh => (counted.instructions >> 32) as u32,
            });
        }
        match number {
            MSTATUS => Some(self.status),
            MISA => {
                let letters = [
                    (!core.embedded, 'i'),
                    (core.embedded, 'e'),
                    (core.multiplication, 'm'),
                    (true, 'c'),
                    (core.atomics, 'a'),
                    (core.user_mode, 'u'),
                ];
                let bits = letters.iter().filter(|(has, _)| *has).map(|(_, letter)| 1 << (*letter as u32 - 'a' as u32));
                Some(XLEN_32 | bits.sum::<u32>())
            }
            _ if IDENTITY.contains(&number) => Some(0),
            _ => self.held(number).copied(),
        }
    }

    /// Writes a register; returns false if it cannot be written.
    pub fn write(&mut self, core: &Core, number: u16, value: u32, counted: Counted) -> bool {
        // The two highest bits say which are read only.
        if number >> 10 == 3 || !self.allowed(number) {
            return false;
        }
        if let Some(counter) = counter(core, number) {
            let low = |old: u64| old & !0xffff_ffff | u64::from(value);
            let high = |old: u64| old & 0xffff_ffff | u64::from(value) << 32;
            let Counted { cycles, instructions } = counted;
            match counter {
                Counter::Cycles => self.move_cycles(cycles, low(cycles)),
                Counter::CyclesHigh => self.move_cycles(cycles, high(cycles)),
                Counter::Instructions => self.move_instructions(instructions, low(instructions)),
                Counter::InstructionsHigh => self.move_instructions(instructions, high(instructions)),
            }
            return true;
        }
        match number {
            MSTATUS => {
                let mpp = if value >> MPP_SHIFT & 3 == MACHINE || !core.user_mode { MACHINE } else { USER };
                self.status = value & (MIE | MPIE) | mpp << MPP_SHIFT;
                true
            }
            MISA => true,
            MEPC => {
                self.set(MEPC, value & !1);
                true
            }
            _ => match self.held(number) {
                Some(held) => {
                    *held = value;
                    true
                }
                None => false,
            },
        }
    }

    fn move_cycles(&mut self, from: u64, to: u64) {
        self.cycles_moved = self.cycles_moved.wrapping_add(to.wrapping_sub(from));
    }

    fn move_instructions(&mut self, from: u64, to: u64) {
        self.instructions_moved = self.instructions_moved.wrapping_add(to.wrapping_sub(from));
    }

    /// Raises an exception at an address; returns the address of its handler, `None` if the program has set up none.
    pub fn raised(&mut self, cause: u32, address: u32) -> Option<u32> {
        let handler = self.held(MTVEC).map_or(0, |vector| *vector & !3);
        if handler == 0 {
            return None;
        }
        self.set(MEPC, address);
        self.set(MCAUSE, cause);
        self.set(MTVAL, 0);
        let enabled = if self.status & MIE != 0 { MPIE } else { 0 };
        self.status = enabled | self.mode << MPP_SHIFT;
        self.mode = MACHINE;
        Some(handler)
    }

    /// Returns from an exception (`mret`); returns the address to continue at, `None` in user mode.
    pub fn returned(&mut self) -> Option<u32> {
        if self.mode != MACHINE {
            return None;
        }
        self.mode = self.status >> MPP_SHIFT & 3;
        let enabled = if self.status & MPIE != 0 { MIE } else { 0 };
        // The mode to go back to becomes the least there is; USER needs no bits.
        self.status = enabled | MPIE;
        self.held(MEPC).copied()
    }
}
