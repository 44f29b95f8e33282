/* r13:r12 times r15:r14, 32 bits in r13:r12. */
#include "core.h"

function __mspabi_mpyl
also __mspabi_mpyl_hw
also __mspabi_mpyl_f5hw
    mov r12, &MPY
    mov r14, &OP2
    mov &RESLO, r11
    /* The upper half of the lower product begins the sum of the two in the middle. */
    mov &RESHI, &RESLO
    mov r12, &MAC
    mov r15, &OP2
    mov r13, &MAC
    mov r14, &OP2
    mov &RESLO, r13
    mov r11, r12
    ret
end_function __mspabi_mpyl
