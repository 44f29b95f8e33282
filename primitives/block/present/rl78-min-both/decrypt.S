round = 0xffef0

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    push hl
    addw ax, #18
    movw hl, ax
    mov round, #124
1:
    call !_present_copy
3:
    mov a, [hl]
    cmp a, round
    bz $6f
    call !_present_turn
    br $3b
6:
    mov c, #8
7:
    decw de
    mov a, [de]
    xor a, [hl+c]
    mov [de], a
    dec c
    bnz $7b
    sub round, #4
    bc $9f
    push hl
    movw ax, de
    movw hl, ax
    mov d, #8
10:
    movw bc, #0x100
11:
    push hl
    mov e, #4
12:
    movw ax, [hl]
    xch a, x
    shlw ax, 1
    xch a, x
    movw [hl], ax
    rolwc bc, 1
    incw hl
    incw hl
    dec e
    bnz $12b
    pop hl
    bnc $11b
    push bc
    dec d
    bnz $10b
    decw hl
    mov c, #8
14:
    pop ax
    mov a, x
    mov d, #2
15:
    mov e, a
    mov b, #16
16:
    dec b
    mov a, _present_sbox[b]
    xor a, e
    and a, #0xf0
    bnz $16b
    mov a, e
    shl a, 4
    or a, b
    dec d
    bnz $15b
    mov [hl+c], a
    dec c
    bnz $14b
    pop hl
    br $1b
9:
    pop hl
    ret
    .size _block_decrypt_ax, . - _block_decrypt_ax
