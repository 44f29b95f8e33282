#include "ocb.h"

#include <string.h>

#include "next.h"

void ocb_start(const aead_context *ctx, uint8_t *offset, const uint8_t *nonce) {
    uint8_t stretch[24];
    uint8_t bottom;
    const uint8_t *from;

    memset(stretch, 0, 3);
    stretch[3] = 1;
    memcpy(stretch + 4, nonce, 12);
    bottom = stretch[15] & 0x3F;
    stretch[15] &= 0xC0;
    block_encrypt(&ctx->cipher, stretch, stretch);
    for (uint8_t i = 0; i < 8; i++) {
        stretch[16 + i] = stretch[i] ^ stretch[i + 1];
    }
    from = stretch + bottom / 8;
    bottom &= 7;
    for (uint8_t i = 0; i < 16; i++) {
        offset[i] = (uint8_t)((uint16_t)((uint16_t)from[i] << 8 | from[i + 1]) >> (8 - bottom));
    }
}
