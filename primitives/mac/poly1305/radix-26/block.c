#include "poly1305.h"

#include "limbs.h"

void poly1305_block(mac_context *ctx, const uint8_t *block, uint8_t high) {
    uint32_t added[5];
    uint32_t result[5];
    uint64_t column = 0;

    load_limbs(added, block);
    added[4] |= (uint32_t)high << 24;
    for (uint8_t i = 0; i < 5; i++) {
        added[i] += ctx->accumulator[i];
    }
    for (uint8_t k = 0; k < 5; k++) {
        for (uint8_t i = 0; i < 5; i++) {
            uint32_t factor = i <= k ? ctx->r[k - i] : 5 * ctx->r[5 + k - i];
            column += (uint64_t)added[i] * factor;
        }
        result[k] = (uint32_t)column & LIMB_MASK;
        column >>= 26;
    }
    /* What stands above bit 130 comes back times five. */
    column = result[0] + 5 * column;
    ctx->accumulator[0] = (uint32_t)column & LIMB_MASK;
    ctx->accumulator[1] = result[1] + (uint32_t)(column >> 26);
    for (uint8_t i = 2; i < 5; i++) {
        ctx->accumulator[i] = result[i];
    }
}
