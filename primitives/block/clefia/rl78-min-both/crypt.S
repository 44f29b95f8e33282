; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  clefia-128 encryption: 190,000 to 270,000 cycles, 16 bytes of stack, 584 bytes of ROM
;   measured  clefia-128 decryption: 200,000 to 280,000 cycles, 16 bytes of stack, 590 bytes of ROM
;   measured  clefia-128 both: 200,000 to 280,000 cycles, 16 bytes of stack, 590 bytes of ROM
;   time      depends on the data, since the inverse in S1 is found by a search
;
; One routine for both directions, as small as can be; the half of a round is that of the smallest encryption.

#include "rl78_small.inc"

; LEFT: rounds left in five bits; bit 5: decryption, bit 6: rounds go back, bit 7: L is there.

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .global _clefia_crypt
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    mov LEFT, #12
_clefia_crypt:
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
    br $entry
; The words move on or, in decryption once L is there, back, which is on three times.
rounds:
    mov b, #4
    bf LEFT.6, $1f
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
    dec LEFT
    movw ax, T_WORD
    mov1 cy, a.7
    bt LEFT.6, $1f
    shrw ax, 1
1:
    sknc
    xor a, #0xd4
    xch a, x
    sknc
    xor a, #0x18
    xch a, x
    bf LEFT.6, $2f
    rolwc ax, 1
2:
    movw T_WORD, ax
    mov1 cy, a.7
    constants
    push hl
    bf LEFT.7, $network
; A half of L and, in every other two rounds, of the key.
    mov1 cy, LEFT.0
    xor1 cy, LEFT.6
    bc $1f
    movw ax, hl
    addw ax, #8
    movw hl, ax
1:
    mov c, #0xf8
2:
    mov a, ROUND_KEY-0xf00f8[c]
    xor a, [hl+L]
    bf LEFT.1, $3f
    xor a, [hl+KEY]
3:
    mov ROUND_KEY-0xf00f8[c], a
    incw hl
    inc c
    bnz $2b
    pop hl
    push hl
    bt LEFT.0, $network
    call !swap
network:
    clrb INDEX
    call !_clefia_half
    incw hl
    incw hl
    incw hl
    incw hl
    call !_clefia_half
    pop hl
    mov a, LEFT
    and a, #0x1f
    skz
    br !rounds
    bt LEFT.7, $whiten
    movw ax, hl
    subw ax, #L
    movw hl, ax
    push hl
    or LEFT, #0x80+18
    bf LEFT.5, $whiten
    mov INDEX, #8
1:
    call !swap
    dec INDEX
    bnz $1b
    set1 LEFT.6
    movw T_WORD, #0x87c1
; A half of the key, first the second one in decryption, is added to the second and the fourth word.
whiten:
    movw ax, #KEY+8
    mov1 cy, LEFT.5
    xor1 cy, LEFT.1
    sknc
    mov x, #KEY
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
    bf LEFT.1, $2f
    br !entry
2:
    ret
; DoubleSwap of L (RFC 6114, section 6.1); with the halves exchanged it is its inverse.
swap:
    push hl
    movw ax, hl
    addw ax, #L
    movw de, ax
    addw ax, #8
    bf LEFT.6, $1f
    xchw ax, de
1:
    movw hl, ax
    mov a, [de]
    mov b, a
    shr a, 1
    mov c, #7
2:
    mov a, [de+1]
    rorc a, 1
    mov [de], a
    incw de
    dec c
    bnz $2b
    mov a, [hl+7]
    mov x, a
    mov1 a.7, cy
    mov [de], a
    mov a, x
    shl a, 1
    mov c, #7
3:
    mov a, [hl+6]
    rolc a, 1
    mov [hl+7], a
    decw hl
    dec c
    bnz $3b
    mov a, b
    mov1 a.0, cy
    mov [hl+7], a
    pop hl
    ret
    .size _block_encrypt_ax, . - _block_encrypt_ax
