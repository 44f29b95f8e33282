//! Which function and which source line an instruction comes from, inlined functions included, by an image's
//! DWARF.
//!
//! Linkers drop sections that nothing uses but keep what DWARF says about them, at address 0. Code of many chips
//! begins there, so what begins at address 0 is taken for dropped, unless a function does begin there: otherwise it
//! would claim the lines of others.

use addr2line::Context;
use gimli::{EndianArcSlice, Reader as _, Relocate, RelocateReader, RunTimeEndian, SectionId};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::ops::Range;
use std::sync::Arc;

type Plain = EndianArcSlice<RunTimeEndian>;
type Reader = RelocateReader<Plain, Dropped>;

/// A value that DWARF never takes for an address of code, in whatever size it holds addresses.
const NOWHERE: u64 = u32::MAX as u64;

/// One function of an address: the innermost, inlined into the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its name as the image's symbols have it; None in assembly.
    pub function: Option<String>,
    /// Its file as the compiler was given it: without the folder in which it was compiled.
    pub file: Option<String>,
    /// Line from 1; None where the compiler names none.
    pub line: Option<u32>,
    /// Column from 1; None where the compiler names none.
    pub column: Option<u32>,
}

/// The lines of an image.
pub struct Lines {
    context: Context<Reader>,
}

impl Lines {
    /// Reads an ELF image; an error is one sentence. An image without DWARF has no lines.
    pub fn new(image: &[u8]) -> Result<Self, String> {
        let file = object::File::parse(image).map_err(|error| format!("not an ELF image: {error}"))?;
        let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let load = |id: SectionId| -> Result<Plain, String> {
            let data = match file.section_by_name(id.name()) {
                None => Default::default(),
                Some(section) => section
                    .uncompressed_data()
                    .map_err(|error| format!("section {} cannot be read: {error}", id.name()))?,
            };
            Ok(EndianArcSlice::new(Arc::from(&*data), endian))
        };
        let plain = gimli::Dwarf::load(load)?;
        let units = unit_entries(&plain).map_err(|error| unreadable(&error))?;
        let begins = file.symbols().any(|symbol| {
            symbol.kind() == SymbolKind::Text && symbol.is_definition() && symbol.address() == 0 && symbol.size() > 0
        });
        let dropped = |id: SectionId| -> Result<Reader, String> {
            let zeros = match id {
                _ if begins => Zeros::Kept,
                SectionId::DebugInfo => Zeros::Outside(Arc::clone(&units)),
                SectionId::DebugLine | SectionId::DebugAddr | SectionId::DebugRngLists => Zeros::Nowhere,
                // Its zeros end a list; ld marks what is dropped there in another way.
                _ => Zeros::Kept,
            };
            Ok(RelocateReader::new(load(id)?, Dropped(zeros)))
        };
        let context = Context::from_dwarf(gimli::Dwarf::load(dropped)?).map_err(|error| unreadable(&error))?;
        Ok(Lines { context })
    }

    /// Returns the functions of an address, the innermost first; none where nothing is known of it.
    pub fn frames(&self, address: u64) -> Result<Vec<Frame>, String> {
        self.found(address).map_err(|error| unreadable(&error))
    }

    fn found(&self, address: u64) -> Result<Vec<Frame>, gimli::Error> {
        let folder = self.folder(address)?;
        let mut frames = Vec::new();
        let mut inward = self.context.find_frames(address).skip_all_loads()?;
        while let Some(frame) = inward.next()? {
            let function = frame.function.map(|name| name.raw_name().map(|name| name.into_owned())).transpose()?;
            let place = frame.location;
            frames.push(Frame {
                function,
                file: place.as_ref().and_then(|place| place.file).map(|file| below(file, &folder)),
                line: place.as_ref().and_then(|place| place.line),
                column: place.and_then(|place| place.column).filter(|column| *column > 0),
            });
        }
        Ok(frames)
    }

    /// Returns the folder in which the code of an address was compiled.
    fn folder(&self, address: u64) -> Result<String, gimli::Error> {
        let unit = self.context.find_dwarf_and_unit(address).skip_all_loads();
        let folder = unit.and_then(|unit| unit.comp_dir.clone());
        folder.map_or(Ok(String::new()), |folder| Ok(folder.to_string_lossy()?.into_owned()))
    }
}

fn unreadable(error: &gimli::Error) -> String {
    format!("its debug information cannot be read: {error}")
}

/// Returns a file's name without the folder in which it was compiled.
fn below(file: &str, folder: &str) -> String {
    let name = match file.strip_prefix(folder) {
        Some(rest) if !folder.is_empty() && rest.starts_with('/') => rest.trim_start_matches('/'),
        _ => file,
    };
    name.strip_prefix("./").unwrap_or(name).to_owned()
}

/// Returns where, in `.debug_info`, the first entry of each unit lies: the base of its ranges is there, which
/// may be 0.
fn unit_entries(dwarf: &gimli::Dwarf<Plain>) -> Result<Arc<[Range<usize>]>, gimli::Error> {
    let mut found = Vec::new();
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let gimli::UnitSectionOffset::DebugInfoOffset(start) = header.offset() else { continue };
        let abbreviations = dwarf.abbreviations(&header)?;
        let mut entries = header.entries_raw(&abbreviations, None)?;
        let first = entries.next_offset();
        if let Some(abbreviation) = entries.read_abbreviation()? {
            entries.skip_attributes(abbreviation.attributes())?;
        }
        found.push(start.0 + first.0..start.0 + entries.next_offset().0);
    }
    Ok(found.into())
}

/// What an address 0 means in a section.
#[derive(Debug, Clone)]
enum Zeros {
    Kept,
    Nowhere,
    /// Nowhere, but not in these places.
    Outside(Arc<[Range<usize>]>),
}

#[derive(Debug, Clone)]
struct Dropped(Zeros);

impl Relocate for Dropped {
    fn relocate_address(&self, offset: usize, value: u64) -> gimli::Result<u64> {
        let kept = match &self.0 {
            Zeros::Kept => true,
            Zeros::Nowhere => false,
            Zeros::Outside(places) => {
                let next = places.partition_point(|place| place.end <= offset);
                places.get(next).is_some_and(|place| place.contains(&offset))
            }
        };
        Ok(if value == 0 && !kept { NOWHERE } else { value })
    }

    fn relocate_offset(&self, _offset: usize, value: usize) -> gimli::Result<usize> {
        Ok(value)
    }
}
