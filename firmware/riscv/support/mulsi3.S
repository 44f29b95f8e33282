#include "core.h"

/* For cores without the extension M: a sum for each bit of the first factor that is set. */
function __mulsi3
    mv a2, a0
    li a0, 0
1:
    andi a3, a2, 1
    beqz a3, 2f
    add a0, a0, a1
2:
    slli a1, a1, 1
    srli a2, a2, 1
    bnez a2, 1b
    ret
end_function __mulsi3
