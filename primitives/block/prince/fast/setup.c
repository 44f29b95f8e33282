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
    uint8_t *k = ctx->round_keys;
    uint8_t *last = k + 8 * (PRIMITIVE_ROUNDS - 1);
    uint8_t prime[8];

    whiten(prime, key);
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t k1 = (uint8_t)(key[8 + i] ^ (minus ? prince_constants[11][i] : 0));
        for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
            k[8 * round + i] = k1 ^ prince_constants[round][i];
        }
        k[i] = (uint8_t)(k[i] ^ (minus ? prime[i] : key[i]));
        last[i] = (uint8_t)(last[i] ^ (minus ? key[i] : prime[i]));
    }
}
