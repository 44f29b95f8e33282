; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 59
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  aes-128 encryption: 2,889 cycles, 4 bytes of stack, 995 bytes of ROM
;   measured  aes-128 decryption: 5,080 cycles, 4 bytes of stack, 987 bytes of ROM
;   measured  aes-128 both: 5,080 cycles, 4 bytes of stack, 1,726 bytes of ROM
;   time      constant
;
; Encryption: the state lies in banks 1 and 3, and one instruction takes two indices of the S-box from
; there. Lookups run ahead of the results, which go to where ShiftRows moves them, once the byte in that
; place is used (FIPS 197, section 5.1). The round key is made in place; it starts each round. Decryption
; does one column in a loop, from the last to the first, in 28 bytes of work whose upper end is copied to
; the lower one.

#include "rl78_round.inc"

function block_encrypt_ax
    save_bank
    enter 0, 1, SLOT0, SLOT3+1, [KEY]
    enter 2, 3, SLOT2+2, SLOT1+3, [KEY+2]
    enter 4, 5, SLOT1, SLOT0+1, [KEY+4]
    enter 6, 7, SLOT3+2, SLOT2+3, [KEY+6]
    enter 8, 9, SLOT2, SLOT1+1, [KEY+8]
    enter 10, 11, SLOT0+2, SLOT3+3, [KEY+10]
    enter 12, 13, SLOT3, SLOT2+1, LAST
    enter 14, 15, SLOT1+2, SLOT0+3, LAST+2
    mov e, #8
    mov x, #1
    movw bc, LAST
    br $!2f
1:
    round
2:
    next_key x
    addw ax, ax
    dec e
    movw bc, SLOT0+2
    skz
    br $!1b
    mov e, #2
    cmp0 x
    mov x, #0x1b
    sknz
    br $!1b
    last_round _aes_sbox
    restore_bank
    ret
end_function block_encrypt_ax
