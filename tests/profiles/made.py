"""A small profile worked out by hand."""

from __future__ import annotations

from steelyard.machine import Frame
from steelyard.machine.result import CALL_ADDRESS
from steelyard.profile.model import Code, Heat, Node, Profile, Spent


def made(*, slower: int = 0, samples: int = 2) -> Profile:
    """`run` calls `step` twice a call, into which `twice` is inlined; `slower` more cycles in its line."""
    run = Frame("run", "v/run.c", 3, 5)
    inlined = (Frame("twice", "v/twice.h", 7, None), Frame("step", "v/step.c", 12, 9))
    spent = (
        Spent(0, CALL_ADDRESS, 2, 8, (0, 0), 0.4),
        Spent(0, 0x100, 2, 10, (2, 0), 0.5),
        Spent(1, 0x200, 4, 12, (0, 0), 0.6),
        Spent(1, 0x204, 4, 30 + slower, (0, 10), 1.5),
    )
    cycles = sum(one.cycles for one in spent)
    cell = {"primitive": "toy-64", "cycles": cycles / samples, "samples": samples, "image": None}
    return Profile(
        title="toy-64 encrypt: toy/plain on atmega128, gcc -O2",
        cell=cell,
        samples=samples,
        stack_bytes=12,
        energy_nj=1.5,
        causes=("fetch", "result"),
        nodes=(Node(-1, "run", 2, 2), Node(0, "step", 4, 12)),
        code=(
            Code(0x100, "call step", "run", (run,)),
            Code(0x200, "mov r1, r2", "step", inlined[1:]),
            Code(0x204, "add r1, r1 <&>", "step", inlined),
        ),
        spent=spent,
        heat=(Heat("stack", 0x10F0, 12, 4, 6), Heat("table", 0x1000, 256, 40, 0)),
        texts={
            "v/run.c": {3: "step(x);"},
            "v/step.c": {12: "return twice(x);"},
            "v/twice.h": {7: "return x + x;"},
        },
        no_lines=None,
    )
