#include "block.h"

#include "words.h"

/* RFC 2268, section 3. */
#define MIX(i, n)                                                                                  \
    r[i] = (uint16_t)(r[i] + *k++ + (r[((i) + 3) & 3] & r[((i) + 2) & 3]) +                        \
                      ((uint16_t)~r[((i) + 3) & 3] & r[((i) + 1) & 3]));                           \
    r[i] = (uint16_t)(r[i] << (n) | r[i] >> (16 - (n)));

#define MASH(i) r[i] = (uint16_t)(r[i] + ctx->key[r[((i) + 3) & 3] & 63]);

void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *k = ctx->key;
    uint16_t r[4];

    rc2_load(r, in);
    for (uint8_t mixed = 1; mixed <= PRIMITIVE_ROUNDS; mixed++) {
        MIX(0, 1)
        MIX(1, 2)
        MIX(2, 3)
        MIX(3, 5)
        if (RC2_MASH_AFTER(mixed)) {
            MASH(0)
            MASH(1)
            MASH(2)
            MASH(3)
        }
    }
    rc2_store(out, r);
}
