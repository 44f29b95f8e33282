//! Chips of the catalogue: what their files, their cores' and their families' in `targets/` say together.

use serde_json::{json, Value};
use std::path::{Path, PathBuf};

/// The target files of this checkout.
pub fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../targets")
}

/// A chip, and its core's data as the emulator takes them.
pub struct Chip {
    pub id: String,
    pub core: Value,
    file: Value,
}

impl Chip {
    /// Reads a chip from the folder of the target files.
    pub fn load(targets: &Path, id: &str) -> Result<Self, String> {
        let own = read(targets, id)?;
        let core = own["core"].as_str().ok_or_else(|| format!("{id}: it names no core"))?;
        let (core, shared) = core_and_shared(targets, core)?;
        Ok(Self { id: id.to_owned(), core, file: joined(shared, own) })
    }

    /// What a machine is told, with these data of the core.
    pub fn description(&self, core: &Value) -> Value {
        let options = self.file.get("core_options").cloned().unwrap_or_else(|| json!({}));
        json!({
            "core": core,
            "memory": self.file["memory"],
            "core_options": options,
            "clock_hz": self.file["clock_hz"],
        })
    }

    /// Its memories, in no order.
    pub fn memories(&self) -> impl Iterator<Item = &Value> {
        self.file["memory"].as_array().into_iter().flatten()
    }
}

/// A core's data as the emulator takes them.
pub fn core(targets: &Path, id: &str) -> Result<Value, String> {
    Ok(core_and_shared(targets, id)?.0)
}

/// A core's data, and what all chips with it have in common.
fn core_and_shared(targets: &Path, id: &str) -> Result<(Value, Value), String> {
    let mut core = read(&targets.join("cores"), id)?;
    let family = core["family"].as_str().ok_or_else(|| format!("{id}: it names no family"))?;
    let shared = read(&targets.join("families"), family)?;
    let of_core = core.as_object_mut().and_then(|core| core.remove("chip")).unwrap_or_else(|| json!({}));
    Ok((core, joined(shared, of_core)))
}

/// Lists add up, memories of the same name and all else are replaced.
fn joined(shared: Value, own: Value) -> Value {
    match (shared, own) {
        (Value::Object(mut table), Value::Object(own)) => {
            for (name, value) in own {
                let value = match table.remove(&name) {
                    Some(shared) => joined(shared, value),
                    None => value,
                };
                table.insert(name, value);
            }
            Value::Object(table)
        }
        (Value::Array(mut list), Value::Array(own)) => {
            list.retain(|one| one.get("name").is_none_or(|name| !own.iter().any(|other| other["name"] == *name)));
            list.extend(own);
            Value::Array(list)
        }
        (_, own) => own,
    }
}

fn read(folder: &Path, id: &str) -> Result<Value, String> {
    let path = folder.join(format!("{id}.toml"));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}
