/* r11:r8 by r15:r12, both of 64 bits: as C has them, the second on the stack. */
#include "core.h"

function __mspabi_divull
    push r15
    push r14
    push r13
    push r12
    mov r8, r12
    mov r9, r13
    mov r10, r14
    mov r11, r15
    call #__udivdi3
    add #8, r1
    ret
end_function __mspabi_divull
