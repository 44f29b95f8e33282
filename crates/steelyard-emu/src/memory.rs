//! Memory of a chip with a 32-bit address space.
//!
//! The regions lie one after another in one array. A direct-mapped table of pages answers most accesses with one
//! comparison, which tells whether the page may be read (or written) directly and whether the access is aligned.
//! Everything else takes the slow path: page boundaries of odd regions, unaligned accesses, flash, code, and the first
//! write to a page after a snapshot, which saves the page. While a fence is set, RAM is reached by the slow path alone,
//! which looks among the parts of RAM that the fence permits.

use crate::bus::{Region, RegionKind, RegionSpace};
use crate::error::{refuse, Error};
use crate::fault::{FaultKind, Trap};
use crate::fence::Fence;
use crate::ignored::Ignored;
use crate::processor::{Memories, OneSpace};

const PAGE_BITS: u32 = 12;
const PAGE_BYTES: u32 = 1 << PAGE_BITS;
const PAGE_MASK: u32 = !(PAGE_BYTES - 1);
const QUICK_PAGES: usize = 1024;
/// Shift of the address bits that separate memories in the table of pages.
const UPPER_BITS: u32 = 21;
/// Marks an empty entry; no page address has this value.
const NO_PAGE: u32 = u32::MAX;
/// Maximum size of all memories, larger than any chip here has.
const MAX_BYTES: u64 = 512 << 20;

#[derive(Clone, Copy)]
#[repr(C)]
struct QuickPage {
    /// Address of the page if it may be read directly.
    read: u32,
    /// Address of the page if it may be written directly.
    write: u32,
    /// Position of the page in the array.
    place: u32,
}

/// A memory, or a part of one, that is found by its limits, so that an access depends on no table.
#[derive(Clone, Copy, Default)]
struct Span {
    base: u32,
    size_bytes: u32,
    place: u32,
}

/// Number of memories that have a [`Span`], those that are read most.
const SPANS: usize = 3;

const UNKNOWN: QuickPage = QuickPage { read: NO_PAGE, write: NO_PAGE, place: 0 };

/// A region and the position of its bytes in the array.
#[derive(Clone)]
struct Placed {
    region: Region,
    place: u32,
}

#[derive(Clone, Copy, Default)]
struct Page {
    /// Whether instructions were decoded from the page.
    code: bool,
    /// Whether the page changed since the snapshot, which then holds its old bytes.
    saved: bool,
}

/// A page as it was when the snapshot was taken.
#[derive(Clone)]
struct SavedPage {
    page: u32,
    bytes: Box<[u8]>,
}

/// A memory as emitted code reads it.
#[cfg(feature = "translate")]
#[derive(Clone, Copy)]
#[repr(C)]
pub struct DirectSpan {
    /// Where its bytes are.
    pub bytes: *const u8,
    /// Number of its bytes, halfwords and words; 0 if it may not be read directly.
    pub units: [u32; 3],
}

/// Number of memories that emitted code reads without a table.
#[cfg(feature = "translate")]
pub const DIRECT_SPANS: usize = SPANS;

/// Where emitted code finds bytes, until the memory is erased or its fence changes.
#[cfg(feature = "translate")]
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Direct {
    pub spans: [DirectSpan; DIRECT_SPANS],
    /// The table of pages.
    pub quick: *const u8,
    pub bytes: *mut u8,
}

/// How emitted code reads the table of pages.
#[cfg(feature = "translate")]
pub mod quick {
    use super::{QuickPage, PAGE_BITS, PAGE_MASK, QUICK_PAGES};
    use std::mem::{offset_of, size_of};

    pub const ENTRY_BYTES: i64 = size_of::<QuickPage>() as i64;
    pub const WRITE: i32 = offset_of!(QuickPage, write) as i32;
    pub const PLACE: i32 = offset_of!(QuickPage, place) as i32;
    pub const BITS: u32 = PAGE_BITS;
    /// The second shift of an address whose parts make the index.
    pub const UPPER_BITS: u32 = super::UPPER_BITS;
    pub const MASK: u32 = PAGE_MASK;
    pub const INDEX_MASK: u32 = QUICK_PAGES as u32 - 1;
}

