; Pointer interface
;   record    state 0 to 199 (lane x + 5y at 8(x + 5y), lowest byte first), work 200 to 447
;   keeps     HL, bank 2
;   loses     AX, BC, DE, bank 3
;   measured  keccak-r1088-c512 block: 64,064 cycles, 8 bytes of stack, 1,918 bytes of ROM
;   measured  keccak-r576-c1024 block: 64,064 cycles, 8 bytes of stack, 1,918 bytes of ROM
;   time      constant
;
; FIPS 202, section 3.3: KECCAK-p[1600, 24] on the state, to which the caller has added the block. Rho and pi
; are written out and go from the state to a second one at 248, chi comes back from there. A lane turns by
; words: as many of them as fit, then each word takes the bits that it lacks from the one below by a shift of
; either and an addition. Eight lanes are kept complemented, which leaves chi 6 complements of a byte where it
; would need 25: with these lanes most of its terms become an AND or OR of what is stored.
    .equ    base, 0xffee0
    .equ    saved_hl, 0xffee2
    .equ    round, 0xffee4

    .section .rodata.keccak_rounds, "a", @progbits
; The constants of rounds 24 to 1: bits 0, 1, 3 and 7 where they belong, then bits 15, 31 and 63 as bits 6, 5
; and 4.
rounds:
    .byte   0x78, 0x21, 0xd0, 0xf1, 0x3a, 0x4a, 0x90, 0x52, 0x53, 0xd9, 0x9b, 0xeb
    .byte   0x2a, 0x69, 0x88, 0x8a, 0x59, 0xf1, 0x21, 0xcb, 0x70, 0xda, 0xc2, 0x01

; A word of a lane from two: turned left by turn bits out of [from] and, from below, [below].
.macro word below, from, turn, to
    movw    ax, [hl+\below]
    shrw    ax, 16-\turn
    movw    bc, ax
    movw    ax, [hl+\from]
    shlw    ax, \turn
    addw    ax, bc
    movw    [de+\to], ax
.endm

; Lane from turned left by 16 * words + turn bits, to lane to.
.macro lane from, to, words, turn
    word    8*\from+6, 8*\from, \turn, 8*\to+2*((\words)&3)
    word    8*\from, 8*\from+2, \turn, 8*\to+2*((\words+1)&3)
    word    8*\from+2, 8*\from+4, \turn, 8*\to+2*((\words+2)&3)
    word    8*\from+4, 8*\from+6, \turn, 8*\to+2*((\words+3)&3)
.endm

; Lane from turned left by whole bytes and a bit.
.macro left from, to, bytes
    mov     a, [hl+8*\from+7]
    rolc    a, 1
    .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
    mov     a, [hl+8*\from+\i]
    rolc    a, 1
    mov     [de+8*\to+((\bytes+\i)&7)], a
    .endr
.endm

; Lane from turned left by whole bytes and right by a bit.
.macro right from, to, bytes
    mov     a, [hl+8*\from]
    rorc    a, 1
    .irp    i, 7, 6, 5, 4, 3, 2, 1, 0
    mov     a, [hl+8*\from+\i]
    rorc    a, 1
    mov     [de+8*\to+((\bytes+\i)&7)], a
    .endr
.endm

.macro bytes from, to, bytes
    .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
    mov     a, [hl+8*\from+\i]
    mov     [de+8*\to+((\bytes+\i)&7)], a
    .endr
.endm

; A byte of the result of chi, lane ^ (first op second). What is complemented: 1 first, 2 second, 3 the
; result.
.macro term op, not, first, second, lane, to
    .if     \not == 2
    mov     a, \second
    xor     a, #255
    \op     a, \first
    .else
    mov     a, \first
    .if     \not == 1
    xor     a, #255
    .endif
    \op     a, \second
    .endif
    xor     a, \lane
    .if     \not == 3
    xor     a, #255
    .endif
    mov     \to, a
.endm

; A byte of the five lanes of a row that begins at o; for each an operation and what is complemented.
.macro row o, op0, not0, op1, not1, op2, not2, op3, not3, op4, not4
    term    \op0, \not0, [hl+\o+8], [hl+\o+16], [hl+\o], [de+\o]
    term    \op1, \not1, [hl+\o+16], [hl+\o+24], [hl+\o+8], [de+\o+8]
    term    \op2, \not2, [hl+\o+24], [hl+\o+32], [hl+\o+16], [de+\o+16]
    term    \op3, \not3, [hl+\o+32], [hl+\o], [hl+\o+24], [de+\o+24]
    term    \op4, \not4, [hl+\o], [hl+\o+8], [hl+\o+32], [de+\o+32]
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type   _hash_block_ax, @function
_hash_block_ax:
    movw    base, ax
    movw    ax, hl
    movw    saved_hl, ax
    mov     round, #24
    call    $!complement
