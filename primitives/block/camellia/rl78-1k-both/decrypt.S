#include "rl78.inc"
#define SHIFT 0
#include "rl78_strings.inc"
#include "pointers.inc"

; The layers and rounds of encryption from the last to the first, on exchanged halves.
function block_decrypt_ax
    push hl
    call !_camellia_start
    mov LISTED, #12
    call !_camellia_swap
    movw ax, #KA_1+6
    call !_camellia_add
    movw ax, hl
    movw SECOND, ax
    addw ax, #8
    movw FIRST, ax
    movw hl, ax
    call !_camellia_rounds
    movw hl, SECOND
    call !_camellia_add_kl
    pop hl
    ret
end_function block_decrypt_ax