/// What a store changed besides memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touched {
    Data,
    /// The store hit a page from which instructions may have been decoded.
    Code,
}

/// All memories of a chip.
#[derive(Clone)]
pub struct Memory {
    quick: Box<[QuickPage; QUICK_PAGES]>,
    spans: [Span; SPANS],
    bytes: Vec<u8>,
    regions: Vec<Placed>,
    /// Pages of the array, not of the address space.
    pages: Vec<Page>,
    snapshot: Option<Vec<SavedPage>>,
    fence: Option<Fence>,
    /// Parts of RAM that the fence lets a program read, and those that it lets it write, the last used first.
    permitted: [Vec<Span>; 2],
    ignored: Option<Ignored>,
}

/// Returns the table index of an address. Memories often begin at a multiple of a megabyte and are used from there; the
/// upper bits separate them.
#[inline(always)]
fn quick_index(address: u32) -> usize {
    ((address >> PAGE_BITS) ^ (address >> UPPER_BITS)) as usize % QUICK_PAGES
}

/// Returns spans of the memories, RAM first; a memory with odd limits has none, and neither has RAM behind a fence.
fn spans(placed: &[Placed], fenced: bool) -> [Span; SPANS] {
    let mut spans = [Span::default(); SPANS];
    let whole = |one: &&Placed| one.region.base % 4 == 0 && one.region.size_bytes % 4 == 0;
    let is_ram = |one: &&Placed| one.region.kind == RegionKind::Ram;
    let ordered = placed.iter().filter(|one| is_ram(one) && !fenced).chain(placed.iter().filter(|one| !is_ram(one)));
    for (span, Placed { region, place }) in spans.iter_mut().zip(ordered.filter(whole)) {
        *span = Span { base: region.base, size_bytes: region.size_bytes, place: *place };
    }
    spans
}

impl Memory {
    /// Lays out the regions; refuses overlapping ones.
    pub fn new(regions: &[Region]) -> Result<Self, Error> {
        let mut placed: Vec<Placed> = Vec::new();
        let mut place = 0_u64;
        for region in regions {
            if region.space == RegionSpace::Eeprom
                || matches!(region.kind, RegionKind::Eeprom | RegionKind::FlashWindow)
            {
                return refuse(format!(
                    "memory `{}`: this CPU has flash, ram and io in one address space",
                    region.name
                ));
            }
            // An array page holds the bytes of one address page of one region.
            let offset = u64::from(region.base % PAGE_BYTES);
            for base in std::iter::once(region.base).chain(region.also_at.iter().copied()) {
                let there = Region { base, ..region.clone() };
                if there.end() > 1 << 32 {
                    return refuse(format!("memory `{}` reaches beyond the address space", region.name));
                }
                if u64::from(base % PAGE_BYTES) != offset {
                    return refuse(format!(
                        "memory `{}` also lies at no multiple of {PAGE_BYTES} from its base",
                        region.name
                    ));
                }
                let overlaps =
                    |other: &Placed| u64::from(base) < other.region.end() && u64::from(other.region.base) < there.end();
                if placed.iter().any(overlaps) {
                    return refuse(format!("memory `{}` overlaps another one", region.name));
                }
                placed.push(Placed { region: there, place: (place + offset) as u32 });
            }
            place = (place + offset + u64::from(region.size_bytes)).next_multiple_of(u64::from(PAGE_BYTES));
            if place > MAX_BYTES {
                return refuse("the memories together have more than 512 MB");
            }
        }
        Ok(Memory {
            quick: Box::new([UNKNOWN; QUICK_PAGES]),
            spans: spans(&placed, false),
            bytes: vec![0; place as usize],
            regions: placed,
            pages: vec![Page::default(); (place / u64::from(PAGE_BYTES)) as usize],
            snapshot: None,
            fence: None,
            permitted: [Vec::new(), Vec::new()],
            ignored: None,
        })
    }

