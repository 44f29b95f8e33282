//! The profile by call path and instruction: the same small program on every family, which calls a leaf three times in a
//! loop, a recursion of depth three, and ends with a jump to the leaf.

use crate::common::image::ImageBuilder;
use crate::common::{self, arm, core_data, cortex_m, msp430, riscv, rl78, sparc};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use steelyard_emu::detail::{Detailed, Line, CALL_ADDRESS};
use steelyard_emu::{machine_from_json, shadowed_from_json, CallResult, Machine, Observe, Space};

const MAX_CYCLES: u64 = 100_000;
const M16C_CODE: u32 = 0xf_a000;

/// A program for a family.
struct Program {
    core: &'static str,
    description: fn(&Value) -> Value,
    image: ImageBuilder,
    /// Functions and their code.
    functions: &'static [(&'static str, &'static str)],
    /// Added to the address of a function.
    mark: u32,
    /// Nodes besides those that all programs have, and how often they were entered.
    more: &'static [(&'static str, u64)],
}

fn avr(_: &Value) -> Value {
    common::description("avr5", json!({}))
}

fn m16c(core: &Value) -> Value {
    json!({
        "core": core,
        "memory": [
            {"name": "sfr", "space": "data", "kind": "io", "base": 0, "size": 0x400},
            {"name": "ram", "space": "data", "kind": "ram", "base": 0x400, "size": 0x400},
            {"name": "flash", "space": "data", "kind": "flash", "base": M16C_CODE, "size": 0x6000},
        ],
        "clock_hz": 16_000_000,
    })
}

