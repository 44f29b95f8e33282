#include "setup.h"

#include "constants.h"

/* k0' is k0 rotated right by one, with the highest bit of k0 added to its lowest. */
static void whiten(uint8_t *prime, const uint8_t *key) {
    uint8_t above = key[7];

    for (uint8_t i = 0; i < 8; i++) {
        uint8_t here = key[i];
        prime[i] = (uint8_t)(here >> 1 | above << 7);
        above = here;
    }
    prime[7] ^= key[0] >> 7;
}

void prince_setup(block_context *ctx, const uint8_t *key, uint8_t minus) {
    uint8_t *k0 = minus ? ctx->after : ctx->before;

    for (uint8_t i = 0; i < 8; i++) {
        k0[i] = key[i];
        ctx->core[i] = (uint8_t)(key[8 + i] ^ (minus ? prince_constants[11][i] : 0));
    }
    whiten(minus ? ctx->before : ctx->after, key);
}
