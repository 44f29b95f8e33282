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
    for (uint8_t groups = PRIMITIVE_ROUNDS / 8; groups > 0; groups--) {
        serpent_s3(round_key);
        serpent_s2(round_key + 4);
        serpent_s1(round_key + 8);
        serpent_s0(round_key + 12);
        serpent_s7(round_key + 16);
        serpent_s6(round_key + 20);
        serpent_s5(round_key + 24);
        serpent_s4(round_key + 28);
        round_key += 32;
    }
    serpent_s3(round_key);
}