fn programs() -> Vec<Program> {
    vec![
        Program {
            core: "avr5",
            description: avr,
            image: ImageBuilder::of(&[]),
            // ldi r16, 3; 1: rcall leaf; dec r16; brne 1b; ldi r24, 2; rcall rec; rcall .+0; pop r0; pop r0; rjmp leaf
            // leaf: nop; ret
            // rec: tst r24; breq 1f; dec r24; rcall rec; 1: ret
            functions: &[
                ("main", "03e008d00a95e9f782e006d000d00f900f9000c0"),
                ("leaf", "00000895"),
                ("rec", "882311f08a95fcdf0895"),
            ],
            mark: 0,
            more: &[],
        },
        Program {
            core: "msp430",
            description: msp430::description,
            image: ImageBuilder::of_msp430(msp430::CODE, &[]),
            // mov #3, r10; 1: call #leaf; dec r10; jnz 1b; mov #2, r12; call #rec; jmp leaf
            // leaf: nop; ret
            // rec: tst r12; jz 1f; dec r12; call #rec; 1: ret
            functions: &[
                ("main", "3a400300b01214801a83fc232c43b0121880003c"),
                ("leaf", "03433041"),
                ("rec", "0c9303241c83b01218803041"),
            ],
            mark: 0,
            more: &[],
        },
        Program {
            core: "xscale",
            description: |_| arm::description("xscale"),
            image: ImageBuilder::of_arm(arm::CODE, &[]),
            // stmfd sp!, {r4, lr}; mov r4, #3; 1: bl leaf; subs r4, r4, #1; bne 1b; blne leaf; mov r0, #2; bl rec;
            // ldmfd sp!, {r4, lr}; b leaf
            // leaf: mov r0, r0; mov pc, lr
            // rec: cmp r0, #0; moveq pc, lr; sub r0, r0, #1; str lr, [sp, #-4]!; bl rec; ldr pc, [sp], #4
            functions: &[
                ("main", "10402de90340a0e3060000eb014054e2fcffff1a0300001b0200a0e3030000eb1040bde8ffffffea"),
                ("leaf", "0000a0e10ef0a0e1"),
                ("rec", "000050e30ef0a001010040e204e02de5faffffeb04f09de4"),
            ],
            mark: 0,
            more: &[],
        },
        Program {
            core: "cortex-m0",
            description: cortex_m::description,
            image: ImageBuilder::of_arm(cortex_m::CODE, &[]),
            // push {r4, lr}; movs r4, #3; 1: bl leaf; subs r4, #1; bne 1b; movs r0, #2; bl rec; pop {r4}; pop {r1};
            // mov lr, r1; b leaf
            // leaf: nop; bx lr
            // rec: cmp r0, #0; beq 1f; subs r0, #1; push {r3, lr}; bl rec; pop {r3, pc}; 1: bx lr
            functions: &[
                ("main", "10b5032400f009f8013cfbd1022000f006f810bc02bc8e46ffe7"),
                ("leaf", "c0467047"),
                ("rec", "002804d0013808b5fff7faff08bd7047"),
            ],
            mark: 1,
            more: &[],
        },
        Program {
            core: "e31",
            description: riscv::description,
            image: ImageBuilder::of_riscv(riscv::CODE, 4, &[]),
            // jal t0, save; li s0, 3; 1: jal leaf; addi s0, s0, -1; bnez s0, 1b; li a0, 2; jal rec; lw s0, 8(sp);
            // lw ra, 12(sp); addi sp, sp, 16; j leaf
            // leaf: nop; ret
            // rec: beqz a0, 1f; addi a0, a0, -1; jal t0, save; jal rec; j restore; 1: ret
            // save: addi sp, sp, -16; sw ra, 12(sp); sw s0, 8(sp); jr t0
            // restore: lw s0, 8(sp); lw ra, 12(sp); addi sp, sp, 16; ret
            functions: &[
                ("main", "ef02c00413043000ef0040021304f4ffe31c04fe13052000ef00c001032481008320c100130101016f004000"),
                ("leaf", "1300000067800000"),
                ("rec", "630a05001305f5ffef020001eff05fff6f00800167800000"),
                ("save", "130101ff232611002324810067800200"),
                ("restore", "032481008320c1001301010167800000"),
            ],
            mark: 0,
            more: &[
                ("main/save", 1),
                ("main/rec/save", 1),
                ("main/rec/rec/save", 1),
                ("main/restore", 1),
                ("main/rec/restore", 1),
            ],
        },
        Program {
            core: "leon3",
            description: sparc::description_with,
            image: ImageBuilder::of_sparc(sparc::CODE, &[]),
            // save %sp, -96, %sp; mov 3, %l0; 1: call leaf; nop; subcc %l0, 1, %l0; bne 1b; nop; mov 2, %o0; call rec;
            // nop; call leaf; restore
            // leaf: nop; retl; nop
            // rec: save %sp, -96, %sp; cmp %i0, 0; be 1f; nop; call rec; sub %i0, 1, %o0; 1: ret; restore
            functions: &[
                (
                    "main",
                    "9de3bfa0a01020034000000a01000000a0a4200112bffffd010000009010200240000007010000004000000281e80000",
                ),
                ("leaf", "0100000081c3e00801000000"),
                ("rec", "9de3bfa080a6200002800004010000007ffffffc9026200181c7e00881e80000"),
            ],
            mark: 0,
            more: &[],
        },
        Program {
            core: "rl78-s2",
            description: rl78::description,
            image: ImageBuilder::of_rl78(rl78::CODE, &[]),
            // mov b, #3; 1: call !leaf; dec b; bnz 1b; mov c, #2; call !rec; callt [0x80]; br !leaf
            // leaf: nop; ret
            // rec: cmp0 c; bz 1f; dec c; call !rec; 1: ret
            functions: &[
                ("main", "5303 fd1204 93 dffa 5202 fd1404 6184 ed1204"),
                ("leaf", "00 d7"),
                ("rec", "d2 dd04 92 fd1404 d7"),
            ],
            mark: 0,
            more: &[("main/0x3f0", 1)],
        },
        Program {
            core: "m16c",
            description: m16c,
            image: ImageBuilder::of_m16c(M16C_CODE),
            // mov.b:s #3, r0l; 1: jsr.w leaf; dec.b r0l; jnz 1b; mov.b:s #2, r0h; jsr.w rec; jmp.w leaf
            // leaf: nop; rts
            // rec: cmp.b:s #0, r0h; jz 1f; dec.b r0h; jsr.w rec; 1: rts
            functions: &[
                ("main", "c403 f50d00 ac 6efb c302 f50700 f40200"),
                ("leaf", "04 f3"),
                ("rec", "e300 6a05 ab f5faff f3"),
            ],
            mark: 0,
            more: &[],
        },
    ]
}

