//! Symbols of an image, and the function that contains an address.

use std::collections::BTreeMap;

/// What a symbol names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A function, or a label in an executable section.
    Code,
    /// Any other symbol.
    Other,
}

/// A named address; `address` is the linker's.
#[derive(Debug, Clone)]
pub struct Symbol {
    pub name: String,
    pub address: u32,
    pub size_bytes: u32,
    pub kind: SymbolKind,
    pub global: bool,
    /// First address after the symbol's section, an upper limit of its code.
    pub section_end: u32,
}

/// A named span of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub start: u32,
    pub end: u32,
}

/// The symbol table of an image.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    by_name: BTreeMap<String, Symbol>,
    functions: Vec<Function>,
}

impl Symbols {
    /// Creates the table; of two symbols with one name the global one counts.
    pub fn new(symbols: Vec<Symbol>) -> Self {
        let functions = functions(&symbols);
        Self::named(symbols, functions)
    }

    /// Creates the table for a CPU whose linkers mark Thumb code in the lowest bit of its address, and the start of
    /// code and data by names with a dollar sign.
    pub fn of_arm(mut symbols: Vec<Symbol>) -> Self {
        symbols.retain(|symbol| !symbol.name.starts_with('$'));
        let mut even = symbols.clone();
        for symbol in even.iter_mut().filter(|symbol| symbol.kind == SymbolKind::Code) {
            symbol.address &= !1;
        }
        let functions = functions(&even);
        Self::named(symbols, functions)
    }

    fn named(symbols: Vec<Symbol>, functions: Vec<Function>) -> Self {
        let mut by_name = BTreeMap::new();
        for symbol in symbols {
            if symbol.global || !by_name.contains_key(&symbol.name) {
                by_name.insert(symbol.name.clone(), symbol);
            }
        }
        Symbols { by_name, functions }
    }

    /// Returns the symbol with this name.
    pub fn get(&self, name: &str) -> Option<&Symbol> {
        self.by_name.get(name)
    }

    /// Returns all symbols, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = &Symbol> {
        self.by_name.values()
    }

    /// Returns functions, ordered by address; no two overlap.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Returns the index into [`Symbols::functions`] of the function that contains the address.
    pub fn function_at(&self, address: u32) -> Option<usize> {
        let after = self.functions.partition_point(|function| function.start <= address);
        let index = after.checked_sub(1)?;
        (address < self.functions[index].end).then_some(index)
    }

    /// Returns an address of data, given as the linker's and as text, with the symbol of the datum that contains it:
    /// `0x0123 (name+7)`.
    pub fn locate_datum(&self, address: u32, text: &str) -> String {
        let holds = |symbol: &&Symbol| {
            symbol.kind == SymbolKind::Other
                && address.checked_sub(symbol.address).is_some_and(|offset| offset < symbol.size_bytes)
        };
        match self.iter().find(holds) {
            Some(symbol) => format!("{text} ({}+{})", symbol.name, address - symbol.address),
            None => text.to_string(),
        }
    }

    /// Returns the address as text: `name+0x12`, or the bare address if no function contains it.
    pub fn locate(&self, address: u32) -> String {
        match self.function_at(address) {
            Some(index) => {
                let function = &self.functions[index];
                format!("0x{address:04x} ({}+0x{:x})", function.name, address - function.start)
            }
            None => format!("0x{address:04x}"),
        }
    }
}

/// Returns code symbols as spans. A sized function keeps its size and absorbs the labels inside it; a bare label
/// reaches to the next symbol or to the end of its section. Of several names for one address, the sized, then the
/// global, then the alphabetically first one is kept.
fn functions(symbols: &[Symbol]) -> Vec<Function> {
    let mut code: Vec<&Symbol> = symbols
        .iter()
        .filter(|symbol| symbol.kind == SymbolKind::Code && symbol.address < symbol.section_end)
        .collect();
    code.sort_by_key(|symbol| (symbol.address, symbol.size_bytes == 0, !symbol.global, symbol.name.as_str()));
    code.dedup_by_key(|symbol| symbol.address);
    let mut functions: Vec<Function> = Vec::new();
    for (index, symbol) in code.iter().enumerate() {
        if functions.last().is_some_and(|previous| symbol.address < previous.end) {
            continue;
        }
        let end = if symbol.size_bytes > 0 {
            symbol.address.saturating_add(symbol.size_bytes)
        } else {
            code.get(index + 1).map_or(symbol.section_end, |next| next.address.min(symbol.section_end))
        };
        functions.push(Function { name: symbol.name.clone(), start: symbol.address, end });
    }
    functions
}
