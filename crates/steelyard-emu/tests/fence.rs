//! Fences: the same on every CPU family, whose functions are a few instructions each.

use crate::common::image::ImageBuilder;
use crate::common::{arm, core_data, description};
use serde_json::{json, Value};
use steelyard_emu::{machine_from_json, Argument, CallResult, FaultKind, Machine, Observe, Permit, Space};

/// Bytes of code of a function at most; each begins at a multiple.
const SLOT: usize = 128;
/// What is stored.
const VALUE: u64 = 0x5a;
/// From the start of RAM.
const BUFFER: u32 = 0x100;
const RAM_CODE: u32 = 0x400;
const EVERYTHING: Permit = Permit { base: 0, size_bytes: u32::MAX, write: true };

/// Functions of (address, value).
#[derive(Clone, Copy)]
enum Function {
    Load,
    Store,
    /// Loads `wide_bytes`.
    LoadWide,
    StoreWide,
    /// Uses the stack, and neither argument.
    Push,
    /// Loads a byte of flash.
    LoadFlash,
}

struct Family {
    description: Value,
    /// Code of each [`Function`].
    code: [Vec<u8>; 6],
    /// Where the code lies, and what is added to an address to call it.
    base: u32,
    mark: u32,
    pointer_bytes: u32,
    wide_bytes: u32,
    ram: u32,
    ram_end: u32,
    flash: u32,
    io: u32,
}

