/* r25:22 = r25:22 * r21:18, 32 bits. */
#include "core.h"

function __mulsi3
#ifdef __AVR_HAVE_MUL__
    mul r22, r18
    movw r26, r0
    mul r23, r19
    movw r30, r0
    mul r25, r18
    add r31, r0
    mul r22, r21
    add r31, r0
    mul r23, r20
    add r31, r0
    mul r24, r19
    add r31, r0
    mul r22, r20
    add r30, r0
    adc r31, r1
    mul r24, r18
    add r30, r0
    adc r31, r1
    clr r25
    mul r22, r19
    add r27, r0
    adc r30, r1
    adc r31, r25
    mul r23, r18
    add r27, r0
    adc r30, r1
    adc r31, r25
    clr r1
#else
    clr r26
    clr r27
    clr r30
    clr r31
1:
    lsr r25
    ror r24
    ror r23
    ror r22
    brcc 2f
    add r26, r18
    adc r27, r19
    adc r30, r20
    adc r31, r21
2:
    lsl r18
    rol r19
    rol r20
    rol r21
    mov r0, r22
    or r0, r23
    or r0, r24
    or r0, r25
    brne 1b
#endif
    move_pair r23, r22, r27, r26
    move_pair r25, r24, r31, r30
    ret
end_function __mulsi3
