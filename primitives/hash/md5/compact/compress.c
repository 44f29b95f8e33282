#include "hash.h"

#include "bytes.h"
#include "md5.h"
#include "rom.h"
#include "rotate.h"

/* RFC 1321, section 3.4: the integer part of 2^32 * |sin(i)|, i = 1 to 64. */
static const ROM uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

/* RFC 1321, section 3.4; F and G in forms that need one operation less. */
#define F(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define G(x, y, z) ((y) ^ ((z) & ((x) ^ (y))))
#define H(x, y, z) ((x) ^ (y) ^ (z))
#define I(x, y, z) ((y) ^ ((x) | ~(z)))

#define STEP(function, a, b, c, d, step, word, rotation)                                           \
    a += function(b, c, d) + load32_le(block + 4 * ((word)&15)) + sines[step];                     \
    a = rotl32(a, rotation) + b

void md5_compress(hash_context *ctx, const uint8_t *block) {
    uint32_t a = ctx->state[0];
    uint32_t b = ctx->state[1];
    uint32_t c = ctx->state[2];
    uint32_t d = ctx->state[3];
    uint8_t i;

    for (i = 0; i < 16; i = (uint8_t)(i + 4)) {
        STEP(F, a, b, c, d, i, i, 7);
        STEP(F, d, a, b, c, i + 1, i + 1, 12);
        STEP(F, c, d, a, b, i + 2, i + 2, 17);
        STEP(F, b, c, d, a, i + 3, i + 3, 22);
    }
    for (; i < 32; i = (uint8_t)(i + 4)) {
        STEP(G, a, b, c, d, i, 5 * i + 1, 5);
        STEP(G, d, a, b, c, i + 1, 5 * i + 6, 9);
        STEP(G, c, d, a, b, i + 2, 5 * i + 11, 14);
        STEP(G, b, c, d, a, i + 3, 5 * i, 20);
    }
    for (; i < 48; i = (uint8_t)(i + 4)) {
        STEP(H, a, b, c, d, i, 3 * i + 5, 4);
        STEP(H, d, a, b, c, i + 1, 3 * i + 8, 11);
        STEP(H, c, d, a, b, i + 2, 3 * i + 11, 16);
        STEP(H, b, c, d, a, i + 3, 3 * i + 14, 23);
    }
    for (; i < 64; i = (uint8_t)(i + 4)) {
        STEP(I, a, b, c, d, i, 7 * i, 6);
        STEP(I, d, a, b, c, i + 1, 7 * i + 7, 10);
        STEP(I, c, d, a, b, i + 2, 7 * i + 14, 15);
        STEP(I, b, c, d, a, i + 3, 7 * i + 5, 21);
    }
    ctx->state[0] += a;
    ctx->state[1] += b;
    ctx->state[2] += c;
    ctx->state[3] += d;
    if (++ctx->blocks_low == 0) {
        ctx->blocks_high++;
    }
}
