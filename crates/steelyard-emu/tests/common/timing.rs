//! Sequences whose cycles were worked out by hand, and the proof that they show every number of a core's data.

use super::core_data;
use serde_json::{json, Value};

/// A row of a table of sequences.
pub struct Sequence<U> {
    pub core: &'static str,
    pub cycles: u64,
    pub code: Vec<U>,
    pub text: &'static str,
}

/// The rows of a core in a table of five columns: core, cycles, the code's units in hexadecimal, its text, and why.
fn sequences<U: TryFrom<u32>>(table: &'static str, core: &str) -> Vec<Sequence<U>> {
    let rows = table.lines().skip(1).map(|row| {
        let [core, cycles, code, text, _why] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five columns: {row}");
        };
        Sequence { core, cycles: cycles.parse().unwrap(), code: units(code), text }
    });
    rows.filter(|one| one.core == core).collect()
}

/// Numbers in hexadecimal with spaces between them.
pub fn units<U: TryFrom<u32>>(text: &str) -> Vec<U> {
    let unit = |one| U::try_from(u32::from_str_radix(one, 16).unwrap()).ok().expect("a unit of code");
    text.split(' ').map(unit).collect()
}

/// The cycles that a core takes for a sequence, given with its place.
pub type Clock<U> = Box<dyn FnMut(usize, &Sequence<U>) -> u64>;

/// Makes a core of these data with its sequences; `None` where the data are refused.
pub type Make<U> = fn(&Value, &[Sequence<U>]) -> Option<Clock<U>>;

/// The sequences of a family's cores.
pub struct Table<U> {
    pub text: &'static str,
    pub cores: &'static [&'static str],
    pub clock: Make<U>,
}

impl<U: TryFrom<u32>> Table<U> {
    /// The sequences take the cycles that were worked out.
    pub fn check_cycles(&self) {
        for core in self.cores {
            let own = sequences(self.text, core);
            assert!(own.len() > 30, "{core}");
            let mut clock = (self.clock)(&core_data(core), &own).unwrap();
            let compare = |(place, one): (usize, &Sequence<U>)| {
                let found = clock(place, one);
                (found != one.cycles).then(|| format!("{}: {}: {found}, not {}", one.core, one.text, one.cycles))
            };
            let wrong: Vec<String> = own.iter().enumerate().filter_map(compare).collect();
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    }

    /// Every number in these parts of a core's data, more than so many, is under a sequence, but for those that are
    /// hidden by core, place and value.
    pub fn check_numbers(&self, parts: &[&str], least: usize, hidden: impl Fn(&str, &str, &Value) -> bool) {
        for core in self.cores {
            let own = sequences(self.text, core);
            let data = core_data(core);
            let mut numbers = changes(&data, parts);
            assert!(numbers.len() > least, "{core}: {} numbers", numbers.len());
            numbers.retain(|one| !hidden(core, &one.path, data.pointer(&one.path).unwrap()));
            let shows = |other: &Value| {
                // A description that is refused does not go unseen.
                (self.clock)(other, &own)
                    .is_none_or(|mut clock| own.iter().enumerate().any(|(place, one)| clock(place, one) != one.cycles))
            };
            let unseen = |one: &&Change| !one.values.iter().any(|value| shows(&one.of(&data, value)));
            let silent: Vec<&str> = numbers.iter().filter(unseen).map(|one| one.path.as_str()).collect();
            assert!(silent.is_empty(), "{core}: no sequence shows {silent:?}");
        }
    }
}

/// A number or switch of a core's data, by its place, and what it is changed to.
pub struct Change {
    pub path: String,
    pub values: Vec<Value>,
}

impl Change {
    /// The core's data with one of the values.
    pub fn of(&self, core: &Value, value: &Value) -> Value {
        let mut other = core.clone();
        *other.pointer_mut(&self.path).unwrap() = value.clone();
        other
    }
}

/// Every number and switch of parts of a core's data.
pub fn changes(core: &Value, parts: &[&str]) -> Vec<Change> {
    let mut found = Vec::new();
    for part in parts {
        if let Some(value) = core.get(part) {
            collect(format!("/{part}"), value, &mut found);
        }
    }
    found
}

fn collect(path: String, value: &Value, found: &mut Vec<Change>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, one)| collect(format!("{path}/{name}"), one, found)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, one)| collect(format!("{path}/{place}"), one, found));
        }
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            let values = [number + 1, number - 1].into_iter().filter(|&one| one >= 0).map(|one| json!(one));
            found.push(Change { path, values: values.collect() });
        }
        Value::Bool(switch) => found.push(Change { path, values: vec![json!(!switch)] }),
        _ => {}
    }
}
