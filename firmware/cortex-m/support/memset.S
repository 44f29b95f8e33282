#include "core.h"

/* __aeabi_memclr(to, length) and __aeabi_memset(to, length, value) have their arguments in another order. */
function __aeabi_memclr
also __aeabi_memclr4
also __aeabi_memclr8
    movs r2, #0
also __aeabi_memset
also __aeabi_memset4
also __aeabi_memset8
    movs r3, r1
    movs r1, r2
    movs r2, r3
also memset
    mov ip, r0
    lsls r3, r0, #30
    bne 2f
    uxtb r1, r1
    lsls r3, r1, #8
    orrs r1, r3
    lsls r3, r1, #16
    orrs r1, r3
    b 3f
1:
    stmia r0!, {r1}
3:
    subs r2, r2, #4
    bhs 1b
    adds r2, r2, #4
2:
    subs r2, r2, #1
    blo 4f
    strb r1, [r0]
    adds r0, r0, #1
    b 2b
4:
    mov r0, ip
    bx lr
end_function __aeabi_memclr
