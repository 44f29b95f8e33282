//! Memory of a chip with an address space of one megabyte.
//!
//! One array holds all bytes, those of the mirror twice, so that an access takes an index and one check of the
//! attribute. Addresses of CPU and multiplier registers are claimed; their bytes in the array have no meaning.

use crate::bus::{Region, RegionKind, RegionSpace};
use crate::error::{refuse, Error};
use crate::fault::Trap;
use crate::fence::Fence;
use crate::processor::Memories;

/// Size of the address space.
pub const SPACE_BYTES: usize = 0x10_0000;
/// First address of the data that need no prefix.
pub const NEAR: u32 = 0xf_0000;
pub const ADDRESS_MASK: u32 = 0xf_ffff;
/// Number of address bits that share one attribute.
const GRANULE_BITS: u32 = 3;
const GRANULES: usize = SPACE_BYTES >> GRANULE_BITS;

/// What answers at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Attribute {
    /// Storage without side effects.
    Plain,
    /// Storage from which instructions were decoded.
    Code,
    /// Storage of which a fence closes a part.
    Fenced,
    /// Such storage from which instructions were decoded.
    FencedCode,
    /// Registers of the CPU or the multiplier.
    Claimed,
    Flash,
    Mirror,
    Unmapped,
}

impl Attribute {
    /// Puts RAM behind a fence, or before it.
    fn set_fenced(&mut self, fenced: bool) {
        *self = match (*self, fenced) {
            (Attribute::Plain, true) => Attribute::Fenced,
            (Attribute::Code, true) => Attribute::FencedCode,
            (Attribute::Fenced, false) => Attribute::Plain,
            (Attribute::FencedCode, false) => Attribute::Code,
            (other, _) => other,
        };
    }
}

/// All memories of a chip.
#[derive(Clone)]
pub struct Memory {
    attributes: Box<[Attribute; GRANULES]>,
    bytes: Box<[u8; SPACE_BYTES]>,
    regions: Vec<Region>,
    mirror: u32,
    /// Parts of the flash that the mirror shows: address in the flash, address in the mirror, and size in bytes.
    mirrored: Vec<(u32, u32, u32)>,
    snapshot: Option<Snapshot>,
    fence: Option<Fence>,
}

#[derive(Clone)]
struct Snapshot {
    near: Vec<u8>,
    /// Bytes below the near data, saved at the first write to the flash.
    rest: Option<Vec<u8>>,
}

fn granule(address: u32) -> usize {
    (address & ADDRESS_MASK) as usize >> GRANULE_BITS
}

impl Memory {
    /// Lays out the regions; refuses overlapping ones. An address of the mirror minus `mirror` is the address in the
    /// flash.
    pub fn new(regions: &[Region], mirror: u32) -> Result<Self, Error> {
        let mut attributes = Box::new([Attribute::Unmapped; GRANULES]);
        let mut mirrored = Vec::new();
        for region in regions {
            let name = &region.name;
            if region.space == RegionSpace::Eeprom || region.kind == RegionKind::Eeprom {
                return refuse(format!(
                    "memory `{name}`: an RL78 has flash, its mirror, ram and io in one address space"
                ));
            }
            if region.wait_read_cycles + region.wait_write_cycles > 0 || region.latency.is_some() {
                return refuse(format!("memory `{name}`: waits of an RL78's memories are those of its core"));
            }
            if region.end() > SPACE_BYTES as u64 {
                return refuse(format!("memory `{name}` reaches beyond the address space of 1 MB"));
            }
            if region.base % (1 << GRANULE_BITS) != 0 || region.size_bytes % (1 << GRANULE_BITS) != 0 {
                return refuse(format!("memory `{name}`: begin and size are multiples of {}", 1 << GRANULE_BITS));
            }
            let attribute = match region.kind {
                RegionKind::Ram | RegionKind::Io => Attribute::Plain,
                RegionKind::FlashWindow => Attribute::Mirror,
                _ => Attribute::Flash,
            };
            let part = &mut attributes[granule(region.base)..][..(region.size_bytes >> GRANULE_BITS) as usize];
            if part.iter().any(|&one| one != Attribute::Unmapped) {
                return refuse(format!("memory `{name}` overlaps another one"));
            }
            part.fill(attribute);
            if region.kind == RegionKind::FlashWindow {
                let shown = regions.iter().any(|flash| {
                    flash.kind == RegionKind::Flash
                        && region.base >= mirror
                        && flash.base <= region.base - mirror
                        && region.end() - u64::from(mirror) <= flash.end()
                });
                if !shown {
                    return refuse(format!("memory `{name}`: the mirror shows what is no flash"));
                }
                mirrored.push((region.base - mirror, region.base, region.size_bytes));
            }
        }
        let bytes = vec![0; SPACE_BYTES].into_boxed_slice().try_into();
        let Ok(bytes) = bytes else { return refuse("no memory of one megabyte") };
        let mut memory =
            Memory { attributes, bytes, regions: regions.to_vec(), mirror, mirrored, snapshot: None, fence: None };
        memory.erase();
        Ok(memory)
    }

    /// Returns what answers at the address.
    #[inline(always)]
    pub fn attribute(&self, address: u32) -> Attribute {
        self.attributes[granule(address)]
    }

    /// Gives the eight addresses of a granule that was claimed back to storage.
    pub fn release(&mut self, address: u32) {
        let in_ram = |region: &Region| region.kind == RegionKind::Ram && region.contains(address);
        let fenced = self.fence.is_some() && self.regions.iter().any(in_ram);
        self.claim(address, if fenced { Attribute::Fenced } else { Attribute::Plain });
    }

