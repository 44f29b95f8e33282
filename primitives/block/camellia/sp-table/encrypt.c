#include "block.h"

#include "bytes.h"
#include "camellia.h"

/* RFC 3713, encryption. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t d[4];
    const uint32_t *subkey = ctx->subkeys;

    for (uint8_t i = 0; i < 4; i++) {
        d[i] = load32_be(in + 4 * i) ^ *subkey++;
    }
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2, to_layer = 3; pairs > 0; pairs--) {
        if (to_layer == 0) {
            to_layer = 3;
            camellia_fl(d, subkey);
            camellia_fl_inverse(d + 2, subkey + 2);
            subkey += 4;
        }
        to_layer--;
        camellia_add_f(d + 2, d, subkey);
        camellia_add_f(d, d + 2, subkey + 2);
        subkey += 4;
    }
    for (uint8_t i = 0; i < 4; i++) {
        store32_be(out + 4 * i, d[i ^ 2] ^ *subkey++);
    }
}
