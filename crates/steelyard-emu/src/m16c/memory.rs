//! Memory of a chip with a 20-bit address space, in one array.
//!
//! A byte of marks for every 256 addresses tells whether an access needs more than the array: unmapped addresses,
//! flash, decoded code, the first write to a page after a snapshot, which saves the page, and RAM behind a fence.

use crate::bus::{Region, RegionKind, RegionSpace};
use crate::error::{refuse, Error};
use crate::fault::{FaultKind, Trap};
use crate::fence::Fence;
use crate::processor::{Memories, OneSpace};

/// Mask of the bits of an address.
pub const ADDRESS_MASK: u32 = (1 << ADDRESS_BITS) - 1;

const ADDRESS_BITS: u32 = 20;
const BYTES: usize = 1 << ADDRESS_BITS;
const PAGE_BITS: u32 = 8;
const PAGE_BYTES: u32 = 1 << PAGE_BITS;
const PAGES: usize = BYTES >> PAGE_BITS;

// Marks of a page.
const MAPPED: u8 = 1;
const WRITABLE: u8 = 2;
/// Instructions were decoded from the page.
const CODE: u8 = 4;
/// The page is unchanged since the snapshot.
const CLEAN: u8 = 8;
/// Accesses to the page are checked.
const FENCED: u8 = 16;

/// What a store changed besides memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touched {
    Data,
    /// The store hit a page from which instructions may have been decoded.
    Code,
}

/// A page as it was when the snapshot was taken.
#[derive(Clone)]
struct SavedPage {
    page: usize,
    bytes: [u8; PAGE_BYTES as usize],
}

/// All memories of a chip.
#[derive(Clone)]
pub struct Memory {
    bytes: Box<[u8; BYTES]>,
    marks: Box<[u8; PAGES]>,
    regions: Vec<Region>,
    saved: Option<Vec<SavedPage>>,
    fence: Option<Fence>,
}

#[inline(always)]
fn page(address: u32) -> usize {
    (address >> PAGE_BITS) as usize % PAGES
}

#[inline(always)]
fn place(address: u32) -> usize {
    address as usize % BYTES
}

fn zeros<const N: usize>() -> Box<[u8; N]> {
    // On the heap from the start: an array of this size is too large for the stack.
    match vec![0; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has that length"),
    }
}

impl Memory {
    /// Lays out the regions; refuses regions that overlap or are not whole pages.
    pub fn new(regions: &[Region]) -> Result<Self, Error> {
        for (number, region) in regions.iter().enumerate() {
            let name = &region.name;
            if region.space == RegionSpace::Eeprom
                || matches!(region.kind, RegionKind::Eeprom | RegionKind::FlashWindow)
            {
                return refuse(format!("memory `{name}`: an M16C has flash, ram and io in one address space"));
            }
            if region.end() > BYTES as u64 {
                return refuse(format!("memory `{name}` reaches beyond the address space"));
            }
            if region.base % PAGE_BYTES != 0 || region.size_bytes % PAGE_BYTES != 0 {
                return refuse(format!("memory `{name}` does not begin and end at a multiple of {PAGE_BYTES} bytes"));
            }
            if region.wait_read_cycles + region.wait_write_cycles > 0 || region.latency.is_some() {
                return refuse(format!("memory `{name}`: an M16C's internal memory has no waits"));
            }
            let overlaps =
                |other: &Region| u64::from(region.base) < other.end() && u64::from(other.base) < region.end();
            if regions[..number].iter().any(overlaps) {
                return refuse(format!("memory `{name}` overlaps another one"));
            }
        }
        let mut memory = Memory { bytes: zeros(), marks: zeros(), regions: regions.to_vec(), saved: None, fence: None };
        memory.mark();
        Ok(memory)
    }

    fn mark(&mut self) {
        self.marks.fill(0);
        for region in &self.regions {
            let marks = MAPPED | if region.kind == RegionKind::Flash { 0 } else { WRITABLE };
            self.marks[page(region.base)..(region.end() >> PAGE_BITS) as usize].fill(marks);
        }
    }

    fn check(&self, address: u32, write: bool) -> Result<(), Trap> {
        match &self.fence {
            Some(fence) if self.marks[page(address)] & FENCED != 0 => fence.check(address, 1, write),
            _ => Ok(()),
        }
    }

    /// Whether the address is mapped.
    pub fn is_mapped(&self, address: u32) -> bool {
        address <= ADDRESS_MASK && self.marks[page(address)] & MAPPED != 0
    }

    fn all_mapped(&self, address: u32, length: usize) -> bool {
        let end = u64::from(address) + length as u64;
        end <= BYTES as u64
            && (page(address)..(end as usize).div_ceil(PAGE_BYTES as usize)).all(|page| self.marks[page] & MAPPED != 0)
    }

