#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "serpent.h"

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
    for (uint8_t i = 0; i <= PRIMITIVE_ROUNDS; i++) {
        serpent_substitute(round_key, SERPENT_BOX(3 - i));
        round_key += 4;
    }
}
