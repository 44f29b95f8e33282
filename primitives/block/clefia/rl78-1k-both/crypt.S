; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 47
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  clefia-128 encryption: 12,272 cycles, 14 bytes of stack, 1,019 bytes of ROM
;   measured  clefia-128 decryption: 14,453 cycles, 14 bytes of stack, 1,024 bytes of ROM
;   measured  clefia-128 both: 14,453 cycles, 14 bytes of stack, 1,024 bytes of ROM
;   time      constant
;
; One routine for both directions: it makes L in its place, in decryption takes it to its end by DoubleSwap,
; and goes through the 18 rounds forth or back (RFC 6114, sections 5 and 6). Both halves of a round share the
; matrix.

#include "rl78_small.inc"

#define FIRST INDEX         /* bit 0: the half is that of F0 */
#define LAST OUT            /* the last output of an S-box */
#define WAY OUT+1           /* bit 0: decryption */
#define TURNS OUT+2         /* of the words after a round: 1 is forth, 3 is back */

.macro xtime
    shl a, 1
    sknc
    xor a, #0x1d
.endm

; Times x or, in F1, x^2.
.macro times_more
    bt FIRST.0, $1f
    xtime
1:
    xtime
.endm

; The outputs of the S-boxes for the word at HL: X, then the two middle ones, LAST and A.
.macro look key, first, second, one, two
    mov a, \key
    xor a, [hl]
    mov c, a
    mov a, \first[c]
    mov x, a
    mov a, \key+1
    xor a, [hl+1]
    mov c, a
    mov a, \second[c]
    mov \one, a
    mov a, \key+2
    xor a, [hl+2]
    mov c, a
    mov a, \first[c]
    mov \two, a
    mov a, \key+3
    xor a, [hl+3]
    mov c, a
    mov a, \second[c]
    mov LAST, a
.endm

; AX is T: the eight bytes of constants made of it (RFC 6114, section 4.6); CY is its highest bit.
; Those that go into S1 are complements, since that is how it is stored.
.macro complements
    xor a, #0xb7
    xch a, x
    xor a, #0xe1^0xff
    movw ROUND_KEY, ax
    xor a, #0xe1^0xff^0xc0
    xch a, x
    xor a, #0xb7^0xdb^0xff
    xch a, x
    movw ROUND_KEY+4, ax
    xor a, #0xc0^0xff
    xch a, x
    xor a, #0xdb^0xff
    movw ROUND_KEY+6, ax
    rolwc ax, 1
    xor a, #0xff^0x01
    xch a, x
    xor a, #0xfe
    movw ROUND_KEY+2, ax
.endm

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .global _clefia_crypt
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    clrb WAY
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
    mov LEFT, #-30
    oneb TURNS
    br $entry
; The words move on or, in decryption once L is there, back, which is on three times.
rounds:
    mov a, TURNS
    mov INDEX, a
1:
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
    dec INDEX
    bnz $1b
entry:
    movw ax, T_WORD
    mov1 cy, a.7
    bt TURNS.1, $1f
    shrw ax, 1
1:
    sknc
    xor a, #0xd4
    xch a, x
    sknc
    xor a, #0x18
    xch a, x
    bf TURNS.1, $2f
    rolwc ax, 1
2:
    movw T_WORD, ax
    mov1 cy, a.7
    complements
    push hl
    cmp LEFT, #0x100-18
    bc $network
; A half of L and, in every other two rounds, of the key.
    mov1 cy, LEFT.0
    xor1 cy, TURNS.1
    bnc $1f
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
    pop hl
    push hl
    bf LEFT.0, $network
    call !swap
network:
    oneb FIRST
    look ROUND_KEY, _clefia_s0, _clefia_s1, e, d
    call !join
    movw ax, hl
    addw ax, #8
    movw hl, ax
    clrb FIRST
    look ROUND_KEY+4, _clefia_s1, _clefia_s0, d, e
    call !join
    pop hl
    inc LEFT
    bz $whiten
    cmp LEFT, #0x100-18
    skz
    br !rounds
    movw ax, hl
    subw ax, #L
    movw hl, ax
    push hl
    bf WAY.0, $whiten
    mov INDEX, #8
1:
    call !swap
    dec INDEX
    bnz $1b
    mov TURNS, #3
    movw T_WORD, #0x87c1
; A half of the key, first the second one in decryption, is added to the second and the fourth word.
whiten:
    movw ax, #KEY+8
    mov1 cy, WAY.0
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
    cmp0 LEFT
    skz
    br !entry
    ret
; The matrix on X, E, D and A (RFC 6114, section 4.4), added to the next word: M1 is M0 with x^3 in
; x^2's place and the middle bytes exchanged.
join:
    xor a, x
    xor a, d
    xor a, e
    xtime
    mov b, a
    times_more
    mov c, a
    mov a, LAST
    xor a, d
    times_more
    xor a, LAST
    xor a, e
    xtime
    xor x, a
    xor a, b
    xor e, a
    xor a, b
    xor a, c
    xor d, a
    xor a, b
    xor a, LAST
    xor a, [hl+7]
    mov [hl+7], a
    mov a, x
    xor a, [hl+4]
    mov [hl+4], a
    movw ax, de
    bt FIRST.0, $1f
    xch a, x
1:
    xor a, [hl+6]
    mov [hl+6], a
    mov a, x
    xor a, [hl+5]
    mov [hl+5], a
    ret
; DoubleSwap of L (RFC 6114, section 6.1); with the halves exchanged it is its inverse.
swap:
    push hl
    movw ax, hl
    addw ax, #L
    movw de, ax
    addw ax, #8
    bf TURNS.1, $1f
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
