; Pointer interface
;   record    state 0 to 199 (lane x + 5y at 8(x + 5y), lowest byte first), work 200 to 247
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  keccak-r1088-c512 block: 84,716 cycles, 6 bytes of stack, 992 bytes of ROM
;   measured  keccak-r576-c1024 block: 84,716 cycles, 6 bytes of stack, 992 bytes of ROM
;   time      constant
;
; FIPS 202, section 3.3: KECCAK-p[1600, 24] on the state, to which the caller has added the block. Rho and pi
; move words, backwards from lane 1 to where each lane comes from, 24 in a loop of four times. Each lane is
; entered at the word to which the words that lanes turn by on their way have led, so that the pointers to the
; words of a lane only change places from one time to the next. A word takes the bits that it lacks from the
; word of its lane that was moved the time before, of which a copy is kept in the work. A walk ends two words
; from where it began, thus lane 1 is turned by two words before. Bank 1 has the addresses of the words of
; lane 0, where rho and pi begin with the first: AX, BC, DE and HL.
    .equ    first, 0xffef0
    .equ    round, 0xffee0
    .equ    count, 0xffee1
    .equ    below, 0xffee2
    .equ    moving, 0xffee4

    .section .rodata.keccak_rounds, "a", @progbits
; The constants of rounds 24 to 1: bits 0, 1, 3 and 7 where they belong, then bits 15, 31 and 63 as bits 6, 5
; and 4.
rounds:
    .byte   0x78, 0x21, 0xd0, 0xf1, 0x3a, 0x4a, 0x90, 0x52, 0x53, 0xd9, 0x9b, 0xeb
    .byte   0x2a, 0x69, 0x88, 0x8a, 0x59, 0xf1, 0x21, 0xcb, 0x70, 0xda, 0xc2, 0x01

; Keeps the word of lane from that is below the one that moves first.
.macro keep from, word, at
    movw    ax, [hl+8*\from+2*\word]
    movw    [hl+200+2*\at], ax
.endm

; A word at from turned left by turn bits, with those of the word below it, which was kept.
.macro word from, at, turn, to
    .if     \turn == 1
    mov     a, 201+2*\at[bc]
    rolc    a, 1
    movw    ax, \from
    movw    200+2*\at[bc], ax
    rolwc   ax, 1
    .elseif \turn == 8
    mov     a, 201+2*\at[bc]
    mov     below, a
    movw    ax, \from
    movw    200+2*\at[bc], ax
    mov     a, x
    mov     x, below
    .else
    movw    ax, 200+2*\at[bc]
    shrw    ax, 16-\turn
    movw    below, ax
    movw    ax, \from
    movw    200+2*\at[bc], ax
    shlw    ax, \turn
    addw    ax, below
    .endif
    movw    \to, ax
.endm

; A byte of the five lanes of a row, the first of them at from.
.macro row from, o
    mov     a, \from
    mov     b, a
    mov     a, [hl+\o+8]
    mov     c, a
    xor     a, #255
    and     a, [hl+\o+16]
    xor     a, b
    mov     \from, a
    mov     a, [hl+\o+16]
    xor     a, #255
    and     a, [hl+\o+24]
    xor     a, c
    mov     [hl+\o+8], a
    mov     a, [hl+\o+24]
    xor     a, #255
    and     a, [hl+\o+32]
    xor     a, [hl+\o+16]
    mov     [hl+\o+16], a
    mov     a, [hl+\o+32]
    xor     a, #255
    and     a, b
    xor     a, [hl+\o+24]
    mov     [hl+\o+24], a
    mov     a, b
    xor     a, #255
    and     a, c
    xor     a, [hl+\o+32]
    mov     [hl+\o+32], a
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type   _hash_block_ax, @function
_hash_block_ax:
    push    hl
    movw    first, ax
    .irp    at, first+2, first+4, first+6
    incw    ax
    incw    ax
    movw    \at, ax
    .endr
    mov     round, #24
.Lround:
; Theta: the parities of columns 0 to 4 to 208, that of column 4 to 200 too.
    movw    ax, first
    movw    hl, ax
    mov     b, #8
1:
    .irp    i, 0, 1, 2, 3, 4
    .if     \i
    mov     a, [hl+\i]
    .else
    mov     a, [hl]
    .endif
    xor     a, [hl+\i+40]
    xor     a, [hl+\i+80]
    xor     a, [hl+\i+120]
    xor     a, [hl+\i+160]
    mov     [hl+\i+208], a
    .endr
    movw    ax, hl
    addw    ax, #5
    movw    hl, ax
    dec     b
    bnz     $1b
    .irp    i, 0, 2, 4, 6
    movw    ax, [hl+\i+200]
    movw    [hl+\i+160], ax
    .endr
; Columns 4, 0, 1, 2, 3: DE at the parity of the next column.
    movw    ax, first
    addw    ax, #208
    movw    de, ax
    subw    ax, #176
    movw    hl, ax
    mov     b, #5
