#include "core.h"

/* The quotient has the sign of both, the remainder that of the dividend. */
function __aeabi_ldivmod
    push {r4, r5, r6, lr}
    movs r4, r1
    movs r5, r1
    eors r5, r3
    cmp r1, #0
    bge 1f
    negate r0, r1
1:
    cmp r3, #0
    bge 2f
    negate r2, r3
2:
    bl __aeabi_uldivmod
    cmp r5, #0
    bge 3f
    negate r0, r1
3:
    cmp r4, #0
    bge 4f
    negate r2, r3
4:
    pop {r4, r5, r6, pc}
end_function __aeabi_ldivmod
