; Pointer interface
;   record    work 0 to 63, block 64 to 127 (kept), tweak 128 to 143, chaining value 144 to 207, work 208 to
;             215
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3, the tweak
;   measured  skein-512-512 block: 53,105 cycles, 16 bytes of stack, 510 bytes of ROM
;   time      constant
;
; One block of unique block iteration (Skein 1.3, section 3.4): the chaining value becomes Threefish of the
; block under the chaining value and the tweak, plus the block. Bytes stand as in the specification, lowest
; first.
;
; Even words of the state stay where they are; the round d = 0 to 3 of a group takes with the word e the odd
; word (e xor 2d) + 1. The odd word is copied to banks 1 and 0, twice, so that an index turns it by whole
; bytes; a multiplication of each byte by a power of two turns it by bits, since the product's upper byte is
; what goes to the next byte. A subkey is added from its last word down, which leaves a pointer into the ring
; of the key where the last word of the next subkey is.

#define B 64
#define N 8
; The record, and in it the word that closes the ring of the key.
#define TWEAK  (2 * B)
#define KEY    (2 * B + 16)
#define PARITY (3 * B + 16)
; On the stack: the number of the mix, that of the step, where the record is, where the last word of the
; subkey is.
#define MIX  0
#define STEP 1
#define BASE 2
#define LAST 4
; Banks 1 and 0 hold the odd word twice, but for its lowest byte, in whose place the factor stands that turns
; it.
#define TWICE  0xffef0
#define FACTOR 0xffef0
#define END    0xffef0
#define B_OF_BANK_3 0xffee3

    .section .rodata.skein_parity, "a", @progbits
_skein_parity:
    .byte 0x22, 0x1a, 0xfc, 0xa9, 0xda, 0x1b, 0xd1, 0x1b

    .section .rodata.skein_factors, "a", @progbits
_skein_factors:
    .byte 1, 2, 4, 8, 16, 32, 64, 128

; Seven less the whole bytes of a turn, and its bits.
    .section .rodata.skein_turns, "a", @progbits
_skein_turns:
    .irp by, 46, 36, 19, 37, 42, 33, 27, 14, 36, 39, 17, 49, 9, 54, 56, 44
    .byte \by ^ 0x38
    .endr
    .irp by, 39, 30, 34, 24, 17, 13, 50, 10, 39, 43, 25, 29, 35, 56, 22, 8
    .byte \by ^ 0x38
    .endr

; The odd word at DE is added to an even one, turned by what stands in the table at c.
.macro mix
    movw ax, [de]
    mov TWICE+1, a
    movw TWICE+8, ax
    addw ax, [hl]
    movw [hl], ax
    .irp at, 2, 4, 6
    movw ax, [de+\at]
    movw TWICE+\at, ax
    movw TWICE+8+\at, ax
    xch a, x
    addc a, [hl+\at]
    mov [hl+\at], a
    mov a, x
    addc a, [hl+1+\at]
    mov [hl+1+\at], a
    .endr
    mov a, [sp]
    mov c, a
    mov a, _skein_turns[c]
    mov b, a
    and a, #7
    mov c, a
    mov a, _skein_factors[c]
    mov FACTOR, a
    mov x, a
    mov a, b
    shr a, 3
    mov b, a
    mov a, TWICE-0xf0000+8[b]
    mulu x
    mov c, a
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    mov x, FACTOR
    mov a, TWICE-0xf0000+1+\at[b]
    mulu x
    xch a, c
    or a, x
    xor a, [hl+\at]
    mov [de+\at], a
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
    movw de, ax
    addw ax, #KEY+56
    push ax
    push de
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
    movw ax, de
    movw hl, ax
    mov c, #B/2
2:
    movw ax, [hl+B]
    movw [hl], ax
    incw hl
    incw hl
    dec c
    bnz $2b
    clrw ax
    push ax
step:
    movw ax, [sp+BASE]
    addw ax, #KEY-8
    movw END, ax
    addw ax, #-(KEY-8)+TWEAK+8
    movw de, ax
    addw ax, #B-16-TWEAK-8
    movw hl, ax
    call !add
    call !add
    movw ax, hl
    addw ax, #24
    movw hl, ax
    mov a, [sp+STEP]
    clrb b
    clr1 cy
3:
    addc a, [hl+b]
    mov [hl+b], a
    clrb a
    inc b
    bf B_OF_BANK_3.3, $3b
    movw ax, [sp+LAST]
    movw de, ax
4:
    call !add
    movw ax, de
    cmpw ax, END
    bnz $5f
    addw ax, #72
    movw de, ax
5:
    dec b
    bnz $4b
    movw [sp+LAST], ax
    movw ax, [sp+BASE]
    movw hl, ax
    mov a, [sp+STEP]
    inc a
    mov [sp+STEP], a
    cmp a, #19
    bz $last
    mov b, #8
6:
    mov a, [hl+TWEAK]
    xor a, [hl+TWEAK+8]
    xch a, [hl+TWEAK+8]
    mov [hl+TWEAK], a
    incw hl
    dec b
    bnz $6b
round:
    movw ax, [sp+BASE]
    movw hl, ax
7:
    mov a, [sp+MIX]
    mov x, a
    shr a, 2
    xor a, x
    and a, #3
    shl a, 4
    or a, #8
    mov x, a
    clrb a
    movw bc, ax
    movw ax, [sp+BASE]
    addw ax, bc
    movw de, ax
    mix
    movw ax, hl
    addw ax, #16
    movw hl, ax
    mov a, [sp+MIX]
    inc a
    and a, #31
    mov [sp+MIX], a
    and a, #3
    skz
    br !7b
    mov a, [sp+MIX]
    and a, #15
    skz
    br !round
    br !step
last:
    mov b, #B
8:
    mov a, [hl]
    xor a, [hl+B]
    mov [hl+KEY], a
    incw hl
    dec b
    bnz $8b
    addw sp, #6
    sel rb0
    pop hl
    ret

; Adds the word at DE to that at HL; both pointers move back by a word.
add:
    movw ax, [de]
    addw ax, [hl+0]
    movw [hl], ax
    .irp at, 2, 3, 4, 5, 6, 7
    mov a, [de+\at]
    addc a, [hl+\at]
    mov [hl+\at], a
    .endr
    movw ax, hl
    subw ax, #8
    movw hl, ax
    movw ax, de
    subw ax, #8
    movw de, ax
    ret
    .size _hash_block_ax, . - _hash_block_ax
