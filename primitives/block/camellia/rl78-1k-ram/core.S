#include "rl78.inc"
#include "rl78_f.inc"
#include "rl78_fl.inc"
#include "rl78_strings.inc"

#define ADD_TIMES 2

; Two rounds on the block at HL with subkeys eight bytes apart.
function camellia_two_rounds
    movw de, ax
    addw ax, #8
    .global _camellia_two_rounds_with
; The subkeys are at DE and AX.
_camellia_two_rounds_with:
    two_rounds
end_function camellia_two_rounds

function camellia_two_rounds_back
    movw de, ax
    subw ax, #8
    br !_camellia_two_rounds_with
end_function camellia_two_rounds_back

; Adds the 16 bytes at DE to those at HL.
function camellia_add
    push hl
    mov c, #ADD_TIMES
1:
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    .if \i * ADD_TIMES < 16
    with_both \i, \i, xor
    store_a \i
    .endif
    .endr
    movw ax, de
    addw ax, #16/ADD_TIMES
    movw de, ax
    movw ax, hl
    addw ax, #16/ADD_TIMES
    movw hl, ax
    dec c
    bnz $1b
    pop hl
    ret
end_function camellia_add

; RFC 3713, sections 2.4.2 and 2.4.3, on the block at HL with the subkeys at DE and AX.
function camellia_fl_layer
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
end_function camellia_fl_layer

; Makes of the string at HL the one that is rotated to the right by a bit more, with its start again behind
; its end.
function camellia_turn
    mov a, [hl+15]
    rorc a, 1
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    movw ax, [hl+\i]
    xch a, x
    rorc a, 1
    xch a, x
    rorc a, 1
    movw [hl+\i+STRIDE], ax
    .if \i < STRIDE-16
    movw [hl+\i+STRIDE+16], ax
    .endif
    .endr
    movw ax, hl
    addw ax, #STRIDE
    movw hl, ax
    ret
end_function camellia_turn

; Makes KA and what is rotated of both strings, of the record at AX, where HL points to in the end.
function camellia_start
    push ax
    addw ax, #16
    movw hl, ax
    call $!1f
    pop ax
    push ax
    addw ax, #16
    movw de, ax
    addw ax, #KA_0-16
    set_block
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    movw ax, [de+\i]
    movw [hl+\i], ax
    .endr
    movw ax, #_camellia_sigma
    call !_camellia_two_rounds
    movw ax, hl
    addw ax, #16-KA_0
    movw de, ax
    call !_camellia_add
    movw ax, #_camellia_sigma+16
    call !_camellia_two_rounds
    call $!1f
    pop ax
    set_block
    ret
1:
    call !_camellia_turn
    call !_camellia_turn
    call !_camellia_turn
    br !_camellia_turn
end_function camellia_start
