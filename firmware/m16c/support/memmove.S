#include "core.h"

/* Upwards where the destination lies below the source, downwards otherwise. */
function memmove
    mov.w 3[sp], r3
    mov.w r1, r0
    mov.w r1, a1
    mov.w r2, a0
    mov.b #0, r1h
    cmp.w r2, r0
    jgeu 1f
    smovf.b
    rts
1:
    add.w r3, a0
    add.w r3, a1
    add.w #-1, a0
    add.w #-1, a1
    smovb.b
    rts
end_function memmove
