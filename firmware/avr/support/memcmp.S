#include "core.h"

function memcmp
    move_pair r27, r26, r25, r24
    move_pair r31, r30, r23, r22
    rjmp 2f
1:
    ld r24, X+
    ld r0, Z+
    sub r24, r0
    brne 3f
2:
    subi r20, 1
    sbci r21, 0
    brcc 1b
    clr r24
    clr r25
    ret
3:
    sbc r25, r25
    ret
end_function memcmp
