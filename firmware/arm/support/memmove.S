#include "core.h"

/* Downwards where the target lies behind the source, upwards elsewhere. */
function memmove
also __aeabi_memmove
also __aeabi_memmove4
also __aeabi_memmove8
    cmp r0, r1
    bls memcpy
    orr r3, r0, r1
    orr r3, r3, r2
    tst r3, #3
    bne 2f
1:
    subs r2, r2, #4
    ldrhs r3, [r1, r2]
    strhs r3, [r0, r2]
    bhs 1b
    mov pc, lr
2:
    subs r2, r2, #1
    ldrbhs r3, [r1, r2]
    strbhs r3, [r0, r2]
    bhs 2b
    mov pc, lr
end_function memmove
