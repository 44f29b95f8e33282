; From the functions of block.h to routines that take a pointer in AX to a record of text, key and work.

#include "../support/core.h"

; void block_init(block_context *ctx, const uint8_t *key)
function block_init
    movw ax, [sp+6]
    movw hl, ax
    movw ax, [sp+4]
    addw ax, #PRIMITIVE_BLOCK_BYTES
    movw de, ax
    mov b, #PRIMITIVE_KEY_BYTES
    br !copied
end_function block_init

; B bytes from HL to DE.
    .section .text.copied, "ax", @progbits
copied:
    mov a, [hl]
    mov [de], a
    incw hl
    incw de
    dec b
    bnz $copied
    ret

.macro block_function name
; void name(const block_context *ctx, uint8_t *out, const uint8_t *in)
function \name
    movw ax, [sp+8]
    movw hl, ax
    movw ax, [sp+4]
    movw de, ax
    mov b, #PRIMITIVE_BLOCK_BYTES
    call !copied
    movw ax, [sp+4]
    call !_\name\()_ax
    movw ax, [sp+4]
    movw hl, ax
    movw ax, [sp+6]
    movw de, ax
    mov b, #PRIMITIVE_BLOCK_BYTES
    br !copied
end_function \name
.endm

block_function block_encrypt
block_function block_decrypt
