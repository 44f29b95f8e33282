#include "core.h"

/* Words where the destination is aligned and as long as they last, and bytes otherwise. */
function memset
    mv a5, a0
    andi a3, a0, 3
    bnez a3, 3f
    andi a1, a1, 0xff
    slli a3, a1, 8
    or a1, a1, a3
    slli a3, a1, 16
    or a1, a1, a3
    li a4, 4
    j 2f
1:
    sw a1, 0(a5)
    addi a5, a5, 4
    addi a2, a2, -4
2:
    bgeu a2, a4, 1b
3:
    beqz a2, 5f
4:
    sb a1, 0(a5)
    addi a5, a5, 1
    addi a2, a2, -1
    bnez a2, 4b
5:
    ret
end_function memset