    /// Marks bytes from which instructions were decoded; later stores to their pages report it.
    pub fn mark_code(&mut self, address: u32, length: u32) {
        self.marks[page(address)] |= CODE;
        self.marks[page(address + length - 1)] |= CODE;
    }

    /// Clears the marks of decoded code.
    fn unmark_code(&mut self) {
        for marks in self.marks.iter_mut() {
            *marks &= !CODE;
        }
    }

    /// Saves a page for the snapshot before it changes.
    fn save(&mut self, page: usize) {
        if self.marks[page] & CLEAN == 0 {
            return;
        }
        self.marks[page] &= !CLEAN;
        if let Some(saved) = &mut self.saved {
            let mut bytes = [0; PAGE_BYTES as usize];
            bytes.copy_from_slice(&self.bytes[page << PAGE_BITS..][..PAGE_BYTES as usize]);
            saved.push(SavedPage { page, bytes });
        }
    }

    #[inline(always)]
    pub fn load_byte(&self, address: u32) -> Result<u8, Trap> {
        if self.marks[page(address)] & (MAPPED | FENCED) != MAPPED {
            return self.load_slowly(address & ADDRESS_MASK);
        }
        Ok(self.bytes[place(address)])
    }

    #[cold]
    #[inline(never)]
    fn load_slowly(&self, address: u32) -> Result<u8, Trap> {
        if self.marks[page(address)] & MAPPED == 0 {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        self.check(address, false)?;
        Ok(self.bytes[place(address)])
    }

    /// Loads a word from any address.
    #[inline(always)]
    pub fn load_word(&self, address: u32) -> Result<u16, Trap> {
        let next = address.wrapping_add(1);
        Ok(u16::from_le_bytes([self.load_byte(address)?, self.load_byte(next)?]))
    }

    #[inline(always)]
    pub fn store_byte(&mut self, address: u32, value: u8) -> Result<Touched, Trap> {
        if self.marks[page(address)] & (WRITABLE | CODE | CLEAN | FENCED) == WRITABLE {
            self.bytes[place(address)] = value;
            return Ok(Touched::Data);
        }
        self.store_slowly(address & ADDRESS_MASK, value)
    }

    /// Stores a word to any address.
    #[inline(always)]
    pub fn store_word(&mut self, address: u32, value: u16) -> Result<Touched, Trap> {
        let [low, high] = value.to_le_bytes();
        let first = self.store_byte(address, low)?;
        let second = self.store_byte(address.wrapping_add(1), high)?;
        Ok(if first == Touched::Code { first } else { second })
    }

    #[cold]
    #[inline(never)]
    fn store_slowly(&mut self, address: u32, value: u8) -> Result<Touched, Trap> {
        let marks = self.marks[page(address)];
        if marks & WRITABLE == 0 {
            let kind = if marks & MAPPED != 0 { FaultKind::WriteToFlash } else { FaultKind::UnmappedAddress };
            return Err(Trap::at(kind, address));
        }
        self.check(address, true)?;
        self.save(page(address));
        self.bytes[place(address)] = value;
        Ok(if marks & CODE != 0 { Touched::Code } else { Touched::Data })
    }
}

impl Memories for Memory {
    fn erase(&mut self) {
        self.bytes.fill(0);
        self.saved = None;
        self.mark();
    }

    fn snapshot(&mut self) {
        for marks in self.marks.iter_mut() {
            *marks |= CLEAN;
        }
        self.saved = Some(Vec::new());
    }

    fn restore(&mut self) -> bool {
        let mut code = false;
        for SavedPage { page, bytes } in self.saved.iter().flatten() {
            let start = page << PAGE_BITS;
            let now = &mut self.bytes[start..start + PAGE_BYTES as usize];
            code |= self.marks[*page] & CODE != 0 && now != bytes;
            now.copy_from_slice(bytes);
        }
        if code {
            self.unmark_code();
        }
        code
    }

    fn set_fence(&mut self, fence: Option<Fence>) {
        for region in self.regions.iter().filter(|region| region.kind == RegionKind::Ram) {
            for marks in &mut self.marks[page(region.base)..(region.end() >> PAGE_BITS) as usize] {
                *marks = if fence.is_some() { *marks | FENCED } else { *marks & !FENCED };
            }
        }
        for page in fence.iter().flat_map(|fence| fence.open_granules(PAGE_BITS)) {
            let Some(marks) = self.marks.get_mut(page) else { break };
            *marks &= !FENCED;
        }
        self.fence = fence;
    }
}

impl OneSpace for Memory {
    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        self.all_mapped(address, length).then(|| self.bytes[address as usize..address as usize + length].to_vec())
    }

    fn poke(&mut self, address: u32, data: &[u8]) -> bool {
        if !self.all_mapped(address, data.len()) {
            return false;
        }
        let end = address as usize + data.len();
        for page in page(address)..end.div_ceil(PAGE_BYTES as usize) {
            self.save(page);
        }
        self.bytes[address as usize..end].copy_from_slice(data);
        true
    }
}
