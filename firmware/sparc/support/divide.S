#include "core.h"

/* Quotient of %o0 and %o1 in %o0, remainder in %o1, without signs; a divisor of zero gives all ones and the dividend. */
routine __steelyard_divide
    mov 0, %o2
    mov 32, %o3
1:
    addcc %o0, %o0, %o0
    addxcc %o2, %o2, %o2
    bcs 2f
    cmp %o2, %o1
    bcs 3f
    subcc %o3, 1, %o3
    sub %o2, %o1, %o2
    bne 1b
    or %o0, 1, %o0
    retl
    mov %o2, %o1
2:
    sub %o2, %o1, %o2
    or %o0, 1, %o0
    subcc %o3, 1, %o3
3:
    bne 1b
    nop
    retl
    mov %o2, %o1
finish __steelyard_divide
