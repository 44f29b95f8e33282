; The working key is a copy that ends where the work does; the round's number, times 4, lies before it.
    .section .text.present_copy, "ax", @progbits
    .global _present_copy
_present_copy:
    movw ax, hl
    movw de, ax
    mov c, #10
1:
    decw de
    mov a, [de]
    mov [hl+c], a
    dec c
    bnz $1b
    mov a, c
    mov [hl], a
    ret

; A round of the key schedule.
    .section .text.present_turn, "ax", @progbits
    .global _present_turn
_present_turn:
    mov a, [hl]
    add a, #4
    mov [hl], a
    xor a, [hl+6]
    mov [hl+6], a
    mov b, #61
1:
    mov a, [hl+1]
    shl a, 1
    mov c, #10
2:
    mov a, [hl+c]
    rolc a, 1
    mov [hl+c], a
    dec c
    bnz $2b
    dec b
    bnz $1b
    mov a, [hl+1]
    shrw ax, 4
    mov b, a
    mov a, _present_sbox[b]
    shlw ax, 4
    mov [hl+1], a
    ret
