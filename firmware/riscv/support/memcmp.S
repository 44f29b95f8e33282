#include "core.h"

function memcmp
    add a2, a0, a2
1:
    beq a0, a2, 2f
    lbu a3, 0(a0)
    lbu a4, 0(a1)
    addi a0, a0, 1
    addi a1, a1, 1
    beq a3, a4, 1b
    sub a0, a3, a4
    ret
2:
    li a0, 0
    ret
end_function memcmp
