; Pointer interface
;   record    work 0 to 63, block 64 to 127 (kept), chaining value 128 to 191, output 192 (kept), work 193 to
;             195
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  groestl-256 block: 44,046 cycles, 8 bytes of stack, 980 bytes of ROM
;   time      constant
;
; The compression function h + P(h + m) + Q(m) of the Groestl specification (2 March 2011), section 3.2; with
; a 1 in the byte "output" and a block of zeros h + P(h), the output transformation of section 3.3 before it
; is cut, in half of the cycles. Columns stand one after the other, each from row 0 on.
;
; Every step is done in place. A row goes through eight bytes that stand twice in banks 1 and 0, so that
; reading from an index on turns it. MixBytes adds neighbours (t), then a_(i+6) to t_i and t_(i+2) (y), and
; row i is 2 (2 (t_(i+3) + t_(i+6)) + y_(i+7)) + y_(i+4): two doublings.

; The record.
#define BLOCK  64
#define CHAIN  128
#define LAST   192
#define ROUND  193
#define SECOND 194
; A row, twice, in banks 1 and 0; later sums of neighbours in a column, and sums of five.
#define TWICE 0xffef0
#define PAIRS 0xffef0
#define FIVES 0xffef8
; A byte of bank 3, which is at work.
#define E_OF_BANK_3 0xffee4

    .section .rodata.groestl_sbox, "a", @progbits
_groestl_sbox:
#define ROW(...) .byte __VA_ARGS__
#include "aes_sbox.inc"
#undef ROW

; How far each row moves in P and in Q.
    .section .rodata.groestl_shifts, "a", @progbits
_groestl_shifts:
    .byte 0, 1, 2, 3, 4, 5, 6, 7
    .byte 1, 3, 5, 7, 0, 2, 4, 6

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
    mov b, #16
1:
    .rept 4
    mov a, [hl+CHAIN]
    and a, d
    xor a, [hl+BLOCK]
    mov [hl], a
    incw hl
    .endr
    dec b
    bnz $1b
    pop hl
    mov [hl+ROUND], #0
round:
    push hl
    mov a, [hl+SECOND]
    mov c, a
    mov e, #0
    mov a, [hl+ROUND]
    cmp0 c
    bnz $2f
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7
    mov x, a
    xor a, [hl+8*\column]
    mov [hl+8*\column], a
    mov a, x
    .if \column < 7
    add a, #0x10
    .endif
    .endr
    br $3f
2:
    mov e, #8
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7
    mov x, a
    xor a, [hl+8*\column+7]
    mov [hl+8*\column+7], a
    mov a, x
    .if \column < 7
    add a, #0x10
    .endif
    .endr
3:
    mov a, c
    mov x, a
row:
    .irp column, 0, 2, 4, 6
    mov a, [hl+8*\column]
    xor a, x
    mov b, a
    mov a, [hl+8*\column+8]
    xor a, x
    mov c, a
    mov a, _groestl_sbox[b]
    mov TWICE+\column, a
    mov TWICE+8+\column, a
    mov a, _groestl_sbox[c]
    mov TWICE+1+\column, a
    mov TWICE+9+\column, a
    .endr
    mov a, e
    mov b, a
    mov a, _groestl_shifts[b]
    mov b, a
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7
    mov a, TWICE-0xf0000+\column[b]
    mov [hl+8*\column], a
    .endr
    incw hl
    inc e
    mov a, e
    and a, #7
    skz
    br !row
    pop hl
    push hl
    mov b, #8
column:
    .irp row, 0, 1, 2, 3, 4, 5, 6, 7
    mov a, [hl+\row]
    xor a, [hl+((\row+1)&7)]
    mov PAIRS+\row, a
    .endr
    .irp row, 0, 1, 2, 3, 4, 5, 6, 7
    mov a, PAIRS+\row
    xor a, PAIRS+((\row+2)&7)
    xor a, [hl+((\row+6)&7)]
    mov FIVES+\row, a
    .endr
    .irp row, 0, 1, 2, 3, 4, 5, 6, 7
    mov a, PAIRS+((\row+3)&7)
    xor a, PAIRS+((\row+6)&7)
    shl a, 1
    sknc
    xor a, #0x1b
    xor a, FIVES+((\row+7)&7)
    shl a, 1
    sknc
    xor a, #0x1b
    xor a, FIVES+((\row+4)&7)
    mov [hl+\row], a
    .endr
    movw ax, hl
    addw ax, #8
    movw hl, ax
    dec b
    skz
    br !column
    pop hl
    inc [hl+ROUND]
    mov a, [hl+ROUND]
    cmp a, #10
    skz
    br !round
    push hl
    mov b, #16
10:
    .rept 4
    mov a, [hl]
    xor a, [hl+CHAIN]
    mov [hl+CHAIN], a
    incw hl
    .endr
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
