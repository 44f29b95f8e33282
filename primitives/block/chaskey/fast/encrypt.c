#include "block.h"

#include "bytes.h"
#include "rotate.h"

/* Chaskey paper, section 3: the permutation between two additions of the key. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *k = ctx->key;
    uint32_t a = load32_le(in) ^ k[0];
    uint32_t b = load32_le(in + 4) ^ k[1];
    uint32_t c = load32_le(in + 8) ^ k[2];
    uint32_t d = load32_le(in + 12) ^ k[3];

    for (uint8_t rounds = PRIMITIVE_ROUNDS; rounds > 0; rounds--) {
        a += b;
        c += d;
        b = rotl32(b, 5) ^ a;
        d = rotl32(d, 8) ^ c;
        a = rotl32(a, 16) + d;
        c += b;
        d = rotl32(d, 13) ^ a;
        b = rotl32(b, 7) ^ c;
        c = rotl32(c, 16);
    }
    store32_le(out, a ^ k[0]);
    store32_le(out + 4, b ^ k[1]);
    store32_le(out + 8, c ^ k[2]);
    store32_le(out + 12, d ^ k[3]);
}