    /// Changes what answers at the eight addresses of a granule.
    pub fn claim(&mut self, address: u32, attribute: Attribute) {
        self.attributes[granule(address)] = attribute;
    }

    /// Traps if a fence does not permit an access to a byte of fenced storage.
    pub fn check(&self, address: u32, write: bool) -> Result<(), Trap> {
        self.fence.as_ref().map_or(Ok(()), |fence| fence.check(address & ADDRESS_MASK, 1, write))
    }

    /// Returns a byte of the array.
    #[inline(always)]
    pub fn byte(&self, address: u32) -> u8 {
        self.bytes[(address & ADDRESS_MASK) as usize]
    }

    /// Changes the byte of the array.
    #[inline(always)]
    pub fn set_byte(&mut self, address: u32, value: u8) {
        self.bytes[(address & ADDRESS_MASK) as usize] = value;
    }

    /// Returns two bytes of the array from an even address.
    #[inline(always)]
    pub fn word(&self, address: u32) -> u16 {
        let low = (address & ADDRESS_MASK & !1) as usize;
        u16::from_le_bytes([self.bytes[low], self.bytes[low | 1]])
    }

    /// Changes two bytes of the array from an even address.
    #[inline(always)]
    pub fn set_word(&mut self, address: u32, value: u16) {
        let low = (address & ADDRESS_MASK & !1) as usize;
        [self.bytes[low], self.bytes[low | 1]] = value.to_le_bytes();
    }

    /// Returns bytes for the decoder, and their number.
    pub fn code(&self, address: u32) -> ([u8; 5], usize) {
        let mut bytes = [0; 5];
        let mut there = 0;
        for (offset, byte) in bytes.iter_mut().enumerate() {
            let next = address + offset as u32;
            if next >= SPACE_BYTES as u32 || self.attribute(next) == Attribute::Unmapped {
                break;
            }
            *byte = self.byte(next);
            there += 1;
        }
        (bytes, there)
    }

    /// Marks bytes from which instructions were decoded; later stores to them report it.
    pub fn mark_code(&mut self, address: u32, length: u32) {
        for next in [address, address + length - 1] {
            match self.attribute(next) {
                Attribute::Plain => self.claim(next, Attribute::Code),
                Attribute::Fenced => self.claim(next, Attribute::FencedCode),
                _ => {}
            }
        }
    }

    /// Whether all of the bytes are mapped.
    pub fn holds(&self, address: u32, length: usize) -> bool {
        let end = u64::from(address) + length as u64;
        let mut next = u64::from(address);
        while next < end {
            match self.regions.iter().find(|region| u64::from(region.base) <= next && next < region.end()) {
                Some(region) => next = region.end(),
                None => return false,
            }
        }
        true
    }

    /// Writes mapped bytes, both in the flash and in its mirror.
    pub fn poke(&mut self, address: u32, data: &[u8]) {
        let changes_flash = address < NEAR || self.attribute(address) == Attribute::Mirror;
        if let Some(snapshot) = &mut self.snapshot {
            if changes_flash && snapshot.rest.is_none() {
                snapshot.rest = Some(self.bytes[..NEAR as usize].to_vec());
            }
        }
        for (offset, &value) in data.iter().enumerate() {
            let mut next = address + offset as u32;
            if self.attribute(next) == Attribute::Mirror {
                next -= self.mirror;
            }
            self.set_byte(next, value);
            if next < NEAR {
                self.show(next, value);
            }
        }
    }

    /// Copies a byte written to the flash to the mirror.
    fn show(&mut self, address: u32, value: u8) {
        for index in 0..self.mirrored.len() {
            let (flash, mirror, size_bytes) = self.mirrored[index];
            if address >= flash && address - flash < size_bytes {
                self.set_byte(address - flash + mirror, value);
            }
        }
    }

    /// Returns whether code in RAM was decoded, and clears the marks.
    fn forget_code(&mut self) -> bool {
        let mut any = false;
        for attribute in &mut self.attributes[granule(NEAR)..] {
            let without = match attribute {
                Attribute::Code => Attribute::Plain,
                Attribute::FencedCode => Attribute::Fenced,
                _ => continue,
            };
            *attribute = without;
            any = true;
        }
        any
    }
}

impl Memories for Memory {
    fn erase(&mut self) {
        self.forget_code();
        self.snapshot = None;
        self.bytes.fill(0);
        let flash = |region: &&Region| matches!(region.kind, RegionKind::Flash | RegionKind::FlashWindow);
        for region in self.regions.iter().filter(flash) {
            self.bytes[region.base as usize..region.end() as usize].fill(0xff);
        }
    }

    fn snapshot(&mut self) {
        self.snapshot = Some(Snapshot { near: self.bytes[NEAR as usize..].to_vec(), rest: None });
    }

    fn restore(&mut self) -> bool {
        let Some(snapshot) = &mut self.snapshot else { return false };
        self.bytes[NEAR as usize..].copy_from_slice(&snapshot.near);
        let rest = snapshot.rest.take();
        if let Some(rest) = &rest {
            self.bytes[..NEAR as usize].copy_from_slice(rest);
        }
        self.forget_code() || rest.is_some()
    }

    fn set_fence(&mut self, fence: Option<Fence>) {
        for region in self.regions.iter().filter(|region| region.kind == RegionKind::Ram) {
            let part = &mut self.attributes[granule(region.base)..][..(region.size_bytes >> GRANULE_BITS) as usize];
            for attribute in part {
                attribute.set_fenced(fence.is_some());
            }
        }
        for granule in fence.iter().flat_map(|fence| fence.open_granules(GRANULE_BITS)) {
            let Some(attribute) = self.attributes.get_mut(granule) else { break };
            attribute.set_fenced(false);
        }
        self.fence = fence;
    }
}
