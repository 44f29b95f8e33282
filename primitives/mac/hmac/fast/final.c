#include "mac.h"

/* RFC 2104, section 2, steps 4 to 7. */
void mac_final(mac_context *ctx, uint8_t *tag) {
    hash_final(&ctx->inner, tag);
    hash_update(&ctx->outer, tag, PRIMITIVE_TAG_BYTES);
    hash_final(&ctx->outer, tag);
}
