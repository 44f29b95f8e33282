; Pointer interface
;   record    state 0 to 199 (lane x + 5y at 8(x + 5y), lowest byte first), work 200 to 247
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  keccak-r1088-c512 block: 118,382 cycles, 8 bytes of stack, 511 bytes of ROM
;   measured  keccak-r576-c1024 block: 118,382 cycles, 8 bytes of stack, 511 bytes of ROM
;   time      constant
;
; FIPS 202, section 3.3: KECCAK-p[1600, 24] on the state, to which the caller has added the block. Rho and pi
; go backwards through a table of 24 lanes, from lane 1 to where each lane comes from. A lane is copied twice
; in a row, so that it can be read from the byte to which whole bytes turn it; a product of a byte and a power
; of 2 holds both parts of what the bits that are left make of the byte.
    .equ    base, 0xffee0
    .equ    parities, 0xffee2           ; where the doubled lane begins, too
    .equ    bytes, 0xffee6              ; a word whose upper byte is 0
    .equ    round, 0xffef0
    .equ    factor, 0xffef1
    .equ    product, 0xffef2
    .equ    other_product, 0xffef4

; Where a lane comes from and how far it turns: 8 * lane + 7 - whole bytes, then 2 to the power of the bits
; that are left.
.macro source lane, turn
    .byte   8*\lane+7-\turn/8, 1<<(\turn&7)
.endm

    .section .rodata.keccak_walk, "a", @progbits
    .balign 2
; Backwards from lane 1, the last entry first; lane 28 is the copy of lane 1.
walk:
    source  28, 1
    source  10, 3
    source  7, 6
    source  11, 10
    source  17, 15
    source  18, 21
    source  3, 28
    source  5, 36
    source  16, 45
    source  8, 55
    source  21, 2
    source  24, 14
    source  4, 27
    source  15, 41
    source  23, 56
    source  19, 8
    source  13, 25
    source  12, 43
    source  2, 62
    source  20, 18
    source  14, 39
    source  22, 61
    source  9, 20
    source  6, 44

    .section .rodata.keccak_rounds, "a", @progbits
; The constants of rounds 24 to 1: bits 0, 1, 3 and 7 where they belong, then bits 15, 31 and 63 as bits 6, 5
; and 4.
rounds:
    .byte   0x78, 0x21, 0xd0, 0xf1, 0x3a, 0x4a, 0x90, 0x52, 0x53, 0xd9, 0x9b, 0xeb
    .byte   0x2a, 0x69, 0x88, 0x8a, 0x59, 0xf1, 0x21, 0xcb, 0x70, 0xda, 0xc2, 0x01

; The byte at from times the factor: the upper half and what other holds go to the byte at to.
.macro turn from, to, this, other
    mov     x, factor
    mov     a, \from
    mulu    x
    movw    \this, ax
    xor     a, \other
    mov     \to, a
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type   _hash_block_ax, @function
_hash_block_ax:
    push    hl
    movw    base, ax
    addw    ax, #200
    movw    parities, ax
    clrb    bytes+1
    mov     round, #24
.Lround:
; Theta: the parities of columns 0 to 4 to 208, that of column 4 to 200 too.
    movw    ax, base
    movw    hl, ax
    mov     b, #10
1:
    .irp    i, 0, 1, 2, 3
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
    addw    ax, #4
    movw    hl, ax
    dec     b
    bnz     $1b
    .irp    i, 0, 2, 4, 6
    movw    ax, [hl+\i+200]
    movw    [hl+\i+160], ax
    .endr
; Columns 4, 0, 1, 2, 3: DE at the parity of the next column.
    movw    ax, parities
    addw    ax, #8
    movw    de, ax
    subw    ax, #176
    movw    hl, ax
    mov     b, #5
2:
    mov     a, [de+7]
    rolc    a, 1
    mov     x, #8
3:
    mov     a, [de]
    rolc    a, 1
    xor     a, [hl+200]
    mov     c, a
    xor     a, [hl]
    mov     [hl], a
    .irp    i, 40, 80, 120, 160
    mov     a, c
    xor     a, [hl+\i]
    mov     [hl+\i], a
    .endr
    incw    hl
    incw    de
    dec     x
    bnz     $3b
    movw    ax, de
    subw    ax, #216
    movw    hl, ax
    dec     b
    bnz     $2b
; Rho and pi.
    movw    ax, base
    movw    hl, ax
    addw    ax, #8
    push    ax
    .irp    i, 0, 2, 4, 6
    movw    ax, [hl+8+\i]
    movw    [hl+8*28+\i], ax
    .endr
    mov     b, #48
1:
    movw    ax, walk-2[b]
    mov     factor, a
    mov     a, x
    and     a, #7
    mov     bytes, a
    clrb    a
    addw    ax, base
    subw    ax, bytes
    movw    hl, ax
    movw    de, parities
    movw    ax, [hl]
    movw    [de], ax
    movw    [de+8], ax
    .irp    i, 2, 4, 6
    movw    ax, [hl+\i]
    movw    [de+\i], ax
    movw    [de+\i+8], ax
    .endr
    movw    ax, de
    addw    ax, bytes
    pop     de
    push    hl
    movw    hl, ax
    mov     x, factor
    mov     a, [hl+8]
    mulu    x
    movw    product, ax
    turn    [hl+7], [de+7], other_product, product
    turn    [hl+6], [de+6], product, other_product
    turn    [hl+5], [de+5], other_product, product
    turn    [hl+4], [de+4], product, other_product
    turn    [hl+3], [de+3], other_product, product
    turn    [hl+2], [de+2], product, other_product
    turn    [hl+1], [de+1], other_product, product
    turn    [hl], [de], product, other_product
    dec     b
    dec     b
    skz
    br      $!1b
    pop     ax
; Chi.
    movw    ax, base
    movw    hl, ax
    mov     d, #5
1:
    mov     e, #8
2:
    mov     a, [hl]
    mov     b, a
    mov     a, [hl+8]
    mov     c, a
    xor     a, #255
    and     a, [hl+16]
    xor     a, b
    mov     [hl], a
    mov     a, [hl+16]
    xor     a, #255
    and     a, [hl+24]
    xor     a, c
    mov     [hl+8], a
    mov     a, [hl+24]
    xor     a, #255
    and     a, [hl+32]
    xor     a, [hl+16]
    mov     [hl+16], a
    mov     a, [hl+32]
    xor     a, #255
    and     a, b
    xor     a, [hl+24]
    mov     [hl+24], a
    mov     a, b
    xor     a, #255
    and     a, c
    xor     a, [hl+32]
    mov     [hl+32], a
    incw    hl
    dec     e
    bnz     $2b
    movw    ax, hl
    addw    ax, #32
    movw    hl, ax
    dec     d
    bnz     $1b
; Iota.
    movw    ax, base
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
