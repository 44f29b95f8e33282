//! Many items through the same calls, without a way back to Python between them.

use steelyard_emu::{Argument, Error, Fault, Machine, Observe, Space};

/// Bytes of a call's result in [`Batch::bytes`].
const RESULT_BYTES: usize = 2;
/// Bytes of [`steelyard_emu::CallResult::return_value`].
const RETURN_BYTES: usize = 8;

/// A call that every item makes.
pub struct Step {
    pub function: u32,
    pub arguments: Vec<Argument>,
    /// Number of places, the next ones in their order, that are written right before the call.
    pub places: usize,
}

/// What every item does; places and outputs are (address in the data space, length in bytes).
pub struct Plan {
    pub places: Vec<(u32, usize)>,
    pub steps: Vec<Step>,
    pub outputs: Vec<(u32, usize)>,
    /// Limit of each call.
    pub max_cycles: u64,
}

/// What the items did.
pub struct Batch {
    /// Outputs of each complete item, followed by [`RESULT_BYTES`] per call of what the calls returned.
    pub bytes: Vec<u8>,
    /// Cycles of all calls, those of an item that failed included.
    pub cycles: u64,
    /// The fault that ended the batch, and the number of its item, from 0.
    pub fault: Option<(Fault, usize)>,
}

fn refuse<T>(sentence: impl Into<String>) -> Result<T, Error> {
    Err(Error::Machine(sentence.into()))
}

/// Returns the first bytes of a result that has [`RESULT_BYTES`].
fn result(return_value: u64, least_result_bytes: usize) -> [u8; RESULT_BYTES] {
    let start = RETURN_BYTES - least_result_bytes.max(RESULT_BYTES).next_power_of_two();
    let bytes = return_value.to_le_bytes();
    [bytes[start], bytes[start + 1]]
}

impl Plan {
    /// Returns the bytes that an item is given.
    fn item_bytes(&self) -> Result<usize, Error> {
        let written: usize = self.steps.iter().map(|step| step.places).sum();
        if written != self.places.len() {
            return refuse(format!("the calls of a batch write {written} places, but it has {}", self.places.len()));
        }
        match self.places.iter().map(|(_, length)| length).sum() {
            0 => refuse("an item of a batch has no bytes"),
            bytes => Ok(bytes),
        }
    }

    /// Runs item after item, each on the state that the one before it left; `contents` holds the bytes of all places of
    /// the first item, then those of the second, and so on.
    pub fn run(&self, machine: &mut dyn Machine, contents: &[u8]) -> Result<Batch, Error> {
        let item_bytes = self.item_bytes()?;
        if contents.len() % item_bytes != 0 {
            return refuse(format!("{} bytes are no whole number of items of {item_bytes} bytes", contents.len()));
        }
        let mut batch = Batch { bytes: Vec::new(), cycles: 0, fault: None };
        for (number, item) in contents.chunks_exact(item_bytes).enumerate() {
            batch.fault = self.run_item(machine, item, &mut batch)?.map(|fault| (fault, number));
            if batch.fault.is_some() {
                break;
            }
        }
        Ok(batch)
    }

    fn run_item(&self, machine: &mut dyn Machine, item: &[u8], batch: &mut Batch) -> Result<Option<Fault>, Error> {
        let mut results = Vec::with_capacity(self.steps.len() * RESULT_BYTES);
        let (mut places, mut rest) = (self.places.iter(), item);
        for step in &self.steps {
            for &(address, length) in places.by_ref().take(step.places) {
                let (content, behind) = rest.split_at(length);
                machine.write(Space::Data, address, content)?;
                rest = behind;
            }
            let call = machine.call(step.function, &step.arguments, self.max_cycles, Observe::Nothing)?;
            batch.cycles += call.cycles;
            if call.fault.is_some() {
                return Ok(call.fault);
            }
            results.extend(result(call.return_value, machine.least_result_bytes()));
        }
        for &(address, length) in &self.outputs {
            batch.bytes.extend(machine.read(Space::Data, address, length)?);
        }
        batch.bytes.extend(results);
        Ok(None)
    }
}
