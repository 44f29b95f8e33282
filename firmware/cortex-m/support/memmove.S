#include "core.h"

/* Downwards where the target lies behind the source, upwards elsewhere. */
function memmove
also __aeabi_memmove
also __aeabi_memmove4
also __aeabi_memmove8
    cmp r0, r1
    bhi 1f
    push {r4, lr}
    bl memcpy
    pop {r4, pc}
1:
    movs r3, r0
    orrs r3, r1
    orrs r3, r2
    lsls r3, r3, #30
    bne 3f
2:
    subs r2, r2, #4
    blo 4f
    ldr r3, [r1, r2]
    str r3, [r0, r2]
    b 2b
3:
    subs r2, r2, #1
    blo 4f
    ldrb r3, [r1, r2]
    strb r3, [r0, r2]
    b 3b
4:
    bx lr
end_function memmove
