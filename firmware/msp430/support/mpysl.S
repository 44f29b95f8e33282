/* r12 times r13 with sign, 32 bits in r12 and r13. */
#include "core.h"

function __mspabi_mpysl
also __mspabi_mpysl_hw
also __mspabi_mpysl_f5hw
    mov r12, &MPYS
    mov r13, &OP2
    mov &RESLO, r12
    mov &RESHI, r13
    ret
end_function __mspabi_mpysl
