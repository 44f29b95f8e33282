#include "hash.h"

#include "blake2s.h"
#include "bytes.h"
#include "rom.h"
#include "rotate.h"

/* RFC 7693, section 2.7, two words' indices in a byte, that of the first in the high half. */
static const ROM uint8_t sigma[80] = {
    0x1,  0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xea, 0x48, 0x9f, 0xd6, 0x1c, 0x2,  0xb7, 0x53,
    0xb8, 0xc0, 0x52, 0xfd, 0xae, 0x36, 0x71, 0x94, 0x79, 0x31, 0xdc, 0xbe, 0x26, 0x5a, 0x40, 0xf8,
    0x90, 0x57, 0x24, 0xaf, 0xe1, 0xbc, 0x68, 0x3d, 0x2c, 0x6a, 0xb,  0x83, 0x4d, 0x75, 0xfe, 0x19,
    0xc5, 0x1f, 0xed, 0x4a, 0x7,  0x63, 0x92, 0x8b, 0xdb, 0x7e, 0xc1, 0x39, 0x50, 0xf4, 0x86, 0x2a,
    0x6f, 0xe9, 0xb3, 0x8,  0xc2, 0xd7, 0x14, 0xa5, 0xa2, 0x84, 0x76, 0x15, 0xfb, 0x9e, 0x3c, 0xd0};

/* RFC 7693, section 3.1, half of it: the rotations are by 16 and 20 bits, then by 24 and 25. */
static void half_mix(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d, const uint8_t *word,
                     uint8_t first, uint8_t second) {
    *a += *b + load32_le(word);
    *d = rotl32_variable(*d ^ *a, first);
    *c += *d;
    *b = rotl32_variable(*b ^ *c, second);
}

/* RFC 7693, section 3.2: four mixes down the columns of v and four along its diagonals. */
void blake2s_compress(hash_context *ctx, uint8_t length, uint32_t final) {
    uint32_t v[16];
    const ROM uint8_t *order = sigma;

    for (uint8_t i = 0; i < 8; i++) {
        v[i] = ctx->state[i];
    }
    blake2s_initial(v + 8);
    ctx->bytes_low += length;
    if (ctx->bytes_low < length) {
        ctx->bytes_high++;
    }
    v[12] ^= ctx->bytes_low;
    v[13] ^= ctx->bytes_high;
    v[14] ^= final;
    for (uint8_t step = 80; step > 0; step--) {
        uint8_t column = (uint8_t)(-step & 3);
        uint8_t slant = (uint8_t)((-step & 4) >> 2);
        uint32_t *a = v + column;
        uint32_t *b = v + 4 + ((column + slant) & 3);
        uint32_t *c = v + 8 + ((column + 2 * slant) & 3);
        uint32_t *d = v + 12 + ((column + 3 * slant) & 3);
        uint8_t words = *order++;

        half_mix(a, b, c, d, ctx->block + (words >> 4) * 4, 16, 20);
        half_mix(a, b, c, d, ctx->block + (words & 15) * 4, 24, 25);
    }
    for (uint8_t i = 0; i < 8; i++) {
        ctx->state[i] ^= v[i] ^ v[i + 8];
    }
}
