#include "core.h"

/* mem0 = the product of the longs at 3[sp] and 7[sp], low 32 bits. */
function __mulsi3
    mov.w 5[sp], r1
    mov.w 7[sp], a0
    mulu.w a0, r1
    mov.w r1, a1
    mov.w 3[sp], r1
    mov.w 9[sp], r0
    mulu.w r0, r1
    add.w r1, a1
    mov.w 3[sp], r0
    mulu.w a0, r0
    add.w a1, r2
    mov.w r0, mem0
    mov.w r2, mem2
    rts
end_function __mulsi3
