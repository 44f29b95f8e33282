#include "core.h"

/* Each step takes away the last one. */
function __popcountsi2
    movs r1, r0
    movs r0, #0
1:
    cmp r1, #0
    beq 2f
    subs r2, r1, #1
    ands r1, r2
    adds r0, r0, #1
    b 1b
2:
    bx lr
end_function __popcountsi2