    /// Returns the first addresses of the memories of [`Direct::spans`].
    #[cfg(feature = "translate")]
    pub fn direct_bases(&self) -> [u32; DIRECT_SPANS] {
        spans(&self.regions, false).map(|span| span.base)
    }

    /// Returns where emitted code finds bytes.
    #[cfg(feature = "translate")]
    pub fn direct(&mut self) -> Direct {
        let readable = |base: u32| self.spans.iter().find(|span| span.size_bytes > 0 && span.base == base);
        let spans = self.direct_bases().map(|base| match readable(base) {
            Some(span) => DirectSpan {
                bytes: self.bytes[span.place as usize..].as_ptr(),
                units: [0, 1, 2].map(|size_bits| span.size_bytes >> size_bits),
            },
            None => DirectSpan { bytes: std::ptr::null(), units: [0; 3] },
        });
        Direct { spans, quick: self.quick.as_ptr().cast(), bytes: self.bytes.as_mut_ptr() }
    }

    /// Traps for an access to the region that the fence does not permit.
    fn check(&self, region: &Region, address: u32, size: u32, write: bool) -> Result<(), Trap> {
        match &self.fence {
            Some(fence) if region.kind == RegionKind::Ram => fence.check(address, size, write),
            _ => Ok(()),
        }
    }

    /// Returns the parts of RAM that a fence permits.
    fn parts(&self, fence: &Fence, write: bool) -> Vec<Span> {
        let ram = self.regions.iter().filter(|placed| placed.region.kind == RegionKind::Ram);
        let parts = ram.flat_map(|Placed { region, place }| {
            fence.permitted(write).iter().filter_map(move |permit| {
                let start = permit.start.max(u64::from(region.base));
                let size_bytes = permit.end.min(region.end()).checked_sub(start)?;
                let base = start as u32;
                Some(Span { base, size_bytes: size_bytes as u32, place: place + (base - region.base) })
            })
        });
        parts.collect()
    }

    /// Returns the position in the array of a datum that the fence permits to touch, `None` if there is no fence.
    fn permitted_place(&mut self, address: u32, size: u32, write: bool) -> Option<usize> {
        let parts = &mut self.permitted[usize::from(write)];
        let holds = |part: &Span| {
            let offset = address.wrapping_sub(part.base);
            offset < part.size_bytes && size <= part.size_bytes - offset
        };
        let found = parts.iter().position(holds)?;
        parts.swap(0, found);
        Some((parts[0].place + (address - parts[0].base)) as usize)
    }

    /// Returns the region that contains the address.
    pub fn region(&self, address: u32) -> Option<&Region> {
        self.placed(address).map(|placed| &placed.region)
    }

    fn placed(&self, address: u32) -> Option<&Placed> {
        self.regions.iter().find(|placed| placed.region.contains(address))
    }

    /// Returns the position in the array of bytes that lie in one region.
    fn place(&self, address: u32, length: u32) -> Option<usize> {
        self.placed_datum(address, length).map(|(_, place)| place)
    }

    /// Returns the region that holds all of these bytes, and their position in the array.
    fn placed_datum(&self, address: u32, length: u32) -> Option<(&Placed, usize)> {
        let placed = self.placed(address)?;
        let end = u64::from(address) + u64::from(length);
        (end <= placed.region.end()).then(|| (placed, (placed.place + (address - placed.region.base)) as usize))
    }

    /// Marks an address from which an instruction was decoded; later stores to its page report it.
    pub fn mark_code(&mut self, address: u32) {
        if let Some(place) = self.place(address, 1) {
            self.pages[place >> PAGE_BITS].code = true;
            self.quick[quick_index(address)].write = NO_PAGE;
        }
    }

