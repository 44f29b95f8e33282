//! Registers of the private peripheral bus: timers with which a program measures itself (the debug unit's counters, DWT,
//! and SysTick), the core's identity and the address of its vector table.
//!
//! Register addresses and bits are those of the ARMv7-M Architecture Reference Manual, ARM DDI 0403, B3.2.3 (CPUID),
//! B3.2.5 (VTOR), B3.3 (SysTick), C1.6.5 (DEMCR) and C1.8 (DWT). All other registers of the private peripheral bus read as zero and ignore writes.

use super::timing::Core;
use crate::fault::{FaultKind, Trap};

const PRIVATE_BUS: u32 = 0xe000_0000;
const PRIVATE_BUS_BYTES: u32 = 0x10_0000;

const DWT_CTRL: u32 = 0xe000_1000;
const DWT_CYCCNT: u32 = 0xe000_1004;
const DWT_CPICNT: u32 = 0xe000_1008;
const DWT_LSUCNT: u32 = 0xe000_1014;
const DWT_FOLDCNT: u32 = 0xe000_1018;
const SYST_CSR: u32 = 0xe000_e010;
const SYST_RVR: u32 = 0xe000_e014;
const SYST_CVR: u32 = 0xe000_e018;
const SYST_CALIB: u32 = 0xe000_e01c;
const CPUID: u32 = 0xe000_ed00;
const VTOR: u32 = 0xe000_ed08;
const DEMCR: u32 = 0xe000_edfc;

const CYCCNTENA: u32 = 1;
const CPIEVTENA: u32 = 1 << 17;
const LSUEVTENA: u32 = 1 << 20;
const FOLDEVTENA: u32 = 1 << 21;
const TRCENA: u32 = 1 << 24;
/// Four comparators in DWT_CTRL, the usual configuration of these cores.
const COMPARATORS: u32 = 4 << 28;
const SYST_ENABLE: u32 = 1;
const SYST_BITS: u32 = 0b111;
const COUNTFLAG: u32 = 1 << 16;
const SYST_MASK: u32 = 0x00ff_ffff;
/// Bits of VTOR: a vector table begins at a multiple of 128.
const TABLE_OFFSET: u32 = !0x7f;

/// Event counters of the debug unit: cycles beyond one per instruction, and instructions that took no cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overheads {
    /// Extra cycles of all instructions except loads and stores (CPICNT).
    pub cpi: u8,
    pub lsu: u8,
    pub fold: u8,
}

/// State of the registers; cycle numbers are core clock cycles.
#[derive(Debug, Clone, Default)]
pub struct Timers {
    has_counters: bool,
    cpuid: u32,
    has_vtor: bool,
    vtor: u32,
    demcr: u32,
    dwt_ctrl: u32,
    /// Value of the cycle counter when it last started or stopped.
    cyccnt: u32,
    cyccnt_since: u64,
    pub overheads: Overheads,
    syst_csr: u32,
    syst_rvr: u32,
    syst_value: u32,
    syst_since: u64,
    /// Whether SysTick reached zero since the flag was read.
    syst_flag: bool,
}

/// Whether an address belongs to the core's own registers.
pub fn is_private(address: u32) -> bool {
    address.wrapping_sub(PRIVATE_BUS) < PRIVATE_BUS_BYTES
}

impl Timers {
    /// Creates the registers at reset; a core without the debug unit's counters has only SysTick.
    pub fn new(core: &Core) -> Self {
        let Core { counters: has_counters, cpuid, vector_offset: has_vtor, .. } = *core;
        Timers { has_counters, cpuid, has_vtor, ..Timers::default() }
    }

    /// Whether any event counter is enabled.
    pub fn counts_overheads(&self) -> bool {
        self.demcr & TRCENA != 0 && self.dwt_ctrl & (CPIEVTENA | LSUEVTENA | FOLDEVTENA) != 0
    }

    fn cyccnt(&self, now: u64) -> u32 {
        if self.demcr & TRCENA != 0 && self.dwt_ctrl & CYCCNTENA != 0 {
            self.cyccnt.wrapping_add((now - self.cyccnt_since) as u32)
        } else {
            self.cyccnt
        }
    }

    fn settle_cyccnt(&mut self, now: u64) {
        self.cyccnt = self.cyccnt(now);
        self.cyccnt_since = now;
    }

