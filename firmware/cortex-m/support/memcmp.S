#include "core.h"

function memcmp
    push {r4, lr}
1:
    subs r2, r2, #1
    blo 2f
    ldrb r3, [r0]
    ldrb r4, [r1]
    adds r0, r0, #1
    adds r1, r1, #1
    subs r3, r3, r4
    beq 1b
    movs r0, r3
    pop {r4, pc}
2:
    movs r0, #0
    pop {r4, pc}
end_function memcmp
