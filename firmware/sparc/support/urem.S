#include "core.h"

/* unsigned .urem(unsigned dividend, unsigned divisor) */
routine .urem
    mov %o7, %o5
    call __steelyard_divide
    nop
    jmp %o5 + 8
    mov %o1, %o0
finish .urem
