#include "speed.inc"
#include "rl78.inc"
#include "rl78_f.inc"
#include "rl78_fl.inc"

; Two rounds on the block at HL, first with the left half of the string at DE.
function camellia_two_rounds
    movw ax, de
    addw ax, #8
    .global _camellia_two_rounds_with
; The subkeys are at DE and AX.
_camellia_two_rounds_with:
#if FAST
    movw NEXT, ax
    add_f SECOND
    movw de, NEXT
    add_f FIRST
    ret
#else
    two_rounds
#endif
end_function camellia_two_rounds

; Adds the 16 bytes at DE to those at HL.
function camellia_add
#if FAST
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    with_both \i, \i, xor
    store_a \i
    .endr
    ret
#else
    push hl
    mov c, #4
1:
    .irp i, 0, 1, 2, 3
    with_both \i, \i, xor
    store_a \i
    .endr
    movw ax, de
    addw ax, #4
    movw de, ax
    movw ax, hl
    addw ax, #4
    movw hl, ax
    dec c
    bnz $1b
    pop hl
    ret
#endif
end_function camellia_add

; RFC 3713, sections 2.4.2 and 2.4.3, on the block at HL with the subkeys at DE and AX.
function camellia_fl_layer
#if FAST
    movw NEXT, ax
    fl_right
    fl_left
    movw de, NEXT
    movw hl, SECOND
    fl_left
    fl_right
    movw hl, FIRST
    ret
#else
    push ax
    call $!1f
    call $!2f
    pop de
    push hl
    movw hl, SECOND
    call $!2f
    call $!1f
    pop hl
    ret
1:
    fl_right
    ret
2:
    fl_left
    ret
#endif
end_function camellia_fl_layer
