; Pointer interface
;   record    text 0 to 7, key 8 to 17 (kept), work 18 to 29
;   keeps     HL, bank 2
;   loses     AX, BC, DE, bank 1
;   measured  present-80 encryption: 197,153 cycles, 26 bytes of stack, 145 bytes of ROM
;   measured  present-80 decryption: 2,735,302 to 2,741,362 cycles, 24 bytes of stack, 176 bytes of ROM
;   measured  present-80 both: 2,736,970 to 2,742,178 cycles, 26 bytes of stack, 250 bytes of ROM
;   time      encryption constant; decryption depends on the data, since the inverse S-box is a search
;
; The variant of least ROM with the copy of the key and a round of the key schedule (section 2) in routines
; of their own, which both directions call: each direction alone is a few bytes longer, both together are
; shorter.

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    push hl
    addw ax, #18
    movw hl, ax
    call !_present_copy
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
    cmp a, #124
    bz $7f
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
    call !_present_turn
    bf [hl].7, $2b
    pop hl
    ret
    .size _block_encrypt_ax, . - _block_encrypt_ax
