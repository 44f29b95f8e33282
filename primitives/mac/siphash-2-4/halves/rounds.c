#include "siphash.h"

ALWAYS_INLINE halves sum(halves a, halves b) {
    uint32_t low = a.low + b.low;

    return join(low, a.high + b.high + (low < b.low));
}

/* Figure 2.1 of the paper. */
void siphash_rounds(halves *v, uint8_t count) {
    halves v0 = v[0];
    halves v1 = v[1];
    halves v2 = v[2];
    halves v3 = v[3];

    for (; count > 0; count--) {
        v0 = sum(v0, v1);
        v1 = mixed(rotl64(v1, 13), v0);
        v0 = rotl64(v0, 32);
        v2 = sum(v2, v3);
        v3 = mixed(rotl64(v3, 16), v2);
        v0 = sum(v0, v3);
        v3 = mixed(rotl64(v3, 21), v0);
        v2 = sum(v2, v1);
        v1 = mixed(rotl64(v1, 17), v2);
        v2 = rotl64(v2, 32);
    }
    v[0] = v0;
    v[1] = v1;
    v[2] = v2;
    v[3] = v3;
}
