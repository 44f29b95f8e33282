#include "block.h"

#include "aes.h"
#include "inverse_sbox.h"

/* FIPS 197, section 5.3, InvCipher. InvMixColumns is MixColumns after rows 0 and 2, 1 and 3 have
 * exchanged four times their sum. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *round_key = ctx->round_keys + 4 * PRIMITIVE_ROUNDS;
    uint32_t s0 = aes_load(in, 0) ^ round_key[0];
    uint32_t s1 = aes_load(in, 1) ^ round_key[1];
    uint32_t s2 = aes_load(in, 2) ^ round_key[2];
    uint32_t s3 = aes_load(in, 3) ^ round_key[3];
    uint8_t round = PRIMITIVE_ROUNDS;

    for (;;) {
        uint32_t even;
        uint32_t odd;

        round_key -= 4;
        s0 = aes_substitute(inverse_sbox, s0, 0) ^ round_key[0];
        s1 = aes_substitute(inverse_sbox, s1, 3) ^ round_key[1];
        s2 = aes_substitute(inverse_sbox, s2, 2) ^ round_key[2];
        s3 = aes_substitute(inverse_sbox, s3, 1) ^ round_key[3];
        if (--round == 0) {
            break;
        }
        even = xtimes(xtimes(s0 ^ s2));
        odd = xtimes(xtimes(s1 ^ s3));
        s0 ^= even;
        s1 ^= odd;
        s2 ^= even;
        s3 ^= odd;
        aes_mix(&s0, &s1, &s2, &s3);
    }
    aes_store(out, 0, s0);
    aes_store(out, 1, s1);
    aes_store(out, 2, s2);
    aes_store(out, 3, s3);
}
