//! simavr as a reference, through libsimavr.

use super::library::{InProcess, Library};
use crate::families::avr::{self, DATA};
use crate::protocol::{Reference, Until};
use std::ffi::{c_char, c_int, CString};

/// Data addresses of the stack pointer, the same on every classic AVR.
const SPL: usize = 0x5D;
const SPH: usize = 0x5E;
/// Numbers of the registers behind the 32 general ones.
const SREG: u16 = avr::SREG as u16;
const SP: u16 = avr::SP as u16;
const PC: u16 = avr::PC as u16;
/// gdb's number of the signal for an illegal instruction.
const CRASHED: u8 = 4;

#[repr(C)]
struct Avr {
    _opaque: [u8; 0],
}

extern "C" {
    fn shim_create(chip: *const c_char, ram_end: u16) -> *mut Avr;
    fn shim_destroy(avr: *mut Avr);
    fn shim_data(avr: *mut Avr) -> *mut u8;
    fn shim_flash(avr: *mut Avr) -> *mut u8;
    fn shim_flash_bytes(avr: *const Avr) -> u32;
    fn shim_data_bytes(avr: *const Avr) -> u32;
    fn shim_eeprom_bytes(avr: *const Avr) -> u32;
    fn shim_io_end(avr: *const Avr) -> u32;
    fn shim_pc(avr: *const Avr) -> u32;
    fn shim_set_pc(avr: *mut Avr, pc: u32);
    fn shim_cycles(avr: *const Avr) -> u64;
    fn shim_rampz(avr: *const Avr) -> u32;
    fn shim_sreg(avr: *mut Avr) -> u8;
    fn shim_set_sreg(avr: *mut Avr, value: u8);
    fn shim_io_is_plain(avr: *const Avr, address: u16) -> c_int;
    fn shim_step(avr: *mut Avr);
    fn shim_run(avr: *mut Avr, burst_cycles: u64) -> c_int;
}

/// One simulated chip.
pub struct Simavr {
    avr: *mut Avr,
    flash_bytes: usize,
    data_bytes: usize,
    /// How long simavr's own loop runs between looks at its timers.
    burst_cycles: u64,
}

/// Starts simavr with RAM up to `ram_end`, or its own where that is 0.
pub fn start(chip: &str, ram_end: u16, burst_cycles: u64) -> Result<Box<dyn Reference>, String> {
    Ok(Box::new(InProcess::new(Simavr::new(chip, ram_end, burst_cycles)?)))
}

/// Data addresses of the I/O registers behind which simavr has no peripheral.
pub fn plain_io(chip: &str) -> Result<Vec<u16>, String> {
    let simavr = Simavr::new(chip, 0, 1)?;
    // SAFETY: the invariant below; the shim checks the range of the address.
    let plain = |address: &u16| unsafe { shim_io_is_plain(simavr.avr, *address) != 0 };
    Ok((0x20..=simavr.sizes().io_end as u16).filter(plain).collect())
}

/// What simavr says of a chip.
#[derive(Debug, PartialEq, Eq)]
pub struct Sizes {
    pub flash_bytes: u32,
    /// First data address behind the RAM.
    pub data_bytes: u32,
    pub eeprom_bytes: u32,
    /// Last data address of the I/O registers.
    pub io_end: u32,
    /// Data address of RAMPZ, 0 where the chip has none.
    pub rampz: u32,
}

// Every unsafe block below rests on one invariant: `avr` comes from `shim_create`, is not null, is owned by
// this value alone and is freed only in `drop`; flash and data are allocated once with the sizes kept here.

impl Simavr {
    /// Makes a chip that stops after `burst_cycles`; the error says that simavr does not know the chip.
    pub fn new(chip: &str, ram_end: u16, burst_cycles: u64) -> Result<Self, String> {
        let name = CString::new(chip).map_err(|error| error.to_string())?;
        // SAFETY: the name outlives the call; null is handled.
        let avr = unsafe { shim_create(name.as_ptr(), ram_end) };
        if avr.is_null() {
            return Err(format!("simavr does not know `{chip}`"));
        }
        let mut simavr = Self { avr, flash_bytes: 0, data_bytes: 0, burst_cycles };
        let sizes = simavr.sizes();
        (simavr.flash_bytes, simavr.data_bytes) = (sizes.flash_bytes as usize, sizes.data_bytes as usize);
        Ok(simavr)
    }

    pub fn sizes(&self) -> Sizes {
        let avr = self.avr;
        // SAFETY: the invariant above.
        unsafe {
            Sizes {
                flash_bytes: shim_flash_bytes(avr),
                data_bytes: shim_data_bytes(avr),
                eeprom_bytes: shim_eeprom_bytes(avr),
                io_end: shim_io_end(avr),
                rampz: shim_rampz(avr),
            }
        }
    }