fn bytes(hex: &str) -> Vec<u8> {
    let hex = hex.replace(' ', "");
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

impl Program {
    /// A machine with the program.
    fn machine(mut self) -> Box<dyn Machine> {
        let description = (self.description)(&core_data(self.core));
        let mut machine = machine_from_json(&description.to_string()).unwrap();
        for (name, hex) in self.functions {
            self.image.function(name, bytes(hex), self.mark);
        }
        machine.load_elf(&self.image.build()).unwrap();
        if self.core.starts_with("rl78") {
            machine.write(Space::Data, rl78::RETURN, &[0xd7]).unwrap();
            machine.write(Space::Data, 0x80, &(rl78::RETURN as u16).to_le_bytes()).unwrap();
        }
        machine
    }
}

/// Calls a function as on a chip that was just made.
fn call(machine: &mut dyn Machine, function: u32, observe: Observe) -> CallResult {
    machine.empty_caches();
    machine.call(function, &[], MAX_CYCLES, observe).unwrap()
}

fn name_at(machine: &dyn Machine, address: u32) -> String {
    match machine.symbols().function_at(address) {
        Some(function) => machine.symbols().functions()[function].name.clone(),
        None => format!("0x{address:x}"),
    }
}

/// The path of every node.
fn paths(machine: &dyn Machine, detailed: &Detailed) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for node in &detailed.nodes {
        let name = name_at(machine, node.address);
        paths.push(node.parent.map_or(name.clone(), |parent| format!("{}/{name}", paths[parent])));
    }
    paths
}

/// What a profile by function says is the sum of what the one by path and instruction says.
fn assert_sums(machine: &dyn Machine, plain: &CallResult, result: &CallResult) {
    let detailed = result.detail.as_ref().unwrap();
    assert!(plain.detail.is_none());
    assert_eq!(result.fault.is_none(), plain.fault.is_none());
    let sum = |of: fn(&Line) -> u64| detailed.lines.iter().map(of).sum::<u64>();
    assert_eq!((result.cycles, result.instructions), (plain.cycles, plain.instructions));
    assert_eq!(sum(|line| line.cycles), plain.cycles, "cycles");
    assert_eq!(sum(|line| line.executions), plain.instructions, "instructions");
    assert_eq!(result.stack_bytes, plain.stack_bytes);
    let deepest = detailed.nodes.iter().map(|node| node.stack_bytes).max();
    assert_eq!(deepest, Some(plain.stack_bytes));
    assert_eq!(format!("{:?}", result.totals), format!("{:?}", plain.totals));
    let mut functions: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for line in &detailed.lines {
        let function = machine.symbols().function_at(line.address);
        let name = function.map_or("?".into(), |function| machine.symbols().functions()[function].name.clone());
        let spent = functions.entry(name).or_default();
        *spent = (spent.0 + line.cycles, spent.1 + line.executions);
    }
    let expected = plain.totals.functions.iter();
    let expected = expected.map(|function| (function.name.clone(), (function.cycles, function.instructions)));
    assert_eq!(functions, expected.collect());
    for line in &detailed.lines {
        assert!(line.causes.iter().sum::<u64>() <= line.cycles, "{line:?}");
        let node = &detailed.nodes[line.node];
        let same = machine.symbols().function_at(line.address) == machine.symbols().function_at(node.address);
        assert!(same || line.address == CALL_ADDRESS, "{line:?} in {node:?}");
    }
}

