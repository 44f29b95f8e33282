#include "core.h"

/* __aeabi_memclr(to, length) and __aeabi_memset(to, length, value) have their arguments in another order. */
function __aeabi_memclr
also __aeabi_memclr4
also __aeabi_memclr8
    mov r2, #0
also __aeabi_memset
also __aeabi_memset4
also __aeabi_memset8
    mov r3, r1
    mov r1, r2
    mov r2, r3
also memset
    mov ip, r0
    tst r0, #3
    bne 2f
    and r1, r1, #0xff
    orr r1, r1, r1, lsl #8
    orr r1, r1, r1, lsl #16
    b 3f
1:
    str r1, [ip], #4
3:
    subs r2, r2, #4
    bhs 1b
    add r2, r2, #4
2:
    subs r2, r2, #1
    strbhs r1, [ip], #1
    bhs 2b
    mov pc, lr
end_function __aeabi_memclr
