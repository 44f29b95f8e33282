; Pointer interface
;   record    work 0 to 63, block 64 to 127 (kept), chaining value 128 to 191, output 192 (kept), work 193 to
;             195
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  groestl-256 block: 5,900,000 to 6,700,000 cycles, 12 bytes of stack, 254 bytes of ROM
;   time      depends on the data, since an inverse is found by counting up the powers of 3
;
; The compression function h + P(h + m) + Q(m) of the Groestl specification (2 March 2011), section 3.2; with
; a 1 in the byte "output" and a block of zeros h + P(h), the output transformation of section 3.3 before it
; is cut, in half of the cycles. Columns stand one after the other, each from row 0 on.
;
; Every step is done in place: each row goes through eight bytes that stand twice in banks 1 and 0, so that
; reading from an index on turns it, and each column too, so that one expression makes every row of MixBytes:
; in place of the sums by 5, 3 and 7 it adds bytes, doubles, adds, doubles and adds.

; The record.
#define BLOCK  64
#define CHAIN  128
#define LAST   192
#define ROUND  193
#define SECOND 194
; Eight bytes, twice, in banks 1 and 0, and their address.
#define TWICE 0xfef0
; Bytes of bank 3, which is at work.
#define B_OF_BANK_3 0xffee3
#define L_OF_BANK_3 0xffee6

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
    bf a.6, $2b
    clrb b
row:
    movw de, #TWICE
    mov a, b
3:
    mov c, a
    mov a, [hl+c]
    xor a, [hl+SECOND]
    push bc
    mov b, a
    oneb c
; The S-box: b and c are multiplied by 3 until b is 1 or stays 0, and c times b is the inverse.
4:
    cmp a, #2
    bc $5f
    mov x, a
    call !double
    xor a, x
    mov b, a
    mov a, c
    mov x, a
    call !double
    xor a, x
    mov c, a
    mov a, b
    br $4b
5:
    mov x, a
    mov a, c
    mulu x
    mov a, x
    mov b, #4
6:
    rol a, 1
    xor x, a
    dec b
    bnz $6b
    mov a, x
    xor a, #0x63
    pop bc
    mov [de], a
    mov [de+8], a
    inc e
    mov a, c
    add a, #8
    bf a.6, $3b
; A row moves by its number; in Q by twice that, and by one more in the upper half.
    mov a, b
    cmp a, #4
    addc a, #0
    and a, [hl+SECOND]
    add a, b
    and a, #7
    or a, #TWICE & 0xff
    mov e, a
    mov a, b
7:
    mov c, a
    mov a, [de]
    mov [hl+c], a
    inc e
    mov a, c
    add a, #8
    bf a.6, $7b
    inc b
    bf B_OF_BANK_3.3, $row
; Now b is 8, the number of columns.
    push hl
    movw ax, hl
    movw de, ax
column:
    push de
    movw hl, #TWICE
8:
    mov a, [de]
    mov [hl], a
    mov [hl+8], a
    incw de
    inc l
    bf L_OF_BANK_3.3, $8b
    pop de
    mov l, #TWICE & 0xff
9:
    mov a, [hl+3]
    xor a, [hl+4]
    xor a, [hl+6]
    xor a, [hl+7]
    call !double
    xor a, [hl]
    xor a, [hl+1]
    xor a, [hl+2]
    xor a, [hl+5]
    xor a, [hl+7]
    call !double
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

double:
    shl a, 1
    sknc
    xor a, #0x1b
    ret
    .size _hash_block_ax, . - _hash_block_ax
