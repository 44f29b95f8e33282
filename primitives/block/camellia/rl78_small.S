#include "rl78_small.inc"
#include "size.inc"

    .section .text.camellia, "ax", @progbits
    .global _camellia
    .type _camellia, @function

; The block at AX, with the list of rounds before PLACE if STEP is 1, and behind it if STEP is -1. HL points
; to the byte before a block all the time.
_camellia:
#if LITTLE_STACK
    xchw ax, hl
    movw SAVED, ax
    movw ax, hl
    addw ax, #47
#else
    push hl
    decw ax
    push ax
    addw ax, #48
#endif
    movw de, ax
    subw ax, #16
    movw hl, ax
; RFC 3713, section 2.2: KA, which is added to itself first.
    call $!add
    movw de, #camellia_sigma+31
    call $!two_rounds
    call $!two_rounds
#if LITTLE_STACK
    movw ax, hl
    subw ax, #32
    movw hl, ax
#else
    pop hl
#endif
    call $!run
    call $!add
    call $!run
    call $!swap
    call $!add
    call $!run
#if LITTLE_STACK
    movw hl, SAVED
#else
    pop hl
#endif
    ret

; Adds the 16 bytes before the block, and does two rounds with the constants before DE.
two_rounds:
    push de
    movw ax, hl
    movw de, ax
    call $!add
    pop de
    call $!round

; Adds to the second half of the block the function (RFC 3713, section 2.4.1) of the first one and of the
; subkey that ends at DE, and exchanges the halves.
round:
#if LITTLE_STACK
    movw ax, hl
    movw HL_OF_1, ax
#endif
    mov b, #8
1:
    mov a, camellia_masks-1[b]
    mov MASK, a
    mov a, [de]
    decw de
    xor a, [hl+b]
#if LITTLE_STACK
    mov A_OF_1, a
    sel rb1
#else
    push de
    push bc
#endif
; The bits 0 to 3 are clear in the masks of SBOX2, SBOX3, SBOX4 and SBOX1.
    bt MASK.2, $2f
    rol a, 1
2:
; SBOX1: an affine map, the inverse in GF(2)[x] modulo x^8 + x^4 + x^3 + x^2 + 1, and another affine map.
    movw de, #camellia_maps
    call $!product
#if INVERSES
; Multiplied by 2, which generates the field, until there is an inverse in the table, and that as often as
; well.
2:
    shl a, 1
    sknc
    xor a, #0x1d
    inc c
    cmp a, #INVERSES
    bnc $2b
    mov b, a
    mov a, camellia_inverses[b]
2:
    shl a, 1
    sknc
    xor a, #0x1d
    dec c
    bnz $2b
#else
; Multiplied by 2, which generates the field, until it is 1, and 1 as often. 0 ends at once and makes 0 of
; the product.
    oneb x
2:
    shl a, 1
    sknc
    xor a, #0x1d
    xch a, x
    shl a, 1
    sknc
    xor a, #0x1d
    xch a, x
    cmp a, #2
    bnc $2b
    mulu x
    mov a, x
#endif
    call $!product
    bt MASK.0, $2f
    rol a, 1
2:
    bt MASK.1, $2f
    ror a, 1
2:
; To the bytes of the other half that the mask names.
    mov x, a
    mov b, MASK
    mov c, #16
3:
    shl b, 1
    bnc $4f
    mov a, x
    xor a, [hl+c]
    mov [hl+c], a
4:
    dec c
    cmp0 b
    bnz $3b
#if LITTLE_STACK
    sel rb0
#else
    pop bc
    pop de
#endif
    dec b
    bnz $1b

swap:
    movw bc, #0x1008
1:
    mov a, [hl+b]
    xch a, [hl+c]
    mov [hl+b], a
    dec b
    dec c
    bnz $1b
    ret

; A times the matrix of eight columns at DE, behind which DE points then, and a constant that serves for both
; maps.
product:
    mov b, a
    mov c, #8
    mov x, #0x6e
1:
    mov a, [de]
    incw de
    shl b, 1
    sknc
    xor x, a
    dec c
    bnz $1b
    mov a, x
    ret

; Adds the 16 bytes that end at DE to the block.
add:
    mov c, #16
1:
    mov a, [de]
    decw de
    xor a, [hl+c]
    mov [hl+c], a
    dec c
    bnz $1b
    ret

next:
    pop hl
; The list up to the next END, with DE as that says.
run:
    movw ax, PLACE
    addw ax, STEP
    movw PLACE, ax
    movw de, ax
    mov a, [de]
    mov b, a
    cmp a, #18
    bc $turn
    and a, #0x3f
    shrw ax, 8
    addw ax, hl
    movw de, ax
    bt B_OF_0.7, $layer
    bt B_OF_0.6, $end
    call $!round
    br $run

