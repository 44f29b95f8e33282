#include "hash.h"

#include "rom.h"
#include "skein.h"
#include "word64.h"

#define PARITY UINT64_C(0x1bd11bdaa9fc1a22)

/* The Skein specification: where each word comes from after a round, and the rotations. */
#if SKEIN_WORDS == 4
static const ROM uint8_t source[4] = {0, 3, 2, 1};
static const ROM uint8_t turns[16] = {14, 16, 52, 57, 23, 40, 5,  37,
                                      25, 33, 46, 12, 58, 22, 32, 32};
#else
static const ROM uint8_t source[8] = {2, 1, 4, 7, 6, 5, 0, 3};
static const ROM uint8_t turns[32] = {46, 36, 19, 37, 33, 27, 14, 42, 17, 49, 36,
                                      39, 44, 9,  54, 56, 39, 30, 34, 24, 13, 50,
                                      10, 17, 25, 29, 39, 43, 8,  35, 56, 22};
#endif

/* Threefish on the block, then the block is added. */
void skein_compress(hash_context *ctx, uint8_t length, uint8_t type) {
    uint64_t key[SKEIN_WORDS + 1];
    uint64_t tweak[3];
    uint64_t x[SKEIN_WORDS];
    uint8_t at = 0;

    ctx->bytes_low += length;
    if (ctx->bytes_low < length) {
        ctx->bytes_high++;
    }
    tweak[0] = (uint64_t)ctx->bytes_high << 32 | ctx->bytes_low;
    tweak[1] = (uint64_t)(type | ctx->first) << 56;
    tweak[2] = tweak[0] ^ tweak[1];
    ctx->first = 0;
    key[SKEIN_WORDS] = PARITY;
    for (uint8_t i = 0; i < SKEIN_WORDS; i++) {
        key[i] = ctx->chain[i];
        key[SKEIN_WORDS] ^= key[i];
        x[i] = load64_le(ctx->block + 8 * i);
    }
    for (uint8_t step = 0;; step++) {
        for (uint8_t i = 0; i < SKEIN_WORDS; i++) {
            x[i] += key[(step + i) % (SKEIN_WORDS + 1)];
        }
        x[SKEIN_WORDS - 3] += tweak[step % 3];
        x[SKEIN_WORDS - 2] += tweak[(step + 1) % 3];
        x[SKEIN_WORDS - 1] += step;
        if (step == PRIMITIVE_ROUNDS / 4) {
            break;
        }
        for (uint8_t round = 0; round < 4; round++) {
            uint64_t before[SKEIN_WORDS];
            for (uint8_t i = 0; i < SKEIN_WORDS; i = (uint8_t)(i + 2)) {
                before[i] = x[i] + x[i + 1];
                before[i + 1] = rotl64(x[i + 1], turns[at]) ^ before[i];
                if (++at == sizeof turns) {
                    at = 0;
                }
            }
            for (uint8_t i = 0; i < SKEIN_WORDS; i++) {
                x[i] = before[source[i]];
            }
        }
    }
    for (uint8_t i = 0; i < SKEIN_WORDS; i++) {
        ctx->chain[i] = x[i] ^ load64_le(ctx->block + 8 * i);
    }
}
