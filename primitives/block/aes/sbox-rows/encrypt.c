#include "block.h"

#include "aes.h"

/* FIPS 197, section 5.1, Cipher. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *round_key = ctx->round_keys;
    uint32_t s0 = aes_load(in, 0) ^ round_key[0];
    uint32_t s1 = aes_load(in, 1) ^ round_key[1];
    uint32_t s2 = aes_load(in, 2) ^ round_key[2];
    uint32_t s3 = aes_load(in, 3) ^ round_key[3];
    uint8_t round = PRIMITIVE_ROUNDS;

    for (;;) {
        s0 = aes_substitute(aes_sbox, s0, 0);
        s1 = aes_substitute(aes_sbox, s1, 1);
        s2 = aes_substitute(aes_sbox, s2, 2);
        s3 = aes_substitute(aes_sbox, s3, 3);
        round_key += 4;
        if (--round == 0) {
            break;
        }
        aes_mix(&s0, &s1, &s2, &s3);
        s0 ^= round_key[0];
        s1 ^= round_key[1];
        s2 ^= round_key[2];
        s3 ^= round_key[3];
    }
    aes_store(out, 0, s0 ^ round_key[0]);
    aes_store(out, 1, s1 ^ round_key[1]);
    aes_store(out, 2, s2 ^ round_key[2]);
    aes_store(out, 3, s3 ^ round_key[3]);
}
