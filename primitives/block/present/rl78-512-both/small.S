#include "small.inc"

; The last entry first.
    .section .rodata.present_sbox, "a", @progbits
_present_sbox:
    .byte 2, 1, 7, 4, 8, 15, 14, 3, 13, 10, 0, 9, 11, 6, 5, 12

.macro routine name
    .section .text.present_\name, "ax", @progbits
    .global _present_\name
_present_\name:
.endm

; Pointers, the key register and the round's number for the record at AX, then a copy of the S-box.
    routine begin
    movw text, ax
    movw de, ax
    addw ax, #18
    movw work, ax
    movw hl, ax
    mov c, #8
1:
    mov a, [de+8]
    mov w1-1-0xf0000[c], a
    incw de
    dec c
    bnz $1b
    mov a, [de+9]
    mov x, a
    mov a, [de+8]
    movw w0, ax
    mov a, c
    mov number, a
    movw de, #_present_sbox
    .global _present_copy
_present_copy:
    mov c, #16
2:
    dec c
    mov a, [de]
    mov [hl+c], a
    incw de
    bnz $2b
    ret

; Adds the round key; the round's number is in A.
    routine add
    movw hl, text
    mov c, #8
1:
    mov a, w1-1-0xf0000[c]
    xor a, [hl]
    mov [hl], a
    incw hl
    dec c
    bnz $1b
    movw hl, work
    mov a, number
    ret

; Both nibbles of each byte through the table.
    routine substitute
    movw de, text
    mov count, #8
1:
    mov a, [de]
    mov x, a
    shr a, 4
    mov b, a
    mov a, x
    and a, #0x0f
    mov c, a
    mov a, [hl+b]
    shl a, 4
    or a, [hl+c]
    mov [de], a
    incw de
    dec count
    bnz $1b
    ret

.macro meet first, second, places, mask
    mov a, \second
    shr a, \places
    xor a, \first
    and a, #\mask
    xor \first, a
    shl a, \places
    xor \second, a
.endm

; The bit layer (section 2, pLayer).
    routine permute
    movw hl, text
    mov count, #2
1:
; Bits k of a byte's nibbles side by side, k being 3, 1, 2, 0.
    .irp to, b, c, d, e
    mov a, [hl]
    incw hl
    mov \to, a
    shr a, 3
    xor a, \to
    and a, #0x0a
    xor \to, a
    shl a, 3
    xor \to, a
    .endr
    meet b, c, 2, 0x33
    meet d, e, 2, 0x33
    meet b, d, 4, 0x0f
    meet c, e, 4, 0x0f
    push bc
    push de
    dec count
    bnz $1b
    movw hl, text
    .irp at, 1, 0
    pop de
    pop bc
    mov a, b
    mov [hl+\at], a
    mov a, d
    mov [hl+\at+2], a
    mov a, c
    mov [hl+\at+4], a
    mov a, e
    mov [hl+\at+6], a
    .endr
    movw hl, work
    ret
; An old word's low three bits go on top of the next.
.macro turn low, high, to:vararg
    movw bc, \high
    shlw bc, 13
    movw ax, \low
    shrw ax, 3
    addw ax, bc
    movw \to, ax
.endm

; The key schedule's next round; its number is in A.
    routine forward
    mov a, number
    add a, #4
    mov number, a
    xor a, w2
    mov w2, a
    movw bc, w1
    shlw bc, 13
    movw ax, w0
    movw de, ax
    shrw ax, 3
    addw ax, bc
    high
    push ax
    turn w1, w2, w0
    turn w2, w3, w1
    turn w3, w4, w2
    movw ax, de
    shlw ax, 13
    movw bc, ax
    movw ax, w4
    shrw ax, 3
    addw ax, bc
    movw w3, ax
    pop ax
    movw w4, ax
    mov a, number
    ret
