#include "tables.inc"
#include "rl78_pairs.inc"
#include "rl78.inc"
#include "rl78_f.inc"
#include "rl78_fl.inc"
#include "rl78_strings.inc"

; Two rounds on the block at HL with subkeys eight bytes apart.
function camellia_two_rounds
    movw de, ax
    addw ax, #8
    .global _camellia_two_rounds_with
; The subkeys are at DE and AX.
_camellia_two_rounds_with:
    movw NEXT, ax
    add_f SECOND
    movw de, NEXT
    add_f FIRST
    ret
end_function camellia_two_rounds

function camellia_two_rounds_back
    movw de, ax
    subw ax, #8
    br !_camellia_two_rounds_with
end_function camellia_two_rounds_back

; Adds the 16 bytes at DE to those at HL.
function camellia_add
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    with_both \i, \i, xor
    store_a \i
    .endr
    ret
end_function camellia_add

; RFC 3713, sections 2.4.2 and 2.4.3, on the block at HL with the subkeys at DE and AX.
function camellia_fl_layer
    movw NEXT, ax
    fl_right
    fl_left
    movw de, NEXT
    movw hl, SECOND
    fl_left
    fl_right
    movw hl, FIRST
    ret
end_function camellia_fl_layer

; Bytes 2 j - 1 and 2 j of a string in AX, left behind by those from 2 j + 1 on, turn seven times to the left.
.macro turn_word j, after, before
    .if \j
    mov a, [hl+2*\j]
    mov x, a
    mov a, [hl+2*\j-1]
    mov \before, a
    .else
    mov a, [hl]
    mov x, a
    mov a, [hl+15]
    .endif
    .irp i, 7, 6, 5, 4, 3, 2, 1
    shl \after, 1
    rolwc ax, 1
    .if \i < 5
    movw [hl+2*\j+\i*STRIDE], ax
    .if 2*\j < STRIDE-16 && \i != 4 && (\i != 2 || \j < 2)
    movw [hl+2*\j+\i*STRIDE+16], ax
    .endif
    .endif
    .endr
.endm

; Makes of the string at HL those that are rotated to the right by one to four bits, with as much of their
; starts behind their ends as is used.
function camellia_turn
    mov a, [hl+15]
    mov b, a
    turn_word 7, b, c
    turn_word 6, c, b
    turn_word 5, b, c
    turn_word 4, c, b
    turn_word 3, b, c
    turn_word 2, c, b
    turn_word 1, b, c
    turn_word 0, c, b
    ret
end_function camellia_turn

; Makes KA and what is rotated of both strings, of the record at AX, where HL points to in the end.
function camellia_start
    push ax
    addw ax, #16
    movw hl, ax
    call !_camellia_turn
    movw ax, hl
    movw de, ax
    addw ax, #KA_0-16
    set_block
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    movw ax, [de+\i]
    movw [hl+\i], ax
    .endr
    movw ax, #_camellia_sigma_words
    call !_camellia_two_rounds
    movw ax, hl
    addw ax, #16-KA_0
    movw de, ax
    call !_camellia_add
    movw ax, #_camellia_sigma_words+16
    call !_camellia_two_rounds
    call !_camellia_turn
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    movw ax, [hl+\i]
    xch a, x
    movw [hl+\i], ax
    .endr
    pop ax
    set_block
    ret
end_function camellia_start
