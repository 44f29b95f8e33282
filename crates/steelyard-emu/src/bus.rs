//! Memory behind the CPU: regions, their wait states, and typed refusals.
//!
//! A CPU reaches memory through a [`Bus`]; a cache is another `Bus` around one. [`FlatBus`] serves CPUs with a 16-bit
//! data space: one attribute byte per address separates plain RAM, which is accessed directly, from everything that
//! needs a decision.

use crate::error::{refuse, Error};
use crate::fault::{FaultKind, Trap};
use crate::fence::Fence;
use crate::memory_system::Latency;
use crate::processor::Memories;
use serde::Deserialize;

/// The address space that a region belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegionSpace {
    Program,
    Data,
    Eeprom,
}

/// What answers in a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegionKind {
    Flash,
    Ram,
    Io,
    Eeprom,
    FlashWindow,
}

/// One memory region as the CPU addresses it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    pub name: String,
    pub space: RegionSpace,
    pub kind: RegionKind,
    pub base: u32,
    #[serde(rename = "size")]
    pub size_bytes: u32,
    #[serde(default)]
    pub wait_read_cycles: u32,
    #[serde(default)]
    pub wait_write_cycles: u32,
    #[serde(default)]
    pub external: bool,
    /// Further addresses at which the region begins.
    #[serde(default)]
    pub also_at: Vec<u32>,
    /// Latency of a memory behind caches; memories without caches use wait cycles instead.
    #[serde(default)]
    pub latency: Option<Latency>,
}

impl Region {
    /// Returns the first address after the region.
    pub fn end(&self) -> u64 {
        u64::from(self.base) + u64::from(self.size_bytes)
    }

    /// Whether the address lies in the region.
    pub fn contains(&self, address: u32) -> bool {
        address >= self.base && u64::from(address) < self.end()
    }
}

/// The value read, or the acknowledgement of a write, and the wait cycles beyond the instruction's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    pub value: u8,
    pub wait_cycles: u32,
}

/// Byte-wide memory with waits and faults.
pub trait Bus {
    /// Reads a byte as the CPU does.
    fn read(&mut self, address: u32) -> Result<Access, Trap>;
    /// Writes a byte as the CPU does.
    fn write(&mut self, address: u32, value: u8) -> Result<Access, Trap>;
}

/// How an address of a [`FlatBus`] is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Attribute {
    /// Storage without waits or side effects.
    Plain,
    /// Storage whose region adds wait cycles.
    Waiting,
    /// A register of the CPU or of one of its peripherals.
    Claimed,
    /// Program memory mapped into the data space.
    FlashWindow,
    /// EEPROM mapped into the data space.
    EepromWindow,
    /// Storage that a fence lets nobody write.
    ReadOnly,
    /// Storage that a fence lets nobody touch.
    Fenced,
    /// Nothing answers.
    Unmapped,
}

/// Returns how a region of storage is served.
fn storage(region: &Region) -> Attribute {
    if region.wait_read_cycles + region.wait_write_cycles == 0 {
        Attribute::Plain
    } else {
        Attribute::Waiting
    }
}

const FLAT_BYTES: usize = 0x1_0000;

/// A 64 KB data space.
#[derive(Clone)]
pub struct FlatBus {
    attributes: Box<[Attribute; FLAT_BYTES]>,
    bytes: Box<[u8; FLAT_BYTES]>,
    regions: Vec<Region>,
    /// Bytes to go back to.
    snapshot: Option<Vec<u8>>,
}

impl FlatBus {
    /// Lays out the regions of the data space; refuses regions that overlap or do not fit.
    pub fn new(regions: impl IntoIterator<Item = Region>) -> Result<Self, Error> {
        let mut bus = FlatBus {
            attributes: Box::new([Attribute::Unmapped; FLAT_BYTES]),
            bytes: Box::new([0; FLAT_BYTES]),
            regions: Vec::new(),
            snapshot: None,
        };
        for region in regions {
            if !region.also_at.is_empty() {
                return refuse(format!("memory `{}` lies at one address on this CPU", region.name));
            }
            if region.end() > FLAT_BYTES as u64 {
                return refuse(format!("memory `{}` reaches beyond the 64 KB data space", region.name));
            }
            let attribute = match region.kind {
                RegionKind::Ram | RegionKind::Io => storage(&region),
                RegionKind::FlashWindow => Attribute::FlashWindow,
                RegionKind::Eeprom => Attribute::EepromWindow,
                RegionKind::Flash => {
                    return refuse(format!("memory `{}` is flash: in the data space call it flash-window", region.name))
                }
            };
            let addresses = region.base as usize..region.end() as usize;
            if bus.attributes[addresses.clone()].iter().any(|&a| a != Attribute::Unmapped) {
                return refuse(format!("memory `{}` overlaps another one in the data space", region.name));
            }
            bus.attributes[addresses].fill(attribute);
            bus.regions.push(region);
        }
        Ok(bus)
    }

