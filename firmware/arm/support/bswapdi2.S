#include "core.h"

function __bswapdi2
    eor r2, r0, r0, ror #16
    bic r2, r2, #0xff0000
    mov r0, r0, ror #8
    eor r3, r0, r2, lsr #8
    eor r2, r1, r1, ror #16
    bic r2, r2, #0xff0000
    mov r1, r1, ror #8
    eor r0, r1, r2, lsr #8
    mov r1, r3
    mov pc, lr
end_function __bswapdi2
