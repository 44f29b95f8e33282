#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "serpent.h"
#include "sboxes.h"

/* Specification, "The Key Schedule": the fraction of the golden ratio. */
#define PHI UINT32_C(0x9E3779B9)

void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t window[8] = {0};
    uint32_t *round_key = ctx->round_keys;

    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES / 4; i++) {
        window[i] = load32_le(key + 4 * i);
    }
#if PRIMITIVE_KEY_BYTES < 32
    window[PRIMITIVE_KEY_BYTES / 4] = 1;
#endif
    for (uint8_t i = 0; i < 4 * (PRIMITIVE_ROUNDS + 1); i++) {
        uint32_t t = window[i & 7] ^ window[(i + 3) & 7] ^ window[(i + 5) & 7] ^
                     window[(i + 7) & 7] ^ PHI ^ i;
        t = rotl32(t, 11);
        window[i & 7] = t;
        round_key[i] = t;
    }
    /* By 64 bytes, the most that AVR adds to a pointer without a scratch register: the pass
     * postreload of GCC 5.4 (reload_cse_move2add) does not see one overwritten, and with -O3 the
     * wrong addresses gave wrong round keys 5 and 6 of each eight. */
    for (uint8_t halves = PRIMITIVE_ROUNDS / 4; halves > 0; halves--) {
        if (halves % 2 == 0) {
            serpent_s3(round_key);
            serpent_s2(round_key + 4);
            serpent_s1(round_key + 8);
            serpent_s0(round_key + 12);
        } else {
            serpent_s7(round_key);
            serpent_s6(round_key + 4);
            serpent_s5(round_key + 8);
            serpent_s4(round_key + 12);
        }
        round_key += 16;
    }
    serpent_s3(round_key);
}
