#include "core.h"

/* Upwards where the destination lies below the source, downwards otherwise. */
function memmove
    movw ax, [sp+6]
    movw hl, ax
    movw ax, [sp+4]
    movw r8, ax
    movw de, ax
    cmpw ax, hl
    bnc $2f
    movw ax, [sp+8]
    loop_count 4f
1:
    mov a, [hl]
    mov [de], a
    incw hl
    incw de
    loop_back 1b
    ret
2:
    movw ax, [sp+8]
    addw ax, de
    movw de, ax
    movw ax, [sp+8]
    addw ax, hl
    movw hl, ax
    movw ax, [sp+8]
    loop_count 4f
3:
    decw hl
    decw de
    mov a, [hl]
    mov [de], a
    loop_back 3b
4:
    ret
end_function memmove
