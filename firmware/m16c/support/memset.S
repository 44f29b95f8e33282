#include "core.h"

function memset
    mov.w 3[sp], r3
    mov.w r1, a1
    mov.w r2, r0
    sstr.b
    mov.w r1, r0
    rts
end_function memset
