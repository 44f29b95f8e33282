#include "core.h"

/* Bytes, from the end where the destination lies behind the source. */
function memmove
    beqz a2, 3f
    mv a5, a0
    bltu a1, a0, 2f
1:
    lbu a3, 0(a1)
    sb a3, 0(a5)
    addi a1, a1, 1
    addi a5, a5, 1
    addi a2, a2, -1
    bnez a2, 1b
    ret
2:
    addi a2, a2, -1
    add a3, a1, a2
    lbu a3, 0(a3)
    add a4, a5, a2
    sb a3, 0(a4)
    bnez a2, 2b
3:
    ret
end_function memmove
