#include "block.h"

#include "camellia.h"

/* RFC 3713, encryption. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t d[16];
    const uint8_t *subkey = ctx->subkeys;

    for (uint8_t i = 0; i < 16; i++) {
        d[i] = in[i] ^ *subkey++;
    }
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2, to_layer = 3; pairs > 0; pairs--) {
        if (to_layer == 0) {
            to_layer = 3;
            camellia_fl(d, subkey);
            camellia_fl_inverse(d + 8, subkey + 8);
            subkey += 16;
        }
        to_layer--;
        camellia_add_f(d + 8, d, subkey);
        camellia_add_f(d, d + 8, subkey + 8);
        subkey += 16;
    }
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = d[i ^ 8] ^ *subkey++;
    }
}
