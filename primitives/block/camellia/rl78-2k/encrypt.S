; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 229
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  camellia-128 encryption: 3,621 cycles, 16 bytes of stack, 2,025 bytes of ROM
;   measured  camellia-128 decryption: 3,626 cycles, 16 bytes of stack, 2,034 bytes of ROM
;   measured  camellia-128 both: 3,626 cycles, 16 bytes of stack, 2,176 bytes of ROM
;   time      constant
;
; RFC 3713, section 2.2. A rotation of KL or KA by 0, 15, 30, 45, 60, 77, 94 or 111 bits is one by 0 to 4
; bits to the right, begun at some even byte. So KL and KA are made in these five forms first, word by word,
; each of them for two rotations; any subkey then lies there in one piece. SBOX2 and SBOX3
; have tables of their own.

#include "rl78_pairs.inc"
#include "rl78.inc"
#define SHIFT 0
#include "rl78_strings.inc"

function block_encrypt_ax
    push hl
    call !_camellia_start
    add_string 16
    rounds KA_0
    rounds KL_1+2
    rounds KA_1+2
    layer_of KA_2+4, KA_2+12
    rounds KL_3+6
    rounds_of KA_3+6, KL_4
    rounds_back KA_4+8
    layer_of KL_3+10, KL_3+2
    rounds_back KL_2+12
    rounds_back KA_2+12
    rounds_back KL_1+14
    subkeys_at KA_1+6
    movw de, ax
    swap_and_add 8
    pop hl
    ret
end_function block_encrypt_ax
