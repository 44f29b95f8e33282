; Pointer interface
;   record    work 0 to 63, block 64 to 127 (kept), chaining value 128 to 191, output 192 (kept), work 193 to
;             195
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  groestl-256 block: 86,534 cycles, 10 bytes of stack, 507 bytes of ROM
;   time      constant
;
; The compression function h + P(h + m) + Q(m) of the Groestl specification (2 March 2011), section 3.2; with
; a 1 in the byte "output" and a block of zeros h + P(h), the output transformation of section 3.3 before it
; is cut, in half of the cycles. Columns stand one after the other, each from row 0 on.
;
; Every step is done in place: each row goes through eight bytes that stand twice in banks 1 and 0, so that
; reading from an index on turns it, and each column too, so that one expression makes every row of MixBytes.
; Loops that cost more than what they do are written out twice.

; The record.
#define BLOCK  64
#define CHAIN  128
#define LAST   192
#define ROUND  193
#define SECOND 194
; Eight bytes, twice, in banks 1 and 0, and their address.
#define TWICE 0xfef0
; Bytes of bank 3, which is at work.
#define X_OF_BANK_3 0xffee0
#define L_OF_BANK_3 0xffee6

    .section .rodata.groestl_sbox, "a", @progbits
_groestl_sbox:
#define ROW(...) .byte __VA_ARGS__
#include "aes_sbox.inc"
#undef ROW

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    sel rb3
    movw ax, 0xffef8
    movw hl, ax
    clrb a
; P of chaining value and block, and then, with 0xff in SECOND, Q of the block.
permutation:
    mov [hl+SECOND], a
    xor a, #0xff
    mov d, a
    push hl
    mov b, #64
1:
    mov a, [hl+CHAIN]
    and a, d
    xor a, [hl+BLOCK]
    mov [hl], a
    incw hl
    dec b
    bnz $1b
    pop hl
    mov [hl+ROUND], #0
round:
    mov a, [hl+SECOND]
    and a, #7
; The constants, in row 0, in Q in row 7: the column stands in the bits 3 to 5 of the index.
2:
    mov c, a
    shl a, 1
    and a, #0x70
    xor a, [hl+ROUND]
    xor a, [hl+c]
    mov [hl+c], a
    mov a, c
    add a, #8
    cmp a, #64
    bc $2b
    mov x, #0
row:
    movw de, #TWICE
    mov a, x
3:
    .rept 2
    mov c, a
    mov a, [hl+c]
    xor a, [hl+SECOND]
    mov b, a
    mov a, _groestl_sbox[b]
    mov [de], a
    mov [de+8], a
    inc e
    mov a, c
    add a, #8
    .endr
    cmp a, #64
    bc $3b
; A row moves by its number; in Q by twice that, and by one more in the upper half.
    mov a, x
    cmp a, #4
    addc a, #0
    and a, [hl+SECOND]
    add a, x
    and a, #7
    or a, #TWICE & 0xff
    mov e, a
    mov a, x
7:
    .rept 2
    mov c, a
    mov a, [de]
    mov [hl+c], a
    inc e
    mov a, c
    add a, #8
    .endr
    cmp a, #64
    bc $7b
    inc x
    bf X_OF_BANK_3.3, $row
    push hl
    movw ax, hl
    movw de, ax
    mov b, #8
column:
    push de
    movw hl, #TWICE
8:
    .rept 2
    mov a, [de]
    mov [hl], a
    mov [hl+8], a
    incw de
    inc l
    .endr
    bf L_OF_BANK_3.3, $8b
    pop de
    mov l, #TWICE & 0xff
9:
    mov a, [hl+3]
    xor a, [hl+4]
    xor a, [hl+6]
    xor a, [hl+7]
    shl a, 1
    sknc
    xor a, #0x1b
    xor a, [hl]
    xor a, [hl+1]
    xor a, [hl+2]
    xor a, [hl+5]
    xor a, [hl+7]
    shl a, 1
    sknc
    xor a, #0x1b
    xor a, [hl+2]
    xor a, [hl+4]
    xor a, [hl+5]
    xor a, [hl+6]
    xor a, [hl+7]
    mov [de], a
    incw de
    inc l
    bf L_OF_BANK_3.3, $9b
    dec b
    bnz $column
    pop hl
    inc [hl+ROUND]
    mov a, [hl+ROUND]
    cmp a, #10
    skz
    br !round
    push hl
    mov b, #64
10:
    mov a, [hl]
    xor a, [hl+CHAIN]
    mov [hl+CHAIN], a
    incw hl
    dec b
    bnz $10b
    pop hl
    mov a, [hl+SECOND]
    or a, [hl+LAST]
    bnz $11f
    dec a
    br !permutation
11:
    sel rb0
    pop hl
    ret
    .size _hash_block_ax, . - _hash_block_ax
