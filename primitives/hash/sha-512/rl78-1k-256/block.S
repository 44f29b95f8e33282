; Pointer interface
;   record    chaining value 0 to 63, block 64 to 191, work 192 to 247
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  sha-384 block: 327,806 cycles, 8 bytes of stack, 1,022 bytes of ROM
;   measured  sha-512 block: 327,806 cycles, 8 bytes of stack, 1,022 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.4.2, in loops over bytes. Words lie with their low byte first, those of the chaining
; value in reverse order. Chaining value, schedule and working variables are 256 bytes and two return
; addresses 8; so h, to which all is added, is bank 3, and a word to be rotated is turned by one byte in its
; place after each byte of the result: eight of them bring it back. The new word of the schedule takes the
; place of the oldest one, at addresses that are computed modulo 128.

; Places in banks 3 and 1. Offset counts the bytes of the constants.
BANKS = 0xffe00
record = BANKS + 0xf0
offset = BANKS + 0xf2
carry = BANKS + 0xf5
saved = BANKS + 0xf6
SUM_NEAR = 0xfee0

BLOCK = 64
AT_G = 192
AT_E = 208
AT_D = 216
AT_C = 224
AT_A = 240

; AX = bytes k + 1 and k of the word that is turned.
.macro pair k
.if \k
    mov a, [hl+\k]
.else
    mov a, [hl]
.endif
    mov x, a
.if \k == 7
    mov a, [hl]
.else
    mov a, [hl+\k+1]
.endif
.endm

.macro shifted by
    shlw ax, \by
    xor c, a
.endm

.macro first by
    shlw ax, \by
    mov c, a
.endm

.macro last by
    shlw ax, \by
    xor a, c
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    movw record, ax
    movw de, ax
    movw ax, hl
    movw saved, ax
    clrw ax
    movw offset, ax
    mov c, #8
1:
    call !turn
    dec c
    bnz $1b

round:
    movw ax, offset
    addw ax, #_sha512_constants
    call !given
    call !add
    clrb a
    call !word
    call !add
    mov a, #72
    call !word
    call !oldest
    call !add
    mov a, #8
    call !word
    call !oldest
1:
    pair 0
    mov c, a
    shifted 7
    call !shifted_in
    last 1
    call !next
    bnz $1b
    mov a, #112
    call !word
    call !oldest
1:
    pair 2
    first 5
    pair 7
    shifted 3
    call !shifted_in
    last 2
    call !next
    bnz $1b
    mov a, #AT_G
    call !variable
    call !choice
    mov a, #AT_E
    call !variable
1:
    pair 1
    first 2
    pair 2
    shifted 6
    pair 5
    last 7
    call !next
    bnz $1b
    mov a, #AT_D
    call !variable
    movw de, ax
    movw hl, #SUM_NEAR
    call !add
    mov a, #AT_C
    call !variable
    dec carry
    call !choice
    mov a, #AT_A
    call !variable
1:
    pair 3
    first 4
    pair 4
    shifted 1
    last 5
    call !next
    bnz $1b
    movw de, #SUM_NEAR
    call !turn
    movw ax, offset
    addw ax, #8
    movw offset, ax
    cmpw ax, #640
    skz
    br !round

    movw de, record
    movw hl, #SUM_NEAR
    mov c, #8
1:
    mov b, #8
    call !add
    movw ax, de
    addw ax, #AT_G-8
    movw hl, ax
    dec c
    bnz $1b
    movw hl, saved
    ret

; B = 8, carry 0, DE = sum. HL = the address of the word of the schedule that is A bytes above the oldest one;
; of the variable at A; AX.
word:
    add a, offset
    and a, #0x78
    add a, #BLOCK
variable:
    mov x, a
    clrb a
    addw ax, record
given:
    movw hl, ax
    movw de, #SUM_NEAR
    mov b, #8
    clrb carry
    ret

; DE = address of the oldest word of the schedule.
oldest:
    mov a, offset
    and a, #0x78
    add a, #BLOCK
    mov x, a
    clrb a
    addw ax, record
    movw de, ax
    ret

; A word at DE plus that at HL.
add:
    mov a, [de]
    addc a, [hl]
    mov [de], a
    incw hl
    incw de
    dec b
    bnz $add
    ret

; A word at DE plus the choice of e, f and g, all bits of carry 0; or, all of them 1, the majority of a, b and
; c: where a and c differ, what b is.
choice:
    mov a, [hl]
    and a, carry
    xor a, [hl+16]
    mov x, a
    mov a, [hl+8]
    xor a, [hl]
    and a, x
    xor a, [hl]
    mov x, a
    mov a, [de]
    addc a, x
    mov [de], a
    incw hl
    incw de
    dec b
    bnz $choice
    ret

; AX = the first two bytes at HL, 0 in place of the upper one in the last turn.
shifted_in:
    mov a, [hl]
    mov x, a
    mov a, b
    dec a
    skz
    mov a, [hl+1]
    ret

; Adds A to the byte at DE and turns the word at HL.
next:
    mov x, a
    mov1 cy, carry.0
    mov a, [de]
    addc a, x
    mov [de], a
    mov1 carry.0, cy
    incw de
    mov a, [hl]
    mov c, #7
1:
    xch a, [hl+c]
    dec c
    bnz $1b
    mov [hl], a
    dec b
    ret

; The word at DE becomes a, a becomes b, and so on; g becomes h.
turn:
    movw hl, record
    mov b, #0xf8
1:
    mov a, [de]
.irp k, 56, 48, 40, 32, 24, 16, 8
    xch a, [hl+AT_G-8+\k]
.endr
    mov SUM_NEAR-0xf8[b], a
    incw hl
    incw de
    inc b
    bnz $1b
    ret
    .size _hash_block_ax, . - _hash_block_ax
