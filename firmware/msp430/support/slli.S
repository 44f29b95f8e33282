/* r12 shifted left by r13 places. */
#include "core.h"

function __mspabi_slli
    and #31, r13
    jz .Ldone
.Lstep:
    rla r12
    dec r13
    jnz .Lstep
.Ldone:
    ret
end_function __mspabi_slli
