#include "aead.h"

#include <string.h>

void aead_init(aead_context *ctx, const uint8_t *key) {
    memcpy(ctx->key, key, PRIMITIVE_KEY_BYTES);
}
