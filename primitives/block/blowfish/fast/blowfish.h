#ifndef STEELYARD_BLOWFISH_H
#define STEELYARD_BLOWFISH_H

#include <stdint.h>

#include "context.h"
#include "inline.h"
#include "rom.h"

/* The fraction of pi in words of 32 bits, computed by Machin's formula. */
extern const ROM uint32_t blowfish_pi[BLOWFISH_WORDS];

/* Schneier's function F. */
ALWAYS_INLINE uint32_t blowfish_f(const block_context *ctx, uint32_t x) {
    return ((ctx->sboxes[0][x >> 24] + ctx->sboxes[1][x >> 16 & 0xFF]) ^
            ctx->sboxes[2][x >> 8 & 0xFF]) +
           ctx->sboxes[3][x & 0xFF];
}

/* One block as two words; the key set-up uses it, too. */
void blowfish_encrypt(const block_context *ctx, uint32_t *halves);

#endif