; RFC 3713, sections 2.4.2 and 2.4.3. DE points to the middle between the ends of both subkeys less 4 bytes.
layer:
    push hl
    movw ax, STEP
    shlw ax, 2
    movw bc, ax
    movw ax, de
    subw ax, bc
    xchw ax, de
    addw ax, bc
    subw ax, #4
    push ax
    incw hl
    incw hl
    incw hl
    incw hl
    call $!right
    call $!left
    pop de
    movw ax, hl
    addw ax, #4
    movw hl, ax
    call $!left
    call $!right
    br $next

; Turns both strings to the left, in encryption by B bits, in decryption by 128 less.
turn:
#if INVERSES
    mov x, STEP
    mulu x
    mov a, x
    and a, #0x7f
    mov b, a
#endif
    push hl
1:
    pop hl
    push hl
    call $!2f
    call $!2f
    mov a, b
#if INVERSES
    sub a, #8
    sknc
    add a, #7
#else
    sub a, STEP
#endif
    mov b, a
    bnz $1b
    br $next
2:
    movw ax, hl
    addw ax, #16
    movw hl, ax
    mov c, #16
#if INVERSES
; By a byte while there are eight bits.
    mov a, b
    cmp a, #8
    mov a, [hl+1]
    bnc $4f
#else
    mov a, [hl+1]
#endif
    rolc a, 1
3:
    mov a, [hl+c]
    rolc a, 1
    mov [hl+c], a
    dec c
    bnz $3b
end:
    ret
#if INVERSES
4:
    xch a, [hl+c]
    dec c
    bnz $4b
    ret
#endif

; Adds the bits common to the four bytes that end at HL and at DE to the four behind, rotated, from the last
; to the first. Carry is clear before.
right:
    mov c, #4
1:
    mov a, [de]
    and a, [hl]
    rolc a, 1
    xor a, [hl+4]
    mov [hl+4], a
    decw hl
    decw de
    dec c
    bnz $1b
    mov a, [hl+8]
    sknc
    xor a, #1
    mov [hl+8], a
    ret

; Back again from the first to the last: adds to the four bytes behind HL the bits of the four behind or of
; the subkey.
left:
    mov c, #4
1:
    mov a, [de+5]
    or a, [hl+5]
    xor a, [hl+1]
    mov [hl+1], a
    incw hl
    incw de
    dec c
    bnz $1b
    ret
    .size _camellia, . - _camellia

    .section .rodata.camellia, "a", @progbits
; Which bytes each byte of a half goes to in the permutation, bit 0 for the first.
camellia_masks:
    .byte 0x97, 0x3e, 0x6d, 0xcb, 0xee, 0xdd, 0xbb, 0x77
; Columns for the bits from 7 down, before and behind the inverse.
camellia_maps:
    .byte 0x92, 0x45, 0xf3, 0x5b, 0xe4, 0x77, 0x12, 0xce
    .byte 0x40, 0xa0, 0x25, 0x7a, 0x94, 0x02, 0xd1, 0x7c
#if INVERSES
camellia_inverses:
    .byte 0x00, 0x01, 0x8e, 0xf4, 0x47, 0xa7, 0x7a, 0xba
    .byte 0xad, 0x9d, 0xdd, 0x98, 0x3d, 0xaa, 0x5d, 0x96
    .byte 0xd8, 0x72, 0xc0, 0x58, 0xe0, 0x3e, 0x4c, 0x66
    .byte 0x90, 0xde, 0x55, 0x80, 0xa0, 0x83, 0x4b, 0x2a
    .byte 0x6c, 0xed, 0x39
#endif
; RFC 3713, section 2.2: Sigma4 to Sigma1.
camellia_sigma:
    .byte 0x54, 0xff, 0x53, 0xa5, 0xf1, 0xd3, 0x6f, 0x1c
    .byte 0xc6, 0xef, 0x37, 0x2f, 0xe9, 0x4f, 0x82, 0xbe
    .byte 0xb6, 0x7a, 0xe8, 0x58, 0x4c, 0xaa, 0x73, 0xb2
    .byte 0xa0, 0x9e, 0x66, 0x7f, 0x3b, 0xcc, 0x90, 0x8b
; Ends of halves of the strings, from the byte before the record on. Encryption takes the rounds from the
; first to the last and turns by as many bits as it says; decryption goes the other way.
#define LEFT_KL  24
#define RIGHT_KL 32
#define LEFT_KA  40
#define RIGHT_KA 48
#define LAYER    0x80
#define END      0x40
    .global _camellia_list, _camellia_list_end
_camellia_list:
    .byte END
    .byte END + RIGHT_KL
    .byte LEFT_KA, RIGHT_KA, 15
    .byte LEFT_KL, RIGHT_KL, LEFT_KA, RIGHT_KA, 15
    .byte LAYER + LEFT_KA, 15
    .byte LEFT_KL, RIGHT_KL, LEFT_KA, 15
    .byte RIGHT_KL, LEFT_KA, RIGHT_KA, 17
    .byte LAYER + LEFT_KL, 17
    .byte LEFT_KL, RIGHT_KL, LEFT_KA, RIGHT_KA, 17
    .byte LEFT_KL, RIGHT_KL
    .byte END + RIGHT_KA
    .byte 17
_camellia_list_end:
    .byte END
