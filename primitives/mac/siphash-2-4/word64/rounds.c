#include "siphash.h"

static void mix(uint64_t *a, uint64_t *b, uint8_t rotation) {
    *a += *b;
    *b = (*b << rotation | *b >> (64 - rotation)) ^ *a;
}

static void swap_halves(uint64_t *x) {
    *x = *x << 32 | *x >> 32;
}

/* Figure 2.1 of the paper. */
void siphash_rounds(uint64_t *v, uint8_t count) {
    for (; count > 0; count--) {
        mix(&v[0], &v[1], 13);
        swap_halves(&v[0]);
        mix(&v[2], &v[3], 16);
        mix(&v[0], &v[3], 21);
        mix(&v[2], &v[1], 17);
        swap_halves(&v[2]);
    }
}