#[test]
fn calls_loops_recursion_and_jumps_at_the_end_make_a_tree() {
    for program in programs() {
        let (core, more, length) = (program.core, program.more, program.functions[0].1.len());
        let mut machine = program.machine();
        let main = machine.address(machine.symbols().get("main").unwrap().address);
        let plain = call(&mut *machine, main, Observe::Profile);
        assert!(plain.fault.is_none(), "{core}: {:?}", plain.fault);
        let result = call(&mut *machine, main, Observe::Detail);
        assert_sums(&*machine, &plain, &result);
        let detailed = result.detail.as_ref().unwrap();
        let paths = paths(&*machine, detailed);
        let calls = paths.iter().cloned().zip(detailed.nodes.iter().map(|node| node.calls));
        let common = [("main", 1), ("main/leaf", 4), ("main/rec", 1), ("main/rec/rec", 1), ("main/rec/rec/rec", 1)];
        let expected = common.iter().chain(more).map(|&(path, calls)| (path.to_string(), calls));
        assert_eq!(calls.collect::<BTreeMap<_, _>>(), expected.collect(), "{core}");
        assert_eq!(paths.len(), common.len() + more.len(), "{core}: a node for each path");

        let executions = |path: &str| -> Vec<u64> {
            let node = paths.iter().position(|known| known == path).unwrap();
            let lines = detailed.lines.iter().filter(|line| line.node == node && line.address != CALL_ADDRESS);
            lines.map(|line| line.executions).collect()
        };
        assert!(executions("main/leaf").iter().all(|&times| times == 4), "{core}");
        assert!(executions("main/rec").iter().all(|&times| times == 1), "{core}");
        assert!(
            executions("main/rec/rec/rec").len() < executions("main/rec").len(),
            "{core}: the end of the recursion"
        );
        let main = executions("main");
        assert!(main.contains(&3) && main.contains(&1) && main.len() < length, "{core}: {main:?}");
        let depth = |path: &str| detailed.nodes[paths.iter().position(|known| known == path).unwrap()].stack_bytes;
        assert!(depth("main/rec") <= depth("main/rec/rec"), "{core}");
    }
}

/// The last instructions run without the call instruction: a run from one address to another has none.
#[test]
fn a_run_from_an_address_to_another_has_the_same_sums() {
    use steelyard_emu::Start;
    let program = programs().remove(3);
    let mut machine = program.machine();
    let symbol = |machine: &dyn Machine, name: &str| machine.address(machine.symbols().get(name).unwrap().address);
    let start = Start { from: Some(symbol(&*machine, "main")), ..Start::default() };
    let to = symbol(&*machine, "rec");
    let plain = machine.run(&start, to, MAX_CYCLES, Observe::Profile).unwrap();
    let result = machine.run(&start, to, MAX_CYCLES, Observe::Detail).unwrap();
    assert_sums(&*machine, &plain, &result);
    assert_eq!(paths(&*machine, result.detail.as_ref().unwrap()), ["main", "main/leaf"]);
}

/// Code that returns to an address it made, jumps into the middle of a function and calls without a return.
#[test]
fn whatever_the_flow_does_nothing_is_lost() {
    // f: ldi r24, lo8(word of g); push r24; ldi r24, 0; push r24; ret; 1: ret
    // g: rcall h; h: pop r0; pop r0; rjmp 1b
    let f: &[u16] = &[0xe086, 0x938f, 0xe080, 0x938f, 0x9508, 0x9508];
    let g: &[u16] = &[0xd000];
    let h: &[u16] = &[0x900f, 0x900f, 0xcffb];
    let mut machine = machine_from_json(&avr(&Value::Null).to_string()).unwrap();
    machine.load_elf(&ImageBuilder::of(&[("f", f), ("g", g), ("h", h)]).build()).unwrap();
    let plain = call(&mut *machine, 0, Observe::Profile);
    assert!(plain.fault.is_none(), "{:?}", plain.fault);
    let result = call(&mut *machine, 0, Observe::Detail);
    assert_sums(&*machine, &plain, &result);
}

