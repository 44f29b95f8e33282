#include "poly1305.h"

void mac_update(mac_context *ctx, const uint8_t *in, size_t length) {
    uint8_t used = ctx->used_bytes;

    while (length > 0) {
        if (used == 0 && length >= 16) {
            poly1305_block(ctx, in, 1);
            in += 16;
            length -= 16;
            continue;
        }
        ctx->block[used++] = *in++;
        length--;
        if (used == 16) {
            poly1305_block(ctx, ctx->block, 1);
            used = 0;
        }
    }
    ctx->used_bytes = used;
}