2:
    mov     a, [de+7]
    rolc    a, 1
    mov     x, #4
3:
    .irp    i, 0, 1
    .if     \i
    mov     a, [de+\i]
    .else
    mov     a, [de]
    .endif
    rolc    a, 1
    xor     a, [hl+\i+200]
    mov     c, a
    .irp    y, 0, 40, 80, 120, 160
    .if     \y
    mov     a, c
    .endif
    .if     \y+\i
    xor     a, [hl+\y+\i]
    mov     [hl+\y+\i], a
    .else
    xor     a, [hl]
    mov     [hl], a
    .endif
    .endr
    .endr
    .irp    i, 0, 1
    incw    de
    incw    hl
    .endr
    dec     x
    bnz     $3b
    movw    ax, de
    subw    ax, #216
    movw    hl, ax
    dec     b
    bnz     $2b
; Rho and pi.
    movw    ax, first
    movw    hl, ax
    movw    bc, ax
    .irp    at, 8, 10
    movw    ax, [hl+\at]
    movw    de, ax
    movw    ax, [hl+\at+4]
    movw    [hl+\at], ax
    movw    ax, de
    movw    [hl+\at+4], ax
    .endr
    keep    1, 1, 0
    keep    10, 3, 1
    keep    7, 3, 2
    keep    11, 3, 3
    keep    17, 3, 4
    keep    18, 3, 5
    keep    3, 0, 6
    keep    5, 1, 7
    keep    16, 3, 8
    keep    8, 1, 9
    keep    21, 0, 10
    keep    24, 0, 11
    keep    4, 0, 12
    keep    15, 1, 13
    keep    23, 3, 14
    keep    19, 2, 15
    keep    13, 2, 16
    keep    12, 3, 17
    keep    2, 1, 18
    keep    20, 0, 19
    keep    14, 1, 20
    keep    22, 3, 21
    keep    9, 2, 22
    keep    6, 3, 23
    mov     count, #4
1:
    movw    hl, first+4
    movw    ax, [hl+8]
    movw    moving, ax
    movw    de, first+0
    word    [de+48], 23, 12, [hl+8]
    movw    hl, first+6
    word    [hl+72], 22, 4, [de+48]
    movw    de, first+0
    word    [de+176], 21, 13, [hl+72]
    movw    hl, first+4
    word    [hl+112], 20, 7, [de+176]
    movw    de, first+2
    word    [de+160], 19, 2, [hl+112]
    movw    hl, first+4
    word    [hl+16], 18, 14, [de+160]
    movw    de, first+0
    word    [de+96], 17, 11, [hl+16]
    movw    hl, first+6
    word    [hl+104], 16, 9, [de+96]
    word    [hl+152], 15, 8, [hl+104]
    movw    de, first+0
    word    [de+184], 14, 8, [hl+152]
    movw    hl, first+4
    word    [hl+120], 13, 9, [de+184]
    movw    de, first+2
    word    [de+32], 12, 11, [hl+120]
    word    [de+192], 11, 14, [de+32]
    word    [de+168], 10, 2, [de+192]
    movw    hl, first+4
    word    [hl+64], 9, 7, [de+168]
    movw    de, first+0
    word    [de+128], 8, 13, [hl+64]
    movw    hl, first+4
    word    [hl+40], 7, 4, [de+128]
    movw    de, first+2
    word    [de+24], 6, 12, [hl+40]
    movw    hl, first+0
    word    [hl+144], 5, 5, [de+24]
    word    [hl+136], 4, 15, [hl+144]
    word    [hl+88], 3, 10, [hl+136]
    word    [hl+56], 2, 6, [hl+88]
    word    [hl+80], 1, 3, [hl+56]
    word    moving, 0, 1, [hl+80]
    sel     rb1
    xchw    ax, hl
    xchw    ax, de
    xchw    ax, bc
    sel     rb0
    dec     count
    skz
    br      $!1b
; Chi.
    movw    ax, first
    movw    hl, ax
    mov     d, #5
1:
    mov     e, #4
2:
    row     [hl], 0
    row     [hl+1], 1
    incw    hl
    incw    hl
    dec     e
    bnz     $2b
    movw    ax, hl
    addw    ax, #32
    movw    hl, ax
    dec     d
    bnz     $1b
; Iota.
    movw    ax, first
    movw    hl, ax
    mov     b, round
    mov     a, rounds-1[b]
    mov     c, a
    and     a, #0x8b
    xor     a, [hl]
    mov     [hl], a
    .irp    i, 1, 2, 3
    mov     a, c
    shl     a, \i
    and     a, #0x80
    xor     a, [hl+(1<<\i)-1]
    mov     [hl+(1<<\i)-1], a
    .endr
    dec     round
    skz
    br      $!.Lround
    pop     hl
    ret
    .size   _hash_block_ax, . - _hash_block_ax
