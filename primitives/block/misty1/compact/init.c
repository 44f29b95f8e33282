#include "block.h"

#include "bytes.h"
#include "misty1.h"

/* RFC 2994, section 2.2. */
void block_init(block_context *ctx, const uint8_t *key) {
    for (uint8_t i = 0; i < 8; i++) {
        ctx->key[i] = load16_be(key + 2 * i);
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->mixed[i] = misty1_fi(ctx->key[i], ctx->key[(i + 1) & 7]);
    }
}
