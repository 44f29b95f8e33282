#include "core.h"

/* Quotient in r0 and r1, remainder in r2 and r3. A divisor of 0 gives 0 and the dividend. */
function __aeabi_uldivmod
    orrs ip, r2, r3
    moveq r2, r0
    moveq r3, r1
    moveq r0, #0
    moveq r1, #0
    moveq pc, lr
    stmfd sp!, {r4, r5, r6, r7, r8, lr}
    mov r4, #0
    mov r5, #0
    mov r6, #1
    mov r7, #0
1:
    /* As in __aeabi_uidivmod: double divisor and bit while the divisor is below the dividend. */
    cmp r3, #0x80000000
    bhs 2f
    cmp r3, r1
    cmpeq r2, r0
    bhs 2f
    adds r2, r2, r2
    adc r3, r3, r3
    adds r6, r6, r6
    adc r7, r7, r7
    b 1b
2:
    subs r8, r0, r2
    sbcs ip, r1, r3
    movhs r0, r8
    movhs r1, ip
    orrhs r4, r4, r6
    orrhs r5, r5, r7
    movs r3, r3, lsr #1
    mov r2, r2, rrx
    movs r7, r7, lsr #1
    movs r6, r6, rrx
    orrs ip, r6, r7
    bne 2b
    mov r2, r0
    mov r3, r1
    mov r0, r4
    mov r1, r5
    ldmfd sp!, {r4, r5, r6, r7, r8, lr}
    mov pc, lr
end_function __aeabi_uldivmod
