#include "core.h"

/* The low words' product of 64 bits is made of four of halves. */
function __aeabi_lmul
    muls r1, r2, r1
    muls r3, r0, r3
    adds r1, r1, r3
    push {r4, r5}
    lsrs r3, r0, #16
    lsrs r4, r2, #16
    uxth r0, r0
    uxth r2, r2
    movs r5, r0
    muls r5, r2, r5
    muls r0, r4, r0
    muls r4, r3, r4
    muls r2, r3, r2
    adds r1, r1, r4
    lsls r3, r0, #16
    lsrs r0, r0, #16
    adds r5, r5, r3
    adcs r1, r0
    lsls r3, r2, #16
    lsrs r2, r2, #16
    adds r5, r5, r3
    adcs r1, r2
    movs r0, r5
    pop {r4, r5}
    bx lr
end_function __aeabi_lmul
