#include "block.h"

#include "bytes.h"
#include "camellia.h"

/* RFC 3713, encryption with the subkeys from the last to the first. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t d[4];
    const uint32_t *subkey = ctx->subkeys + 2 * CAMELLIA_SUBKEYS - 4;

    for (uint8_t i = 0; i < 4; i++) {
        d[i ^ 2] = load32_be(in + 4 * i) ^ subkey[i];
    }
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2, to_layer = 3; pairs > 0; pairs--) {
        subkey -= 4;
        if (to_layer == 0) {
            to_layer = 3;
            camellia_fl_inverse(d, subkey);
            camellia_fl(d + 2, subkey + 2);
            subkey -= 4;
        }
        to_layer--;
        camellia_add_f(d, d + 2, subkey + 2);
        camellia_add_f(d + 2, d, subkey);
    }
    subkey -= 4;
    for (uint8_t i = 0; i < 4; i++) {
        store32_be(out + 4 * i, d[i] ^ subkey[i]);
    }
}
