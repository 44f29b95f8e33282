//! Writes small executables, so that the tests need no compiler.

/// A symbol of the image: name, address, size in bytes, and whether it is marked as a function.
pub type ImageSymbol = (&'static str, u32, u32, bool);

const AVR: u16 = 83;
const ARM: u16 = 40;
const RISCV: u16 = 243;
const M32C: u16 = 120;
const MSP430: u16 = 105;
const RL78: u16 = 197;
const SPARC: u16 = 2;
/// Where an AVR's linker puts its data space.
const AVR_DATA_SPACE: u32 = 0x80_0000;

/// An image under construction.
pub struct ImageBuilder {
    pub machine: u16,
    /// Address of the program.
    pub base: u32,
    /// Added to the address of data.
    pub data_space: u32,
    pub program: Vec<u8>,
    pub symbols: Vec<ImageSymbol>,
    /// Initial data: its address in the data space, and its bytes, stored behind the program.
    pub data: Option<(u32, Vec<u8>)>,
    /// Bytes behind the initial data that start-up code clears.
    pub cleared_bytes: u32,
}

impl ImageBuilder {
    /// Functions of an AVR one after the other, from address 0.
    pub fn of(functions: &[(&'static str, &[u16])]) -> Self {
        let mut builder = Self::empty(AVR, 0, AVR_DATA_SPACE);
        for (name, words) in functions {
            builder.function(name, words.iter().flat_map(|word| word.to_le_bytes()).collect(), 0);
        }
        builder
    }

    /// Functions of an ARM one after the other.
    pub fn of_arm(base: u32, functions: &[(&'static str, &[u32])]) -> Self {
        let mut builder = Self::empty(ARM, base, 0);
        for (name, words) in functions {
            builder.function(name, words.iter().flat_map(|word| word.to_le_bytes()).collect(), 0);
        }
        builder
    }

    /// Functions of a RISC-V one after the other, each at a multiple of so many bytes.
    pub fn of_riscv(base: u32, spacing_bytes: usize, functions: &[(&'static str, &[u8])]) -> Self {
        let mut builder = Self::empty(RISCV, base, 0);
        for (name, code) in functions {
            let filled = code.len().next_multiple_of(spacing_bytes);
            builder.function(name, code.iter().copied().chain([0; 4096]).take(filled).collect(), 0);
        }
        builder
    }

    /// An image for an M16C without functions yet.
    pub fn of_m16c(base: u32) -> Self {
        Self::empty(M32C, base, 0)
    }

    /// Functions of an RL78 one after the other.
    pub fn of_rl78(base: u32, functions: &[(&'static str, &[u8])]) -> Self {
        let mut builder = Self::empty(RL78, base, 0);
        for (name, bytes) in functions {
            builder.function(name, bytes.to_vec(), 0);
        }
        builder
    }

    /// Functions of an MSP430 one after the other.
    pub fn of_msp430(base: u32, functions: &[(&'static str, &[u16])]) -> Self {
        let mut builder = Self::empty(MSP430, base, 0);
        for (name, words) in functions {
            builder.function(name, words.iter().flat_map(|word| word.to_le_bytes()).collect(), 0);
        }
        builder
    }

    /// Functions of a SPARC one after the other. Only what the machine reads is big-endian, not the file's own fields.
    pub fn of_sparc(base: u32, functions: &[(&'static str, &[u32])]) -> Self {
        let mut builder = Self::empty(SPARC, base, 0);
        for (name, words) in functions {
            builder.function(name, words.iter().flat_map(|word| word.to_be_bytes()).collect(), 0);
        }
        builder
    }

    fn empty(machine: u16, base: u32, data_space: u32) -> Self {
        ImageBuilder {
            machine,
            base,
            data_space,
            program: Vec::new(),
            symbols: Vec::new(),
            data: None,
            cleared_bytes: 0,
        }
    }

    /// One more function; `mark` is added to the address of its symbol.
    pub fn function(&mut self, name: &'static str, code: Vec<u8>, mark: u32) {
        let start = self.base + self.program.len() as u32;
        self.symbols.push((name, start + mark, code.len() as u32, true));
        self.program.extend(code);
    }

    /// The ELF file.
    pub fn build(&self) -> Vec<u8> {
        const HEADER: u32 = 52;
        const PROGRAM_HEADER: u32 = 32;
        let program_size = self.program.len() as u32;
        let data = self.data.clone().unwrap_or_default();
        let segments = [
            Some((self.base, self.base, self.program.clone())),
            self.data
                .as_ref()
                .map(|(address, bytes)| (self.data_space + address, self.base + program_size, bytes.clone())),
        ];
        let segments: Vec<(u32, u32, Vec<u8>)> = segments.into_iter().flatten().collect();
        let program_at = HEADER + PROGRAM_HEADER * segments.len() as u32;
        let symbols_at = program_at + program_size + data.1.len() as u32;

        let mut names = vec![0u8];
        let mut symbol_table = vec![0u8; 16];
        for (name, address, size, function) in &self.symbols {
            let name_at = names.len() as u32;
            names.extend(name.bytes().chain([0]));
            // Code lies in section 1; everything else is absolute.
            let code = (self.base..self.base + program_size + 1).contains(address);
            let section: u16 = if code { 1 } else { 0xfff1 };
            let global = 0x10;
            symbol_table.extend([name_at, *address, *size].iter().flat_map(|word| word.to_le_bytes()));
            symbol_table.extend([global | if *function { 2 } else { 0 }, 0]);
            symbol_table.extend(section.to_le_bytes());
        }
        let section_names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0";
        let names_at = symbols_at + symbol_table.len() as u32;
        let section_names_at = names_at + names.len() as u32;
        let sections_at = section_names_at + section_names.len() as u32;

        let mut file = vec![0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let halves = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let words = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        file.extend(halves(&[2, self.machine]));
        file.extend(words(&[1, self.base, HEADER, sections_at, 0]));
        file.extend(halves(&[HEADER as u16, PROGRAM_HEADER as u16, segments.len() as u16, 40, 5, 4]));
        let mut offset = program_at;
        for (virtual_address, physical_address, bytes) in &segments {
            let size = bytes.len() as u32;
            let cleared_bytes = if *virtual_address == self.base { 0 } else { self.cleared_bytes };
            file.extend(words(&[1, offset, *virtual_address, *physical_address, size, size + cleared_bytes, 5, 1]));
            offset += size;
        }
        for (_, _, bytes) in &segments {
            file.extend(bytes);
        }
        file.extend(&symbol_table);
        file.extend(&names);
        file.extend(section_names);
        file.extend(words(&[0; 10]));
        file.extend(words(&[1, 1, 6, self.base, program_at, program_size, 0, 0, 2, 0]));
        file.extend(words(&[7, 2, 0, 0, symbols_at, symbol_table.len() as u32, 3, 1, 4, 16]));
        file.extend(words(&[15, 3, 0, 0, names_at, names.len() as u32, 0, 0, 1, 0]));
        file.extend(words(&[23, 3, 0, 0, section_names_at, section_names.len() as u32, 0, 0, 1, 0]));
        file
    }
}
