#include "core.h"

function memset
    movw ax, [sp+4]
    movw r8, ax
    movw de, ax
    movw ax, [sp+8]
    loop_count 2f
    mov a, [sp+6]
1:
    mov [de], a
    incw de
    loop_back 1b
2:
    ret
end_function memset
