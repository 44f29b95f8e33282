#include "core.h"

function memset
    move_pair r27, r26, r25, r24
    rjmp 2f
1:
    st X+, r22
2:
    subi r20, 1
    sbci r21, 0
    brcc 1b
    ret
end_function memset
