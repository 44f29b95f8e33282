/* r23:22 = r25:24 / r23:22, r25:24 = r25:24 % r23:22, unsigned; leaves r0 and T alone. */
#include "core.h"

function __udivmodhi4
    clr r26
    clr r27
    ldi r21, 16
1:
    lsl r24
    rol r25
    rol r26
    rol r27
    brcs 2f
    cp r26, r22
    cpc r27, r23
    brcs 3f
2:
    sub r26, r22
    sbc r27, r23
    inc r24
3:
    dec r21
    brne 1b
    move_pair r23, r22, r25, r24
    move_pair r25, r24, r27, r26
    ret
end_function __udivmodhi4
