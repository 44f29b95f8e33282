//! Abilities and times of a core, read from its data file.

use super::isa::{Feature, ROWS};
use crate::description::SourceEntry;
use crate::error::{refuse, Error};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A data file `targets/cores/<core>.toml` of the family `avr`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct CoreFile {
    id: String,
    #[serde(rename = "family")]
    _family: String,
    #[serde(rename = "title")]
    _title: String,
    #[serde(rename = "timing_version")]
    _timing_version: Value,
    features: Vec<String>,
    call: String,
    address: Addresses,
    cycles: BTreeMap<String, u8>,
    extra: ExtraCycles,
    #[serde(default, rename = "assumed")]
    _assumed: Vec<String>,
    #[serde(default, rename = "source")]
    _source: Vec<SourceEntry>,
}

/// Data-space addresses of the CPU's own registers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Addresses {
    /// Address of I/O register 0.
    pub io: u16,
    /// Address of register r0, on cores whose register file lies in the data space.
    pub registers: Option<u16>,
    pub sreg: u16,
    /// Address of the low byte of the stack pointer; the high byte follows.
    pub sp: u16,
    /// Address of RAMPZ, on cores whose program memory is larger than 64 KB.
    pub rampz: Option<u16>,
    /// Address of EIND, on cores whose program counter has more than 16 bits; their return addresses have three bytes.
    pub eind: Option<u16>,
}

/// Cycles added to the instruction table's, by event.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtraCycles {
    pub branch_taken: u8,
    pub skip_one_word: u8,
    pub skip_two_words: u8,
    /// Cycles that a load from flash or EEPROM through the data space adds.
    pub window_read: u8,
    /// Cycles for which the CPU halts after it started an EEPROM read through I/O registers.
    pub eeprom_read: u8,
    pub eeprom_write: u8,
}

/// Times and abilities of one core.
#[derive(Debug, Clone)]
pub struct Core {
    pub id: String,
    pub address: Addresses,
    pub extra: ExtraCycles,
    /// Cycles by row of the instruction table; `None` if the core lacks the instruction.
    pub cycles: Vec<Option<u8>>,
    /// Cycles of the call instruction a compiler uses on this core.
    pub call_cycles: u8,
}

impl Core {
    /// Checks a core's data; every instruction that the core has needs a cycle count, and no other may have one.
    pub fn from_data(data: &Value) -> Result<Self, Error> {
        let file: CoreFile = serde_json::from_value(data.clone())
            .map_err(|error| Error::Machine(format!("the core's data is not usable: {error}")))?;
        let id = &file.id;
        let mut features = vec![Feature::Base];
        for name in &file.features {
            let Some((_, feature)) = Feature::NAMED.iter().find(|(known, _)| known == name) else {
                let known: Vec<_> = Feature::NAMED.iter().map(|(known, _)| *known).collect();
                return refuse(format!("core `{id}`: no feature `{name}`; there are: {}", known.join(", ")));
            };
            features.push(*feature);
        }
        let mut cycles = Vec::with_capacity(ROWS.len());
        for row in ROWS {
            let name = row.time();
            let given = file.cycles.get(&name).copied();
            match (features.contains(&row.feature), given) {
                (true, Some(count)) if count > 0 => cycles.push(Some(count)),
                (true, _) => return refuse(format!("core `{id}`: no cycle count for `{name}`")),
                (false, None) => cycles.push(None),
                (false, Some(_)) => return refuse(format!("core `{id}`: a cycle count for `{name}`, which it lacks")),
            }
        }
        if let Some(unknown) = file.cycles.keys().find(|name| ROWS.iter().all(|row| row.time() != **name)) {
            return refuse(format!("core `{id}`: a cycle count for `{unknown}`, which is no instruction"));
        }
        let call_row = match file.call.as_str() {
            name @ ("call" | "rcall") => ROWS.iter().position(|row| row.mnemonic == name),
            _ => None,
        };
        let Some(call_cycles) = call_row.and_then(|row| cycles[row]) else {
            return refuse(format!("core `{id}`: it cannot call with `{}`", file.call));
        };
        Ok(Core { id: file.id, address: file.address, extra: file.extra, cycles, call_cycles })
    }
}
