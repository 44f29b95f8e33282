/* r12 times r13 without sign, 32 bits in r12 and r13. */
#include "core.h"

function __mspabi_mpyul
also __mspabi_mpyul_hw
also __mspabi_mpyul_f5hw
    mov r12, &MPY
    mov r13, &OP2
    mov &RESLO, r12
    mov &RESHI, r13
    ret
end_function __mspabi_mpyul
