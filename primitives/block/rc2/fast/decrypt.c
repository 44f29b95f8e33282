#include "block.h"

#include "words.h"

/* RFC 2268, section 4. */
#define UNMIX(i, n)                                                                                \
    r[i] = (uint16_t)(r[i] >> (n) | r[i] << (16 - (n)));                                           \
    r[i] = (uint16_t)(r[i] - *--k - (r[((i) + 3) & 3] & r[((i) + 2) & 3]) -                        \
                      ((uint16_t)~r[((i) + 3) & 3] & r[((i) + 1) & 3]));

#define UNMASH(i) r[i] = (uint16_t)(r[i] - ctx->key[r[((i) + 3) & 3] & 63]);

void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->key + 64;
    uint16_t r[4];

    rc2_load(r, in);
    for (uint8_t mixed = PRIMITIVE_ROUNDS; mixed > 0; mixed--) {
        if (RC2_MASH_AFTER(mixed)) {
            UNMASH(3)
            UNMASH(2)
            UNMASH(1)
            UNMASH(0)
        }
        UNMIX(3, 5)
        UNMIX(2, 3)
        UNMIX(1, 2)
        UNMIX(0, 1)
    }
    rc2_store(out, r);
}
