//! Description of a machine: JSON made from `targets/*.toml` and `targets/cores/*.toml`.

use crate::bus::Region;
use crate::error::Error;
use crate::memory_system::{CachesData, FlashData};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Core data, memories and options of one chip.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The core's data file; its `family` names the module that reads the rest.
    pub core: Value,
    pub memory: Vec<Region>,
    /// Facts of the chip that its core needs, such as addresses of control registers.
    #[serde(default)]
    pub core_options: BTreeMap<String, u32>,
    pub clock_hz: u64,
    /// Caches and write buffer; empty for a chip without them.
    #[serde(default)]
    pub cache: CachesData,
    /// Read path of a microcontroller's flash; `None` if it never makes the core wait.
    #[serde(default)]
    pub flash: Option<FlashData>,
}

impl Description {
    /// Reads a description; the error tells what is wrong with it.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        serde_json::from_str(json)
            .map_err(|error| Error::Machine(format!("the machine description is not usable: {error}")))
    }

    /// Returns the CPU family of the core.
    pub fn family(&self) -> Result<&str, Error> {
        self.core
            .get("family")
            .and_then(Value::as_str)
            .ok_or_else(|| Error::Machine("the machine description names no `family` for its core".into()))
    }
}

/// Source of a core's fact. Readers of the data file use it; only its form is checked here.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceEntry {
    #[serde(rename = "fact")]
    _fact: String,
    #[serde(rename = "document")]
    _document: String,
    #[serde(rename = "section")]
    _section: String,
}
