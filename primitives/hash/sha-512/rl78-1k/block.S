; Pointer interface
;   record    chaining value 0 to 63, block 64 to 191, work 192 to 335
;   keeps     HL, bank 2
;   loses     AX, BC, DE, bank 1
;   measured  sha-384 block: 105,429 cycles, 16 bytes of stack, 1,022 bytes of ROM
;   measured  sha-512 block: 105,429 cycles, 16 bytes of stack, 1,022 bytes of ROM
;   time      constant
;
; FIPS 180-4, section 6.4.2, in loops over bytes. Words lie with their low byte first, those of the chaining
; value in reverse order. A word to be rotated is laid down twice, a zero behind it: each byte of a rotation
; then comes out of two adjoining bytes by one shift of AX, and the shift of section 4.1.3 out of the
; second copy. B counts carries. Schedule and working variables lie in one frame that moves up by one word
; in each round, and back every five rounds.

BANKS = 0xffe00
constant = BANKS + 0xf0
bytes = BANKS + 0xf2
rounds = BANKS + 0xf3
groups = BANKS + 0xf4

GROUP = 5
FRAME = 128 + 8 * GROUP
AT_H = FRAME
AT_G = FRAME + 8
AT_F = FRAME + 16
AT_E = FRAME + 24
AT_D = FRAME + 32
AT_C = FRAME + 40
AT_B = FRAME + 48
AT_A = FRAME + 56
AT_NEW = FRAME + 64
; Between the schedule and h nothing is kept.
COPY = 136

.macro pair k
    mov a, [hl+COPY+\k]
    mov x, a
    mov a, [hl+COPY+\k+1]
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

.macro plus_carry
    add a, b
    clrb b
    sknc
    inc b
.endm

.macro plus what:vararg
    add a, \what
    sknc
    inc b
.endm

.macro next counter, label
    incw hl
    dec \counter
    bnz \label
.endm

    .section .text.hash_block_ax, "ax", @progbits
    .global _hash_block_ax
    .type _hash_block_ax, @function
_hash_block_ax:
    push hl
    push ax
    movw hl, ax
    mov b, #32
1:
    movw ax, [hl]
    movw [hl+64+FRAME], ax
    incw hl
    incw hl
    dec b
    bnz $1b
    movw ax, #_sha512_constants
    movw constant, ax
    mov groups, #80/GROUP
group:
    push hl
    mov rounds, #GROUP
round:
    push hl
    movw ax, constant
    cmpw ax, #_sha512_constants+512
    bnc $no_schedule
    movw ax, #112
    call !load
1:
    pair 2
    first 5
    pair 7
    shifted 3
    pair 8
    last 2
    plus_carry
    plus [hl]
    plus [hl+72]
    mov [hl+128], a
    next e, $1b
; HL is ahead by 8.
    clrw ax
    call !load
1:
    pair 0
    mov c, a
    shifted 7
    pair 8
    last 1
    plus_carry
    plus [hl+128-8]
    mov [hl+128-8], a
    next e, $1b
    pop hl
    push hl
no_schedule:
    movw ax, #AT_E
    call !load
    movw de, constant
    push psw
    mov bytes, #8
1:
    pair 1
    first 2
    pair 2
    shifted 6
    pair 5
    shifted 7
    mov a, [hl+AT_F]
    xor a, [hl+AT_G]
    and a, [hl+AT_E]
    xor a, [hl+AT_G]
    plus_carry
    plus c
    plus [hl+AT_H]
    plus [hl]
    mov x, a
    mov a, [de]
    incw de
    plus x
    mov [hl+AT_H], a
    pop psw
    addc a, [hl+AT_D]
    mov [hl+AT_D], a
    push psw
    next bytes, $1b
    pop ax
    movw ax, de
    movw constant, ax
    pop hl
    push hl
    movw ax, #AT_A
    call !load
1:
    pair 3
    first 4
    pair 4
    shifted 1
    shifted 5
    mov a, [hl+AT_B]
    xor a, [hl+AT_C]
    mov x, a
    mov a, [hl+AT_A]
    xor a, [hl+AT_B]
    and a, x
    xor a, [hl+AT_B]
    plus_carry
    plus c
    plus [hl+AT_H]
    mov [hl+AT_NEW], a
    next e, $1b
    pop ax
    dec rounds
    skz
    br !round
    pop hl
    push hl
    mov b, #(192+GROUP*8)/8
1:
    movw ax, [hl+GROUP*8]
    movw [hl], ax
.irp k, 2, 4, 6
    movw ax, [hl+GROUP*8+\k]
    movw [hl+\k], ax
.endr
    movw ax, hl
    addw ax, #8
    movw hl, ax
    dec b
    bnz $1b
    pop hl
    dec groups
    skz
    br !group
    pop hl
    mov c, #8
1:
    mov b, #8
    clr1 cy
2:
    mov a, [hl]
    addc a, [hl+64+FRAME]
    mov [hl], a
    incw hl
    dec b
    bnz $2b
    dec c
    bnz $1b
    pop hl
    ret

; Copies the word at HL + AX to COPY twice, a zero behind it. B = 0, carry 0.
load:
    addw ax, hl
    movw de, ax
.irp k, 0, 2, 4, 6
    movw ax, [de+\k]
    movw [hl+COPY+\k], ax
    movw [hl+COPY+8+\k], ax
.endr
    clrb a
    mov [hl+COPY+16], a
    clrb b
    mov e, #8
    ret
    .size _hash_block_ax, . - _hash_block_ax
