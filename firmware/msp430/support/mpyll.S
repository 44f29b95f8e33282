/* r11:r8 times r15:r12, 64 bits in r15:r12: column by column, the multiplier summing each. */
#include "core.h"

.macro product a, b
    mov \a, &MAC
    mov \b, &OP2
.endm

function __mspabi_mpyll
    push r7
    push r6
    push r5
    mov r8, &MPY
    mov r12, &OP2
    mov &RESLO, r5
    mov &RESHI, &RESLO
    clr &RESHI
    product r8, r13
    product r9, r12
    mov &SUMEXT, r7
    mov &RESLO, r6
    mov &RESHI, &RESLO
    mov r7, &RESHI
    product r8, r14
    product r9, r13
    product r10, r12
    mov &RESLO, r7
    mov &RESHI, &RESLO
    product r8, r15
    product r9, r14
    product r10, r13
    product r11, r12
    mov &RESLO, r15
    mov r7, r14
    mov r6, r13
    mov r5, r12
    pop r5
    pop r6
    pop r7
    ret
end_function __mspabi_mpyll
