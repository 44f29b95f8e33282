#include "core.h"

/* Quotient in r0, remainder in r1; the divisor is moved below the dividend's first bit and back. A divisor of 0
 * gives 0 and the dividend. */
function __aeabi_uidivmod
also __aeabi_uidiv
    mov r3, #0
    cmp r1, #0
    beq 3f
    mov r2, #1
1:
    cmp r1, #0x80000000
    cmplo r1, r0
    movlo r1, r1, lsl #1
    movlo r2, r2, lsl #1
    blo 1b
2:
    cmp r0, r1
    subhs r0, r0, r1
    orrhs r3, r3, r2
    mov r1, r1, lsr #1
    movs r2, r2, lsr #1
    bne 2b
3:
    mov r1, r0
    mov r0, r3
    mov pc, lr
end_function __aeabi_uidivmod
