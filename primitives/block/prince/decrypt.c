#include "block.h"

/* The reflection of section 3.1: the same function under the keys of block_init_decrypt. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_encrypt(ctx, out, in);
}
