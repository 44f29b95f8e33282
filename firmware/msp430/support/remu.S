#include "core.h"

function __mspabi_remu
    call #steelyard_udivmod16
    mov r14, r12
    ret
end_function __mspabi_remu
