#include "rl78_small.inc"

; DoubleSwap of L at HL (RFC 6114, section 6.1); with the halves exchanged it is its inverse.
; The HL that it ends with is the one that it begins with.
.macro swap first, other
    mov a, [hl+\first]
    mov b, a
    shr a, 1
    mov c, #7
1:
    mov a, [hl+\first+1]
    rorc a, 1
    mov [hl+\first], a
    incw hl
    dec c
    bnz $1b
    mov a, [hl+\other]
    mov x, a
    mov1 a.7, cy
    mov [hl+\first], a
    mov a, x
    shl a, 1
    mov c, #7
2:
    mov a, [hl+\other-1]
    rolc a, 1
    mov [hl+\other], a
    decw hl
    dec c
    bnz $2b
    mov a, b
    mov1 a.0, cy
    mov [hl+\other], a
.endm

    .section .text.block_decrypt_ax, "ax", @progbits
    .global _block_decrypt_ax
    .type _block_decrypt_ax, @function
_block_decrypt_ax:
    push hl
    addw ax, #KEY
    movw hl, ax
    mov c, #8
1:
    movw ax, [hl]
    movw [hl+L-KEY], ax
    incw hl
    incw hl
    dec c
    bnz $1b
    movw T_WORD, #0x8514
    mov LEFT, #-30
    br $entry
; The words move on or, once L is there, back, which is on three times.
rounds:
    mov b, #4
    cmp LEFT, #0x100-18
    bc $1f
    mov b, #12
1:
    mov a, [hl]
    mov c, #15
2:
    xch a, [hl+c]
    dec c
    bnz $2b
    mov [hl], a
    dec b
    bnz $1b
entry:
    movw ax, T_WORD
    cmp LEFT, #0x100-18
    bnc $1f
    shrw ax, 1
    sknc
    xor a, #0xd4
    xch a, x
    sknc
    xor a, #0x18
    br $2f
1:
    shlw ax, 1
    sknc
    xor a, #0xa8
    xch a, x
    sknc
    xor a, #0x31
2:
    xch a, x
    movw T_WORD, ax
    mov1 cy, a.7
    constants
    push hl
    cmp LEFT, #0x100-18
    bc $network
; A half of L and, in every other two rounds, of the key: the later one first.
    bt LEFT.0, $1f
    movw ax, hl
    addw ax, #8
    movw hl, ax
1:
    mov c, #0xf8
2:
    mov a, ROUND_KEY-0xf00f8[c]
    xor a, [hl+L]
    bt LEFT.1, $3f
    xor a, [hl+KEY]
3:
    mov ROUND_KEY-0xf00f8[c], a
    incw hl
    inc c
    bnz $2b
    bf LEFT.0, $network
    swap L, L-8
network:
    pop hl
    push hl
    clrb INDEX
    call !_clefia_half
    incw hl
    incw hl
    incw hl
    incw hl
    call !_clefia_half
    pop hl
    inc LEFT
    bz $last
    cmp LEFT, #0x100-18
    skz
    br !rounds
    movw ax, hl
    subw ax, #L
    movw hl, ax
    mov d, #8
3:
    swap L, L+8
    dec d
    bnz $3b
    movw T_WORD, #0x87c1
    push hl
    movw ax, #KEY+8
    br $whiten
last:
    movw ax, #KEY
; The half of the key at HL + AX is added to the second and the fourth word.
whiten:
    addw ax, hl
    movw de, ax
    mov c, #4
1:
    mov a, [de]
    xor a, [hl+4]
    mov [hl+4], a
    mov a, [de+4]
    xor a, [hl+12]
    mov [hl+12], a
    incw de
    incw hl
    dec c
    bnz $1b
    pop hl
    cmp0 LEFT
    skz
    br !entry
    ret
    .size _block_decrypt_ax, . - _block_decrypt_ax
