#include "chaskey.h"

#include "rotate.h"

void chaskey_permute(uint32_t *v) {
    uint32_t v0 = v[0];
    uint32_t v1 = v[1];
    uint32_t v2 = v[2];
    uint32_t v3 = v[3];

    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        v0 += v1;
        v1 = rotl32(v1, 5) ^ v0;
        v0 = rotl32(v0, 16);
        v2 += v3;
        v3 = rotl32(v3, 8) ^ v2;
        v0 += v3;
        v3 = rotl32(v3, 13) ^ v0;
        v2 += v1;
        v1 = rotl32(v1, 7) ^ v2;
        v2 = rotl32(v2, 16);
    }
    v[0] = v0;
    v[1] = v1;
    v[2] = v2;
    v[3] = v3;
}
