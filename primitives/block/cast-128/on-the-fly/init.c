#include "block.h"

#include "cast.h"

/* RFC 2144, section 2.5: a shorter key is filled up with zeros. */
void block_init(block_context *ctx, const uint8_t *key) {
    for (uint8_t i = 0; i < 16; i++) {
        uint8_t byte = i < PRIMITIVE_KEY_BYTES ? key[i] : 0;
        ctx->states[0][i] = byte;
        ctx->states[1][i] = byte;
    }
    for (uint8_t number = 0; number < 4; number++) {
        cast_renew(ctx->states[1], number);
    }
}
