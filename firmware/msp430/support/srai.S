/* r12 shifted right with its sign by r13 places. */
#include "core.h"

function __mspabi_srai
    and #31, r13
    jz .Ldone
.Lstep:
    rra r12
    dec r13
    jnz .Lstep
.Ldone:
    ret
end_function __mspabi_srai
