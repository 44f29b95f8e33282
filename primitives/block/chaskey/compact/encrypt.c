#include "block.h"

#include "steps.h"

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t v[4];

    chaskey_load(v, in, ctx->key);
    for (uint8_t step = 0; step < 4 * PRIMITIVE_ROUNDS; step++) {
        uint8_t at = (uint8_t)(step << 2) & 0xF;
        uint32_t *first = v + chaskey_steps[at];
        uint32_t *second = v + chaskey_steps[at + 1];
        *first += *second;
        *second = chaskey_rotate(*second, chaskey_steps[at + 2]) ^ *first;
        *first = chaskey_rotate(*first, chaskey_steps[at + 3]);
    }
    chaskey_store(out, v, ctx->key);
}
