    .section .rodata.present_inverse, "a", @progbits
    .balign 2
_present_inverse:
    .byte 5, 14, 15, 8, 12, 1, 2, 13, 11, 4, 6, 3, 0, 7, 9, 10
; S(n) ^ n in the high nibble, for the key.
_present_top:
    .byte 0xc0, 0x40, 0x40, 0x80, 0xd0, 0x50, 0xc0, 0xa0, 0xb0, 0x70, 0x50, 0x30, 0x80, 0xa0, 0xf0, 0xd0

; Bank 3: pairs of nibbles.
i0 = 0xffee0
i1 = 0xffee1
i2 = 0xffee2
i3 = 0xffee3
i4 = 0xffee4
i5 = 0xffee5
i6 = 0xffee6
i7 = 0xffee7
; Bank 1: the key register without its low word.
w1 = 0xffef0
w2 = 0xffef2
w3 = 0xffef4
w4 = 0xffef6
; Work, after a copy of the table.
#define STATE 16
#define w0 [hl+24]
#define number [hl+26]

; An old word's low three bits go on top of the next.
.macro turn low, high, to:vararg
    movw bc, \high
    shlw bc, 13
    movw ax, \low
    shrw ax, 3
    addw ax, bc
    movw \to, ax
.endm

; An old word's high three bits go below the one before.
.macro back to, low, high:vararg
    movw bc, \low
    shlw bc, 3
    movw ax, \high
    shrw ax, 13
    addw ax, bc
    movw \to, ax
.endm

; High nibbles to one place, low nibbles to another.
.macro cross first, second, to, to2
    mov a, [hl+STATE+\second]
    shr a, 4
    xor a, [hl+STATE+\first]
    and a, #0x0f
    mov x, a
    xor a, [hl+STATE+\first]
    mov \to, a
    mov a, x
    shl a, 4
    xor a, [hl+STATE+\second]
    mov \to2, a
.endm

.macro pair high, low, at
    movw de, \high
    call $!_present_pair
    xor a, w1+1+\at
    mov [hl+STATE+1+\at], a
    mov a, e
    xor a, w1+\at
    mov [hl+STATE+\at], a
.endm

; The inner bits change places, then the inverse S-box.
.macro place byte
    mov a, \byte
    shr a, 3
    xor a, \byte
    and a, #0x0a
    xor \byte, a
    shl a, 3
    xor a, \byte
    mov x, a
    shr a, 4
    mov b, a
    mov a, x
    and a, #0x0f
    mov c, a
    mov a, [hl+b]
    shl a, 4
    or a, [hl+c]
.endm

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    push hl
    push ax
    movw de, ax
    addw ax, #18
    movw hl, ax
    .irp at, 0, 2, 4, 6, 8, 10, 12, 14
    movw ax, !_present_inverse+\at
    movw [hl+\at], ax
    .endr
    mov c, #8
2:
    mov a, [de+8]
    mov w1-1-0xf0000[c], a
    incw de
    dec c
    bnz $2b
    mov a, [de+9]
    mov x, a
    mov a, [de+8]
    movw w0, ax
    clrb a
3:
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
    mov c, a
    shr a, 4
    mov b, a
    mov a, _present_top[b]
    xor a, c
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
    cmp a, #124
    bnz $3b
    pop de
    push de
    push hl
    mov c, #8
4:
    mov a, w1-1-0xf0000[c]
    mov x, a
    mov a, [de]
    xor a, x
    mov [hl+STATE+7], a
    incw de
    decw hl
    dec c
    bnz $4b
    pop hl
5:
    mov a, w4+1
    mov d, a
    shr a, 4
    mov b, a
    mov a, [hl+b]
    shl a, 4
    mov x, a
    mov a, d
    and a, #0x0f
    or a, x
    mov x, w4
    movw de, ax
    shlw ax, 3
    movw bc, ax
    movw ax, w3
    shrw ax, 13
    addw ax, bc
    push ax
    back w4, w3, w2
    back w3, w2, w1
    back w2, w1, w0
    mov a, number
    xor a, w2
    mov w2, a
    movw ax, w0
    shlw ax, 3
    movw bc, ax
    movw ax, de
    shrw ax, 13
    addw ax, bc
    movw w1, ax
    pop ax
    movw w0, ax
    cross 7, 5, i1, i3
    cross 3, 1, i0, i2
    cross 6, 4, i5, i7
    cross 2, 0, i4, i6
    pair i0, i1, 6
    pair i2, i3, 4
    pair i4, i5, 2
    pair i6, i7, 0
    mov a, number
    sub a, #4
    mov number, a
    skz
    br $!5b
    pop de
    mov c, #8
6:
    mov a, [hl+STATE+7]
    mov [de], a
    incw de
    decw hl
    dec c
    bnz $6b
    pop hl
    ret
_present_pair:
    mov a, e
    shr a, 2
    xor a, d
    and a, #0x33
    xor d, a
    shl a, 2
    xor e, a
    place e
    mov e, a
    place d
    ret
    .size _block_decrypt_ax, . - _block_decrypt_ax
