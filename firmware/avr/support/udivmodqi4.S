/* r24 = r24 / r22, r25 = r24 % r22, unsigned; leaves r0 and T alone. */
#include "core.h"

function __udivmodqi4
    clr r25
    ldi r23, 8
1:
    lsl r24
    rol r25
    brcs 2f
    cp r25, r22
    brcs 3f
2:
    sub r25, r22
    inc r24
3:
    dec r23
    brne 1b
    ret
end_function __udivmodqi4
