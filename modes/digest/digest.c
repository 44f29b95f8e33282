#include "digest.h"

void hash_digest(hash_context *ctx, uint8_t *out, const uint8_t *in, size_t length) {
    hash_init(ctx);
    hash_update(ctx, in, length);
    hash_final(ctx, out);
}
