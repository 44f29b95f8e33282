#include "block.h"

#include "subkey.h"

/* HIGHT paper, sections 2.3 to 2.5. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t delta = 0x5A;
    uint8_t i;

    for (i = 0; i < 8; i++) {
        out[i] = in[i];
    }
    hight_whiten(out, ctx, 12, 0);
    for (uint8_t index = 0;;) {
        for (i = 0; i < 8; i = (uint8_t)(i + 2)) {
            uint8_t key = (uint8_t)(hight_key_byte(ctx, index) + delta);
            uint8_t *target = out + i + 1;
            if (index & 1) {
                *target ^= (uint8_t)(hight_f0(out[i]) + key);
            } else {
                *target = (uint8_t)(*target + (hight_f1(out[i]) ^ key));
            }
            delta = (uint8_t)(delta >> 1 | ((delta << 6 ^ delta << 3) & 0x40));
            index++;
        }
        if (index == 4 * PRIMITIVE_ROUNDS) {
            break;
        }
        uint8_t last = out[7];
        for (i = 7; i > 0; i--) {
            out[i] = out[i - 1];
        }
        out[0] = last;
    }
    hight_whiten(out, ctx, 0, 0);
}
