#include "block.h"

#include "bytes.h"
#include "des.h"

/* Between the passes of Triple DES the final permutation and the next initial one cancel, and leave
 * the halves exchanged. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *k = ctx->subkeys;
    uint32_t l = load32_be(in);
    uint32_t r = load32_be(in + 4);

#if DES_WHITENED
    l ^= ctx->before[0];
    r ^= ctx->before[1];
#endif
    des_permute(&l, &r);
    for (uint8_t passes = DES_PASSES; passes > 0; passes--) {
        for (uint8_t pairs = 8; pairs > 0; pairs--) {
            l ^= des_f(r, k);
            r ^= des_f(l, k + 2);
            k += 4;
        }
        uint32_t t = l;
        l = r;
        r = t;
    }
    des_unpermute(&l, &r);
#if DES_WHITENED
    l ^= ctx->after[0];
    r ^= ctx->after[1];
#endif
    store32_be(out, l);
    store32_be(out + 4, r);
}
