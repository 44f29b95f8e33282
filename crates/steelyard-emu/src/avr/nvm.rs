//! Controllers of the non-volatile memories: EEPROM through I/O registers, flash through `SPM`, and EEPROM through the
//! data space on AVRxt.
//!
//! Programming takes no CPU time except the halts that the core's data names. An EEPROM write keeps its busy flag set
//! for the chip's `eeprom_write_us`.

use crate::error::{refuse, Error};
use std::collections::BTreeMap;

/// Cycles within which a timed sequence must be completed (ATmega128 and ATmega328P data sheets, EECR and SPMCSR).
const SEQUENCE_CYCLES: u64 = 4;

/// Cycles for which self-programming stays unlocked. AVRxt allows four instructions after the unlock; none that fits
/// there takes more than two cycles.
const UNLOCKED_CYCLES: u64 = 8;

/// The value that unlocks self-programming (CCP register, signature SPM).
const CCP_SPM: u8 = 0x9d;

/// Bits of EECR.
const EERE: u8 = 0x01;
const EEPE: u8 = 0x02;
const EEMPE: u8 = 0x04;

/// Bits of SPMCSR.
const SPMEN: u8 = 0x01;
const PGERS: u8 = 0x02;
const PGWRT: u8 = 0x04;
const BLBSET: u8 = 0x08;
const RWWSRE: u8 = 0x10;
const SPM_OPERATION: u8 = SPMEN | PGERS | PGWRT | BLBSET | RWWSRE;

/// Addresses and times of the chip's memory controllers, from `core_options`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    pub eecr: Option<u16>,
    pub eedr: Option<u16>,
    /// Address of the low byte of EEAR; the high byte follows.
    pub eear: Option<u16>,
    pub spmcsr: Option<u16>,
    pub spm_page_bytes: u32,
    pub nvmctrl: Option<u16>,
    pub ccp: Option<u16>,
    pub eeprom_write_cycles: u64,
}

impl Options {
    /// Reads the options that a chip's data may give.
    pub fn from_data(data: &BTreeMap<String, u32>, clock_hz: u64) -> Result<Self, Error> {
        let mut options = Options::default();
        for (name, &value) in data {
            let address = u16::try_from(value).ok();
            match name.as_str() {
                "eecr_address" => options.eecr = address,
                "eedr_address" => options.eedr = address,
                "eear_address" => options.eear = address,
                "spmcsr_address" => options.spmcsr = address,
                "nvmctrl_address" => options.nvmctrl = address,
                "ccp_address" => options.ccp = address,
                "spm_page_bytes" => options.spm_page_bytes = value,
                "eeprom_write_us" => {
                    options.eeprom_write_cycles = u64::from(value).saturating_mul(clock_hz) / 1_000_000
                }
                _ => return refuse(format!("AVR cores have no option `{name}`")),
            }
            if name.ends_with("_address") && address.is_none() {
                return refuse(format!("option `{name}`: {value} is no data-space address"));
            }
        }
        if options.eecr.is_some() != options.eedr.is_some() || options.eecr.is_some() != options.eear.is_some() {
            return refuse("options `eecr_address`, `eedr_address` and `eear_address` go together");
        }
        let page = options.spm_page_bytes;
        if options.spmcsr.is_some() && (!page.is_power_of_two() || !(2..=1024).contains(&page)) {
            return refuse("option `spmcsr_address` needs `spm_page_bytes`, a power of two from 2 to 1024");
        }
        if options.nvmctrl.is_some() != options.ccp.is_some() {
            return refuse("options `nvmctrl_address` and `ccp_address` go together");
        }
        Ok(options)
    }
}

/// What a write to EECR requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EepromAction {
    None,
    Read,
    /// Program the EEPROM in this mode (EEPM bits).
    Write(u8),
}

/// What an `SPM` instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpmAction {
    None,
    /// Put a word into the page buffer.
    Fill,
    Erase,
    Write,
}

/// State of the memory controllers.
#[derive(Debug, Clone)]
pub struct Controllers {
    pub options: Options,
    pub eeprom: Vec<u8>,
    eecr: u8,
    eeprom_armed_at: Option<u64>,
    eeprom_busy_until: u64,
    spmcsr: u8,
    spm_armed_at: Option<u64>,
    page: Vec<u8>,
    unlocked_at: Option<u64>,
    window_writes: BTreeMap<usize, u8>,
}

impl Controllers {
    pub fn new(options: Options, eeprom_bytes: usize) -> Self {
        Controllers {
            eeprom: vec![0xff; eeprom_bytes],
            eecr: 0,
            eeprom_armed_at: None,
            eeprom_busy_until: 0,
            spmcsr: 0,
            spm_armed_at: None,
            page: vec![0xff; options.spm_page_bytes as usize],
            unlocked_at: None,
            window_writes: BTreeMap::new(),
            options,
        }
    }

    fn within(armed_at: Option<u64>, now: u64, cycles: u64) -> bool {
        armed_at.is_some_and(|at| now.saturating_sub(at) <= cycles)
    }

