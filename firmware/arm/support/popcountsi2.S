#include "core.h"

/* Each step takes away the last one. */
function __popcountsi2
    mov r1, r0
    mov r0, #0
1:
    cmp r1, #0
    moveq pc, lr
    sub r2, r1, #1
    and r1, r1, r2
    add r0, r0, #1
    b 1b
end_function __popcountsi2
