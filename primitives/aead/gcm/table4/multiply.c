#include "gcm.h"

#include <string.h>

#include "rom.h"

/* What four bits that fall out at the end add at the beginning: the bits times E1 in the first
 * byte. */
static const ROM uint8_t reduction[16][2] = {
    {0x00, 0x00}, {0x1C, 0x20}, {0x38, 0x40}, {0x24, 0x60}, {0x70, 0x80}, {0x6C, 0xA0},
    {0x48, 0xC0}, {0x54, 0xE0}, {0xE1, 0x00}, {0xFD, 0x20}, {0xD9, 0x40}, {0xC5, 0x60},
    {0x91, 0x80}, {0x8D, 0xA0}, {0xA9, 0xC0}, {0xB5, 0xE0},
};

static void step(const aead_context *ctx, uint8_t *z, uint8_t nibble) {
    const uint8_t *multiple = ctx->multiples[nibble];
    uint8_t out = z[15] & 0x0F;
    uint8_t carry = 0;

    for (uint8_t i = 0; i < 16; i++) {
        uint8_t byte = z[i];
        z[i] = (uint8_t)(byte >> 4 | carry) ^ multiple[i];
        carry = (uint8_t)(byte << 4);
    }
    z[0] ^= reduction[out][0];
    z[1] ^= reduction[out][1];
}

void gcm_multiply(const aead_context *ctx, uint8_t *y) {
    uint8_t z[16];

    memset(z, 0, 16);
    for (uint8_t i = 16; i > 0; i--) {
        step(ctx, z, y[i - 1] & 0x0F);
        step(ctx, z, y[i - 1] >> 4);
    }
    memcpy(y, z, 16);
}
