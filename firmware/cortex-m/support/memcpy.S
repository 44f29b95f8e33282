#include "core.h"

/* Words while both ends are aligned, four at a time while they last, and bytes otherwise. */
function memcpy
also __aeabi_memcpy
also __aeabi_memcpy4
also __aeabi_memcpy8
    mov ip, r0
    movs r3, r0
    orrs r3, r1
    lsls r3, r3, #30
    bne 3f
    subs r2, r2, #16
    blo 2f
    push {r4, r5, r6, r7}
1:
    ldmia r1!, {r4, r5, r6, r7}
    stmia r0!, {r4, r5, r6, r7}
    subs r2, r2, #16
    bhs 1b
    pop {r4, r5, r6, r7}
2:
    adds r2, r2, #16
    b 5f
4:
    ldmia r1!, {r3}
    stmia r0!, {r3}
5:
    subs r2, r2, #4
    bhs 4b
    adds r2, r2, #4
3:
    subs r2, r2, #1
    blo 6f
    ldrb r3, [r1]
    strb r3, [r0]
    adds r1, r1, #1
    adds r0, r0, #1
    b 3b
6:
    mov r0, ip
    bx lr
end_function memcpy