    /// Advances SysTick, which counts down to zero and then restarts from its reload value.
    fn settle_systick(&mut self, now: u64) {
        let passed = now - self.syst_since;
        self.syst_since = now;
        if self.syst_csr & SYST_ENABLE == 0 || passed == 0 {
            return;
        }
        let (value, reload) = (u64::from(self.syst_value), u64::from(self.syst_rvr));
        // A counter at zero takes a cycle to be loaded.
        let until_zero = if value == 0 {
            if reload == 0 {
                return;
            } else {
                reload + 1
            }
        } else {
            value
        };
        if passed < until_zero {
            self.syst_value = (until_zero - passed) as u32;
            if value == 0 {
                self.syst_value = (reload + 1 - passed) as u32;
            }
            return;
        }
        self.syst_flag = true;
        if reload == 0 {
            self.syst_value = 0;
            return;
        }
        let behind = (passed - until_zero) % (reload + 1);
        self.syst_value = if behind == 0 { 0 } else { (reload + 1 - behind) as u32 };
    }

    fn register(&mut self, address: u32, now: u64) -> u32 {
        match address {
            DEMCR => self.demcr,
            CPUID => self.cpuid,
            VTOR => self.vtor,
            DWT_CTRL if self.has_counters => self.dwt_ctrl | COMPARATORS,
            DWT_CYCCNT if self.has_counters => self.cyccnt(now),
            DWT_CPICNT if self.has_counters => u32::from(self.overheads.cpi),
            DWT_LSUCNT if self.has_counters => u32::from(self.overheads.lsu),
            DWT_FOLDCNT if self.has_counters => u32::from(self.overheads.fold),
            SYST_CSR => {
                self.settle_systick(now);
                let flag = if std::mem::take(&mut self.syst_flag) { COUNTFLAG } else { 0 };
                self.syst_csr | flag
            }
            SYST_RVR => self.syst_rvr,
            SYST_CVR => {
                self.settle_systick(now);
                self.syst_value
            }
            // No reference clock.
            SYST_CALIB => 1 << 31,
            _ => 0,
        }
    }

    /// Loads `size_bytes` bytes from a register.
    pub fn load(&mut self, address: u32, size_bytes: u32, now: u64) -> Result<u32, Trap> {
        if !is_private(address) {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        let word = self.register(address & !3, now) >> (8 * (address & 3));
        Ok(if size_bytes == 4 { word } else { word & ((1 << (8 * size_bytes)) - 1) })
    }

    /// Stores to a register; a store narrower than a word leaves the other bytes unchanged.
    pub fn store(&mut self, address: u32, size_bytes: u32, value: u32, now: u64) -> Result<(), Trap> {
        if !is_private(address) {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        let place = address & !3;
        let value = if size_bytes == 4 {
            value
        } else {
            let shift = 8 * (address & 3);
            let mask = ((1 << (8 * size_bytes)) - 1) << shift;
            self.register(place, now) & !mask | value << shift & mask
        };
        match place {
            DEMCR => {
                self.settle_cyccnt(now);
                self.demcr = value & TRCENA;
            }
            VTOR if self.has_vtor => self.vtor = value & TABLE_OFFSET,
            DWT_CTRL if self.has_counters => {
                self.settle_cyccnt(now);
                self.dwt_ctrl = value & (CYCCNTENA | CPIEVTENA | LSUEVTENA | FOLDEVTENA);
            }
            DWT_CYCCNT if self.has_counters => {
                self.cyccnt = value;
                self.cyccnt_since = now;
            }
            DWT_CPICNT if self.has_counters => self.overheads.cpi = value as u8,
            DWT_LSUCNT if self.has_counters => self.overheads.lsu = value as u8,
            DWT_FOLDCNT if self.has_counters => self.overheads.fold = value as u8,
            SYST_CSR => {
                self.settle_systick(now);
                self.syst_csr = value & SYST_BITS;
            }
            SYST_RVR => {
                self.settle_systick(now);
                self.syst_rvr = value & SYST_MASK;
            }
            SYST_CVR => {
                // Any write clears the counter and its flag.
                self.settle_systick(now);
                self.syst_value = 0;
                self.syst_flag = false;
            }
            _ => {}
        }
        Ok(())
    }

    /// Counts the cycles of one instruction in the event counters.
    pub fn spent(&mut self, cycles: u64, is_transfer: bool) {
        let Overheads { cpi, lsu, fold } = &mut self.overheads;
        if cycles == 0 {
            if self.dwt_ctrl & FOLDEVTENA != 0 {
                *fold = fold.wrapping_add(1);
            }
        } else if is_transfer {
            if self.dwt_ctrl & LSUEVTENA != 0 {
                *lsu = lsu.wrapping_add((cycles - 1) as u8);
            }
        } else if self.dwt_ctrl & CPIEVTENA != 0 {
            *cpi = cpi.wrapping_add((cycles - 1) as u8);
        }
    }
}
