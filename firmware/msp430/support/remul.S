#include "core.h"

function __mspabi_remul
    call #steelyard_udivmod32
    mov r14, r12
    mov r15, r13
    ret
end_function __mspabi_remul
