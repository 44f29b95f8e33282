; Pointer interface
;   record    text 0 to 7, key 8 to 17 (kept), no work
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  present-80 encryption: 5,486 cycles, 24 bytes of stack, 946 bytes of ROM
;   measured  present-80 decryption: 7,006 cycles, 12 bytes of stack, 981 bytes of ROM
;   measured  present-80 both: 7,006 cycles, 24 bytes of stack, 1,927 bytes of ROM
;   time      constant
;
; The bit layer (section 2, pLayer) brings bits k of 16 nibbles together in word k. The table gives for a
; byte, two nibbles, a word in whose nibble k bits k of both S-box outputs lie side by side; two of them,
; one shifted by two, are added to a word of the state, and its nibbles are exchanged with those of the next
; while the round key is added. Banks 3 and 2 hold each byte of the state as a word, since the index of a
; word is then one move and one shift; bank 2 is saved on the stack. Bank 1 holds the key register, which
; turns right by a word and 3 bits. Decryption takes the steps backwards: nibbles, pairs of bits, and a
; table of bytes with the inverse S-box after the last exchange of bits, which leaves bank 2 alone.

    .section .rodata.present_spread, "a", @progbits
    .balign 2
; Bits k of S(h) and S(l) side by side in nibble k.
_present_spread:
    .irp h, 0xc,5,6,0xb,9,0,0xa,0xd,3,0xe,0xf,8,4,7,1,2
    .irp l, 0xc,5,6,0xb,9,0,0xa,0xd,3,0xe,0xf,8,4,7,1,2
    .short (\h&8)<<10|(\l&8)<<9|(\h&4)<<7|(\l&4)<<6|(\h&2)<<4|(\l&2)<<3|(\h&1)<<1|(\l&1)
    .endr
    .endr
; S(n) ^ n in the high nibble, for the key.
_present_top:
    .byte 0xc0, 0x40, 0x40, 0x80, 0xd0, 0x50, 0xc0, 0xa0, 0xb0, 0x70, 0x50, 0x30, 0x80, 0xa0, 0xf0, 0xd0

; On the stack: two sums, the low word of the key register, the round.
#define z3 [sp+0]
#define z2 [sp+2]
#define w0 [sp+4]
#define number [sp+6]

#include "rl78.inc"

; Two lookups; what the last one left in AX is stored between, where the index would have to be waited for.
.macro pair high, low, store:vararg
    movw bc, \high
    shlw bc, 1
    movw \store, ax
    movw ax, _present_spread[bc]
    movw bc, \low
    shlw bc, 1
    shlw ax, 2
    movw de, ax
    movw ax, _present_spread[bc]
    addw ax, de
.endm

; Exchanges the low nibble of one byte and the high one of another and adds the key.
.macro cross first, second, key, key2, to, to2
    mov a, \second
    shr a, 4
    xor a, \first
    and a, #0x0f
    mov x, a
    xor a, \first
    xor a, \key
    mov \to, a
    mov a, x
    shl a, 4
    xor a, \second
    xor a, \key2
    mov \to2, a
.endm

.macro round
    mov a, number
    add a, #4
    mov number, a
    xor a, w2
    mov w2, a
    forward _present_top, 1
    pair s0, s1, w4
    pair s2, s3, z3
    pair s4, s5, z2
    pair s6, s7, hl
    movw de, ax
    cross h, d, w4, w3, s1, s3
    cross l, e, w2, w1, s5, s7
    movw ax, z3
    movw hl, ax
    movw ax, z2
    movw de, ax
    cross h, d, w4+1, w3+1, s0, s2
    cross l, e, w2+1, w1+1, s4, s6
.endm

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    push hl
    movw hl, ax
    .irp at, 0xffee8, 0xffeea, 0xffeec, 0xffeee
    movw ax, \at
    push ax
    .endr
    push hl
    subw sp, #8
    .irp at, 1, 3, 5, 7, 9, 11, 13, 15
    clrb s0+\at
    .endr
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    mov a, [hl+8+\at]
    mov w4+1-\at, a
    xor a, [hl+\at]
    mov s0+2*\at, a
    .endr
    mov a, [hl+17]
    mov x, a
    mov a, [hl+16]
    movw w0, ax
    mov number, #0
1:
    round
    mov a, number
    cmp a, #124
    skz
    br $!1b
    addw sp, #8
    pop de
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    mov a, s0+2*\at
    mov [de+\at], a
    .endr
    .irp at, 0xffeee, 0xffeec, 0xffeea, 0xffee8
    pop ax
    movw \at, ax
    .endr
    pop hl
    ret
    .size _block_encrypt_ax, . - _block_encrypt_ax