    /// Registers, I/O and RAM by data address; SREG there may be out of date.
    fn data(&mut self) -> &mut [u8] {
        // SAFETY: the invariant above; `&mut self` makes the slice the only access.
        unsafe { std::slice::from_raw_parts_mut(shim_data(self.avr), self.data_bytes) }
    }

    fn flash(&mut self) -> &mut [u8] {
        // SAFETY: the invariant above; `&mut self` makes the slice the only access.
        unsafe { std::slice::from_raw_parts_mut(shim_flash(self.avr), self.flash_bytes) }
    }

    fn memory(&mut self, address: u32, length_bytes: usize) -> &mut [u8] {
        let (memory, start) = match address.checked_sub(DATA) {
            Some(address) => (self.data(), address as usize),
            None => (self.flash(), address as usize),
        };
        &mut memory[start..start + length_bytes]
    }

    /// Executes one instruction.
    ///
    /// simavr 1.6 takes ADIW and SBIW with a constant whose low nibble is 12 to 15 for two-word instructions
    /// when a skip jumps over them (fixed upstream after 1.6 by commit 4784ea5). The manual gives both one word
    /// (DS40002198, sections ADIW and SBIW), so while a skip is stepped its successor is shown as NOP, which
    /// has the same length; a skip looks at nothing else of it.
    fn step(&mut self) {
        // SAFETY: the invariant above.
        let pc = unsafe { shim_pc(self.avr) } as usize;
        let word = |flash: &[u8], at: usize| u16::from_le_bytes([flash[at], flash[at + 1]]);
        let flash = self.flash();
        let hidden = (pc + 4 <= flash.len() && is_skip(word(flash, pc)) && is_adiw_or_sbiw(word(flash, pc + 2)))
            .then(|| [flash[pc + 2], flash[pc + 3]]);
        if hidden.is_some() {
            flash[pc + 2..pc + 4].fill(0);
        }
        // SAFETY: the invariant above.
        unsafe { shim_step(self.avr) }
        if let Some(bytes) = hidden {
            self.flash()[pc + 2..pc + 4].copy_from_slice(&bytes);
        }
    }
}

impl Library for Simavr {
    fn register(&mut self, number: u16) -> u32 {
        match number {
            // SAFETY: the invariant above.
            SREG => u32::from(unsafe { shim_sreg(self.avr) }),
            SP => u32::from(u16::from_le_bytes([self.data()[SPL], self.data()[SPH]])),
            // SAFETY: the invariant above.
            PC => unsafe { shim_pc(self.avr) },
            number => u32::from(self.data()[usize::from(number)]),
        }
    }

    fn set_register(&mut self, number: u16, value: u32) {
        match number {
            // SAFETY: the invariant above.
            SREG => unsafe { shim_set_sreg(self.avr, value as u8) },
            SP => [self.data()[SPL], self.data()[SPH]] = (value as u16).to_le_bytes(),
            // SAFETY: the invariant above.
            PC => unsafe { shim_set_pc(self.avr, value) },
            number => self.data()[usize::from(number)] = value as u8,
        }
    }

    fn read(&mut self, address: u32, length_bytes: usize) -> Vec<u8> {
        self.memory(address, length_bytes).to_vec()
    }

    fn write(&mut self, address: u32, bytes: &[u8]) {
        self.memory(address, bytes.len()).copy_from_slice(bytes);
    }

    fn clocks(&self) -> u64 {
        // SAFETY: the invariant above.
        unsafe { shim_cycles(self.avr) }
    }

    fn run(&mut self, until: Until) -> u8 {
        match until {
            Until::Instructions(count) => (0..count).for_each(|_| self.step()),
            Until::Clocks(clocks) => {
                let end = self.clocks() + u64::from(clocks);
                while self.clocks() < end {
                    self.step();
                }
            }
            Until::Address(address) => {
                while self.register(PC) != address {
                    self.step();
                }
            }
            // SAFETY: the invariant above.
            Until::Stop if unsafe { shim_run(self.avr, self.burst_cycles) } == 0 => return CRASHED,
            Until::Stop => {}
        }
        0
    }
}

impl Drop for Simavr {
    fn drop(&mut self) {
        // SAFETY: the invariant above; nothing uses the value afterwards.
        unsafe { shim_destroy(self.avr) }
    }
}

/// CPSE, SBRC, SBRS, SBIC or SBIS.
fn is_skip(word: u16) -> bool {
    word & 0xFC00 == 0x1000 || word & 0xFC08 == 0xFC00 || word & 0xFD00 == 0x9900
}

fn is_adiw_or_sbiw(word: u16) -> bool {
    word & 0xFE00 == 0x9600
}
