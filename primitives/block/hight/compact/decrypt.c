#include "block.h"

#include "subkey.h"

/* The constants run back from the last, delta_127. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t delta = HIGHT_LAST_DELTA;
    uint8_t i;

    for (i = 0; i < 8; i++) {
        out[i] = in[i];
    }
    hight_whiten(out, ctx, 0, 1);
    for (uint8_t index = 4 * PRIMITIVE_ROUNDS;;) {
        for (i = 8; i > 0; i = (uint8_t)(i - 2)) {
            index--;
            uint8_t key = (uint8_t)(hight_key_byte(ctx, index) + delta);
            uint8_t *target = out + i - 1;
            if (index & 1) {
                *target ^= (uint8_t)(hight_f0(out[i - 2]) + key);
            } else {
                *target = (uint8_t)(*target - (hight_f1(out[i - 2]) ^ key));
            }
            delta = (uint8_t)((delta << 1 & 0x7F) | ((delta >> 6 ^ delta >> 2) & 1));
        }
        if (index == 0) {
            break;
        }
        uint8_t first = out[0];
        for (i = 0; i < 7; i++) {
            out[i] = out[i + 1];
        }
        out[7] = first;
    }
    hight_whiten(out, ctx, 12, 1);
}
