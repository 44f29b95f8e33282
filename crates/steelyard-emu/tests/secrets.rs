//! What depends on secrets, where runs part, and the way of a secret, on two families of a different kind.

use crate::common::image::ImageBuilder;
use crate::common::{core_data, description, riscv, RAM};
use steelyard_emu::{machine_from_json, shadowed_from_json, Argument, Aspect, Leaked, Machine, Observe, Space, Trace};

const BUDGET: u64 = 1_000_000;

/// The same function of a pointer to a byte: its lowest bit decides a branch, and the byte the address of a load.
struct Chip {
    description: String,
    image: Vec<u8>,
    function: u32,
    pointer_bytes: u32,
    /// Where the byte lies.
    data: u32,
    /// What is added to the pointer and the byte.
    offset: u32,
    /// Addresses of the load of the byte, the branch, and the second load.
    places: [u32; 3],
}

fn chips() -> [Chip; 2] {
    // lbu a1,0(a0); andi a2,a1,1; beq a2,zero,+8; addi a3,zero,1; add a4,a0,a1; lbu a5,16(a4)
    let words = [0x0005_4583_u32, 0x0015_f613, 0x0006_0463, 0x0010_0693, 0x00b5_0733, 0x0107_4783];
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).chain(riscv::RETURN).collect();
    // movw r30,r24; ld r18,Z; sbrc r18,0; nop; add r30,r18; ld r19,Z; ret
    let avr = [0x01fc_u16, 0x8120, 0xfd20, 0, 0x0fe2, 0x8130, 0x9508];
    [
        Chip {
            description: riscv::description(&core_data("e31")).to_string(),
            image: ImageBuilder::of_riscv(riscv::CODE, 0x200, &[("f", &code)]).build(),
            function: riscv::CODE,
            pointer_bytes: 4,
            data: riscv::RAM,
            offset: 16,
            places: [0, 8, 20].map(|offset| riscv::CODE + offset),
        },
        Chip {
            description: description("avr51", serde_json::json!({})).to_string(),
            image: ImageBuilder::of(&[("f", &avr)]).build(),
            function: 0,
            pointer_bytes: 2,
            data: u32::from(RAM),
            offset: 0,
            places: [2, 4, 10],
        },
    ]
}

impl Chip {
    fn machine(&self, shadow: bool, byte: u8) -> Box<dyn Machine> {
        let build = if shadow { shadowed_from_json } else { machine_from_json };
        let mut machine = build(&self.description).unwrap();
        machine.load_elf(&self.image).unwrap();
        machine.write(Space::Data, self.data, &[byte]).unwrap();
        machine
    }

    fn arguments(&self) -> [Argument; 1] {
        [Argument { value: self.data.into(), size_bytes: self.pointer_bytes }]
    }

    fn leaks(&self, machine: &mut dyn Machine) -> Vec<Leaked> {
        let result = machine.call(self.function, &self.arguments(), BUDGET, Observe::Secrets).unwrap();
        assert_eq!(result.fault, None);
        result.leaks.unwrap()
    }

    fn trace(&self, byte: u8, stretch: Option<u64>) -> Trace {
        let mut machine = self.machine(false, byte);
        machine.trace(self.function, &self.arguments(), BUDGET, stretch).unwrap().1
    }
}

#[test]
fn leaks_are_counted_by_kind_and_place() {
    for chip in chips() {
        let mut machine = chip.machine(true, 3);
        assert_eq!(chip.leaks(&mut *machine), [], "nothing is marked");
        machine.mark(chip.data, 1, true).unwrap();
        let [_, branch, load] = chip.places;
        let read = |byte: u32| chip.data + chip.offset + byte;
        let expected = |times, lowest, highest| {
            [
                Leaked { kind: "branch", address: branch, times, accessed: None },
                Leaked { kind: "load", address: load, times, accessed: Some((lowest, highest)) },
            ]
        };
        assert_eq!(chip.leaks(&mut *machine), expected(1, read(3), read(3)));
        machine.mark(chip.data, 1, false).unwrap();
        assert_eq!(chip.leaks(&mut *machine), []);
        machine.mark(chip.data, 1, true).unwrap();
        machine.write(Space::Data, chip.data, &[5]).unwrap();
        assert_eq!(chip.leaks(&mut *machine), [], "what is written is public");
        assert!(chip.machine(false, 3).mark(chip.data, 1, true).is_err());
    }
}

#[test]
fn the_way_of_a_secret_begins_at_its_load() {
    for chip in chips() {
        let [first, branch, load] = chip.places;
        for (leak, address) in [((branch, "branch"), None), ((load, "load"), Some(chip.data + chip.offset + 3))] {
            let mut machine = chip.machine(true, 3);
            machine.mark(chip.data, 1, true).unwrap();
            let way = machine.path(chip.function, &chip.arguments(), BUDGET, leak).unwrap();
            assert_eq!((way[0].pc, way[0].address), (first, Some(chip.data)), "{leak:?}");
            let last = way.last().unwrap();
            assert_eq!((last.pc, last.address), (leak.0, address), "{leak:?}");
            assert!(way.iter().all(|passed| !passed.text.is_empty()));
        }
        let mut machine = chip.machine(true, 3);
        let missing = machine.path(chip.function, &chip.arguments(), BUDGET, (branch, "branch"));
        assert!(missing.unwrap_err().to_string().contains("met no branch"));
    }
}

#[test]
fn runs_part_at_the_first_instruction_that_differs() {
    for chip in chips() {
        let [_, branch, load] = chip.places;
        let (even, odd, other) = (chip.trace(2, Some(0)), chip.trace(3, Some(0)), chip.trace(4, Some(0)));
        assert_eq!(even.first_stretch(&odd, Aspect::Flow), Some(0));
        let flow = even.difference(&odd, Aspect::Flow).unwrap();
        assert_eq!(flow.before, Some(branch));
        assert_ne!(flow.pc[0], flow.pc[1]);

        assert_eq!(even.first_stretch(&other, Aspect::Flow), None);
        assert_eq!(even.first_stretch(&other, Aspect::Address), Some(0));
        let address = even.difference(&other, Aspect::Address).unwrap();
        assert_eq!(address.pc, [Some(load); 2]);
        assert_eq!(address.address, [2, 4].map(|byte| Some(chip.data + chip.offset + byte)));
        assert_eq!(even.difference(&other, Aspect::Flow), None);

        let again = chip.trace(2, None);
        assert!(Aspect::ALL.into_iter().all(|aspect| even.first_stretch(&again, aspect).is_none()));
        assert_eq!(even.difference(&again, Aspect::Address), None);
        assert_eq!((even.instructions, even.cycles), (again.instructions, again.cycles));
    }
}
