; Pointer interface
;   record    work 0 to 31, block 32 to 63 (kept), tweak 64 to 79, chaining value 80 to 111, work 112 to 119
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3, the tweak
;   measured  skein-256-256 block: 26,548 cycles, 8 bytes of stack, 512 bytes of ROM
;   time      constant
;
; One block of unique block iteration (Skein 1.3, section 3.4): the chaining value becomes Threefish of the
; block under the chaining value and the tweak, plus the block. Bytes stand as in the specification, lowest
; first.
;
; Even words of the state stay where they are; a table says how far from each its odd word is. The odd word is
; copied to banks 0 and 1, twice, so that an index turns it by whole bytes; a multiplication of each byte by a
; power of two turns it by bits, since the product's upper byte is what goes to the next byte.

#define B 32
#define N 4
; The record, and in it the word that closes the ring of the key.
#define TWEAK  (2 * B)
#define KEY    (2 * B + 16)
#define PARITY (3 * B + 16)
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
_skein_turns:
    .irp by, 14, 16, 52, 57, 23, 40, 5, 37, 25, 33, 46, 12, 58, 22, 32, 32
    .byte 8 - \by / 8, 1 << (\by % 8)
    .endr

; How far the odd word is from the even one.
    .section .rodata.skein_places, "a", @progbits
    .balign 2
_skein_places:
    .short 8, 8, 24, -8

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    sel rb3
    movw ax, 0xffef8
    movw hl, ax
    push ax
    clrb b
1:
    mov a, _skein_parity[b]
    xor a, [hl+KEY]
    xor a, [hl+KEY+8]
    xor a, [hl+KEY+16]
    xor a, [hl+KEY+24]
    mov [hl+PARITY], a
    incw hl
    inc b
    bf B_OF_BANK_3.3, $1b
    pop hl
    push hl
    mov c, #B/2
2:
    movw ax, [hl+B]
    movw [hl], ax
    incw hl
    incw hl
    dec c
    bnz $2b
    pop hl
    clrw ax
    push ax
; Two words of the tweak from the second word of the state on, the number of the step, then the words of the
; key from the first word on, which stand behind the tweak.
step:
    movw ax, hl
    addw ax, #TWEAK
    movw de, ax
    addw ax, #8-TWEAK
    movw hl, ax
    mov c, #6
3:
    movw ax, [de]
    addw ax, [hl+0]
    movw [hl], ax
    .irp at, 2, 3, 4, 5, 6, 7
    mov a, [de+\at]
    addc a, [hl+\at]
    mov [hl+\at], a
    .endr
    movw ax, de
    addw ax, #8
    movw de, ax
    movw ax, hl
    addw ax, #8
    movw hl, ax
    dec c
    mov a, c
    cmp a, #4
    bnz $5f
    mov a, [sp+1]
    clrb b
4:
    .rept 4
    addc a, [hl+b]
    mov [hl+b], a
    clrb a
    inc b
    .endr
    bf B_OF_BANK_3.3, $4b
    movw ax, hl
    subw ax, #24
    movw hl, ax
5:
    cmp0 c
    bnz $3b
    mov a, [sp+1]
    inc a
    mov [sp+1], a
    cmp a, #19
    bz $last
    mov c, #4
6:
    movw ax, [hl+KEY-B]
    movw de, ax
    .irp at, 0, 8, 16, 24
    movw ax, [hl+KEY-B+\at+8]
    movw [hl+KEY-B+\at], ax
    .endr
    movw ax, de
    movw [hl+PARITY-B], ax
    movw ax, [hl+TWEAK-B+8]
    movw de, ax
    xor a, [hl+TWEAK-B+1]
    xch a, x
    xor a, [hl+TWEAK-B]
    xch a, x
    movw [hl+TWEAK-B+8], ax
    movw ax, de
    movw [hl+TWEAK-B], ax
    incw hl
    incw hl
    dec c
    bnz $6b
    movw ax, hl
    subw ax, #8
    movw hl, ax
round:
    movw ax, hl
    subw ax, #B
    movw hl, ax
mix:
    mov a, [sp]
    mov c, a
    and a, #6
    mov b, a
    movw ax, _skein_places[b]
    addw ax, hl
    movw de, ax
    movw ax, [de]
    mov TWICE+1, a
    movw TWICE+8, ax
    addw ax, [hl+0]
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
    movw ax, _skein_turns[c]
    mov FACTOR, a
    xch a, x
    mov b, a
    mov a, TWICE-0xf0000+7[b]
    mulu x
    mov c, a
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    mov x, FACTOR
    mov a, TWICE-0xf0000+\at[b]
    mulu x
    xch a, c
    or a, x
    xor a, [hl+\at]
    mov [de+\at], a
    .endr
    movw ax, hl
    addw ax, #16
    movw hl, ax
    mov a, [sp]
    add a, #2
    and a, #31
    mov [sp], a
    and a, #3
    skz
    br !mix
    mov a, [sp]
    and a, #15
    skz
    br !round
    movw ax, hl
    subw ax, #B
    movw hl, ax
    br !step
last:
    pop ax
    movw ax, hl
    subw ax, #B
    movw hl, ax
    mov c, #B
7:
    mov a, [hl]
    xor a, [hl+B]
    mov [hl+KEY], a
    incw hl
    dec c
    bnz $7b
    sel rb0
    pop hl
    ret
    .size _hash_block_ax, . - _hash_block_ax