.Lround:
; Theta: the parities of columns 0 to 4 to 208, that of column 4 to 200 too.
    movw    ax, base
    movw    hl, ax
    mov     b, #5
1:
    .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
    mov     a, [hl+\i]
    xor     a, [hl+\i+40]
    xor     a, [hl+\i+80]
    xor     a, [hl+\i+120]
    xor     a, [hl+\i+160]
    mov     [hl+\i+208], a
    .endr
    movw    ax, hl
    addw    ax, #8
    movw    hl, ax
    dec     b
    bnz     $1b
    .irp    i, 0, 2, 4, 6
    movw    ax, [hl+\i+200]
    movw    [hl+\i+160], ax
    .endr
; Columns 4, 0, 1, 2, 3: DE at the parity of the next column.
    movw    ax, base
    addw    ax, #208
    movw    de, ax
    subw    ax, #176
    movw    hl, ax
    mov     b, #5
2:
    mov     a, [de+7]
    rolc    a, 1
    .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
    mov     a, [de+\i]
    rolc    a, 1
    xor     a, [hl+\i+200]
    mov     c, a
    xor     a, [hl+\i]
    mov     [hl+\i], a
    mov     a, c
    xor     a, [hl+\i+40]
    mov     [hl+\i+40], a
    mov     a, c
    xor     a, [hl+\i+80]
    mov     [hl+\i+80], a
    mov     a, c
    xor     a, [hl+\i+120]
    mov     [hl+\i+120], a
    mov     a, c
    xor     a, [hl+\i+160]
    mov     [hl+\i+160], a
    .endr
    movw    ax, de
    addw    ax, #8
    movw    de, ax
    subw    ax, #216
    movw    hl, ax
    dec     b
    skz
    br      $!2b
; Rho and pi, to a second state.
    movw    ax, base
    movw    hl, ax
    addw    ax, #248
    movw    de, ax
    .irp    i, 0, 2, 4, 6
    movw    ax, [hl+\i]
    movw    [de+\i], ax
    .endr
    lane    6, 1, 2, 12
    lane    9, 6, 1, 4
    lane    22, 9, 3, 13
    right   14, 22, 5
    lane    20, 14, 1, 2
    lane    2, 20, 3, 14
    lane    12, 2, 2, 11
    left    13, 12, 3
    bytes   19, 13, 1
    bytes   23, 19, 7
    left    15, 23, 5
    lane    4, 15, 1, 11
    lane    24, 4, 0, 14
    lane    21, 24, 0, 2
    right   8, 21, 7
    lane    16, 8, 2, 13
    lane    5, 16, 2, 4
    lane    3, 5, 1, 12
    lane    18, 3, 1, 5
    right   17, 18, 2
    lane    11, 17, 0, 10
    lane    7, 11, 0, 6
    lane    10, 7, 0, 3
    mov     a, [hl+15]
    rolc    a, 1
    .irp    i, 0, 2, 4, 6
    movw    ax, [hl+8+\i]
    rolwc   ax, 1
    movw    [de+80+\i], ax
    .endr
; Chi, back to the state.
    movw    ax, hl
    xchw    ax, de
    movw    hl, ax
    mov     b, #8
3:
    row     0, or, 1, and, 0, or, 0, and, 0, or, 0
    row     40, or, 0, and, 0, or, 0, and, 0, and, 1
    row     80, and, 0, or, 0, and, 0, or, 2, or, 0
    row     120, or, 0, or, 1, and, 3, or, 0, and, 0
    row     160, and, 1, or, 0, and, 0, or, 0, and, 0
    incw    hl
    incw    de
    dec     b
    skz
    br      $!3b
; Iota.
    movw    ax, base
    movw    hl, ax
    mov     b, round
    mov     a, rounds-1[b]
    mov     c, a
    and     a, #0x8b
    xor     a, [hl]
    mov     [hl], a
    mov     a, c
    shl     a, 1
    and     a, #0x80
    xor     a, [hl+1]
    mov     [hl+1], a
    mov     a, c
    shl     a, 2
    and     a, #0x80
    xor     a, [hl+3]
    mov     [hl+3], a
    mov     a, c
    shl     a, 3
    and     a, #0x80
    xor     a, [hl+7]
    mov     [hl+7], a
    dec     round
    skz
    br      $!.Lround
    call    $!complement
    movw    hl, saved_hl
    ret
complement:
    movw    ax, base
    movw    hl, ax
    mov     d, #8
1:
    .irp    lane, 0, 1, 5, 9, 14, 16, 20, 21
    mov     a, [hl+8*\lane]
    xor     a, #255
    mov     [hl+8*\lane], a
    .endr
    incw    hl
    dec     d
    bnz     $1b
    ret
    .size   _hash_block_ax, . - _hash_block_ax
