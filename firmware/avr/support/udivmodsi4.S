/* r21:18 = r25:22 / r21:18, r25:22 = r25:22 % r21:18, unsigned; leaves T alone. */
#include "core.h"

function __udivmodsi4
    ldi r26, 32
    mov r0, r26
    clr r26
    clr r27
    clr r30
    clr r31
1:
    lsl r22
    rol r23
    rol r24
    rol r25
    rol r26
    rol r27
    rol r30
    rol r31
    brcs 2f
    cp r26, r18
    cpc r27, r19
    cpc r30, r20
    cpc r31, r21
    brcs 3f
2:
    sub r26, r18
    sbc r27, r19
    sbc r30, r20
    sbc r31, r21
    inc r22
3:
    dec r0
    brne 1b
    move_pair r19, r18, r23, r22
    move_pair r21, r20, r25, r24
    move_pair r23, r22, r27, r26
    move_pair r25, r24, r31, r30
    ret
end_function __udivmodsi4
