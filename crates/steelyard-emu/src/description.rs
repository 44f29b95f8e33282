//! What a machine is told about itself: JSON made from `targets/*.toml` and `targets/cores/*.toml`.

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
    /// The core's data file; its `family` names the module that understands the rest.
    pub core: Value,
    pub memory: Vec<Region>,
    /// Facts of the chip that its core needs, such as control register addresses.
    #[serde(default)]
    pub core_options: BTreeMap<String, u32>,
    pub clock_hz: u64,
    /// Caches and write buffer; none on a chip without.
    #[serde(default)]
    pub cache: CachesData,
    /// How a microcontroller's flash is read; none where it never makes the core wait.
    #[serde(default)]
    pub flash: Option<FlashData>,
}

impl Description {
    /// Reads a description; the error says what is wrong with it.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        serde_json::from_str(json)
            .map_err(|error| Error::Machine(format!("the machine description is not usable: {error}")))
    }

    /// The CPU family the core belongs to.
    pub fn family(&self) -> Result<&str, Error> {
        self.core
            .get("family")
            .and_then(Value::as_str)
            .ok_or_else(|| Error::Machine("the machine description names no `family` for its core".into()))
    }
}

/// Where a core's fact was read; kept by the data file for its readers, checked here for its form.
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
