//! A safe face for libsimavr, the independent reference.

use std::ffi::{c_char, c_int, CString};

/// Data addresses of the stack pointer and status register, the same on every classic AVR.
const SPL: usize = 0x5D;
const SPH: usize = 0x5E;

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
}

// Every unsafe block below rests on one invariant: `avr` comes from `shim_create`, is not null, is owned by
// this value alone and is freed only in `drop`; flash and data are allocated once with the sizes kept here.

impl Simavr {
    /// The chip of that name as simavr knows it, with RAM up to `ram_end` (its own where 0), or `None`.
    pub fn new(chip: &str, ram_end: u16) -> Option<Self> {
        let name = CString::new(chip).ok()?;
        // SAFETY: the name outlives the call; null is handled.
        let avr = unsafe { shim_create(name.as_ptr(), ram_end) };
        if avr.is_null() {
            return None;
        }
        // SAFETY: the invariant above.
        let (flash_bytes, data_bytes) = unsafe { (shim_flash_bytes(avr), shim_data_bytes(avr)) };
        Some(Self { avr, flash_bytes: flash_bytes as usize, data_bytes: data_bytes as usize })
    }

    /// Registers, I/O and RAM by data address. SREG is current only after [`Simavr::sreg`].
    pub fn data(&self) -> &[u8] {
        // SAFETY: the invariant above.
        unsafe { std::slice::from_raw_parts(shim_data(self.avr), self.data_bytes) }
    }

    pub fn data_mut(&mut self) -> &mut [u8] {
        // SAFETY: the invariant above; `&mut self` makes the slice the only access.
        unsafe { std::slice::from_raw_parts_mut(shim_data(self.avr), self.data_bytes) }
    }

    pub fn flash_mut(&mut self) -> &mut [u8] {
        // SAFETY: the invariant above; `&mut self` makes the slice the only access.
        unsafe { std::slice::from_raw_parts_mut(shim_flash(self.avr), self.flash_bytes) }
    }

    pub fn flash_bytes(&self) -> usize {
        self.flash_bytes
    }

    pub fn data_bytes(&self) -> usize {
        self.data_bytes
    }

    pub fn eeprom_bytes(&self) -> usize {
        // SAFETY: the invariant above.
        unsafe { shim_eeprom_bytes(self.avr) as usize }
    }

    /// Last data address of the I/O registers.
    pub fn io_end(&self) -> usize {
        // SAFETY: the invariant above.
        unsafe { shim_io_end(self.avr) as usize }
    }

    /// Program counter as a byte address.
    pub fn pc(&self) -> u32 {
        // SAFETY: the invariant above.
        unsafe { shim_pc(self.avr) }
    }

    pub fn set_pc(&mut self, pc: u32) {
        // SAFETY: the invariant above.
        unsafe { shim_set_pc(self.avr, pc) }
    }

    pub fn cycles(&self) -> u64 {
        // SAFETY: the invariant above.
        unsafe { shim_cycles(self.avr) }
    }

    /// Data address of RAMPZ, 0 where the chip has none.
    pub fn rampz(&self) -> usize {
        // SAFETY: the invariant above.
        unsafe { shim_rampz(self.avr) as usize }
    }

    pub fn sreg(&mut self) -> u8 {
        // SAFETY: the invariant above.
        unsafe { shim_sreg(self.avr) }
    }

    pub fn set_sreg(&mut self, value: u8) {
        // SAFETY: the invariant above.
        unsafe { shim_set_sreg(self.avr, value) }
    }

    pub fn sp(&self) -> u16 {
        u16::from_le_bytes([self.data()[SPL], self.data()[SPH]])
    }

    pub fn set_sp(&mut self, value: u16) {
        let [low, high] = value.to_le_bytes();
        self.data_mut()[SPL] = low;
        self.data_mut()[SPH] = high;
    }

    /// Whether the I/O register at this data address is plain storage in simavr, without a peripheral.
    pub fn io_is_plain(&self, address: u16) -> bool {
        // SAFETY: the invariant above; the shim checks the range of the address.
        unsafe { shim_io_is_plain(self.avr, address) != 0 }
    }

    /// Executes one instruction.
    ///
    /// simavr 1.6 takes ADIW and SBIW with a constant whose low nibble is 12 to 15 for two-word instructions
    /// when a skip jumps over them (fixed upstream after 1.6 by commit 4784ea5). The manual gives both one word
    /// (DS40002198, sections ADIW and SBIW), so while a skip is stepped its successor is shown as NOP, which
    /// has the same length; a skip looks at nothing else of it.
    pub fn step(&mut self) {
        let pc = self.pc() as usize;
        let word = |flash: &[u8], at: usize| u16::from_le_bytes([flash[at], flash[at + 1]]);
        let flash = self.flash_mut();
        let hidden = (pc + 4 <= flash.len() && is_skip(word(flash, pc)) && is_adiw_or_sbiw(word(flash, pc + 2)))
            .then(|| [flash[pc + 2], flash[pc + 3]]);
        if hidden.is_some() {
            flash[pc + 2..pc + 4].fill(0);
        }
        // SAFETY: the invariant above.
        unsafe { shim_step(self.avr) }
        if let Some(bytes) = hidden {
            self.flash_mut()[pc + 2..pc + 4].copy_from_slice(&bytes);
        }
    }

    /// Runs simavr's own loop until SLEEP with interrupts off; false where it crashed instead.
    pub fn run_until_sleep(&mut self, burst_cycles: u64) -> bool {
        // SAFETY: the invariant above.
        unsafe { shim_run(self.avr, burst_cycles) != 0 }
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
