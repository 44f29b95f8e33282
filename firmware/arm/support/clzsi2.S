#include "core.h"

/* Zeros above the first one; 32 for 0. */
function __clzsi2
    mov r1, #32
    movs r2, r0, lsr #16
    movne r0, r2
    subne r1, r1, #16
    movs r2, r0, lsr #8
    movne r0, r2
    subne r1, r1, #8
    movs r2, r0, lsr #4
    movne r0, r2
    subne r1, r1, #4
    movs r2, r0, lsr #2
    movne r0, r2
    subne r1, r1, #2
    movs r2, r0, lsr #1
    subne r1, r1, #2
    subeq r1, r1, r0
    mov r0, r1
    mov pc, lr
end_function __clzsi2
