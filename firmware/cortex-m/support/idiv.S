#include "core.h"

/* The quotient has the sign of both, the remainder that of the dividend. */
function __aeabi_idivmod
also __aeabi_idiv
    push {r4, r5, r6, lr}
    movs r4, r0
    movs r5, r0
    eors r5, r1
    cmp r0, #0
    bge 1f
    rsbs r0, r0, #0
1:
    cmp r1, #0
    bge 2f
    rsbs r1, r1, #0
2:
    bl __aeabi_uidivmod
    cmp r5, #0
    bge 3f
    rsbs r0, r0, #0
3:
    cmp r4, #0
    bge 4f
    rsbs r1, r1, #0
4:
    pop {r4, r5, r6, pc}
end_function __aeabi_idivmod
