#include "block.h"

#include "bytes.h"

/* The key, and the key rotated left by 25 bits again and again, cut into words: word i + 8 takes
 * its bits from the words at distances 7 and 6 (wrapping inside each group of eight). */
void block_init(block_context *ctx, const uint8_t *key) {
    uint16_t *subkeys = ctx->subkeys;

    for (uint8_t i = 0; i < 8; i++) {
        subkeys[i] = load16_be(key + 2 * i);
    }
    for (uint8_t i = 8; i < IDEA_SUBKEYS; i++) {
        const uint16_t *group = subkeys + (i & ~7) - 8;
        subkeys[i] = (uint16_t)(group[(i + 1) & 7] << 9 | group[(i + 2) & 7] >> 7);
    }
}
