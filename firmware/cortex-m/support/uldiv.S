#include "core.h"

/* Quotient in r0 and r1, remainder in r2 and r3. A divisor of 0 gives 0 and the dividend. */
function __aeabi_uldivmod
    push {r4, r5, r6, r7, lr}
    movs r4, #0
    movs r5, #0
    movs r6, r2
    orrs r6, r3
    beq 6f
    movs r6, #1
    movs r7, #0
1:
    /* As in __aeabi_uidivmod: double divisor and bit while the divisor is below the dividend. */
    cmp r3, #0
    bmi 3f
    cmp r3, r1
    bhi 3f
    blo 2f
    cmp r2, r0
    bhs 3f
2:
    adds r2, r2, r2
    adcs r3, r3
    adds r6, r6, r6
    adcs r7, r7
    b 1b
3:
    cmp r1, r3
    blo 5f
    bhi 4f
    cmp r0, r2
    blo 5f
4:
    subs r0, r0, r2
    sbcs r1, r3
    orrs r4, r6
    orrs r5, r7
5:
    mov ip, r4
    lsls r4, r3, #31
    lsrs r3, r3, #1
    lsrs r2, r2, #1
    orrs r2, r4
    lsls r4, r7, #31
    lsrs r7, r7, #1
    lsrs r6, r6, #1
    orrs r6, r4
    mov r4, ip
    cmp r6, #0
    bne 3b
    cmp r7, #0
    bne 3b
6:
    movs r2, r0
    movs r3, r1
    movs r0, r4
    movs r1, r5
    pop {r4, r5, r6, r7, pc}
end_function __aeabi_uldivmod
