#include "rl78_pairs.inc"
#include "rl78.inc"
#define SHIFT 8
#include "rl78_strings.inc"

; The layers and rounds of encryption from the last to the first, on exchanged halves.
function block_decrypt_ax
    push hl
    call !_camellia_start
    movw ax, hl
    addw ax, #KA_1+6
    movw de, ax
    swap_and_add
    movw ax, FIRST
    movw SECOND, ax
    movw ax, hl
    movw FIRST, ax
    rounds KL_1+6
    rounds KA_2+4
    rounds KL_2+4
    layer_of KL_3+2, KL_3+10
    rounds KA_4
    rounds_of KL_4, KA_3+6
    rounds_back KL_3+14
    layer_of KA_2+12, KA_2+4
    rounds_back KA_1+10
    rounds_back KL_1+10
    rounds_back KA_0+8
    movw ax, SECOND
    movw hl, ax
    addw ax, #16
    movw de, ax
    call !_camellia_add
    pop hl
    ret
end_function block_decrypt_ax