fn little(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn little32(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn avr(core: &str) -> Family {
    let load = [0x01fc, 0x8180, 0x9508]; // movw r30,r24; ld r24,Z; ret
    let lpm = [0x01fc, 0x9184, 0x9508]; // movw r30,r24; lpm r24,Z; ret
    let has_window = core == "avrxt";
    Family {
        description: description(core, json!({})),
        code: [
            little(&load),
            little(&[0x01fc, 0x8360, 0x9508]),         // st Z,r22
            little(&[0x01fc, 0x8180, 0x8191, 0x9508]), // ld r24,Z; ldd r25,Z+1
            little(&[0x01fc, 0x8360, 0x8371, 0x9508]), // st Z,r22; std Z+1,r23
            little(&[0x936f, 0x916f, 0x9508]),         // push r22; pop r22
            little(if has_window { &load } else { &lpm }),
        ],
        base: 0,
        mark: 0,
        pointer_bytes: 2,
        wide_bytes: 2,
        ram: 0x2800,
        ram_end: 0x4000,
        flash: if has_window { 0x4000 } else { 0 },
        io: 0x30,
    }
}

/// A chip with 32 bits: flash for the code, RAM and I/O.
fn wide(core: Value, mark: u32, wide_bytes: u32, code: [Vec<u8>; 6]) -> Family {
    let memory = json!([
        {"name": "flash", "space": "program", "kind": "flash", "base": 0x0800_0000, "size": 0x1000},
        {"name": "ram", "space": "data", "kind": "ram", "base": 0x2000_0000, "size": 0x2000},
        {"name": "io", "space": "data", "kind": "io", "base": 0x5000_0000, "size": 0x1000},
    ]);
    Family {
        description: json!({"core": core, "memory": memory, "clock_hz": 50_000_000}),
        code,
        base: 0x0800_0000,
        mark,
        pointer_bytes: 4,
        wide_bytes,
        ram: 0x2000_0000,
        ram_end: 0x2000_2000,
        flash: 0x0800_0000,
        io: 0x5000_0010,
    }
}

fn arm_family() -> Family {
    let with_return = |word: u32| little32(&[word, arm::RETURN]);
    let code = [
        with_return(0xe5d0_0000),              // ldrb r0,[r0]
        with_return(0xe5c0_1000),              // strb r1,[r0]
        with_return(0xe890_0003),              // ldmia r0,{r0,r1}
        with_return(0xe880_0006),              // stmia r0,{r1,r2}
        little32(&[0xe92d_4010, 0xe8bd_8010]), // push {r4,lr}; pop {r4,pc}
        with_return(0xe5d0_0000),
    ];
    wide(arm::core_data("armv4t"), 0, 8, code)
}

fn cortex_m() -> Family {
    let code = [
        little(&[0x7800, 0x4770]),         // ldrb r0,[r0]
        little(&[0x7001, 0x4770]),         // strb r1,[r0]
        little(&[0xe9d0, 0x0100, 0x4770]), // ldrd r0,r1,[r0]
        little(&[0xe9c0, 0x1200, 0x4770]), // strd r1,r2,[r0]
        little(&[0xb510, 0xbd10]),         // push {r4,lr}; pop {r4,pc}
        little(&[0x7800, 0x4770]),
    ];
    wide(core_data("cortex-m4"), 1, 8, code)
}

fn riscv() -> Family {
    let with_return = |word: u32| little32(&[word, 0x0000_8067]);
    let code = [
        with_return(0x0005_4503), // lbu a0,0(a0)
        with_return(0x00b5_0023), // sb a1,0(a0)
        with_return(0x0005_2503), // lw a0,0(a0)
        with_return(0x00b5_2023), // sw a1,0(a0)
        // addi sp,sp,-16; sw ra,12(sp); lw ra,12(sp); addi sp,sp,16; ret
        little32(&[0xff01_0113, 0x0011_2623, 0x00c1_2083, 0x0101_0113, 0x0000_8067]),
        with_return(0x0005_4503),
    ];
    wide(core_data("e31"), 0, 4, code)
}

fn sparc() -> Family {
    let big = |words: &[u32]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>();
    let with_return = |word: u32| big(&[word, 0x81c3_e008, 0x0100_0000]);
    // Nine windows more than there are: save %sp,-96,%sp; restore; retl; nop.
    let nested = [[0x9de3_bfa0; 9].as_slice(), &[0x81e8_0000; 9], &[0x81c3_e008, 0x0100_0000]].concat();
    let code = [
        with_return(0xd00a_2000), // ldub [%o0],%o0
        with_return(0xd22a_2000), // stb %o1,[%o0]
        with_return(0xd01a_2000), // ldd [%o0],%o0
        with_return(0xd43a_2000), // std %o2,[%o0]
        big(&nested),
        with_return(0xd00a_2000),
    ];
    wide(core_data("leon3"), 0, 8, code)
}

fn msp430() -> Family {
    let memory = json!([
        {"name": "io", "space": "data", "kind": "io", "base": 0, "size": 0x200},
        {"name": "ram", "space": "data", "kind": "ram", "base": 0xc000, "size": 0x1000},
        {"name": "flash", "space": "program", "kind": "flash", "base": 0xf000, "size": 0x1000},
    ]);
    Family {
        description: json!({"core": core_data("msp430"), "memory": memory, "clock_hz": 8_000_000}),
        code: [
            little(&[0x4c6c, 0x4130]),         // mov.b @r12,r12
            little(&[0x4dcc, 0x0000, 0x4130]), // mov.b r13,0(r12)
            little(&[0x4c2c, 0x4130]),         // mov @r12,r12
            little(&[0x4d8c, 0x0000, 0x4130]), // mov r13,0(r12)
            little(&[0x120c, 0x413c, 0x4130]), // push r12; pop r12
            little(&[0x4c6c, 0x4130]),
        ],
        base: 0xf000,
        mark: 0,
        pointer_bytes: 2,
        wide_bytes: 2,
        ram: 0xc000,
        ram_end: 0xd000,
        flash: 0xf000,
        io: 0x120,
    }
}

fn m16c() -> Family {
    let memory = json!([
        {"name": "sfr", "space": "data", "kind": "io", "base": 0, "size": 0x400},
        {"name": "ram", "space": "data", "kind": "ram", "base": 0x400, "size": 0x1000},
        {"name": "constants", "space": "data", "kind": "flash", "base": 0xe000, "size": 0x1000},
        {"name": "flash", "space": "data", "kind": "flash", "base": 0xf_a000, "size": 0x6000},
    ]);
    // mov.w r1,a0
    let with_pointer = |code: &[u8]| [&[0x73, 0x14], code, &[0xf3]].concat();
    Family {
        description: json!({"core": core_data("m16c"), "memory": memory, "clock_hz": 16_000_000}),
        code: [
            with_pointer(&[0x72, 0x60]),             // mov.b [a0],r0l
            with_pointer(&[0x73, 0x20, 0x72, 0x06]), // mov.w r2,r0; mov.b r0l,[a0]
            with_pointer(&[0x73, 0x60]),             // mov.w [a0],r0
            with_pointer(&[0x73, 0x26]),             // mov.w r2,[a0]
            vec![0x75, 0x40, 0x75, 0xd0, 0xf3],      // push.w r0; pop.w r0
            with_pointer(&[0x72, 0x60]),
        ],
        base: 0xf_a000,
        mark: 0,
        pointer_bytes: 2,
        wide_bytes: 2,
        ram: 0x400,
        ram_end: 0x1400,
        flash: 0xe000,
        io: 0x30,
    }
}

fn rl78() -> Family {
    let memory = json!([
        {"name": "flash", "space": "data", "kind": "flash", "base": 0, "size": 0x1_0000},
        {"name": "sfr2", "space": "data", "kind": "io", "base": 0xf_0000, "size": 0x800},
        {"name": "mirror", "space": "data", "kind": "flash-window", "base": 0xf_8000, "size": 0x1000},
        {"name": "ram", "space": "data", "kind": "ram", "base": 0xf_ef00, "size": 0xfe0},
        {"name": "registers", "space": "data", "kind": "io", "base": 0xf_fee0, "size": 0x20},
        {"name": "sfr", "space": "data", "kind": "io", "base": 0xf_ff00, "size": 0x100},
    ]);
    // movw ax,[sp+4]; movw hl,ax
    let with_pointer = |code: &[u8]| [&[0xa8, 0x04, 0x16], code, &[0xd7]].concat();
    Family {
        description: json!({"core": core_data("rl78-s2"), "memory": memory, "clock_hz": 32_000_000}),
        code: [
            with_pointer(&[0x8b]),                   // mov a,[hl]
            with_pointer(&[0xa8, 0x06, 0x60, 0x9b]), // movw ax,[sp+6]; mov a,x; mov [hl],a
            with_pointer(&[0xab]),                   // movw ax,[hl]
            with_pointer(&[0xa8, 0x06, 0xbb]),       // movw ax,[sp+6]; movw [hl],ax
            vec![0xc1, 0xc0, 0xd7],                  // push ax; pop ax
            with_pointer(&[0x8b]),
        ],
        base: 0x400,
        mark: 0,
        pointer_bytes: 2,
        wide_bytes: 2,
        ram: 0xf_ef00,
        ram_end: 0xf_fee0,
        flash: 0xf_8000,
        io: 0xf_0010,
    }
}

fn families() -> [Family; 9] {
    [arm_family(), avr("avr51"), avr("avrxt"), cortex_m(), m16c(), msp430(), riscv(), rl78(), sparc()]
}

impl Family {
    fn name(&self) -> String {
        self.description["core"]["id"].to_string()
    }

    fn machine(&self) -> Box<dyn Machine> {
        let mut machine = machine_from_json(&self.description.to_string()).unwrap();
        let image: Vec<u8> = self.code.iter().flat_map(|code| self.slot(code)).collect();
        machine.load_raw(self.base, &image).unwrap();
        let bytes: Vec<u8> = (0..0x80).collect();
        machine.write(Space::Data, self.buffer(), &bytes).unwrap();
        machine.snapshot();
        machine
    }

    fn slot(&self, code: &[u8]) -> Vec<u8> {
        let mut slot = code.to_vec();
        slot.resize(SLOT, 0);
        slot
    }

    fn buffer(&self) -> u32 {
        self.ram + BUFFER
    }

    fn stack(&self) -> Permit {
        Permit { base: self.ram_end - 0x400, size_bytes: 0x400, write: true }
    }

    /// Sixteen bytes to write, thirteen to read and thirteen to write, each at a multiple of 32.
    fn permits(&self) -> [Permit; 4] {
        let permit = |offset, size_bytes, write| Permit { base: self.buffer() + offset, size_bytes, write };
        [self.stack(), permit(0, 16, true), permit(32, 13, false), permit(64, 13, true)]
    }

    fn arguments(&self, address: u32) -> [Argument; 2] {
        [(u64::from(address), self.pointer_bytes), (VALUE, 2)].map(|(value, size_bytes)| Argument { value, size_bytes })
    }

    fn call_at(&self, machine: &mut dyn Machine, code: u32, address: u32) -> CallResult {
        machine.call(code + self.mark, &self.arguments(address), 10_000, Observe::Profile).unwrap()
    }

    /// Calls a function from the state of the snapshot.
    fn call(&self, machine: &mut dyn Machine, function: Function, address: u32) -> CallResult {
        machine.restore().unwrap();
        self.call_at(machine, self.base + (function as usize * SLOT) as u32, address)
    }

    /// What the call was refused: kind and address.
    fn refused(&self, machine: &mut dyn Machine, function: Function, address: u32) -> Option<(FaultKind, u32)> {
        self.call(machine, function, address).fault.map(|fault| (fault.kind, fault.address.unwrap()))
    }
}

#[test]
fn every_byte_outside_a_permit_is_refused() {
    use FaultKind::{StrayRead, StrayWrite};
    for family in families() {
        let (name, machine, buffer) = (family.name(), &mut *family.machine(), family.buffer());
        machine.fence(Some(&family.permits())).unwrap();
        let mut refused = |function, offset: u32| {
            let found = family.refused(machine, function, buffer.wrapping_add(offset));
            found.map(|(kind, address)| (kind, address.wrapping_sub(buffer)))
        };
        let below = 0_u32.wrapping_sub(1);
        for inside in [0, 15, 32, 44, 64, 76] {
            assert_eq!(refused(Function::Load, inside), None, "{name} {inside}");
        }
        for outside in [below, 16, 31, 45, 63, 77] {
            assert_eq!(refused(Function::Load, outside), Some((StrayRead, outside)), "{name} {outside}");
        }
        for inside in [0, 15, 64, 76] {
            assert_eq!(refused(Function::Store, inside), None, "{name} {inside}");
        }
        for outside in [below, 16, 32, 44, 63, 77] {
            assert_eq!(refused(Function::Store, outside), Some((StrayWrite, outside)), "{name} {outside}");
        }
        // Across the end of a permit.
        let wide = family.wide_bytes;
        assert_eq!(refused(Function::LoadWide, 16 - wide), None, "{name}");
        assert_eq!(refused(Function::LoadWide, 44 & !(wide - 1)), Some((StrayRead, 45)), "{name}");
        assert_eq!(refused(Function::StoreWide, 16 - wide), None, "{name}");
        assert_eq!(refused(Function::StoreWide, 76 & !(wide - 1)), Some((StrayWrite, 77)), "{name}");
        assert_eq!(refused(Function::StoreWide, 40 - wide).map(|(kind, _)| kind), Some(StrayWrite), "{name}");
    }
}

#[test]
fn a_refused_store_changes_nothing_and_the_caller_is_free() {
    for family in families() {
        let (name, machine, buffer) = (family.name(), &mut *family.machine(), family.buffer());
        machine.fence(Some(&family.permits())).unwrap();
        let before = machine.read(Space::Data, buffer, 0x80).unwrap();
        assert!(family.call(machine, Function::Store, buffer + 32).fault.is_some());
        assert_eq!(machine.read(Space::Data, buffer, 0x80).unwrap(), before, "{name}");
        machine.write(Space::Data, buffer + 32, &[1, 2, 3]).unwrap();
        assert_eq!(machine.read(Space::Data, buffer + 32, 3).unwrap(), [1, 2, 3], "{name}");
    }
}

#[test]
fn the_stack_needs_a_permit() {
    for family in families() {
        let (name, machine) = (family.name(), &mut *family.machine());
        let [stack, others @ ..] = family.permits();
        machine.fence(Some(&others)).unwrap();
        let fault = family.refused(machine, Function::Push, family.buffer());
        assert_eq!(fault.map(|(kind, _)| kind), Some(FaultKind::StrayWrite), "{name}");
        machine.fence(Some(&[stack])).unwrap();
        assert_eq!(family.refused(machine, Function::Push, family.buffer()), None, "{name}");
    }
}

#[test]
fn flash_and_registers_are_open_and_flash_stays_unwritable() {
    for family in families() {
        let (name, machine) = (family.name(), &mut *family.machine());
        machine.fence(Some(&[family.stack()])).unwrap();
        assert_eq!(family.refused(machine, Function::LoadFlash, family.flash), None, "{name}");
        assert_eq!(family.refused(machine, Function::Load, family.io), None, "{name}");
        assert_eq!(family.refused(machine, Function::Store, family.io), None, "{name}");
        if family.flash > 0 {
            let fault = family.refused(machine, Function::Store, family.flash);
            assert_eq!(fault.map(|(kind, _)| kind), Some(FaultKind::WriteToFlash), "{name}");
        }
    }
}

#[test]
fn a_fence_ends_where_it_is_removed_and_with_the_image() {
    for family in families() {
        let (name, machine, stray) = (family.name(), &mut *family.machine(), family.buffer() + 0x70);
        machine.fence(Some(&[family.stack()])).unwrap();
        assert!(family.refused(machine, Function::Load, stray).is_some(), "{name}");
        assert!(family.refused(machine, Function::Load, stray).is_some(), "restored, {name}");
        machine.fence(None).unwrap();
        assert_eq!(family.refused(machine, Function::Load, stray), None, "{name}");
        assert_eq!(family.refused(machine, Function::Store, stray), None, "{name}");
        // A page that was reached without a fence is none that a fence lets pass.
        machine.fence(Some(&[family.stack()])).unwrap();
        assert!(family.refused(machine, Function::Load, stray).is_some(), "{name}");
        assert!(family.refused(machine, Function::Store, stray).is_some(), "{name}");
        let image: Vec<u8> = family.code.iter().flat_map(|code| family.slot(code)).collect();
        machine.load_raw(family.base, &image).unwrap();
        machine.snapshot();
        assert_eq!(family.refused(machine, Function::Load, stray), None, "{name}");
    }
}

#[test]
fn a_fence_around_everything_changes_nothing() {
    for family in families() {
        let (name, buffer) = (family.name(), family.buffer());
        let (free, fenced) = (&mut *family.machine(), &mut *family.machine());
        fenced.fence(Some(&[EVERYTHING])).unwrap();
        use Function::{Load, LoadFlash, LoadWide, Push, Store, StoreWide};
        for (function, address) in [
            (Load, buffer + 3),
            (Store, buffer + 5),
            (LoadWide, buffer + 8),
            (StoreWide, buffer + 16),
            (Push, buffer),
            (LoadFlash, family.flash),
        ] {
            let results = [&mut *free, &mut *fenced].map(|machine| family.call(machine, function, address));
            let [one, other] = &results;
            assert!(one.fault.is_none() && other.fault.is_none(), "{name} {results:?}");
            let costs =
                |result: &CallResult| (result.cycles, result.instructions, result.stack_bytes, result.return_value);
            assert_eq!(costs(one), costs(other), "{name}");
            let bytes = [&*free, &*fenced].map(|machine| machine.read(Space::Data, family.ram, 0xf00).unwrap());
            assert!(bytes[0] == bytes[1], "{name}");
        }
    }
}

#[test]
fn code_in_ram_needs_no_permit_and_is_decoded_anew_where_it_is_written() {
    let in_ram = |family: &Family| !family.name().contains("avr");
    for family in families().into_iter().filter(in_ram) {
        let (name, machine, buffer) = (family.name(), &mut *family.machine(), family.buffer());
        let code = family.ram + RAM_CODE;
        machine.write(Space::Data, code, &family.code[Function::Load as usize]).unwrap();
        machine.fence(Some(&family.permits())).unwrap();
        assert_eq!(family.call_at(machine, code, buffer).fault, None, "{name}");
        let change = Permit { base: code, size_bytes: SLOT as u32, write: true };
        machine.fence(Some(&[family.permits().as_slice(), &[change]].concat())).unwrap();
        // The program itself makes a store of it.
        let store = family.base + (Function::Store as usize * SLOT) as u32;
        for (offset, byte) in family.code[Function::Store as usize].iter().enumerate() {
            let arguments = [(code + offset as u32, family.pointer_bytes), (u32::from(*byte), 2)];
            let arguments = arguments.map(|(value, size_bytes)| Argument { value: value.into(), size_bytes });
            let written = machine.call(store + family.mark, &arguments, 10_000, Observe::Nothing).unwrap();
            assert_eq!(written.fault, None, "{name}");
        }
        assert_eq!(family.call_at(machine, code, buffer + 2).fault, None, "{name}");
        assert_eq!(machine.read(Space::Data, buffer + 2, 1).unwrap(), [VALUE as u8], "{name}");
        let fault = family.call_at(machine, code, buffer + 32).fault.map(|fault| fault.kind);
        assert_eq!(fault, Some(FaultKind::StrayWrite), "{name}");
    }
}

#[test]
fn an_unaligned_word_is_checked_byte_by_byte() {
    let family = cortex_m();
    let machine = &mut *family.machine();
    let code = family.ram + RAM_CODE;
    // ldr r0,[r0]; bx lr, then str r1,[r0]; bx lr
    machine.write(Space::Data, code, &little(&[0x6800, 0x4770, 0x6001, 0x4770])).unwrap();
    machine.fence(Some(&family.permits())).unwrap();
    let mut refused = |code, offset| {
        let fault = family.call_at(machine, code, family.buffer() + offset).fault;
        fault.map(|fault| (fault.kind, fault.address.unwrap() - family.buffer()))
    };
    assert_eq!(refused(code, 11), None);
    assert_eq!(refused(code, 13), Some((FaultKind::StrayRead, 16)));
    assert_eq!(refused(code + 4, 11), None);
    assert_eq!(refused(code + 4, 73), None);
    assert_eq!(refused(code + 4, 74), Some((FaultKind::StrayWrite, 77)));
}

#[test]
fn the_message_names_the_datum_and_the_place() {
    let family = avr("avr51");
    let mut machine = machine_from_json(&family.description.to_string()).unwrap();
    let mut image = ImageBuilder::of(&[("f", &[0x01fc, 0x8180, 0x8360, 0x9508])]);
    image.symbols.push(("key_schedule", 0x80_2900, 16, false));
    machine.load_elf(&image.build()).unwrap();
    let message = |machine: &mut dyn Machine, address| family.call_at(machine, 0, address).fault.unwrap().message;
    machine.fence(Some(&[family.stack()])).unwrap();
    let said = message(&mut *machine, 0x2907);
    assert_eq!(said, "a read of 0x2907 (key_schedule+7), which the call was not given, at 0x0002 (f+0x2)");
    let given = Permit { base: 0x2900, size_bytes: 32, write: false };
    machine.fence(Some(&[family.stack(), given])).unwrap();
    let said = message(&mut *machine, 0x2910);
    assert_eq!(said, "a write to 0x2910, which the call was not given to write, at 0x0004 (f+0x4)");

    let family = arm_family();
    let mut machine = machine_from_json(&family.description.to_string()).unwrap();
    let mut image = ImageBuilder::of_arm(family.base, &[("f", &[0xe5d0_0000, arm::RETURN])]);
    image.symbols.push(("key_schedule", family.ram + 0x100, 16, false));
    machine.load_elf(&image.build()).unwrap();
    machine.fence(Some(&[family.stack()])).unwrap();
    let said = family.call_at(&mut *machine, family.base, family.ram + 0x107).fault.unwrap().message;
    assert_eq!(said, "a read of 0x20000107 (key_schedule+7), which the call was not given, at 0x8000000 (f+0x0)");
}

#[test]
fn a_permit_beyond_the_address_space_is_refused() {
    for family in families() {
        let beyond = Permit { base: 0xffff_fff0, size_bytes: 17, write: false };
        let error = family.machine().fence(Some(&[beyond])).unwrap_err();
        assert!(error.to_string().contains("beyond the address space"), "{error}");
    }
}
