#include "core.h"

function memcmp
    movw ax, [sp+6]
    movw hl, ax
    movw ax, [sp+4]
    movw de, ax
    clrw ax
    movw r8, ax
    movw ax, [sp+8]
    loop_count 2f
1:
    mov a, [de]
    cmp a, [hl]
    bnz $3f
    incw hl
    incw de
    loop_back 1b
2:
    ret
3:
/* Carry: the first byte that differs is less. */
    clrw ax
    bnc $4f
    decw ax
    br $5f
4:
    incw ax
5:
    movw r8, ax
    ret
end_function memcmp
