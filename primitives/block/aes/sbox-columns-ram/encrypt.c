#include "block.h"

#include "aes.h"
#include "bytes.h"

/* FIPS 197, section 5.1, Cipher. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint8_t *sbox = ctx->sbox;
    const uint32_t *round_key = ctx->round_keys;
    uint32_t s0 = load32_le(in) ^ round_key[0];
    uint32_t s1 = load32_le(in + 4) ^ round_key[1];
    uint32_t s2 = load32_le(in + 8) ^ round_key[2];
    uint32_t s3 = load32_le(in + 12) ^ round_key[3];
    uint8_t round = PRIMITIVE_ROUNDS;

    for (;;) {
        uint32_t t0 = aes_substitute(sbox, s0, s1, s2, s3);
        uint32_t t1 = aes_substitute(sbox, s1, s2, s3, s0);
        uint32_t t2 = aes_substitute(sbox, s2, s3, s0, s1);
        uint32_t t3 = aes_substitute(sbox, s3, s0, s1, s2);

        round_key += 4;
        if (--round == 0) {
            store32_le(out, t0 ^ round_key[0]);
            store32_le(out + 4, t1 ^ round_key[1]);
            store32_le(out + 8, t2 ^ round_key[2]);
            store32_le(out + 12, t3 ^ round_key[3]);
            return;
        }
        s0 = aes_mix(t0) ^ round_key[0];
        s1 = aes_mix(t1) ^ round_key[1];
        s2 = aes_mix(t2) ^ round_key[2];
        s3 = aes_mix(t3) ^ round_key[3];
    }
}
