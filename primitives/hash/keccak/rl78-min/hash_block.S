; Pointer interface
;   record    state 0 to 199 (lane x + 5y at 8(x + 5y), lowest byte first), work 200 to 239
;   keeps     HL, bank 2
;   loses     AX, BC, DE, bank 3
;   measured  keccak-r1088-c512 block: 2,292,770 cycles, 12 bytes of stack, 247 bytes of ROM
;   measured  keccak-r576-c1024 block: 2,292,770 cycles, 12 bytes of stack, 247 bytes of ROM
;   time      constant but for the bits of the round constants, which are no secret
;
; FIPS 202, section 3.3: KECCAK-p[1600, 24] on the state, to which the caller has added the block. Theta adds
; the parities of the columns twice, from the last byte of the state down: as they are for the column to the
; right, and turned by a bit for the one to the left. Rho and pi take the place of lane 0 for the lane on its
; way, which turns there bit by bit and changes places with the next; behind the 24 others lane 0 is back. The
; shift register of section 3.2.5 starts where its outgoing bit 7 is the bit wanted.

    .equ    shift_register, 0xffee0

    .section .rodata.keccak_lanes, "a", @progbits
; Where pi takes a lane, from lane 1 on (FIPS 202, section 3.2.3): offsets of lanes.
lanes:
    .byte   8, 80, 56, 88, 136, 144, 24, 40, 128, 64, 168, 192, 32
    .byte   120, 184, 152, 104, 96, 16, 160, 112, 176, 72, 48, 8

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type   _hash_block_ax, @function
_hash_block_ax:
    push    hl
    push    ax
    mov     shift_register, #0xb8
.Lround:
; Theta.
    pop     hl
    push    hl
    mov     b, #40
1:
    mov     a, [hl]
    xor     a, [hl+40]
    xor     a, [hl+80]
    xor     a, [hl+120]
    xor     a, [hl+160]
    mov     [hl+200], a
    incw    hl
    dec     b
    bnz     $1b
    mov     c, #32
2:
    movw    ax, [sp+0]
    addw    ax, #199
    movw    hl, ax
    movw    de, ax
    mov     b, #200
3:
    mov     a, [de]
    xor     a, [hl+c]
    mov     [de], a
    decw    de
    dec     c
    sknz
    mov     c, #40
    dec     b
    bnz     $3b
    incw    hl
    mov     d, #5
4:
    call    $!rotate
    dec     d
    bnz     $4b
    mov     a, c
    xor     a, #40
    mov     c, a
    bf      a.5, $2b
; Rho and pi. B and D are 0. The turns are 0, 1, 3, 6 and so on, of which 0 is done as 256.
1:
    mov     a, d
    add     a, b
    mov     d, a
    and     a, #63
    mov     e, a
2:
    pop     hl
    push    hl
    call    $!rotate
    dec     e
    bnz     $2b
    pop     hl
    push    hl
    mov     a, lanes[b]
    mov     c, a
    mov     x, #8
3:
    mov     a, [hl]
    xch     a, [hl+c]
    mov     [hl], a
    incw    hl
    dec     x
    bnz     $3b
    inc     b
    mov     a, b
    cmp     a, #25
    bnz     $1b
; Chi.
    pop     hl
    push    hl
    mov     b, #40
1:
    mov     a, [hl]
    mov     d, a
    mov     a, [hl+8]
    mov     e, a
    push    hl
    mov     c, #3
2:
    mov     a, [hl+8]
    xor     a, #255
    and     a, [hl+16]
    xor     a, [hl]
    mov     [hl], a
    movw    ax, hl
    addw    ax, #8
    movw    hl, ax
    dec     c
    bnz     $2b
    mov     a, [hl+8]
    xor     a, #255
    and     a, d
    xor     a, [hl]
    mov     [hl], a
    mov     a, d
    xor     a, #255
    and     a, e
    xor     a, [hl+8]
    mov     [hl+8], a
    pop     hl
    incw    hl
    dec     b
    mov     a, b
    and     a, #7
    bnz     $1b
    movw    ax, hl
    addw    ax, #32
    movw    hl, ax
    cmp0    b
    bnz     $1b
; Iota, B being 0: bit i of lane 0 may change where i and i + 1 have no bit in common.
    pop     hl
    push    hl
    oneb    c
1:
    mov     a, b
    inc     b
    and     a, b
    bnz     $2f
    mov     a, shift_register
    shl     a, 1
    sknc
    xor     a, #0x71
    mov     shift_register, a
    bnc     $2f
    mov     a, c
    xor     a, [hl]
    mov     [hl], a
2:
    shl     c, 1
    bnc     $3f
    oneb    c
    incw    hl
3:
    bf      0xffefb.6, $1b
    cmp     shift_register, #0x47
    skz
    br      $!.Lround
    pop     hl
    pop     hl
    ret
; Turns the lane at HL by a bit. HL: behind it.
rotate:
    mov     a, [hl+7]
    rolc    a, 1
    mov     x, #8
1:
    mov     a, [hl]
    rolc    a, 1
    mov     [hl], a
    incw    hl
    dec     x
    bnz     $1b
    ret
    .size   _hash_block_ax, . - _hash_block_ax
