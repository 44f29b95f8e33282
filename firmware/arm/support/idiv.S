#include "core.h"

/* The quotient has the sign of both, the remainder that of the dividend. */
function __aeabi_idivmod
also __aeabi_idiv
    eor ip, r0, r1
    stmfd sp!, {r0, ip, lr}
    cmp r0, #0
    rsblt r0, r0, #0
    cmp r1, #0
    rsblt r1, r1, #0
    bl __aeabi_uidivmod
    ldmfd sp!, {r2, ip, lr}
    cmp ip, #0
    rsblt r0, r0, #0
    cmp r2, #0
    rsblt r1, r1, #0
    mov pc, lr
end_function __aeabi_idivmod
