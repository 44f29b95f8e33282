#include "chaskey.h"

#include "bytes.h"

void chaskey_add(uint32_t *state, const uint8_t *block) {
    for (uint8_t i = 0; i < 4; i++) {
        state[i] ^= load32_le(block + 4 * i);
    }
}