    pub fn read_eecr(&self, now: u64) -> u8 {
        let armed = Self::within(self.eeprom_armed_at, now, SEQUENCE_CYCLES);
        let busy = now < self.eeprom_busy_until;
        self.eecr | if armed { EEMPE } else { 0 } | if busy { EEPE } else { 0 }
    }

    /// Writes EECR. EEMPE and then EEPE within four cycles starts a write; both at once do not.
    pub fn write_eecr(&mut self, value: u8, now: u64) -> EepromAction {
        self.eecr = value & !(EERE | EEPE | EEMPE);
        if now < self.eeprom_busy_until {
            return EepromAction::None;
        }
        if value & EEPE != 0 && Self::within(self.eeprom_armed_at, now, SEQUENCE_CYCLES) {
            self.eeprom_armed_at = None;
            self.eeprom_busy_until = now + self.options.eeprom_write_cycles;
            return EepromAction::Write(value >> 4 & 3);
        }
        if value & EEMPE != 0 && value & EEPE == 0 {
            self.eeprom_armed_at = Some(now);
        }
        if value & EERE != 0 {
            return EepromAction::Read;
        }
        EepromAction::None
    }

    /// Programs a byte of the EEPROM. EEPM 0 erases and writes, 1 only erases, 2 only writes, which can only clear
    /// bits.
    pub fn program_eeprom(&mut self, address: u16, value: u8, mode: u8) {
        let size = self.eeprom.len();
        if size == 0 {
            return;
        }
        let cell = &mut self.eeprom[usize::from(address) % size];
        *cell = match mode {
            1 => 0xff,
            2 => *cell & value,
            _ => value,
        };
    }

    pub fn eeprom_byte(&self, address: u16) -> u8 {
        match self.eeprom.len() {
            0 => 0xff,
            size => self.eeprom[usize::from(address) % size],
        }
    }

    pub fn read_spmcsr(&self, now: u64) -> u8 {
        let armed = Self::within(self.spm_armed_at, now, SEQUENCE_CYCLES);
        if armed {
            self.spmcsr
        } else {
            self.spmcsr & !SPM_OPERATION
        }
    }

    pub fn write_spmcsr(&mut self, value: u8, now: u64) {
        self.spmcsr = value;
        self.spm_armed_at = (value & SPMEN != 0).then_some(now);
    }

    /// Returns what an `SPM` does at this moment; a word for the page buffer is stored here.
    pub fn spm(&mut self, address: u32, word: u16, now: u64) -> SpmAction {
        if !Self::within(self.spm_armed_at.take(), now, SEQUENCE_CYCLES) {
            return SpmAction::None;
        }
        let operation = self.spmcsr & SPM_OPERATION;
        self.spmcsr &= !SPM_OPERATION;
        const FILL: u8 = SPMEN;
        const ERASE: u8 = SPMEN | PGERS;
        const WRITE: u8 = SPMEN | PGWRT;
        const ENABLE_READ: u8 = SPMEN | RWWSRE;
        match operation {
            FILL => {
                let offset = address as usize & (self.page.len() - 1) & !1;
                self.page[offset..offset + 2].copy_from_slice(&word.to_le_bytes());
                SpmAction::Fill
            }
            ERASE => SpmAction::Erase,
            WRITE => SpmAction::Write,
            ENABLE_READ => {
                self.page.fill(0xff);
                SpmAction::None
            }
            _ => SpmAction::None,
        }
    }

    /// Returns the page buffer and erases it, as writing a page does.
    pub fn take_page(&mut self) -> Vec<u8> {
        let erased = vec![0xff; self.page.len()];
        std::mem::replace(&mut self.page, erased)
    }

    /// Returns the first byte address of the page that holds an address.
    pub fn page_start(&self, address: u32) -> usize {
        address as usize & !(self.page.len() - 1)
    }

    pub fn write_ccp(&mut self, value: u8, now: u64) {
        self.unlocked_at = (value == CCP_SPM).then_some(now);
    }

    /// Stores a byte to the EEPROM's window in the data space, which goes to the page buffer.
    pub fn write_window(&mut self, offset: usize, value: u8) {
        self.window_writes.insert(offset, value);
    }

    /// Returns NVMCTRL.STATUS; bit 1 is EEBUSY.
    pub fn read_nvm_status(&self, now: u64) -> u8 {
        u8::from(now < self.eeprom_busy_until) << 1
    }

    /// Executes a write to NVMCTRL.CTRLA: 1 writes the page, 2 erases the page, 3 does both, 4 clears the page buffer,
    /// 6 erases the EEPROM.
    pub fn write_nvm_command(&mut self, command: u8, now: u64) {
        if !Self::within(self.unlocked_at.take(), now, UNLOCKED_CYCLES) || now < self.eeprom_busy_until {
            return;
        }
        let command = command & 7;
        match command {
            1..=3 => {
                for (offset, value) in std::mem::take(&mut self.window_writes) {
                    let mode = [0, 2, 1, 0][usize::from(command)];
                    self.program_eeprom(offset as u16, value, mode);
                }
            }
            4 => self.window_writes.clear(),
            6 => self.eeprom.fill(0xff),
            _ => {}
        }
        if matches!(command, 1..=3 | 6) {
            self.eeprom_busy_until = now + self.options.eeprom_write_cycles;
        }
    }
}
