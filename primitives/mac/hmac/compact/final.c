#include "mac.h"

#include "pad.h"

/* RFC 2104, section 2, steps 4 to 7. */
void mac_final(mac_context *ctx, uint8_t *tag) {
    hash_final(&ctx->hash, tag);
    hmac_start(&ctx->hash, ctx->key, 0x5C);
    hash_update(&ctx->hash, tag, PRIMITIVE_TAG_BYTES);
    hash_final(&ctx->hash, tag);
}
