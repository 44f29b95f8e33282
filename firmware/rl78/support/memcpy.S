#include "core.h"

function memcpy
    movw ax, [sp+6]
    movw hl, ax
    movw ax, [sp+4]
    movw r8, ax
    movw de, ax
    movw ax, [sp+8]
    loop_count 2f
1:
    mov a, [hl]
    mov [de], a
    incw hl
    incw de
    loop_back 1b
2:
    ret
end_function memcpy
