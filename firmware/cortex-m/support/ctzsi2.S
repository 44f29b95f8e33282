#include "core.h"

/* The lowest one alone is left; 32 for 0. */
function __ctzsi2
    push {r4, lr}
    rsbs r1, r0, #0
    ands r0, r1
    beq 1f
    bl __clzsi2
    movs r1, #31
    subs r0, r1, r0
    pop {r4, pc}
1:
    movs r0, #32
    pop {r4, pc}
end_function __ctzsi2