    /// Clears the marks of decoded code.
    fn unmark_code(&mut self) {
        for page in &mut self.pages {
            page.code = false;
        }
    }

    /// Saves a page for the snapshot before it changes.
    fn save(&mut self, page: u32) {
        let flags = &mut self.pages[page as usize];
        if let (Some(snapshot), false) = (&mut self.snapshot, flags.saved) {
            flags.saved = true;
            let start = (page << PAGE_BITS) as usize;
            snapshot.push(SavedPage { page, bytes: self.bytes[start..start + PAGE_BYTES as usize].into() });
        }
    }

    /// Whether the whole page of an address lies in one region.
    fn whole_page(&self, address: u32) -> bool {
        self.place(address & PAGE_MASK, PAGE_BYTES).is_some()
    }

    /// Returns the position in the array of an aligned datum to read.
    #[inline(always)]
    fn read_place(&self, address: u32, size: u32) -> Option<usize> {
        if address & (size - 1) != 0 {
            return None;
        }
        for span in &self.spans {
            let offset = address.wrapping_sub(span.base);
            if offset < span.size_bytes {
                return Some((span.place + offset) as usize);
            }
        }
        self.quick_place(address, size, false)
    }

    #[inline(always)]
    fn quick_place(&self, address: u32, size: u32, written: bool) -> Option<usize> {
        let quick = &self.quick[quick_index(address)];
        let page = if written { quick.write } else { quick.read };
        (address & (PAGE_MASK | (size - 1)) == page).then(|| (quick.place + (address & !PAGE_MASK)) as usize)
    }

