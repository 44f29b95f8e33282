; Pointer interface
;   record    text 0 to 15, key 16 to 31 (kept), work 32 to 229
;   keeps     HL, bank 2
;   loses     AX, BC, DE, banks 1 and 3
;   measured  camellia-128 encryption: 4,067 cycles, 22 bytes of stack, 1,018 bytes of ROM
;   measured  camellia-128 decryption: 4,082 cycles, 22 bytes of stack, 995 bytes of ROM
;   measured  camellia-128 both: 4,082 cycles, 22 bytes of stack, 1,169 bytes of ROM
;   time      constant
;
; RFC 3713, section 2.2. A rotation of KL or KA by 0, 15, 30, 45, 60, 77, 94 or 111 bits is one by 0 to 4
; bits to the right, begun at some even byte. So KL and KA are made in these five forms first, each of which
; serves two rotations; any subkey then lies there in one piece.

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
    swap_and_add 8, 4
    pop hl
    ret
end_function block_encrypt_ax
