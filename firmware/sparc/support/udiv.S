#include "core.h"

/* unsigned .udiv(unsigned dividend, unsigned divisor) */
routine .udiv
    mov %o7, %o5
    call __steelyard_divide
    nop
    jmp %o5 + 8
    nop
finish .udiv
