; Pointer interface
;   record    text 0 to 7, key 8 to 17 (kept), no work
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  present-80 encryption: 4,965 cycles, 24 bytes of stack, 1,920 bytes of ROM
;   measured  present-80 decryption: 5,736 cycles, 12 bytes of stack, 2,037 bytes of ROM
;   measured  present-80 both: 5,736 cycles, 24 bytes of stack, 3,957 bytes of ROM
;   time      constant
;
; Like the variant of 1 KB, with a second table of words for the even words of the state, in which the
; nibbles of each byte are exchanged: then one of two nibbles that belong together meets the other by a
; shift of AX by 4, the other by a mask. A third table has the S-box on the high nibble of the key. Two
; rounds a turn of the loop. Decryption runs the key schedule forwards without turning the register: round i
; changes four bits from bit 19 i - 4 and adds its number 19 bits further, at addresses that are known
; before, and one turn by 31 times 19 bits follows.

    .section .rodata.present_spread, "a", @progbits
    .balign 2
; Bits k of S(h) and S(l) side by side in nibble k.
_present_odd:
    .irp h, 0xc,5,6,0xb,9,0,0xa,0xd,3,0xe,0xf,8,4,7,1,2
    .irp l, 0xc,5,6,0xb,9,0,0xa,0xd,3,0xe,0xf,8,4,7,1,2
    .short (\h&8)<<10|(\l&8)<<9|(\h&4)<<7|(\l&4)<<6|(\h&2)<<4|(\l&2)<<3|(\h&1)<<1|(\l&1)
    .endr
    .endr
; Likewise, the nibbles of each byte exchanged.
_present_even:
    .irp h, 0xc,5,6,0xb,9,0,0xa,0xd,3,0xe,0xf,8,4,7,1,2
    .irp l, 0xc,5,6,0xb,9,0,0xa,0xd,3,0xe,0xf,8,4,7,1,2
    .short (\h&8)<<6|(\l&8)<<5|(\h&4)<<11|(\l&4)<<10|(\h&2)|(\l&2)>>1|(\h&1)<<5|(\l&1)<<4
    .endr
    .endr
; The S-box on the high nibble alone, for the key.
_present_top:
    .irp h, 0xc,5,6,0xb,9,0,0xa,0xd,3,0xe,0xf,8,4,7,1,2
    .irp l, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    .byte \h<<4|\l
    .endr
    .endr

; On the stack: two sums, the low word of the key register, the round.
#define z3l [sp+0]
#define z3h [sp+1]
#define z3 [sp+0]
#define z1l [sp+2]
#define z1h [sp+3]
#define z1 [sp+2]
#define w0 [sp+4]
#define number [sp+6]

#include "rl78.inc"

; Two lookups; what the last one left in AX is stored between, where the index would have to be waited for.
.macro pair table, high, low, store:vararg
    movw bc, \high
    shlw bc, 1
    movw \store, ax
    movw ax, \table[bc]
    movw bc, \low
    shlw bc, 1
    shlw ax, 2
    movw de, ax
    movw ax, \table[bc]
    addw ax, de
.endm

.macro round
    mov a, number
    add a, #4
    mov number, a
    xor a, w2
    mov w2, a
    forward _present_top
    pair _present_odd, s0, s1, w4
    pair _present_odd, s4, s5, z3
    pair _present_even, s2, s3, z1
    pair _present_even, s6, s7, hl
    movw de, ax
    mov a, z1l
    shlw ax, 4
    xor a, w1
    mov s7, a
    mov a, z1l
    xor a, e
    and a, #0xf0
    xor a, e
    xor a, w2
    mov s5, a
    mov a, d
    mov x, a
    mov a, z1h
    shlw ax, 4
    xor a, w3
    mov s3, a
    mov a, z1h
    xor a, d
    and a, #0xf0
    xor a, d
    xor a, w4
    mov s1, a
    movw ax, hl
    mov a, z3l
    shlw ax, 4
    xor a, w1+1
    mov s6, a
    mov a, z3l
    xor a, l
    and a, #0xf0
    xor a, l
    xor a, w2+1
    mov s4, a
    mov a, h
    mov x, a
    mov a, z3h
    shlw ax, 4
    xor a, w3+1
    mov s2, a
    mov a, z3h
    xor a, h
    and a, #0xf0
    xor a, h
    xor a, w4+1
    mov s0, a
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
    br $!2f
1:
    round
2:
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
