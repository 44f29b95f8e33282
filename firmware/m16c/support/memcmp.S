#include "core.h"

function memcmp
    mov.w 3[sp], r3
    mov.w r1, a0
    mov.w r2, a1
    mov.w #0, r0
    cmp.w #0, r3
    jeq 2f
1:
    mov.b [a0], r1l
    cmp.b [a1], r1l
    jne 3f
    add.w #1, a0
    add.w #1, a1
    adjnz.w #-1, r3, 1b
2:
    rts
3:
    jgeu 4f
    mov.w #-1, r0
    rts
4:
    mov.w #1, r0
    rts
end_function memcmp
