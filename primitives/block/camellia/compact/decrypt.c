#include "block.h"

#include "camellia.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    camellia_crypt(ctx, out, in, 1);
}
