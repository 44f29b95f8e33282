; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  clefia-128 encryption: 190,000 to 270,000 cycles, 16 bytes of stack, 512 bytes of ROM
;   measured  clefia-128 decryption: 200,000 to 280,000 cycles, 16 bytes of stack, 592 bytes of ROM
;   measured  clefia-128 both: 200,000 to 280,000 cycles, 16 bytes of stack, 826 bytes of ROM
;   time      depends on the data, since the inverse in S1 is found by a search
;
; F0 and F1 are one routine for a half of a round, whose matrices differ in a power of x and in the order of
; the middle bytes (RFC 6114, section 4.4). S0 is made of its small S-boxes, S1 by linear maps around an
; inversion (section 4.3). The words move on by rotations of 16 bytes; L is made in its own place (section 6).

#include "rl78_small.inc"

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
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
; The words move on, byte by byte.
rounds:
    mov b, #4
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
; The next T: the bit that leaves it on the right decides, and is the new T's highest bit.
    movw ax, T_WORD
    shrw ax, 1
    sknc
    xor a, #0xd4
    xch a, x
    sknc
    xor a, #0x18
    xch a, x
    movw T_WORD, ax
    constants
    push hl
    cmp LEFT, #0x100-18
    bc $network
; A half of L and, in every other two rounds, of the key.
    bf LEFT.0, $1f
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
; DoubleSwap (RFC 6114, section 6.1), in bytes that move left and bytes that move right.
    mov a, [hl+L-16]
    mov b, a
    shr a, 1
    mov c, #7
4:
    mov a, [hl+L-15]
    rorc a, 1
    mov [hl+L-16], a
    incw hl
    dec c
    bnz $4b
    mov a, [hl+L-8]
    mov x, a
    mov1 a.7, cy
    mov [hl+L-16], a
    mov a, x
    shl a, 1
    mov c, #7
5:
    mov a, [hl+L-9]
    rolc a, 1
    mov [hl+L-8], a
    decw hl
    dec c
    bnz $5b
    mov a, b
    mov1 a.0, cy
    mov [hl+L-8], a
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
    bnz $rounds
    movw ax, hl
    subw ax, #L
    movw hl, ax
    push hl
    movw ax, #KEY
    br $whiten
last:
    movw ax, #KEY+8
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
    .size _block_encrypt_ax, . - _block_encrypt_ax