    /// Claims the address for the CPU: reads and writes are no longer plain.
    pub fn claim(&mut self, address: u16) {
        self.attributes[usize::from(address)] = Attribute::Claimed;
    }

    /// Returns how the address is served.
    #[inline]
    pub fn attribute(&self, address: u16) -> Attribute {
        self.attributes[usize::from(address)]
    }

    /// Returns the byte if reading it has no waits or side effects.
    #[inline]
    pub fn plain(&self, address: u16) -> Option<u8> {
        (self.attribute(address) == Attribute::Plain).then(|| self.bytes[usize::from(address)])
    }

    /// Stores the byte and returns true if writing it has no waits or side effects.
    #[inline]
    pub fn store_plain(&mut self, address: u16, value: u8) -> bool {
        let plain = self.attribute(address) == Attribute::Plain;
        if plain {
            self.bytes[usize::from(address)] = value;
        }
        plain
    }

    /// Returns the storage of the address, whatever serves it.
    pub fn byte_mut(&mut self, address: u16) -> &mut u8 {
        &mut self.bytes[usize::from(address)]
    }

    /// Returns the storage of the whole space.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..]
    }

    /// Restores the storage of the whole space.
    pub fn set_bytes(&mut self, bytes: &[u8]) {
        self.bytes.copy_from_slice(bytes);
    }

    /// Returns the region that contains the address.
    pub fn region(&self, address: u16) -> Option<&Region> {
        self.regions.iter().find(|region| region.contains(u32::from(address)))
    }

    fn waits(&self, address: u16) -> (u32, u32) {
        self.region(address).map_or((0, 0), |region| (region.wait_read_cycles, region.wait_write_cycles))
    }
}

impl Memories for FlatBus {
    fn erase(&mut self) {
        self.bytes.fill(0);
        self.snapshot = None;
    }

    fn snapshot(&mut self) {
        self.snapshot = Some(self.bytes.to_vec());
    }

    /// No instruction is decoded from the data space.
    fn restore(&mut self) -> bool {
        if let Some(bytes) = &self.snapshot {
            self.bytes.copy_from_slice(bytes);
        }
        false
    }

    fn set_fence(&mut self, fence: Option<Fence>) {
        for region in self.regions.iter().filter(|region| region.kind == RegionKind::Ram) {
            let mut set = |start: u64, end: u64, attribute: Attribute| {
                let within = start.max(region.base.into()) as usize..end.min(region.end()) as usize;
                let unclaimed = |there: &&mut Attribute| **there != Attribute::Claimed;
                for there in self.attributes.get_mut(within).into_iter().flatten().filter(unclaimed) {
                    *there = attribute;
                }
            };
            let Some(fence) = &fence else {
                set(0, u64::MAX, storage(region));
                continue;
            };
            set(0, u64::MAX, Attribute::Fenced);
            for readable in fence.permitted(false) {
                set(readable.start, readable.end, Attribute::ReadOnly);
            }
            for writable in fence.permitted(true) {
                set(writable.start, writable.end, storage(region));
            }
        }
    }
}

impl Bus for FlatBus {
    fn read(&mut self, address: u32) -> Result<Access, Trap> {
        let Ok(short) = u16::try_from(address) else {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        };
        match self.attribute(short) {
            Attribute::Unmapped => Err(Trap::at(FaultKind::UnmappedAddress, address)),
            Attribute::Fenced => Err(Trap::at(FaultKind::StrayRead, address)),
            _ => Ok(Access { value: self.bytes[usize::from(short)], wait_cycles: self.waits(short).0 }),
        }
    }

    fn write(&mut self, address: u32, value: u8) -> Result<Access, Trap> {
        let Ok(short) = u16::try_from(address) else {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        };
        match self.attribute(short) {
            Attribute::Unmapped => Err(Trap::at(FaultKind::UnmappedAddress, address)),
            Attribute::FlashWindow => Err(Trap::at(FaultKind::WriteToFlash, address)),
            Attribute::Fenced | Attribute::ReadOnly => Err(Trap::at(FaultKind::StrayWrite, address)),
            _ => {
                self.bytes[usize::from(short)] = value;
                Ok(Access { value, wait_cycles: self.waits(short).1 })
            }
        }
    }
}
