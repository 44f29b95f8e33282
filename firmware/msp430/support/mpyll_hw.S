/* As __mspabi_mpyll, called as LLVM calls it by this name: like any C function, one factor on the stack. */
#include "core.h"

function __mspabi_mpyll_hw
also __mspabi_mpyll_f5hw
    push r10
    push r9
    push r8
    mov 8(r1), r8
    mov 10(r1), r9
    mov 12(r1), r10
    mov 14(r1), r11
    call #__mspabi_mpyll
    pop r8
    pop r9
    pop r10
    ret
end_function __mspabi_mpyll_hw
