; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 57
;   keeps     HL, bank 2
;   loses     AX, BC, DE, bank 1
;   measured  aes-128 encryption: 3,930 cycles, 4 bytes of stack, 505 bytes of ROM
;   measured  aes-128 decryption: 9,336 cycles, 4 bytes of stack, 772 bytes of ROM
;   measured  aes-128 both: 9,336 cycles, 4 bytes of stack, 1,021 bytes of ROM
;   time      constant
;
; Encryption: the round key takes the place of the text, the state lies in work, in the order in which
; columns need it: row r of column c goes to column c - r, three bytes to the left for each row. What falls
; out on the left is copied to the right end before the next round (FIPS 197, section 5.1.2). Decryption
; works in the text by small loops.

#include "rl78.inc"

#define SAVED 0xffef0
#define A2    0xffef2
#define A3    0xffef3
#define V     0xffef4
#define CONSTANT_BYTE 0xffefd
#define STATE hl+42
#define EARLY hl+44

.macro store row
    mov [STATE-3*\row], a
.endm

.macro enter low, high
    movw ax, [hl+16+\low]
    xor a, [hl+\high]
    store \high
    mov a, x
    .if \low
    xor a, [hl+\low]
    .else
    xor a, [hl]
    .endif
    store \low
    movw ax, [hl+16+\low]
    .if \low
    movw [hl+\low], ax
    .else
    movw [hl], ax
    .endif
.endm

/* HL is two bytes behind a column when its work starts: its steps fill the clocks in which BC is not
   ready. */
function block_encrypt_ax
    xchw ax, hl
    movw SAVED, ax
    mov d, #1
    mov e, #4
1:
    enter 0, 1
    enter 2, 3
    incw hl
    incw hl
    incw hl
    incw hl
    dec e
    bnz $1b
    decw hl
    decw hl
    br $3f
2:
    mov e, #8
6:
    movw ax, [STATE]
    movw bc, ax
    mov a, _aes_sbox[c]
    xor a, [hl]
    mov [hl], a
    mov a, _aes_sbox[b]
    xor a, [hl+1]
    mov [hl+1], a
    incw hl
    incw hl
    dec e
    bnz $6b
    movw hl, SAVED
    ret
3:
    movw ax, hl
    addw ax, #-14
    movw hl, ax
    mov a, d
    xor a, [hl]
    mov [hl], a
    mov a, d
    xtime
    mov d, a
    mov a, [hl+12]
    mov c, a
    incw hl
    incw hl
    incw hl
    mov b, #4
/* Rows 3 to 0 of the next round key (section 5.2): C holds the old byte of the last word, one row on. */
4:
    mov a, _aes_sbox[c]
    xor a, [hl]
    mov [hl], a
    xor a, [hl+4]
    mov [hl+4], a
    xor a, [hl+8]
    mov [hl+8], a
    xor a, [hl+12]
    xch a, [hl+12]
    mov c, a
    decw hl
    dec b
    bnz $4b
    incw hl
/* What left the state on the left belongs to its right end. */
    mov a, [STATE-9]
    mov [STATE+7], a
    movw ax, [STATE-6]
    movw [STATE+10], ax
    mov a, [STATE-3]
    mov [STATE+13], a
    movw ax, [STATE-2]
    movw [STATE+14], ax
    cmp CONSTANT_BYTE, #0x6c
    bz $2b
    decw hl
    decw hl
    mov e, #4
5:
    movw ax, [EARLY+2]
    movw bc, ax
    incw hl
    mov a, _aes_sbox[c]
    mov A2, a
    mov a, _aes_sbox[b]
    mov A3, a
    xor a, A2
    mov V, a
    movw ax, [STATE+1]
    movw bc, ax
    incw hl
    mov a, _aes_sbox[c]
    mov x, a
    mov a, _aes_sbox[b]
    mov c, a
    xor a, x
    mov b, a
    xtime
    xor a, c
    xor a, V
    xor a, [hl]
    store 0
    mov a, c
    xor a, A2
    xtime
    xor a, x
    xor a, V
    xor a, [hl+1]
    store 1
    mov a, V
    xtime
    xor a, b
    xor a, A3
    xor a, [hl+2]
    store 2
    mov a, A3
    xor a, x
    xtime
    xor a, b
    xor a, A2
    xor a, [hl+3]
    store 3
    incw hl
    incw hl
    dec e
    bnz $5b
    br $!3b
end_function block_encrypt_ax
