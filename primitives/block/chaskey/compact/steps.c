#include "steps.h"

#include "bytes.h"
#include "rotate.h"

const ROM uint8_t chaskey_steps[16] = {0, 1, 5, 16, 2, 3, 8, 0, 0, 3, 13, 0, 2, 1, 7, 16};

uint32_t chaskey_rotate(uint32_t x, uint8_t left) {
    return rotl32_variable(x, left);
}

void chaskey_load(uint32_t *v, const uint8_t *in, const uint8_t *key) {
    for (uint8_t i = 0; i < 16; i = (uint8_t)(i + 4)) {
        *v++ = load32_le(in + i) ^ load32_le(key + i);
    }
}

void chaskey_store(uint8_t *out, const uint32_t *v, const uint8_t *key) {
    for (uint8_t i = 0; i < 16; i = (uint8_t)(i + 4)) {
        store32_le(out + i, *v++ ^ load32_le(key + i));
    }
}