    /// Returns the word at an address, `None` if it is unaligned or needs the slow path.
    #[inline(always)]
    pub fn quick_word(&self, address: u32) -> Option<u32> {
        let place = self.read_place(address, 4)?;
        let bytes = self.bytes.get(place..place + 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Returns the halfword at an address, `None` if it is unaligned or needs the slow path.
    #[inline(always)]
    pub fn quick_half(&self, address: u32) -> Option<u32> {
        let place = self.read_place(address, 2)?;
        let bytes = self.bytes.get(place..place + 2)?;
        Some(u32::from(u16::from_le_bytes([bytes[0], bytes[1]])))
    }

    /// Returns the byte at an address, `None` if it needs the slow path.
    #[inline(always)]
    pub fn quick_byte(&self, address: u32) -> Option<u32> {
        let place = self.read_place(address, 1)?;
        self.bytes.get(place).map(|byte| u32::from(*byte))
    }

    /// Stores a word of data and returns true; returns false and stores nothing if it is unaligned or needs the slow
    /// path.
    #[inline(always)]
    pub fn store_quick_word(&mut self, address: u32, value: u32) -> bool {
        let Some(place) = self.quick_place(address, 4, true) else { return false };
        let Some(bytes) = self.bytes.get_mut(place..place + 4) else { return false };
        bytes.copy_from_slice(&value.to_le_bytes());
        true
    }

    /// Stores a halfword of data and returns true; returns false and stores nothing if it is unaligned or needs the
    /// slow path.
    #[inline(always)]
    pub fn store_quick_half(&mut self, address: u32, value: u32) -> bool {
        let Some(place) = self.quick_place(address, 2, true) else { return false };
        let Some(bytes) = self.bytes.get_mut(place..place + 2) else { return false };
        bytes.copy_from_slice(&(value as u16).to_le_bytes());
        true
    }

    /// Stores a byte of data and returns true; returns false and stores nothing if it needs the slow path.
    #[inline(always)]
    pub fn store_quick_byte(&mut self, address: u32, value: u32) -> bool {
        let Some(place) = self.quick_place(address, 1, true) else { return false };
        let Some(byte) = self.bytes.get_mut(place) else { return false };
        *byte = value as u8;
        true
    }

    /// Returns the aligned word that holds the address, rotated so that the addressed byte is the lowest.
    #[inline(always)]
    pub fn load_word(&mut self, address: u32) -> Result<u32, Trap> {
        if let Some(place) = self.quick_place(address, 4, false) {
            if let Some(bytes) = self.bytes.get(place..place + 4) {
                return Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
            }
        }
        let word = self.load_slowly(address & !3, 4)?;
        Ok(word.rotate_right(8 * (address & 3)))
    }

    /// Returns the halfword at the address without its lowest bit.
    #[inline(always)]
    pub fn load_half(&mut self, address: u32) -> Result<u32, Trap> {
        if let Some(place) = self.quick_place(address, 2, false) {
            if let Some(bytes) = self.bytes.get(place..place + 2) {
                return Ok(u32::from(u16::from_le_bytes([bytes[0], bytes[1]])));
            }
        }
        self.load_slowly(address & !1, 2)
    }

    #[inline(always)]
    pub fn load_byte(&mut self, address: u32) -> Result<u32, Trap> {
        if let Some(place) = self.quick_place(address, 1, false) {
            if let Some(byte) = self.bytes.get(place) {
                return Ok(u32::from(*byte));
            }
        }
        self.load_slowly(address, 1)
    }

    /// Stores at the address without its two lowest bits.
    #[inline(always)]
    pub fn store_word(&mut self, address: u32, value: u32) -> Result<Touched, Trap> {
        if self.store_quick_word(address, value) {
            return Ok(Touched::Data);
        }
        self.store_slowly(address & !3, 4, value)
    }

    /// Stores at the address without its lowest bit.
    #[inline(always)]
    pub fn store_half(&mut self, address: u32, value: u32) -> Result<Touched, Trap> {
        if self.store_quick_half(address, value) {
            return Ok(Touched::Data);
        }
        self.store_slowly(address & !1, 2, value)
    }

    #[inline(always)]
    pub fn store_byte(&mut self, address: u32, value: u32) -> Result<Touched, Trap> {
        if self.store_quick_byte(address, value) {
            return Ok(Touched::Data);
        }
        self.store_slowly(address, 1, value)
    }

    /// Returns the aligned bytes of an instruction, at most four, which no fence guards.
    pub fn code(&self, address: u32, size: u32) -> Result<u32, Trap> {
        let Some(place) = self.place(address, size) else {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        };
        Ok(self.value(place, size))
    }

    fn value(&self, place: usize, size: u32) -> u32 {
        let mut value = [0; 4];
        value[..size as usize].copy_from_slice(&self.bytes[place..place + size as usize]);
        u32::from_le_bytes(value)
    }

    /// Traps for an access beyond all memories, unless it is ignored.
    fn beyond(&mut self, address: u32) -> Result<(), Trap> {
        if self.ignored.as_mut().is_some_and(|ignored| ignored.takes(address)) {
            return Ok(());
        }
        Err(Trap::at(FaultKind::UnmappedAddress, address))
    }

    /// Loads from an aligned address on the slow path.
    #[cold]
    #[inline(never)]
    fn load_slowly(&mut self, address: u32, size: u32) -> Result<u32, Trap> {
        if let Some(place) = self.permitted_place(address, size, false) {
            return Ok(self.value(place, size));
        }
        let Some((placed, place)) = self.placed_datum(address, size) else {
            return self.beyond(address).map(|()| 0);
        };
        self.check(&placed.region, address, size, false)?;
        if self.whole_page(address) {
            let quick = &mut self.quick[quick_index(address)];
            let page = address & PAGE_MASK;
            if quick.read != page {
                *quick = QuickPage { read: page, write: NO_PAGE, place: (place as u32) & PAGE_MASK };
            }
        }
        Ok(self.value(place, size))
    }

    /// Stores to an aligned address on the slow path.
    #[cold]
    #[inline(never)]
    fn store_slowly(&mut self, address: u32, size: u32, value: u32) -> Result<Touched, Trap> {
        if let Some(place) = self.permitted_place(address, size, true) {
            return Ok(self.put(place, size, value));
        }
        if self.region(address).is_some_and(|region| region.kind == RegionKind::Flash) {
            return Err(Trap::at(FaultKind::WriteToFlash, address));
        }
        let Some((placed, place)) = self.placed_datum(address, size) else {
            return self.beyond(address).map(|()| Touched::Data);
        };
        self.check(&placed.region, address, size, true)?;
        let touched = self.put(place, size, value);
        if touched == Touched::Data && self.whole_page(address) {
            let base = address & PAGE_MASK;
            let place = place as u32 & PAGE_MASK;
            self.quick[quick_index(address)] = QuickPage { read: base, write: base, place };
        }
        Ok(touched)
    }

    /// Changes bytes of the array that lie in one page.
    fn put(&mut self, place: usize, size: u32, value: u32) -> Touched {
        let page = place as u32 >> PAGE_BITS;
        self.save(page);
        self.bytes[place..place + size as usize].copy_from_slice(&value.to_le_bytes()[..size as usize]);
        if self.pages[page as usize].code {
            Touched::Code
        } else {
            Touched::Data
        }
    }
}

impl Memories for Memory {
    fn erase(&mut self) {
        self.bytes = vec![0; self.bytes.len()];
        self.pages.fill(Page::default());
        self.quick.fill(UNKNOWN);
        self.snapshot = None;
    }

    fn snapshot(&mut self) {
        for page in &mut self.pages {
            page.saved = false;
        }
        for quick in self.quick.iter_mut() {
            quick.write = NO_PAGE;
        }
        self.snapshot = Some(Vec::new());
    }

    fn restore(&mut self) -> bool {
        let mut code = false;
        for SavedPage { page, bytes } in self.snapshot.iter().flatten() {
            let start = (*page << PAGE_BITS) as usize;
            let now = &mut self.bytes[start..start + PAGE_BYTES as usize];
            if self.pages[*page as usize].code && *now != **bytes {
                code = true;
            }
            now.copy_from_slice(bytes);
        }
        if code {
            self.unmark_code();
        }
        code
    }

    fn set_fence(&mut self, fence: Option<Fence>) {
        self.quick.fill(UNKNOWN);
        self.spans = spans(&self.regions, fence.is_some());
        self.permitted = [false, true].map(|write| fence.as_ref().map_or(Vec::new(), |fence| self.parts(fence, write)));
        self.fence = fence;
    }

    fn ignore(&mut self, ignored: Option<Ignored>) -> Result<(), Error> {
        self.ignored = ignored;
        Ok(())
    }

    fn ignored(&self) -> u64 {
        self.ignored.as_ref().map_or(0, |ignored| ignored.accesses)
    }
}

impl OneSpace for Memory {
    fn peek(&self, address: u32, length: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length.min(self.bytes.len()));
        let mut next = u64::from(address);
        while bytes.len() < length {
            let region = self.region(u32::try_from(next).ok()?)?;
            let part = (region.end() - next).min((length - bytes.len()) as u64);
            let place = self.place(next as u32, part as u32)?;
            bytes.extend_from_slice(&self.bytes[place..place + part as usize]);
            next += part;
        }
        Some(bytes)
    }

    fn poke(&mut self, address: u32, data: &[u8]) -> bool {
        if self.peek(address, data.len()).is_none() {
            return false;
        }
        let mut rest = data;
        let mut next = address;
        while !rest.is_empty() {
            // Neither a page nor a region ends within a part.
            let Some(placed) = self.placed(next) else { return false };
            let in_page = u64::from(PAGE_BYTES - next % PAGE_BYTES);
            let length = in_page.min(placed.region.end() - u64::from(next)).min(rest.len() as u64) as usize;
            let place = (placed.place + (next - placed.region.base)) as usize;
            self.save(place as u32 >> PAGE_BITS);
            let (part, behind) = rest.split_at(length);
            self.bytes[place..place + length].copy_from_slice(part);
            rest = behind;
            next = next.wrapping_add(length as u32);
        }
        true
    }
}
