#include "subkey.h"

uint8_t hight_key_byte(const block_context *ctx, uint8_t index) {
    uint8_t low = (uint8_t)((index - (index >> 4)) & 7);
    return ctx->key[(index & 8) | low];
}

uint8_t hight_f0(uint8_t x) {
    return (uint8_t)((x << 1 | x >> 7) ^ (x << 2 | x >> 6) ^ (x << 7 | x >> 1));
}

uint8_t hight_f1(uint8_t x) {
    return (uint8_t)((x << 3 | x >> 5) ^ (x << 4 | x >> 4) ^ (x << 6 | x >> 2));
}

void hight_whiten(uint8_t *x, const block_context *ctx, uint8_t from, uint8_t minus) {
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t key = ctx->key[from + i];
        uint8_t *at = x + 2 * i;
        if (i & 1) {
            *at ^= key;
        } else {
            *at = (uint8_t)(minus ? *at - key : *at + key);
        }
    }
}
