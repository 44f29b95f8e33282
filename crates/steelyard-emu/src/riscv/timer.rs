//! The machine timer: `mtime`, which runs at its own rate, and the registers beside it, which hold what is written. It
//! raises no interrupts.

use crate::description::Description;
use crate::error::{refuse, Error};

/// Addresses, rate and contents of the timer's registers.
#[derive(Debug, Clone)]
pub struct Timer {
    mtime: u32,
    mtimecmp: u32,
    msip: u32,
    mtime_hz: u64,
    clock_hz: u64,
    /// Amount by which a program moved `mtime`.
    moved: u64,
    compared: u64,
    software_interrupt: u32,
}

impl Timer {
    /// Creates the timer of a chip whose options name addresses and rate; `None` for a chip without them.
    pub fn of(description: &Description) -> Result<Option<Self>, Error> {
        let options = &description.core_options;
        let known = ["mtime_address", "mtimecmp_address", "msip_address", "mtime_hz"];
        if let Some(other) = options.keys().find(|name| !known.contains(&name.as_str())) {
            return refuse(format!("no core option `{other}`; there are: {}", known.join(", ")));
        }
        let found: Vec<u32> = known.iter().filter_map(|name| options.get(*name).copied()).collect();
        match found[..] {
            [] => Ok(None),
            [mtime, mtimecmp, msip, mtime_hz] if mtime_hz > 0 => Ok(Some(Timer {
                mtime,
                mtimecmp,
                msip,
                mtime_hz: u64::from(mtime_hz),
                clock_hz: description.clock_hz,
                moved: 0,
                compared: u64::MAX,
                software_interrupt: 0,
            })),
            _ => refuse(format!("a machine timer needs each of {}", known.join(", "))),
        }
    }

    /// Returns `mtime` at a cycle.
    fn time(&self, cycle: u64) -> u64 {
        let ticks = u128::from(cycle) * u128::from(self.mtime_hz) / u128::from(self.clock_hz.max(1));
        (ticks as u64).wrapping_add(self.moved)
    }

    /// Returns first address and number of bytes of each register.
    pub fn places(&self) -> [(u32, u64); 3] {
        [(self.mtime, 8), (self.mtimecmp, 8), (self.msip, 4)]
    }

    /// Loads from an aligned address; `None` if it is no register of the timer.
    pub fn load(&self, address: u32, size: u32, cycle: u64) -> Option<u32> {
        let part = |base: u32, length: u32, value: u64| {
            let offset = address.checked_sub(base).filter(|offset| offset + size <= length)?;
            Some((value >> (8 * offset)) as u32 & (u32::MAX >> (32 - 8 * size)))
        };
        part(self.mtime, 8, self.time(cycle))
            .or_else(|| part(self.mtimecmp, 8, self.compared))
            .or_else(|| part(self.msip, 4, u64::from(self.software_interrupt)))
    }

    /// Stores to an aligned address; returns false if it is no register of the timer.
    pub fn store(&mut self, address: u32, size: u32, value: u32, cycle: u64) -> bool {
        let changed = |base: u32, length: u32, old: u64| {
            let offset = address.checked_sub(base).filter(|offset| offset + size <= length)?;
            let mask = u64::from(u32::MAX >> (32 - 8 * size)) << (8 * offset);
            Some(old & !mask | u64::from(value) << (8 * offset) & mask)
        };
        let now = self.time(cycle);
        if let Some(time) = changed(self.mtime, 8, now) {
            self.moved = self.moved.wrapping_add(time.wrapping_sub(now));
        } else if let Some(compared) = changed(self.mtimecmp, 8, self.compared) {
            self.compared = compared;
        } else if let Some(bits) = changed(self.msip, 4, u64::from(self.software_interrupt)) {
            self.software_interrupt = bits as u32 & 1;
        } else {
            return false;
        }
        true
    }
}
