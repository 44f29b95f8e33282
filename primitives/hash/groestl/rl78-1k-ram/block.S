; Pointer interface
;   record    work 0 to 63, block 64 to 127 (kept), chaining value 128 to 191, output 192 (kept), work 193 to
;             449
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  groestl-256 block: 38,856 cycles, 10 bytes of stack, 1,012 bytes of ROM
;   time      constant
;
; The compression function h + P(h + m) + Q(m) of the Groestl specification (2 March 2011), section 3.2; with
; a 1 in the byte "output" and a block of zeros h + P(h), the output transformation of section 3.3 before it
; is cut, in half of the cycles. Columns stand one after the other, each from row 0 on.
;
; A column is made of eight bytes of a copy of the state, whose first columns stand behind the last again, so
; that ShiftBytes is a distance, and goes to the other copy. MixBytes has two doublings for each byte.

#include "columns.inc"

; The record; both copies of the state have columns 0 to 6 again behind column 7.
#define BLOCK  64
#define CHAIN  128
#define LAST   192
#define FIRST  194
#define OTHER  322

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
    push ax
    clrb a
; P of chaining value and block, and then, with 0xff on the stack, Q of the block. Beside it the constant of a
; column.
permutation:
    movw bc, ax
    xor a, #0xff
    mov c, a
    movw ax, [sp]
    movw hl, ax
    addw ax, #FIRST
    movw de, ax
    clrb x
    mov a, b
    push ax
    mov b, #8
1:
    .rept 8
    mov a, [hl+CHAIN]
    and a, c
    xor a, [hl+BLOCK]
    mov [de], a
    mov [de+64], a
    incw hl
    incw de
    .endr
    dec b
    bnz $1b
    movw ax, [sp+2]
    addw ax, #OTHER
    movw de, ax
    subw ax, #OTHER-FIRST
    movw hl, ax
column:
    mov a, [sp+1]
    cmp0 a
    skz
    br !second
    column_of_p 0, _groestl_sbox
mix:
    mix_column
    next_column
    bt a.7, $2f
    br !column
2:
    next_round
    skz
    br !column
    pop bc
    pop de
    push de
    mov c, #8
3:
    .rept 8
    mov a, [hl]
    mov x, a
    mov a, [de+CHAIN]
    xor a, x
    mov [de+CHAIN], a
    incw hl
    incw de
    .endr
    dec c
    bnz $3b
    movw ax, [sp]
    movw hl, ax
    mov a, b
    or a, [hl+LAST]
    bnz $4f
    dec a
    br !permutation
4:
    pop ax
    sel rb0
    pop hl
    ret

second:
    column_of_q 0xff, _groestl_sbox
    br !mix
    .size _hash_block_ax, . - _hash_block_ax
