; On the stack.
#define w0 [sp+0]
#define number [sp+2]


#include "rl78.inc"
#include "rl78_back.inc"
; S(n) ^ n at each place within a byte and across two.
.macro table name, places, unit
_present_\name:
    .irp n, 0xc,4,4,8,0xd,5,0xc,0xa,0xb,7,5,3,8,0xa,0xf,0xd
    .\unit \n << \places
    .endr
.endm
    .balign 2
    table place5, 5, short
    table place6, 6, short
    table place7, 7, short
    table place0, 0, byte
    table place1, 1, byte
    table place2, 2, byte
    table place3, 3, byte
    table place4, 4, byte

; The byte with the given bit, of the key register as it lies before it has turned at all.
.macro where symbol, bit
    .set \symbol, y20 + (\bit) % 80 / 8
    .if ((\bit) % 80 / 8) > 1
    .set \symbol, w1 + (\bit) % 80 / 8 - 2
    .endif
.endm

; The round's number, bits 15 to 19 of the turned register.
.macro count bit, index
    where low, \bit
    where high, \bit+8
    .set shifted, (\index) << ((\bit) % 8)
    .if shifted & 0xff
    xor low, #shifted & 0xff
    .endif
    .if shifted >> 8
    xor high, #shifted >> 8
    .endif
.endm

.macro within bit, index, table, places
    mov a, first
    .if \places
    shr a, \places
    .endif
    .if \places < 4
    and a, #0x0f
    .endif
    mov b, a
    count \bit+19, \index
    mov a, \table[b]
    xor a, first
    mov first, a
.endm

.macro across bit, index, table, places
    mov x, first
    mov a, second
    shrw ax, \places - 1
    mov a, x
    and a, #0x1e
    mov b, a
    count \bit+19, \index
    movw ax, \table[b]
    xor a, second
    mov second, a
    mov a, x
    xor a, first
    mov first, a
.endm

; A round of the key schedule without the turning.
.macro step bit, index
    where first, \bit
    where second, \bit+8
    .if (\bit) % 8 == 0
    within \bit, \index, _present_place0, 0
    .elseif (\bit) % 8 == 1
    within \bit, \index, _present_place1, 1
    .elseif (\bit) % 8 == 2
    within \bit, \index, _present_place2, 2
    .elseif (\bit) % 8 == 3
    within \bit, \index, _present_place3, 3
    .elseif (\bit) % 8 == 4
    within \bit, \index, _present_place4, 4
    .elseif (\bit) % 8 == 5
    across \bit, \index, _present_place5, 5
    .elseif (\bit) % 8 == 6
    across \bit, \index, _present_place6, 6
    .else
    across \bit, \index, _present_place7, 7
    .endif
.endm

; All 31 turns, by 589 or 29 bits.
.macro slide to, low, high:vararg
    movw bc, \high
    shlw bc, 3
    movw ax, \low
    shrw ax, 13
    addw ax, bc
    movw \to, ax
.endm

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    push hl
    movw hl, ax
    push hl
    subw sp, #4
    .irp at, 0, 1, 2, 3, 4, 5, 6, 7
    mov a, [hl+8+\at]
    mov w4+1-\at, a
    .endr
    mov a, [hl+16]
    mov y20+1, a
    mov a, [hl+17]
    mov y20, a
    .irp index, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    step (19*\index-4), \index
    .endr
    movw ax, y20
    movw de, ax
    slide y00, y20, w1
    slide w0, w1, w2
    slide w1, w2, w3
    slide w2, w3, w4
    movw ax, de
    shlw ax, 3
    movw bc, ax
    movw ax, w4
    shrw ax, 13
    addw ax, bc
    movw w3, ax
    movw ax, y00
    movw w4, ax
    mov number, #124
    text load
    br $!2f
1:
    round
    mov a, number
    sub a, #4
    mov number, a
2:
    round
    mov a, number
    sub a, #4
    mov number, a
    skz
    br $!1b
    addw sp, #4
    pop hl
    text store
    pop hl
    ret
    .size _block_decrypt_ax, . - _block_decrypt_ax
