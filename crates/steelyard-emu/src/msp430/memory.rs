//! Memory of a chip of at most 1 MB, and its multiplier.
//!
//! One array holds the address space up to the end of the last region. An attribute for every 16 bytes tells what
//! answers there; a word lies at an even address and so never crosses a boundary.

use super::multiplier::{Multiplier, BYTES_16, BYTES_32};
use crate::bus::{Region, RegionKind, RegionSpace};
use crate::error::{refuse, Error};
use crate::fault::{FaultKind, Trap};
use crate::fence::Fence;
use crate::processor::{Memories, OneSpace};
use crate::value::HeldWord;
use std::ops::Range;

const GRANULE_BITS: u32 = 4;
const GRANULE_BYTES: u32 = 1 << GRANULE_BITS;
/// Size of the address space of an MSP430X.
const MAX_BYTES: u64 = 1 << 20;

/// What answers at an address. Attributes up to `Flash` are read directly; `Storage` is also written directly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum Attribute {
    /// RAM, and registers of peripherals that are not modelled.
    Storage,
    /// RAM from which instructions were decoded.
    Code,
    Flash,
    /// RAM from which nothing was decoded, and part of which a fence closes.
    Fenced,
    /// Such RAM from which instructions were decoded.
    FencedCode,
    Multiplier,
    Unmapped,
}

impl Attribute {
    /// Puts RAM behind a fence, or before it.
    fn set_fenced(&mut self, fenced: bool) {
        *self = match (*self, fenced) {
            (Attribute::Storage, true) => Attribute::Fenced,
            (Attribute::Code, true) => Attribute::FencedCode,
            (Attribute::Fenced, false) => Attribute::Storage,
            (Attribute::FencedCode, false) => Attribute::Code,
            (other, _) => other,
        };
    }
}

/// What a store changed besides memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touched {
    Data,
    /// The store hit bytes from which instructions may have been decoded.
    Code,
}

/// All memories of a chip.
#[derive(Clone)]
pub struct Memory<W: HeldWord> {
    bytes: Vec<u8>,
    attributes: Vec<Attribute>,
    /// Parts of the attributes that belong to RAM.
    ram: Vec<Range<usize>>,
    fence: Option<Fence>,
    multiplier: Multiplier<W>,
    multiplier_base: u32,
    /// Whether bytes that may have been decoded changed since the snapshot.
    code_changed: bool,
    snapshot: Option<(Vec<u8>, Multiplier<W>)>,
}

impl<W: HeldWord> Memory<W> {
    /// Lays out the regions; refuses overlapping ones. A multiplier answers before the region that contains it.
    pub fn new(regions: &[Region], multiplier: Option<(u32, bool)>) -> Result<Self, Error> {
        let end = regions.iter().map(Region::end).max().unwrap_or(0);
        if end > MAX_BYTES {
            return refuse("an MSP430 has at most 1 MB of address space");
        }
        let mut attributes = vec![Attribute::Unmapped; (end >> GRANULE_BITS) as usize];
        let mut ram = Vec::new();
        for region in regions {
            let name = &region.name;
            let attribute = match (region.space, region.kind) {
                (RegionSpace::Program | RegionSpace::Data, RegionKind::Ram | RegionKind::Io) => Attribute::Storage,
                (RegionSpace::Program | RegionSpace::Data, RegionKind::Flash) => Attribute::Flash,
                _ => return refuse(format!("memory `{name}`: an MSP430 has flash, ram and io in one address space")),
            };
            if region.base % GRANULE_BYTES != 0 || region.size_bytes % GRANULE_BYTES != 0 {
                return refuse(format!("memory `{name}` does not begin and end at a multiple of {GRANULE_BYTES}"));
            }
            if region.wait_read_cycles + region.wait_write_cycles > 0 || region.latency.is_some() {
                return refuse(format!("memory `{name}`: what an MSP430 waits for is its flash, in `flash`"));
            }
            let granules = (region.base >> GRANULE_BITS) as usize..(region.end() >> GRANULE_BITS) as usize;
            if attributes[granules.clone()].iter().any(|&attribute| attribute != Attribute::Unmapped) {
                return refuse(format!("memory `{name}` overlaps another one"));
            }
            attributes[granules.clone()].fill(attribute);
            if region.kind == RegionKind::Ram {
                ram.push(granules);
            }
        }
        let (multiplier_base, has_32_bits) = multiplier.unwrap_or((0, false));
        if multiplier.is_some() {
            let bytes = if has_32_bits { BYTES_32 } else { BYTES_16 };
            let granules = multiplier_base >> GRANULE_BITS..(multiplier_base + bytes) >> GRANULE_BITS;
            let Some(granules) = attributes.get_mut(granules.start as usize..granules.end as usize) else {
                return refuse("the hardware multiplier lies beyond the memories");
            };
            granules.fill(Attribute::Multiplier);
        }
        Ok(Memory {
            bytes: vec![0; end as usize],
            attributes,
            ram,
            fence: None,
            multiplier: Multiplier::new(has_32_bits),
            multiplier_base,
            code_changed: false,
            snapshot: None,
        })
    }

