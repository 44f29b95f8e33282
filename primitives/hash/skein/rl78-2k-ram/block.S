; Pointer interface
;   record    work 0 to 63, block 64 to 127 (kept), tweak 128 to 143, chaining value 144 to 207, work 208 to
;             407
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3, the tweak
;   measured  skein-512-512 block: 37,667 cycles, 12 bytes of stack, 1,659 bytes of ROM
;   time      constant
;
; One block of unique block iteration (Skein 1.3, section 3.4): the chaining value becomes Threefish of the
; block under the chaining value and the tweak, plus the block. Bytes stand as in the specification, lowest
; first.
;
; Even words of the state stay where they are, and the four mixes of a round are written out; a table, which
; is copied to RAM, says where their odd words are. The odd word is copied to banks 1 and 0, twice, so that an
; index turns it by whole bytes; a multiplication of each byte by a power of two turns it by bits, since the
; product's upper byte is what goes to the next byte. The key stands a second time behind itself, so that a
; subkey is a place in it.

#define B 64
; The record: behind the key the word that closes its ring, the key again, and a copy of the table.
#define TWEAK  (2 * B)
#define KEY    (2 * B + 16)
#define PARITY (3 * B + 16)
#define TURNS  (KEY + 17 * 8)
; Banks 1 and 0 hold the odd word twice, but for its lowest byte, in whose place the factor stands that turns
; it.
#define TWICE  0xffef0
#define FACTOR 0xffef0
#define B_OF_BANK_3 0xffee3

    .section .rodata.skein_parity, "a", @progbits
_skein_parity:
    .byte 0x22, 0x1a, 0xfc, 0xa9, 0xda, 0x1b, 0xd1, 0x1b

    .section .rodata.skein_turns, "a", @progbits
    .balign 2
.macro turn by
    .byte 8 - \by / 8, 1 << (\by % 8)
.endm
.macro turns d, a, b, c, e
    .irp even, 0, 1, 2, 3
    .short 8 + 16 * (\even ^ \d)
    .if \even == 0
    turn \a
    .elseif \even == 1
    turn \b
    .elseif \even == 2
    turn \c
    .else
    turn \e
    .endif
    .endr
.endm
_skein_turns:
    turns 0, 46, 36, 19, 37
    turns 1, 42, 33, 27, 14
    turns 2, 36, 39, 17, 49
    turns 3, 9, 54, 56, 44
    turns 0, 39, 30, 34, 24
    turns 1, 17, 13, 50, 10
    turns 2, 39, 43, 25, 29
    turns 3, 35, 56, 22, 8

; An odd word is added to an even one, both as the copy of the table says, and turned.
.macro mix even, entry
    movw ax, [sp+4]
    movw de, ax
    movw ax, [de+4*\entry+2]
    mov FACTOR, a
    mov a, x
    mov b, a
    movw ax, [de+4*\entry]
    addw ax, hl
    movw de, ax
    movw ax, [de]
    mov TWICE+1, a
    movw TWICE+8, ax
    addw ax, [hl+\even]
    movw [hl+\even], ax
    .irp at, 2, 4, 6
    movw ax, [de+\at]
    movw TWICE+\at, ax
    movw TWICE+8+\at, ax
    xch a, x
    addc a, [hl+\even+\at]
    mov [hl+\even+\at], a
    mov a, x
    addc a, [hl+\even+1+\at]
    mov [hl+\even+1+\at], a
    .endr
    mov x, FACTOR
    mov a, TWICE-0xf0000+7[b]
    mulu x
    mov c, a
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    mov x, FACTOR
    mov a, TWICE-0xf0000+\at[b]
    mulu x
    xch a, c
    or a, x
    xor a, [hl+\even+\at]
    mov [de+\at], a
    .endr
.endm

; Adds a word at DE to one of the record.
.macro add_word to, from
    movw ax, [de+\from]
    addw ax, [hl+\to]
    movw [hl+\to], ax
    .irp byte, 2, 3, 4, 5, 6, 7
    mov a, [de+\from+\byte]
    addc a, [hl+\to+\byte]
    mov [hl+\to+\byte], a
    .endr
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    sel rb3
    movw ax, 0xffef8
    movw hl, ax
    addw ax, #TURNS
    movw de, ax
    push ax
    addw ax, #KEY-TURNS
    push ax
    push hl
    clrb b
1:
    mov a, _skein_parity[b]
    .irp at, 0, 8, 16, 24, 32, 40, 48, 56
    xor a, [hl+KEY+\at]
    .endr
    mov [hl+PARITY], a
    incw hl
    inc b
    bf B_OF_BANK_3.3, $1b
    pop hl
    push hl
    clrb b
2:
    movw ax, [hl+B]
    movw [hl], ax
    incw hl
    incw hl
    .irp at, 0, 2
    movw ax, _skein_turns+\at[b]
    movw [de+\at], ax
    .endr
    incw de
    incw de
    incw de
    incw de
    mov a, b
    add a, #4
    mov b, a
    bf a.7, $2b
; The key again behind its parity, so that a subkey is a place in it.
    pop ax
    push ax
    addw ax, #KEY
    movw hl, ax
    addw ax, #72
    movw de, ax
    mov b, #B/4
3:
    .rept 2
    movw ax, [hl]
    movw [de], ax
    incw hl
    incw hl
    incw de
    incw de
    .endr
    dec b
    bnz $3b
    pop hl
    clrw ax
    push ax
; On the stack: 0 the number of the step, 2 where its subkey begins, 4 where the turns of the next round are.
step:
    movw ax, hl
    addw ax, #TWEAK
    movw de, ax
    add_word B-24, 0
    add_word B-16, 8
    movw ax, [sp]
    addw ax, [hl+B-8]
    movw [hl+B-8], ax
    .irp at, 2, 3, 4, 5, 6, 7
    mov a, [hl+B-8+\at]
    addc a, #0
    mov [hl+B-8+\at], a
    .endr
    movw ax, [sp+2]
    movw de, ax
    .irp at, 0, 8, 16, 24, 32, 40, 48, 56
    add_word \at, \at
    .endr
    movw ax, [sp]
    incw ax
    movw [sp], ax
    cmpw ax, #19
    sknz
    br !last
    movw ax, [sp+2]
    subw ax, hl
    addw ax, #8
    cmpw ax, #KEY+72
    sknz
    movw ax, #KEY
    addw ax, hl
    movw [sp+2], ax
    .irp place, 0, 2, 4, 6
    movw ax, [hl+TWEAK+8+\place]
    movw de, ax
    xor a, [hl+TWEAK+1+\place]
    xch a, x
    xor a, [hl+TWEAK+\place]
    xch a, x
    movw [hl+TWEAK+8+\place], ax
    movw ax, de
    movw [hl+TWEAK+\place], ax
    .endr
round:
    .irp even, 0, 1, 2, 3
    mix 16*\even, \even
    .endr
    movw ax, [sp+4]
    addw ax, #16
    movw [sp+4], ax
    mov a, [sp+1]
    inc a
    and a, #3
    mov [sp+1], a
    skz
    br !round
    mov a, [sp]
    bt a.0, $4f
    movw ax, [sp+4]
    subw ax, #128
    movw [sp+4], ax
4:
    br !step
last:
    addw sp, #6
    mov c, #B/8
5:
    .rept 8
    mov a, [hl]
    xor a, [hl+B]
    mov [hl+KEY], a
    incw hl
    .endr
    dec c
    bnz $5b
    sel rb0
    pop hl
    ret
    .size _hash_block_ax, . - _hash_block_ax
