; Pointer interface
;   record    work 0 to 63, block 64 to 127 (kept), chaining value 128 to 191, output 192 (kept), work 193 to
;             449
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  groestl-256 block: 33,796 cycles, 10 bytes of stack, 2,000 bytes of ROM
;   time      constant
;
; The compression function h + P(h + m) + Q(m) of the Groestl specification (2 March 2011), section 3.2; with
; a 1 in the byte "output" and a block of zeros h + P(h), the output transformation of section 3.3 before it
; is cut, in half of the cycles. Columns stand one after the other, each from row 0 on.
;
; The S-box is copied to RAM, where a byte of it takes one clock. Each row of P and Q has code of its own,
; which reads a byte where ShiftBytes takes it from; of the bytes that are overwritten first up to four wait
; in a bank. MixBytes has two doublings for each byte.

#define STATE de
#define BOX(register) [hl+register]
#include "rl78_rows.inc"

; The record.
#define BLOCK 64
#define CHAIN 128
#define LAST  192
#define TABLE 194

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
    addw ax, #TABLE
    movw de, ax
    clrb b
1:
    .irp at, 0, 2, 4, 6, 8, 10, 12, 14
    movw ax, _groestl_sbox+\at[b]
    movw [de+\at], ax
    .endr
    movw ax, de
    addw ax, #16
    movw de, ax
    mov a, b
    add a, #16
    mov b, a
    bnz $1b
    clrb a
; P of chaining value and block, and then, with 0xff in the upper byte on the stack, Q of the block; the lower
; byte is the number of the round.
permutation:
    mov x, #0
    push ax
    xor a, #0xff
    mov d, a
    push hl
    mov b, #8
1:
    .rept 8
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
    mov a, [sp]
    mov NUMBER, a
    movw ax, hl
    movw de, ax
    addw ax, #TABLE
    movw hl, ax
    mov a, [sp+1]
    cmp0 a
    skz
    br !second
    rows_of_p
mix:
    movw ax, de
    movw hl, ax
    mov b, #8
column:
    mix_column
    movw ax, hl
    addw ax, #8
    movw hl, ax
    dec b
    skz
    br !column
    movw ax, de
    movw hl, ax
    mov a, [sp]
    inc a
    mov [sp], a
    cmp a, #10
    skz
    br !round
    push hl
    mov b, #8
2:
    .rept 8
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
