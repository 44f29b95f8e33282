#include "serpent.h"

#include "bytes.h"
#include "rotate.h"

void serpent_load(uint32_t *x, const uint8_t *in) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(in + 4 * i);
    }
}

void serpent_store(uint8_t *out, const uint32_t *x) {
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(out + 4 * i, x[i]);
    }
}

void serpent_add(uint32_t *x, const uint32_t *round_key) {
    for (uint8_t i = 0; i < 4; i++) {
        x[i] ^= round_key[i];
    }
}

/* The linear transformation (specification, "The Cipher"). A shift to the left by seven is a
 * rotation without its lowest bits, which a machine without a shifter has more cheaply. */
void serpent_linear(uint32_t *x) {
    uint32_t x0 = rotl32(x[0], 13);
    uint32_t x2 = rotl32(x[2], 3);
    uint32_t x1 = rotl32(x[1] ^ x0 ^ x2, 1);
    uint32_t x3 = rotl32(x[3] ^ x2 ^ x0 << 3, 7);

    x[0] = rotl32(x0 ^ x1 ^ x3, 5);
    x[1] = x1;
    x[2] = rotl32(x2 ^ x3 ^ (rotl32(x1, 7) & UINT32_C(0xFFFFFF80)), 22);
    x[3] = x3;
}
