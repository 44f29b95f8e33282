#include "core.h"

/* The quotient has the sign of both, the remainder that of the dividend. */
function __aeabi_ldivmod
    eor ip, r1, r3
    stmfd sp!, {r1, ip, lr}
    sub sp, sp, #4
    cmp r1, #0
    bge 1f
    rsbs r0, r0, #0
    rsc r1, r1, #0
1:
    cmp r3, #0
    bge 2f
    rsbs r2, r2, #0
    rsc r3, r3, #0
2:
    bl __aeabi_uldivmod
    add sp, sp, #4
    ldmfd sp!, {r12, lr}
    cmp lr, #0
    ldr lr, [sp], #4
    bge 3f
    rsbs r0, r0, #0
    rsc r1, r1, #0
3:
    cmp r12, #0
    movge pc, lr
    rsbs r2, r2, #0
    rsc r3, r3, #0
    mov pc, lr
end_function __aeabi_ldivmod
