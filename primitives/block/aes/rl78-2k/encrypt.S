; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 59
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  aes-128 encryption: 2,849 cycles, 4 bytes of stack, 1,977 bytes of ROM
;   measured  aes-128 decryption: 4,118 cycles, 4 bytes of stack, 1,704 bytes of ROM
;   measured  aes-128 both: 4,118 cycles, 4 bytes of stack, 3,425 bytes of ROM
;   time      constant
;
; The state lies in banks 1 and 3, and one instruction takes two indices of an S-box from there. Results go
; to where ShiftRows moves them, once the byte in that place is used (FIPS 197, section 5.1). Three rounds
; share what it takes to loop. Decryption makes the last round key first and then steps back.

#include "rl78_round.inc"

/* The first round key is made from the key itself, so that it need not be copied. */
function block_encrypt_ax
    save_bank
    enter 0, 1, SLOT0, SLOT3+1
    enter 2, 3, SLOT2+2, SLOT1+3
    enter 4, 5, SLOT1, SLOT0+1
    enter 6, 7, SLOT3+2, SLOT2+3
    enter 8, 9, SLOT2, SLOT1+1
    enter 10, 11, SLOT0+2, SLOT3+3
    enter 14, 15, SLOT1+2, SLOT0+3
    enter 12, 13, SLOT3, SLOT2+1, bc
    mov a, _aes_sbox[b]
    xor a, #1
    key_row 0, [hl+28], hl+16
    mov a, _aes_sbox[c]
    key_row 3, [hl+31], hl+16
    movw ax, [hl+30]
    movw bc, ax
    mov x, #2
    mov a, _aes_sbox[c]
    key_row 1, [hl+29], hl+16
    mov a, _aes_sbox[b]
    key_row 2, [hl+30], hl+16
    mov e, #3
    movw bc, SLOT0+2
1:
    round
    next_key x
    addw ax, ax
    cmp0 x
    sknz
    mov x, #0x1b
    movw bc, SLOT0+2
    round
    next_key x
    addw ax, ax
    movw bc, SLOT0+2
    round
    next_key x
    addw ax, ax
    movw bc, SLOT0+2
    dec e
    skz
    br $!1b
    last_round _aes_sbox
    restore_bank
    ret
end_function block_encrypt_ax
