; Pointer interface
;   record    work 0 to 63, block 64 to 127 (kept), chaining value 128 to 191, output 192 (kept), work 193 to
;             193
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  groestl-256 block: 36,842 cycles, 10 bytes of stack, 2,007 bytes of ROM
;   time      constant
;
; The compression function h + P(h + m) + Q(m) of the Groestl specification (2 March 2011), section 3.2; with
; a 1 in the byte "output" and a block of zeros h + P(h), the output transformation of section 3.3 before it
; is cut, in half of the cycles. Columns stand one after the other, each from row 0 on.
;
; Each row of P and Q has code of its own, which reads a byte where ShiftBytes takes it from; of the bytes
; that are overwritten first up to four wait in a bank. MixBytes has two doublings for each byte.

#define STATE hl
#define BOX(register) _groestl_sbox[register]
#include "rl78_rows.inc"

; The record.
#define BLOCK 64
#define CHAIN 128
#define LAST  192

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
; P of chaining value and block, and then, with 0xff in the upper byte on the stack, Q of the block; the lower
; byte is the number of the round.
permutation:
    mov x, #0
    push ax
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
round:
    movw ax, [sp]
    cmp0 a
    mov a, x
    mov NUMBER, a
    skz
    br !second
    rows_of_p
mix:
    push hl
    mov b, #8
column:
    mix_column
    movw ax, hl
    addw ax, #8
    movw hl, ax
    dec b
    skz
    br !column
    pop hl
    mov a, [sp]
    inc a
    mov [sp], a
    cmp a, #10
    skz
    br !round
    push hl
    mov b, #16
2:
    .rept 4
    mov a, [hl]
    xor a, [hl+CHAIN]
    mov [hl+CHAIN], a
    incw hl
    .endr
    dec b
    bnz $2b
    pop hl
    pop ax
    or a, [hl+LAST]
    bnz $3f
    dec a
    br !permutation
3:
    sel rb0
    pop hl
    ret

second:
    rows_of_q
    br !mix
    .size _hash_block_ax, . - _hash_block_ax
