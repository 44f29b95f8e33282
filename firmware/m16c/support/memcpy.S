#include "core.h"

/* Words, then the last byte of an odd length: the shift leaves the length's lowest bit in the carry. */
function memcpy
    mov.w 3[sp], r3
    mov.w r1, r0
    mov.w r1, a1
    mov.w r2, a0
    mov.b #0, r1h
    shl.w #-1, r3
    smovf.w
    jnc 1f
    mov.b [a0], [a1]
1:
    rts
end_function memcpy