    /// Returns the first address after the last region.
    pub fn end(&self) -> u32 {
        self.bytes.len() as u32
    }

    #[inline(always)]
    fn attribute(&self, address: u32) -> Attribute {
        match self.attributes.get((address >> GRANULE_BITS) as usize) {
            Some(attribute) => *attribute,
            None => Attribute::Unmapped,
        }
    }

    /// Whether an instruction can lie at the address.
    pub fn is_code(&self, address: u32) -> bool {
        address % 2 == 0 && self.attribute(address) < Attribute::Multiplier
    }

    /// Returns a word of code, which no fence guards; `None` where no instruction can lie.
    pub fn code(&self, address: u32) -> Option<u16> {
        let start = address as usize;
        let bytes = self.bytes.get(start..start + 2).filter(|_| self.is_code(address))?;
        Some(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn check(&self, address: u32, is_byte: bool, write: bool) -> Result<(), Trap> {
        self.fence.as_ref().map_or(Ok(()), |fence| fence.check(address, if is_byte { 1 } else { 2 }, write))
    }

    /// Marks an address from which an instruction was decoded; later stores to it report it.
    pub fn mark_code(&mut self, address: u32) {
        if let Some(attribute) = self.attributes.get_mut((address >> GRANULE_BITS) as usize) {
            match attribute {
                Attribute::Storage => *attribute = Attribute::Code,
                Attribute::Fenced => *attribute = Attribute::FencedCode,
                _ => {}
            }
        }
    }

    /// Clears the marks of decoded code.
    fn unmark_code(&mut self) {
        for attribute in &mut self.attributes {
            match attribute {
                Attribute::Code => *attribute = Attribute::Storage,
                Attribute::FencedCode => *attribute = Attribute::Fenced,
                _ => {}
            }
        }
    }

    /// Loads a byte, with what is kept beside it.
    #[inline(always)]
    pub fn load_byte(&self, address: u32, beside: &W::Beside) -> Result<W, Trap> {
        match self.bytes.get(address as usize) {
            Some(byte) if self.attribute(address) <= Attribute::Flash => {
                Ok(W::loaded(u32::from(*byte), beside, address, 1))
            }
            _ => self.load_slowly(address, true, beside),
        }
    }

    /// Loads a word, with what is kept beside it.
    #[inline(always)]
    pub fn load_word(&self, address: u32, beside: &W::Beside) -> Result<W, Trap> {
        let start = address as usize;
        match self.bytes.get(start..start + 2) {
            Some(bytes) if self.attribute(address) <= Attribute::Flash && address & 1 == 0 => {
                Ok(W::loaded(u32::from(u16::from_le_bytes([bytes[0], bytes[1]])), beside, address, 2))
            }
            _ => self.load_slowly(address, false, beside),
        }
    }

    #[cold]
    #[inline(never)]
    fn load_slowly(&self, address: u32, is_byte: bool, beside: &W::Beside) -> Result<W, Trap> {
        if !is_byte && address & 1 == 1 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        match self.attribute(address) {
            Attribute::Multiplier => {
                let word = self.multiplier.read((address - self.multiplier_base) & !1);
                Ok(match (is_byte, address & 1) {
                    (false, _) => word,
                    (true, 0) => word.and(W::of(0xff)),
                    (true, _) => word.shr(W::of(8)),
                })
            }
            Attribute::Fenced | Attribute::FencedCode => {
                self.check(address, is_byte, false)?;
                let length = if is_byte { 1 } else { 2 };
                let bytes = &self.bytes[address as usize..][..length];
                let plain = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
                Ok(W::loaded(plain, beside, address, length as u32))
            }
            _ => Err(Trap::at(FaultKind::UnmappedAddress, address)),
        }
    }

    /// Stores the lowest byte, and what is kept beside it.
    #[inline(always)]
    pub fn store_byte(&mut self, address: u32, value: W, beside: &mut W::Beside) -> Result<Touched, Trap> {
        if self.attribute(address) == Attribute::Storage {
            if let Some(byte) = self.bytes.get_mut(address as usize) {
                *byte = value.plain() as u8;
                value.stored(beside, address, 1);
                return Ok(Touched::Data);
            }
        }
        self.store_slowly(address, value, true, beside)
    }

    /// Stores the lower word, and what is kept beside it.
    #[inline(always)]
    pub fn store_word(&mut self, address: u32, value: W, beside: &mut W::Beside) -> Result<Touched, Trap> {
        if self.attribute(address) == Attribute::Storage && address & 1 == 0 {
            let start = address as usize;
            if let Some(bytes) = self.bytes.get_mut(start..start + 2) {
                bytes.copy_from_slice(&(value.plain() as u16).to_le_bytes());
                value.stored(beside, address, 2);
                return Ok(Touched::Data);
            }
        }
        self.store_slowly(address, value, false, beside)
    }

    #[cold]
    #[inline(never)]
    fn store_slowly(&mut self, address: u32, value: W, is_byte: bool, beside: &mut W::Beside) -> Result<Touched, Trap> {
        if !is_byte && address & 1 == 1 {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        match self.attribute(address) {
            Attribute::Unmapped => Err(Trap::at(FaultKind::UnmappedAddress, address)),
            Attribute::Flash => Err(Trap::at(FaultKind::WriteToFlash, address)),
            Attribute::Multiplier => {
                let value = value.and(W::of(if is_byte { 0xff } else { 0xffff }));
                self.multiplier.write((address - self.multiplier_base) & !1, value, is_byte);
                Ok(Touched::Data)
            }
            attribute => {
                self.check(address, is_byte, true)?;
                let start = address as usize;
                let [low, high, ..] = value.plain().to_le_bytes();
                self.bytes[start] = low;
                if !is_byte {
                    self.bytes[start + 1] = high;
                }
                value.stored(beside, address, if is_byte { 1 } else { 2 });
                if matches!(attribute, Attribute::Storage | Attribute::Fenced) {
                    return Ok(Touched::Data);
                }
                self.code_changed = true;
                Ok(Touched::Code)
            }
        }
    }
}

impl<W: HeldWord> Memories for Memory<W> {
    fn erase(&mut self) {
        self.bytes.fill(0);
        self.unmark_code();
        self.multiplier = Multiplier::new(self.multiplier.has_32_bits());
        self.snapshot = None;
    }

    fn snapshot(&mut self) {
        self.snapshot = Some((self.bytes.clone(), self.multiplier));
        self.code_changed = false;
    }

    fn restore(&mut self) -> bool {
        if let Some((bytes, multiplier)) = &self.snapshot {
            self.bytes.copy_from_slice(bytes);
            self.multiplier = *multiplier;
        }
        let changed = std::mem::take(&mut self.code_changed);
        if changed {
            self.unmark_code();
        }
        changed
    }

    fn set_fence(&mut self, fence: Option<Fence>) {
        for granule in self.ram.iter().flat_map(Clone::clone) {
            self.attributes[granule].set_fenced(fence.is_some());
        }
        for granule in fence.iter().flat_map(|fence| fence.open_granules(GRANULE_BITS)) {
            let Some(attribute) = self.attributes.get_mut(granule) else { break };
            attribute.set_fenced(false);
        }
        self.fence = fence;
    }
}

impl<W: HeldWord> OneSpace for Memory<W> {
    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        let start = address as usize;
        let bytes = self.bytes.get(start..start.checked_add(length)?)?;
        let granules = start >> GRANULE_BITS..(start + length).div_ceil(GRANULE_BYTES as usize);
        let all = self.attributes[granules].iter().all(|&attribute| attribute != Attribute::Unmapped);
        all.then(|| bytes.to_vec())
    }

    fn poke(&mut self, address: u32, data: &[u8]) -> bool {
        let lies = self.peek(address, data.len()).is_some();
        if lies {
            let start = address as usize;
            self.bytes[start..start + data.len()].copy_from_slice(data);
            self.code_changed = true;
        }
        lies
    }
}
