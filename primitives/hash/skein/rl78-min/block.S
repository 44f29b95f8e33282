; Pointer interface
;   record    work 0 to 31, block 32 to 63 (kept), tweak 64 to 79, chaining value 80 to 111; Skein-512: work
;             0 to 63, block 64 to 127 (kept), tweak 128 to 143, chaining value 144 to 207, work 208 to 215
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3, the tweak
;   measured  skein-256-256 block: 185,354 cycles, 12 bytes of stack, 225 bytes of ROM
;   measured  skein-512-512 block: 659,116 cycles, 12 bytes of stack, 252 bytes of ROM
;   time      constant
;
; One block of unique block iteration (Skein 1.3, section 3.4): the chaining value becomes Threefish of the
; block under the chaining value and the tweak, plus the block. Bytes stand as in the specification, lowest
; first.
;
; Even words of the state stay where they are; the round d = 0 to 3 of a group takes with the word e the odd
; word (e xor 2d) + 1, which is where the permutation of section 3.3 has brought it. The odd word is turned in
; the eight bytes of bank 0, while bank 1 is at work: a pass turns by one bit, moves all by one word of 16
; bits, and so turns by 17 bits; 49 times 17 is 1 modulo 64. Passes come in the lower six bits of a table's
; byte, the odd word in the others, which make 64 passes more at a time, that is, nothing. The next subkey
; comes by moving all words of the key down by one: the word that moves in is the parity of those in place,
; and that of the tweak likewise.

#define B PRIMITIVE_BLOCK_BYTES
#define N (B / 8)
; The bytes of bank 1 and, as plain memory, of bank 3.
#define B_OF_BANK_1 0xffef3
#define MIX   0xffee0
#define STEP  0xffee1
#define COUNT 0xffee2

    .section .rodata.skein_parity, "a", @progbits
_skein_parity:
    .byte 0x22, 0x1a, 0xfc, 0xa9, 0xda, 0x1b, 0xd1, 0x1b

    .section .rodata.skein_turns, "a", @progbits
.macro turn by, odd
    .byte \by * 49 % 64 + (\odd) * 64
.endm
_skein_turns:
#if N == 4
    turn 14, 0
    turn 16, 1
    turn 52, 1
    turn 57, 0
    turn 23, 0
    turn 40, 1
    turn 5, 1
    turn 37, 0
    turn 25, 0
    turn 33, 1
    turn 46, 1
    turn 12, 0
    turn 58, 0
    turn 22, 1
    turn 32, 1
    turn 32, 0
#else
.macro turns d, a, b, c, e
    turn \a, 0 ^ \d
    turn \b, 1 ^ \d
    turn \c, 2 ^ \d
    turn \e, 3 ^ \d
.endm
    turns 0, 46, 36, 19, 37
    turns 1, 42, 33, 27, 14
    turns 2, 36, 39, 17, 49
    turns 3, 9, 54, 56, 44
    turns 0, 39, 30, 34, 24
    turns 1, 17, 13, 50, 10
    turns 2, 39, 43, 25, 29
    turns 3, 35, 56, 22, 8
#endif

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    sel rb1
    movw ax, 0xffef8
    movw hl, ax
    push hl
    mov b, #B
1:
    mov a, [hl+B]
    mov [hl], a
    incw hl
    dec b
    bnz $1b
    mov d, #0xfe
    clrw ax
    movw MIX, ax
; One subkey: the tweak to two words, the chaining value to all, the number of the step to the last.
step:
    pop hl
    push hl
    mov c, #2*B
    mov b, #B-24
    call !add
    call !add
    clrb b
2:
    call !add
    mov a, b
    cmp a, #B
    bnz $2b
    mov b, #B-8
    mov a, STEP
3:
    addc a, [hl+b]
    mov [hl+b], a
    clrb a
    inc b
#if N == 4
    bf B_OF_BANK_1.5, $3b
#else
    bf B_OF_BANK_1.6, $3b
#endif
    inc STEP
    cmp STEP, #19
    bz $last
#if N == 4
    clr1 MIX.4
#else
    clr1 MIX.5
#endif
    clrb b
; The word at b and an odd one: the sum goes to b, what is turned to bank 0.
mix:
    mov c, MIX
    mov a, _skein_turns[c]
    mov COUNT, a
    shr a, 2
    and a, #B-16
    or a, #8
    mov c, a
    call !add
    sel rb0
; The carry of the highest word is the lowest bit of what was the lowest word.
4:
    addw ax, ax
    xchw ax, bc
    rolwc ax, 1
    xchw ax, de
    rolwc ax, 1
    xchw ax, hl
    rolwc ax, 1
    sknc
    incw bc
    dec COUNT
    bnz $4b
    sel rb1
; Backwards through both words and bank 0: b and c end where they began.
5:
    dec e
    dec b
    dec c
    mov a, [de]
    xor a, [hl+b]
    mov [hl+c], a
    mov a, e
    and a, #7
    bnz $5b
    mov a, b
#if N == 4
    xor a, #16
#else
    add a, #16
    and a, #B-16
#endif
    mov b, a
    inc MIX
    mov a, MIX
    and a, #2*N-1
    bnz $mix
; b is 0: all even words have been passed twice.
6:
    mov a, _skein_parity[b]
    xor a, [hl+2*B+16]
    xor a, [hl+2*B+16+8]
    xor a, [hl+2*B+16+16]
    xor a, [hl+2*B+16+24]
#if N == 8
    xor a, [hl+2*B+16+32]
    xor a, [hl+2*B+16+40]
    xor a, [hl+2*B+16+48]
    xor a, [hl+2*B+16+56]
    mov [hl+3*B+16], a
#else
    xch a, [hl+2*B+16+24]
    xch a, [hl+2*B+16+16]
    xch a, [hl+2*B+16+8]
    mov [hl+2*B+16], a
#endif
    mov a, [hl+2*B]
    xor a, [hl+2*B+8]
    xch a, [hl+2*B+8]
    mov [hl+2*B], a
    incw hl
    inc b
    bf B_OF_BANK_1.3, $6b
#if N == 8
    mov b, #B
9:
    mov a, [hl+2*B+16]
    mov [hl+2*B+8], a
    incw hl
    dec b
    bnz $9b
#endif
    br !step
last:
    pop hl
7:
    mov a, [hl]
    xor a, [hl+B]
    mov [hl+2*B+16], a
    incw hl
    dec b
    bnz $7b
    sel rb0
    pop hl
    ret

; The word at b plus that at c, which goes to bank 0 too.
add:
    mov e, #0xf8
    clr1 cy
8:
    mov a, [hl+c]
    mov [de], a
    addc a, [hl+b]
    mov [hl+b], a
    inc b
    inc c
    inc e
    bnz $8b
    ret
    .size _hash_block_ax, . - _hash_block_ax
