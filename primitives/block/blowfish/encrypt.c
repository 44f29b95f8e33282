#include "block.h"

#include "blowfish.h"
#include "bytes.h"

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t halves[2] = {load32_be(in), load32_be(in + 4)};

    blowfish_encrypt(ctx, halves);
    store32_be(out, halves[0]);
    store32_be(out + 4, halves[1]);
}
