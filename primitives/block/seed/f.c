#include "seed.h"

void seed_add_f(uint32_t *y, const uint32_t *x, const uint32_t *key) {
    uint32_t c = x[0] ^ key[0];
    uint32_t a = seed_g(c ^ x[1] ^ key[1]);
    uint32_t b = seed_g(a + c);
    uint32_t d = seed_g(a + b);

    y[0] ^= b + d;
    y[1] ^= d;
}
