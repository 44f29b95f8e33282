/* r12 shifted right by r13 places. */
#include "core.h"

function __mspabi_srli
    and #31, r13
    jz .Ldone
.Lstep:
    clrc
    rrc r12
    dec r13
    jnz .Lstep
.Ldone:
    ret
end_function __mspabi_srli
