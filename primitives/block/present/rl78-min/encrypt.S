; Pointer interface
;   record    text 0 to 7, key 8 to 17 (kept), work 18 to 29
;   keeps     HL, bank 2
;   loses     AX, BC, DE, bank 1
;   measured  present-80 encryption: 196,821 cycles, 26 bytes of stack, 134 bytes of ROM
;   measured  present-80 decryption: 2,730,902 to 2,736,914 cycles, 24 bytes of stack, 168 bytes of ROM
;   measured  present-80 both: 2,732,186 to 2,737,022 cycles, 26 bytes of stack, 286 bytes of ROM
;   time      encryption constant; decryption depends on the data, since the inverse S-box is a search
;
; The nibbles of a byte, through the S-box, are pushed as two bytes. The bit layer (section 2, pLayer) takes
; one bit of each of the 16 nibbles on the stack, four times over, into BC, in which a one that was put
; there first falls into the carry when 16 bits have come; an 8 below the nibbles counts the four. The key
; register is a copy turned left by one bit 61 times a round. Encryption leaves out the last bit layer when
; the round's number reaches bit 7. Decryption makes each round key anew from the key, which costs less code
; than a key schedule that runs backwards, and finds the inverse of the S-box by looking through it.

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    push hl
    addw ax, #18
    movw de, ax
    movw hl, ax
    mov c, #10
1:
    decw de
    mov a, [de]
    mov [hl+c], a
    dec c
    bnz $1b
    mov a, c
    mov [hl], a
2:
    push hl
    mov c, #8
    push bc
3:
    decw de
    mov a, [de]
    xor a, [hl+c]
    mov [de], a
    shrw ax, 4
    mov b, a
    mov a, _present_sbox[b]
    xch a, x
    shr a, 4
    mov b, a
    mov a, _present_sbox[b]
    push ax
    dec c
    bnz $3b
    mov a, [hl]
    add a, #4
    mov [hl], a
    bt a.7, $7f
    xor a, [hl+6]
    mov [hl+6], a
4:
    movw ax, sp
    movw hl, ax
    onew bc
5:
    mov a, [hl]
    shl a, 1
    mov [hl], a
    rolwc bc, 1
    incw hl
    bnc $5b
; Below the nibbles lies the 8 that was C.
    mov a, [hl]
    shr a, 1
    mov [hl], a
    movw ax, bc
    xch a, x
    movw [de], ax
    incw de
    incw de
    bnc $4b
7:
    addw sp, #18
    pop hl
    mov b, #61
6:
    mov a, [hl+1]
    shl a, 1
    mov c, #10
9:
    mov a, [hl+c]
    rolc a, 1
    mov [hl+c], a
    dec c
    bnz $9b
    dec b
    bnz $6b
    mov a, [hl+1]
    shrw ax, 4
    mov b, a
    mov a, _present_sbox[b]
    shlw ax, 4
    mov [hl+1], a
    bf [hl].7, $2b
    pop hl
    ret
    .size _block_encrypt_ax, . - _block_encrypt_ax
