; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  clefia-128 encryption: 8,396 cycles, 8 bytes of stack, 1,018 bytes of ROM
;   measured  clefia-128 decryption: 7,427 cycles, 16 bytes of stack, 1,793 bytes of ROM
;   measured  clefia-128 both: 8,396 cycles, 16 bytes of stack, 2,299 bytes of ROM
;   time      constant
;
; One round in line, on words in the text's place (RFC 6114, section 5); they move on after it. They are the
; key's copy first, in L's place, and L at the end (section 6). Loops shift L's halves.

#include "rl78_line.inc"

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
; The key is in L's place, where HL points; no round keys.
    clrw ax
    .irp n, 0, 2, 4, 6
    movw ROUND_KEY+\n, ax
    .endr
    movw T_WORD, #0x8514
    mov LEFT, #-30
    br $entry
; The words move on.
rounds:
    movw ax, [hl]
    movw bc, ax
    movw ax, [hl+2]
    movw de, ax
    movw ax, [hl+4]
    movw [hl], ax
    .irp n, 2, 4, 6, 8, 10
    movw ax, [hl+\n+4]
    movw [hl+\n], ax
    .endr
    movw ax, bc
    movw [hl+12], ax
    movw ax, de
    movw [hl+14], ax
entry:
    cmp LEFT, #0x100-18
    bc $network
; The round's keys: a half of L and, in every other two rounds, of the key.
    push hl
    bf LEFT.0, $1f
    movw ax, hl
    addw ax, #8
    movw hl, ax
1:
    bt LEFT.1, $3f
    mov c, #0xf8
2:
    mov a, [hl+L]
    xor a, [hl+KEY]
    mov ROUND_KEY-0xf00f8[c], a
    mov a, [hl+L+1]
    xor a, [hl+KEY+1]
    mov ROUND_KEY-0xf00f7[c], a
    incw hl
    incw hl
    inc c
    inc c
    bnz $2b
    br $4f
3:
    .irp n, 0, 2, 4, 6
    movw ax, [hl+L+\n]
    movw ROUND_KEY+\n, ax
    .endr
4:
    pop hl
    bf LEFT.0, $network
; DoubleSwap (RFC 6114, section 6.1), in bytes that move left and bytes that move right.
    mov a, [hl+L]
    mov b, a
    shr a, 1
    mov c, #7
5:
    mov a, [hl+L+1]
    rorc a, 1
    mov [hl+L], a
    incw hl
    dec c
    bnz $5b
    mov a, [hl+L+8]
    mov x, a
    mov1 a.7, cy
    mov [hl+L], a
    mov a, x
    shl a, 1
    mov c, #7
6:
    mov a, [hl+L+7]
    rolc a, 1
    mov [hl+L+8], a
    decw hl
    dec c
    bnz $6b
    mov a, b
    mov1 a.0, cy
    mov [hl+L+8], a
network:
    step
    look 0, ROUND_KEY, _clefia_s0, _clefia_s1, T_HIGH, T_LOW, d, e, 0xb7, 0x1e, 0xff
    matrix0
    put 4
    look 8, ROUND_KEY+4, _clefia_s1, _clefia_s0, T_HIGH, T_LOW, T_LOW, T_HIGH, 0x24, 0xc0, 0xff
    matrix1
    put 12
    inc LEFT
    bz $last
    cmp LEFT, #0x100-18
    skz
    br !rounds
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
