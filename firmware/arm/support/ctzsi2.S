#include "core.h"

/* Zeros below the last one, which is the only one of x & -x; 32 for 0. */
function __ctzsi2
    cmp r0, #0
    moveq r0, #32
    moveq pc, lr
    rsb r1, r0, #0
    and r0, r0, r1
    str lr, [sp, #-8]!
    bl __clzsi2
    rsb r0, r0, #31
    ldr lr, [sp], #8
    mov pc, lr
end_function __ctzsi2
