#include "block.h"

#include "blowfish.h"

/* Replaces `words` words by what the encryption of the words before them gives, two at a time. */
static void replace(const block_context *ctx, uint32_t *to, uint16_t words, uint32_t *halves) {
    const uint32_t *end = to + words;

    while (to != end) {
        blowfish_encrypt(ctx, halves);
        *to++ = halves[0];
        *to++ = halves[1];
    }
}

/* B. Schneier, Description of a New Variable-Length Key, 64-bit Block Cipher, Subkeys. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t halves[2] = {0, 0};
    uint8_t at = 0;

    for (uint8_t i = 0; i < BLOWFISH_SUBKEYS; i++) {
        uint32_t word = 0;
        for (uint8_t j = 0; j < 4; j++) {
            word = word << 8 | key[at];
            at = at == PRIMITIVE_KEY_BYTES - 1 ? 0 : (uint8_t)(at + 1);
        }
        ctx->subkeys[i] = blowfish_pi[i] ^ word;
    }
    for (uint16_t i = 0; i < 1024; i++) {
        ctx->sboxes[i >> 8][i & 0xFF] = blowfish_pi[BLOWFISH_SUBKEYS + i];
    }
    replace(ctx, ctx->subkeys, BLOWFISH_SUBKEYS, halves);
    for (uint8_t i = 0; i < 4; i++) {
        replace(ctx, ctx->sboxes[i], 256, halves);
    }
}
