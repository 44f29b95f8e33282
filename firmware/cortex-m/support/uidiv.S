#include "core.h"

/* Quotient in r0, remainder in r1; the divisor is moved below the dividend's first bit and back. A divisor of 0
 * gives 0 and the dividend. */
function __aeabi_uidivmod
also __aeabi_uidiv
    movs r3, #0
    cmp r1, #0
    beq 4f
    push {r4}
    movs r2, #1
    lsls r4, r2, #31
1:
    cmp r1, r4
    bhs 2f
    cmp r1, r0
    bhs 2f
    lsls r1, r1, #1
    lsls r2, r2, #1
    b 1b
2:
    cmp r0, r1
    blo 3f
    subs r0, r0, r1
    orrs r3, r2
3:
    lsrs r1, r1, #1
    lsrs r2, r2, #1
    bne 2b
    pop {r4}
4:
    movs r1, r0
    movs r0, r3
    bx lr
end_function __aeabi_uidivmod
