#include "block.h"

#include "bytes.h"
#include "misty1.h"

static void unfl(const block_context *ctx, uint16_t *x, uint8_t k) {
    uint16_t keys[2];

    misty1_fl_keys(ctx, keys, k);
    x[0] ^= x[1] | keys[1];
    x[1] ^= x[0] & keys[0];
}

/* RFC 2994, section 2.3; x holds the left half, then the right one. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint16_t x[4];

    for (uint8_t i = 0; i < 4; i++) {
        x[i ^ 2] = load16_be(in + 2 * i);
    }
    for (uint8_t k = PRIMITIVE_ROUNDS;;) {
        unfl(ctx, x, k);
        unfl(ctx, x + 2, (uint8_t)(k + 1));
        if (k == 0) {
            break;
        }
        k = (uint8_t)(k - 2);
        misty1_add_fo(ctx, x, x + 2, (uint8_t)(k + 1));
        misty1_add_fo(ctx, x + 2, x, k);
    }
    for (uint8_t i = 0; i < 4; i++) {
        store16_be(out + 2 * i, x[i]);
    }
}
