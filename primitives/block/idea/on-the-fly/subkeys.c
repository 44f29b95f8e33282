#include "idea.h"

void idea_subkeys(uint16_t *to, const block_context *ctx, uint8_t first, uint8_t count) {
    for (uint8_t number = first; count > 0; number++, count--) {
        uint8_t rotations = number >> 3;
        uint8_t at = (uint8_t)(25 * rotations + 16 * number) / 8;
        uint16_t word = (uint16_t)((uint16_t)ctx->key[at & 15] << 8 | ctx->key[(at + 1) & 15]);
        uint8_t rest = ctx->key[(at + 2) & 15];
        /* 25 bits are three bytes and one bit. */
        *to++ = (uint16_t)(word << rotations | (uint8_t)(rest >> (8 - rotations)));
    }
}
