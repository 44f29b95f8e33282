#include "block.h"

/* The same network, run on the subkeys of block_init_decrypt. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    block_encrypt(ctx, out, in);
}
