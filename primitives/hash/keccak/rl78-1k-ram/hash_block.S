; Pointer interface
;   record    state 0 to 199 (lane x + 5y at 8(x + 5y), lowest byte first), work 200 to 505
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  keccak-r1088-c512 block: 71,862 cycles, 6 bytes of stack, 1,023 bytes of ROM
;   measured  keccak-r576-c1024 block: 71,862 cycles, 6 bytes of stack, 1,023 bytes of ROM
;   time      constant
;
; FIPS 202, section 3.3: KECCAK-p[1600, 24] on the state, to which the caller has added the block. Theta
; leaves its result in a copy of the state (at 256), in which each lane has 10 bytes, its last word before its
; first. Thus rho and pi are a loop of four times, in which a word and the one below it give a word of each
; lane in the state: by a shift of either and an addition, and as many words higher as the lane turns by. Lane
; 0 is kept complemented, which halves the complements of a byte that chi needs: some of its terms become an
; AND or OR of what is stored. Bank 1 has the addresses of the words of lane 0, where rho and pi begin with
; the first: AX, BC, DE and HL.
    .equ    first, 0xffef0
    .equ    round, 0xffee2
    .equ    count, 0xffee3

    .section .rodata.keccak_rounds, "a", @progbits
; The constants of rounds 24 to 1: bits 0, 1, 3 and 7 where they belong, then bits 15, 31 and 63 as bits 6, 5
; and 4.
rounds:
    .byte   0x78, 0x21, 0xd0, 0xf1, 0x3a, 0x4a, 0x90, 0x52, 0x53, 0xd9, 0x9b, 0xeb
    .byte   0x2a, 0x69, 0x88, 0x8a, 0x59, 0xf1, 0x21, 0xcb, 0x70, 0xda, 0xc2, 0x01

; A word of lane from turned left by turn bits, with those of the word below it, to lane to.
.macro word from, to, turn
    .if     \turn == 1
    mov     a, [hl+10*\from+1]
    rolc    a, 1
    movw    ax, [hl+10*\from+2]
    rolwc   ax, 1
    .elseif \turn == 8
    mov     a, [hl+10*\from+1]
    mov     x, a
    mov     a, [hl+10*\from+2]
    .else
    movw    ax, [hl+10*\from]
    shrw    ax, 16-\turn
    movw    bc, ax
    movw    ax, [hl+10*\from+2]
    shlw    ax, \turn
    addw    ax, bc
    .endif
    movw    [de+8*\to], ax
.endm

; A byte of the result of chi, lane ^ (A op second), A being first. What is complemented: 1 first, 2 second
; (then what A holds does not matter), 3 the result.
.macro term op, not, first, second, lane, to
    .if     \not == 2
    mov     a, \second
    xor     a, #255
    \op     a, \first
    .else
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

; A byte of the five lanes of a row, the first of them at from; for each an operation and what is
; complemented.
.macro row from, o, op0, not0, op1, not1, op2, not2, op3, not3, op4, not4
    mov     a, \from
    mov     b, a
    mov     a, [hl+\o+8]
    mov     c, a
    term    \op0, \not0, c, [hl+\o+16], b, \from
    .if     \not1 != 2
    mov     a, [hl+\o+16]
    .endif
    term    \op1, \not1, [hl+\o+16], [hl+\o+24], c, [hl+\o+8]
    .if     \not2 != 2
    mov     a, [hl+\o+24]
    .endif
    term    \op2, \not2, [hl+\o+24], [hl+\o+32], [hl+\o+16], [hl+\o+16]
    .if     \not3 != 2
    mov     a, [hl+\o+32]
    .endif
    term    \op3, \not3, [hl+\o+32], b, [hl+\o+24], [hl+\o+24]
    .if     \not4 != 2
    mov     a, b
    .endif
    term    \op4, \not4, b, c, [hl+\o+32], [hl+\o+32]
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type   _hash_block_ax, @function
_hash_block_ax:
    push    hl
    movw    hl, ax
    mov     round, #24
    movw    first, ax
    .irp    at, first+2, first+4, first+6
    incw    ax
    incw    ax
    movw    \at, ax
    .endr
; The lanes that are kept complemented, before the first round and behind the last.
complement:
    mov     d, #8
1:
    mov     a, [hl]
    xor     a, #255
    mov     [hl], a
    incw    hl
    dec     d
    bnz     $1b
    cmp0    round
    bnz     $.Lround
    pop     hl
    ret
