#include "block.h"

#include "bytes.h"
#include "planes.h"

/* GIFT paper. The words stay where they are: round i begins at word 2i. */
void block_init(block_context *ctx, const uint8_t *key) {
    gift_plane *k = ctx->round_keys;
    uint16_t words[8];
    uint8_t at = 0;

    for (uint8_t i = 0; i < 8; i++) {
        words[7 - i] = load16_be(key + 2 * i);
    }
    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        uint16_t k0 = words[at];
        uint16_t k1 = words[at + 1];
#if PRIMITIVE_BLOCK_BYTES == 8
        *k++ = k0;
        *k++ = k1;
#else
        *k++ = (uint32_t)k1 << 16 | k0;
        *k++ = (uint32_t)words[at ^ 5] << 16 | words[at ^ 4];
#endif
        words[at] = (uint16_t)(k0 >> 12 | k0 << 4);
        words[at + 1] = (uint16_t)(k1 >> 2 | k1 << 14);
        at = (uint8_t)(at + 2) & 7;
    }
}
