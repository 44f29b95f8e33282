#include "block.h"

#include "rounds.h"

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    kasumi_rounds(ctx, out, in, PRIMITIVE_ROUNDS - 1, 0xFF);
}
