/* r12 times r13, 16 bits. */
#include "core.h"

function __mspabi_mpyi
also __mspabi_mpyi_hw
also __mspabi_mpyi_f5hw
    mov r12, &MPY
    mov r13, &OP2
    mov &RESLO, r12
    ret
end_function __mspabi_mpyi
