#include "siphash.h"

void mac_update(mac_context *ctx, const uint8_t *in, size_t length) {
    for (; length > 0; length--) {
        ctx->block[ctx->length++ & 7] = *in++;
        if ((ctx->length & 7) == 0) {
            siphash_compress(ctx);
        }
    }
}
