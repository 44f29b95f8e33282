#include "core.h"

/* Words while both ends are aligned, four at a time while they last, and bytes otherwise. */
function memcpy
also __aeabi_memcpy
also __aeabi_memcpy4
also __aeabi_memcpy8
    mov ip, r0
    orr r3, r0, r1
    tst r3, #3
    bne 3f
    subs r2, r2, #16
    blo 2f
    stmfd sp!, {r4, r5, r6, lr}
1:
    ldmia r1!, {r4, r5, r6, lr}
    subs r2, r2, #16
    stmia ip!, {r4, r5, r6, lr}
    bhs 1b
    ldmfd sp!, {r4, r5, r6, lr}
2:
    add r2, r2, #16
    b 5f
4:
    ldr r3, [r1], #4
    str r3, [ip], #4
5:
    subs r2, r2, #4
    bhs 4b
    add r2, r2, #4
3:
    subs r2, r2, #1
    ldrbhs r3, [r1], #1
    strbhs r3, [ip], #1
    bhs 3b
    mov pc, lr
end_function memcpy
