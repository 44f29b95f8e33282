#include "twofish.h"

#include "bytes.h"
#include "matrix.h"

uint32_t twofish_h(uint32_t x, const uint8_t *list) {
    uint8_t y[4];

    store32_le(y, x);
    twofish_permute(y, list);
    uint8_t a0 = twofish_times_5b(y[0]);
    uint8_t a1 = twofish_times_ef(y[1]);
    uint8_t a2 = twofish_times_5b(y[2]);
    uint8_t a3 = twofish_times_5b(y[3]);
    uint8_t b0 = twofish_times_ef(y[0]);
    uint8_t b2 = twofish_times_ef(y[2]);
    uint8_t b3 = twofish_times_ef(y[3]);
    uint8_t b1 = twofish_times_5b(y[1]);

    return (uint32_t)(uint8_t)(y[0] ^ a1 ^ a2 ^ a3) |
           (uint32_t)(uint8_t)(a0 ^ a1 ^ b2 ^ y[3]) << 8 |
           (uint32_t)(uint8_t)(b0 ^ b1 ^ y[2] ^ b3) << 16 |
           (uint32_t)(uint8_t)(b0 ^ y[1] ^ b2 ^ a3) << 24;
}
