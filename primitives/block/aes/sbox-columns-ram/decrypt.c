#include "block.h"

#include "aes.h"
#include "bytes.h"

/* InvMixColumns, FIPS 197, section 5.3.3: MixColumns after rows 0 and 2, 1 and 3 have exchanged
 * four times their sum. */
ALWAYS_INLINE uint32_t unmix(uint32_t column) {
    return aes_mix(column ^ xtimes(xtimes(column ^ rotl32(column, 16))));
}

/* FIPS 197, section 5.3, InvCipher. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint8_t *sbox = ctx->inverse_sbox;
    const uint32_t *round_key = ctx->round_keys + 4 * PRIMITIVE_ROUNDS;
    uint32_t s0 = load32_le(in) ^ round_key[0];
    uint32_t s1 = load32_le(in + 4) ^ round_key[1];
    uint32_t s2 = load32_le(in + 8) ^ round_key[2];
    uint32_t s3 = load32_le(in + 12) ^ round_key[3];
    uint8_t round = PRIMITIVE_ROUNDS;

    for (;;) {
        uint32_t t0 = aes_substitute(sbox, s0, s3, s2, s1);
        uint32_t t1 = aes_substitute(sbox, s1, s0, s3, s2);
        uint32_t t2 = aes_substitute(sbox, s2, s1, s0, s3);
        uint32_t t3 = aes_substitute(sbox, s3, s2, s1, s0);

        round_key -= 4;
        t0 ^= round_key[0];
        t1 ^= round_key[1];
        t2 ^= round_key[2];
        t3 ^= round_key[3];
        if (--round == 0) {
            store32_le(out, t0);
            store32_le(out + 4, t1);
            store32_le(out + 8, t2);
            store32_le(out + 12, t3);
            return;
        }
        s0 = unmix(t0);
        s1 = unmix(t1);
        s2 = unmix(t2);
        s3 = unmix(t3);
    }
}
