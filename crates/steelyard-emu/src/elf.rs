//! Contents of an ELF file that a loader needs: segments and symbols.

use crate::error::Error;
use crate::symbols::{Symbol, SymbolKind};
use object::elf;
use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind as ObjectSymbolKind};

/// Bytes of the file and their addresses.
#[derive(Debug, Clone)]
pub struct Segment {
    /// Address at which the program expects the bytes.
    pub virtual_address: u32,
    /// Address at which the device stores the bytes.
    pub physical_address: u32,
    pub data: Vec<u8>,
    /// Bytes that follow the data at their virtual address and are in no file; start-up code clears them.
    pub cleared_bytes: u32,
}

/// A 32-bit executable.
#[derive(Debug, Clone)]
pub struct Image {
    /// Entry point.
    pub entry: u32,
    pub segments: Vec<Segment>,
    pub symbols: Vec<Symbol>,
}

/// Maximum size of all segments, far above that of any device here; it keeps program headers that repeat one large
/// segment from filling the host's memory.
const MAX_LOADED_BYTES: usize = 16 << 20;

/// Maximum size of all names; symbols may share the bytes of one name in the file, but not here.
const MAX_NAME_BYTES: usize = 16 << 20;

/// Reads an executable for a machine (`EM_*`); refuses any other file in one sentence.
pub fn parse(bytes: &[u8], machine: elf::Machine, machine_name: &str) -> Result<Image, Error> {
    let file = ElfFile32::<Endianness>::parse(bytes)
        .map_err(|error| Error::Elf(format!("not a usable 32-bit ELF file: {error}")))?;
    let endian = file.endian();
    let header = file.elf_header();
    if header.e_machine.get(endian) != machine {
        return Err(Error::Elf(format!(
            "the ELF file is for machine {}, not for {machine_name} ({})",
            header.e_machine.get(endian).0,
            machine.0
        )));
    }
    if header.e_type.get(endian) != elf::ET_EXEC {
        return Err(Error::Elf("the ELF file is not a linked executable".into()));
    }
    let mut segments = Vec::new();
    let mut loaded_bytes = 0;
    for program_header in file.elf_program_headers() {
        if program_header.p_type(endian) != elf::PT_LOAD {
            continue;
        }
        let data = program_header
            .data(endian, bytes)
            .map_err(|()| Error::Elf("a segment of the ELF file reaches beyond the end of the file".into()))?;
        loaded_bytes += data.len();
        if loaded_bytes > MAX_LOADED_BYTES {
            return Err(Error::Elf("the segments of the ELF file hold more than 16 MB".into()));
        }
        segments.push(Segment {
            virtual_address: program_header.p_vaddr(endian),
            physical_address: program_header.p_paddr(endian),
            data: data.to_vec(),
            cleared_bytes: program_header.p_memsz(endian).saturating_sub(program_header.p_filesz(endian)),
        });
    }
    if segments.iter().all(|segment| segment.data.is_empty()) {
        return Err(Error::Elf("the ELF file holds nothing to load".into()));
    }
    Ok(Image { entry: header.e_entry.get(endian), segments, symbols: symbols(&file)? })
}

fn symbols(file: &ElfFile32<'_, Endianness>) -> Result<Vec<Symbol>, Error> {
    let mut symbols = Vec::new();
    let mut name_bytes = 0;
    for symbol in file.symbols() {
        let name = symbol
            .name_bytes()
            .map_err(|error| Error::Elf(format!("the symbol table of the ELF file is broken: {error}")))?;
        name_bytes += name.len();
        if name_bytes > MAX_NAME_BYTES {
            return Err(Error::Elf("the names of the ELF file's symbols take more than 16 MB".into()));
        }
        let is_name = !matches!(symbol.kind(), ObjectSymbolKind::File | ObjectSymbolKind::Section);
        if name.is_empty() || name.starts_with(b".L") || symbol.is_undefined() || !is_name {
            continue;
        }
        let address = symbol.address() as u32;
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        let executable = section.as_ref().is_some_and(|section| section.kind() == SectionKind::Text);
        let labels_code =
            matches!(symbol.kind(), ObjectSymbolKind::Text | ObjectSymbolKind::Label | ObjectSymbolKind::Unknown);
        symbols.push(Symbol {
            name: String::from_utf8_lossy(name).into_owned(),
            address,
            size_bytes: symbol.size() as u32,
            kind: if executable && labels_code { SymbolKind::Code } else { SymbolKind::Other },
            global: symbol.is_global(),
            section_end: section.map_or(address, |section| {
                u32::try_from(section.address().saturating_add(section.size())).unwrap_or(u32::MAX)
            }),
        });
    }
    Ok(symbols)
}