.Lround:
; Theta: the parities of columns 4, 0, 1, 2, 3, 4 and 0 to 200.
    movw    ax, first
    movw    hl, ax
    mov     b, #8
1:
    .irp    x, 0, 8, 16, 24, 32
    .if     \x
    mov     a, [hl+\x]
    .else
    mov     a, [hl]
    .endif
    xor     a, [hl+\x+40]
    xor     a, [hl+\x+80]
    xor     a, [hl+\x+120]
    xor     a, [hl+\x+160]
    mov     [hl+\x+208], a
    .if     \x == 0
    mov     [hl+248], a
    .elseif \x == 32
    mov     [hl+200], a
    .endif
    .endr
    incw    hl
    dec     b
    bnz     $1b
; The columns go to a copy of the state whose lanes have their last word before their first, too.
    movw    ax, first
    movw    hl, ax
    inc     a
    movw    de, ax
    mov     b, #5
2:
    mov     a, [hl+223]
    rolc    a, 1
    .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
    mov     a, [hl+\i+216]
    rolc    a, 1
    xor     a, [hl+\i+200]
    mov     c, a
    .irp    y, 0, 1, 2, 3, 4
    .if     \y
    mov     a, c
    .endif
    .if     \y+\i
    xor     a, [hl+40*\y+\i]
    .else
    xor     a, [hl]
    .endif
    mov     [de+50*\y+\i+2], a
    .endr
    .endr
    movw    ax, [de+8]
    movw    [de], ax
    .irp    y, 1, 2, 3, 4
    movw    ax, [de+50*\y+8]
    movw    [de+50*\y], ax
    .endr
    movw    ax, hl
    addw    ax, #8
    movw    hl, ax
    movw    ax, de
    addw    ax, #10
    movw    de, ax
    dec     b
    skz
    br      $!2b
; Rho and pi: the lanes that go 0, 1, 2 and 3 words up. The words of a lane follow each other in bank 1.
    movw    ax, first
    inc     a
    movw    hl, ax
    mov     count, #4
3:
    movw    de, first
    movw    ax, [hl+2]
    movw    [de], ax
    word    1, 10, 1
    word    7, 11, 6
    word    10, 7, 3
    word    11, 17, 10
    word    17, 18, 15
    word    19, 13, 8
    word    21, 24, 2
    word    24, 4, 14
    movw    de, first+2
    word    3, 5, 12
    word    4, 15, 11
    word    9, 6, 4
    word    13, 12, 9
    word    18, 3, 5
    word    20, 14, 2
    movw    de, first+4
    word    5, 16, 4
    word    6, 1, 12
    word    12, 2, 11
    word    14, 22, 7
    word    15, 23, 9
    word    16, 8, 13
    movw    de, first+6
    word    2, 20, 14
    word    8, 21, 7
    word    22, 9, 13
    word    23, 19, 8
    sel     rb1
    xchw    ax, hl
    xchw    ax, de
    xchw    ax, bc
    sel     rb0
    incw    hl
    incw    hl
    dec     count
    skz
    br      $!3b
; Chi.
    movw    ax, first
    movw    hl, ax
    mov     d, #8
3:
    row     [hl], 0, and, 0, or, 2, or, 3, and, 2, or, 1
    row     [hl+40], 40, and, 0, or, 0, and, 0, or, 2, or, 3
    row     [hl+80], 80, or, 2, or, 3, and, 0, or, 0, and, 0
    row     [hl+120], 120, or, 0, and, 0, or, 2, or, 3, and, 0
    row     [hl+160], 160, or, 3, and, 0, or, 0, and, 0, or, 2
    incw    hl
    dec     d
    skz
    br      $!3b
; Iota.
    movw    ax, first
    movw    hl, ax
    mov     b, round
    mov     a, rounds-1[b]
    mov     c, a
    and     a, #0x8b
    xor     a, [hl]
    mov     [hl], a
    oneb    b
4:
    shl     c, 1
    mov     a, c
    and     a, #0x80
    xor     a, [hl+b]
    mov     [hl+b], a
    shl     b, 1
    inc     b
    bf      0xffefb.3, $4b
    dec     round
    skz
    br      $!.Lround
    br      $!complement
    .size   _hash_block_ax, . - _hash_block_ax
