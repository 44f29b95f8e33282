#include "block.h"

#include "bytes.h"
#include "kasumi.h"

/* 3GPP TS 35.202, the Feistel network. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->round_keys;
    uint16_t left[2] = {load16_be(in), load16_be(in + 2)};
    uint16_t right[2] = {load16_be(in + 4), load16_be(in + 6)};
    uint16_t t[2];

    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2; pairs > 0; pairs--) {
        t[0] = left[0];
        t[1] = left[1];
        kasumi_fl(t, k);
        kasumi_fo(t, k);
        right[0] ^= t[0];
        right[1] ^= t[1];
        k += KASUMI_ROUND_KEYS;
        t[0] = right[0];
        t[1] = right[1];
        kasumi_fo(t, k);
        kasumi_fl(t, k);
        left[0] ^= t[0];
        left[1] ^= t[1];
        k += KASUMI_ROUND_KEYS;
    }
    store16_be(out, left[0]);
    store16_be(out + 2, left[1]);
    store16_be(out + 4, right[0]);
    store16_be(out + 6, right[1]);
}