/// A recursion without end overflows the stack; the tree does not grow with it.
#[test]
fn a_deep_recursion_is_cut() {
    // f: sbiw r24, 1; breq 1f; rcall f; 1: ret
    let words: &[u16] = &[0x9701, 0xf009, 0xdffd, 0x9508];
    let mut machine = machine_from_json(&avr(&Value::Null).to_string()).unwrap();
    machine.load_elf(&ImageBuilder::of(&[("f", words)]).build()).unwrap();
    let argument = [steelyard_emu::Argument { value: 600, size_bytes: 2 }];
    let plain = machine.call(0, &argument, MAX_CYCLES, Observe::Profile).unwrap();
    assert!(plain.fault.is_none(), "{:?}", plain.fault);
    let result = machine.call(0, &argument, MAX_CYCLES, Observe::Detail).unwrap();
    assert_sums(&*machine, &plain, &result);
    let nodes = &result.detail.as_ref().unwrap().nodes;
    assert_eq!(nodes.len(), 257);
    assert_eq!(nodes.iter().map(|node| node.calls).sum::<u64>(), 600);
    assert_eq!(nodes[256].calls, 600 - 256);
    assert_eq!(nodes[5].stack_bytes, nodes[4].stack_bytes + 2, "a return address each");
}

/// A return right behind a recursive call whose condition does not hold: the flow passes a place to which calls return.
#[test]
fn a_return_that_is_not_taken_ends_no_call() {
    // f: cmp r0, #0; moveq pc, lr; str lr, [sp, #-4]!; sub r0, r0, #1; bl f; cmp r0, #1; ldreq pc, [sp], #4;
    // ldr pc, [sp], #4
    let words: &[u32] =
        &[0xe350_0000, 0x01a0_f00e, 0xe52d_e004, 0xe240_0001, 0xebff_fffa, 0xe350_0001, 0x049d_f004, 0xe49d_f004];
    let mut chip = arm::chip("xscale", &[("f", words)]);
    let argument = [steelyard_emu::Argument { value: 3, size_bytes: 4 }];
    let result = chip.call(arm::CODE, &argument, MAX_CYCLES, Observe::Detail).unwrap();
    assert!(result.fault.is_none(), "{:?}", result.fault);
    let detailed = result.detail.unwrap();
    assert_eq!(paths(&chip, &detailed), ["f", "f/f", "f/f/f", "f/f/f/f"]);
    let last = detailed.lines.iter().filter(|line| line.address == arm::CODE + 28);
    assert_eq!(last.map(|line| (line.node, line.executions)).collect::<Vec<_>>(), [(0, 1), (1, 1), (2, 1)]);
}

#[test]
fn loads_and_stores_are_counted_by_block() {
    // ldr r0, [r0]; str r0, [r1, #16]; str r0, [r1, #20]; mov pc, lr
    let words: &[u32] = &[0xe590_0000, 0xe581_0010, 0xe581_0014, arm::RETURN];
    let mut chip = arm::chip("xscale", &[("f", words)]);
    let arguments = [arm::RAM, arm::RAM + 4].map(|word| steelyard_emu::Argument { value: word.into(), size_bytes: 4 });
    let result = chip.call(arm::CODE, &arguments, MAX_CYCLES, Observe::Detail).unwrap();
    let heat: Vec<_> = result.detail.unwrap().heat.iter().map(|b| (b.address, b.loads, b.stores)).collect();
    assert_eq!(heat, [(arm::RAM, 1, 0), (arm::RAM + 16, 0, 2)]);
}

#[test]
fn a_machine_that_follows_secrets_refuses() {
    let mut machine = shadowed_from_json(&avr(&Value::Null).to_string()).unwrap();
    machine.load_elf(&ImageBuilder::of(&[("f", &[0x9508])]).build()).unwrap();
    let refused = machine.call(0, &[], MAX_CYCLES, Observe::Detail).unwrap_err().to_string();
    assert!(refused.contains("follows secrets"), "{refused}");
}
