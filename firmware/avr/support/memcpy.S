#include "core.h"

function memcpy
    move_pair r27, r26, r25, r24
    move_pair r31, r30, r23, r22
    rjmp 2f
1:
    ld r0, Z+
    st X+, r0
2:
    subi r20, 1
    sbci r21, 0
    brcc 1b
    ret
end_function memcpy
