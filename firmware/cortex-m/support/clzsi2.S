#include "core.h"

/* Zeros above the first one; 32 for 0. */
function __clzsi2
    movs r1, #32
    cmp r0, #0
    beq 5f
    movs r1, #0
    lsrs r2, r0, #16
    bne 1f
    adds r1, r1, #16
    lsls r0, r0, #16
1:
    lsrs r2, r0, #24
    bne 2f
    adds r1, r1, #8
    lsls r0, r0, #8
2:
    lsrs r2, r0, #28
    bne 3f
    adds r1, r1, #4
    lsls r0, r0, #4
3:
    lsrs r2, r0, #30
    bne 4f
    adds r1, r1, #2
    lsls r0, r0, #2
4:
    lsrs r2, r0, #31
    bne 5f
    adds r1, r1, #1
5:
    movs r0, r1
    bx lr
end_function __clzsi2
