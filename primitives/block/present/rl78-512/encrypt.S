; Pointer interface
;   record    text 0 to 7, key 8 to 17 (kept), work 18 to 45
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  present-80 encryption: 7,224 cycles, 10 bytes of stack, 510 bytes of ROM
;   measured  present-80 decryption: 11,854 cycles, 12 bytes of stack, 509 bytes of ROM
;   measured  present-80 both: 11,854 cycles, 12 bytes of stack, 1,019 bytes of ROM
;   time      constant
;
; The bit layer (section 2, pLayer) brings bits k of 16 nibbles together in word k: three transpositions.
; Single bits of a byte's two nibbles come together in the table, which gives S(n) with a zero above each
; bit; pairs of bits are exchanged between the two bytes of a word, nibbles between words, and the round key
; is added with that. The table is copied to RAM, where a load takes one clock and not four. Key register
; and state are in banks 1 and 3: the turn by 19 bits is a move by a word and shifts by 3 and 13 in AX and
; BC. Decryption takes the steps backwards, after 31 rounds of the key schedule alone.

    .section .rodata.present_spread, "a", @progbits
    .balign 2
; The bits of S(n), each with a zero above it.
_present_spread:
    .irp n, 0xc,5,6,0xb,9,0,0xa,0xd,3,0xe,0xf,8,4,7,1,2
    .byte (\n&8)<<3|(\n&4)<<2|(\n&2)<<1|(\n&1)
    .endr
; S(n) ^ n in the high nibble, for the key.
_present_top:
    .byte 0xc0, 0x40, 0x40, 0x80, 0xd0, 0x50, 0xc0, 0xa0, 0xb0, 0x70, 0x50, 0x30, 0x80, 0xa0, 0xf0, 0xd0

; Bank 3: the state, the highest byte last.
state = 0xffee0
; Bank 1: the key register without its low word.
w1 = 0xffef0
w2 = 0xffef2
w3 = 0xffef4
w4 = 0xffef6
; Work, after a copy of the table.
#define w0 [hl+16]
#define number [hl+18]
#define SUMS 20

; An old word's low three bits go on top of the next.
.macro turn low, high, to:vararg
    movw bc, \high
    shlw bc, 13
    movw ax, \low
    shrw ax, 3
    addw ax, bc
    movw \to, ax
.endm

; A byte through the S-box, its bits k side by side.
.macro look at
    mov a, state+\at
    shr a, 4
    mov c, a
    mov a, state+\at
    and a, #0x0f
    mov b, a
    mov a, [hl+c]
    shl a, 1
    or a, [hl+b]
.endm

; Two bytes, four bits k side by side.
.macro pair high, low, to, to2
    look \high
    mov d, a
    look \low
    mov e, a
    shr a, 2
    xor a, d
    and a, #0x33
    mov x, a
    xor a, d
    mov [hl+SUMS+\to], a
    mov a, x
    shl a, 2
    xor a, e
    mov [hl+SUMS+\to2], a
.endm

; Exchanges the low nibble of one byte and the high one of another and adds the key.
.macro cross first, second, to, to2
    mov a, [hl+SUMS+\second]
    shr a, 4
    xor a, [hl+SUMS+\first]
    and a, #0x0f
    mov x, a
    xor a, [hl+SUMS+\first]
    xor a, w1+\to
    mov state+\to, a
    mov a, x
    shl a, 4
    xor a, [hl+SUMS+\second]
    xor a, w1+\to2
    mov state+\to2, a
.endm

    .section .text.block_encrypt_ax, "ax", @progbits
    .global _block_encrypt_ax
    .type _block_encrypt_ax, @function
_block_encrypt_ax:
    push hl
    push ax
    movw de, ax
    addw ax, #18
    movw hl, ax
    .irp at, 0, 2, 4, 6, 8, 10, 12, 14
    movw ax, !_present_spread+\at
    movw [hl+\at], ax
    .endr
    mov c, #8
2:
    mov a, [de+8]
    mov w1-1-0xf0000[c], a
    mov x, a
    mov a, [de]
    xor a, x
    mov state-1-0xf0000[c], a
    incw de
    dec c
    bnz $2b
    mov a, [de+9]
    mov x, a
    mov a, [de+8]
    movw w0, ax
    mov number, #0
3:
    mov a, number
    add a, #4
    mov number, a
    xor a, w2
    mov w2, a
    movw bc, w1
    shlw bc, 13
    movw ax, w0
    movw de, ax
    shrw ax, 3
    addw ax, bc
    mov c, a
    shr a, 4
    mov b, a
    mov a, _present_top[b]
    xor a, c
    push ax
    turn w1, w2, w0
    turn w2, w3, w1
    turn w3, w4, w2
    movw ax, de
    shlw ax, 13
    movw bc, ax
    movw ax, w4
    shrw ax, 3
    addw ax, bc
    movw w3, ax
    pop ax
    movw w4, ax
    ; a word: bits 3 and 1 in one byte, bits 2 and 0 in the other
    pair 7, 6, 0, 1
    pair 5, 4, 2, 3
    pair 3, 2, 4, 5
    pair 1, 0, 6, 7
    cross 0, 2, 7, 3
    cross 1, 3, 5, 1
    cross 4, 6, 6, 2
    cross 5, 7, 4, 0
    mov a, number
    cmp a, #124
    skz
    br $!3b
    pop de
    mov c, #8
4:
    mov a, state-1-0xf0000[c]
    mov [de], a
    incw de
    dec c
    bnz $4b
    pop hl
    ret
    .size _block_encrypt_ax, . - _block_encrypt_ax
