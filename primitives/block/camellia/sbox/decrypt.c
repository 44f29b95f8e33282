#include "block.h"

#include "camellia.h"

/* RFC 3713, encryption with the subkeys from the last to the first. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t d[16];
    const uint8_t *subkey = ctx->subkeys + sizeof ctx->subkeys - 16;

    for (uint8_t i = 0; i < 16; i++) {
        d[i ^ 8] = in[i] ^ subkey[i];
    }
    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2, to_layer = 3; pairs > 0; pairs--) {
        subkey -= 16;
        if (to_layer == 0) {
            to_layer = 3;
            camellia_fl_inverse(d, subkey);
            camellia_fl(d + 8, subkey + 8);
            subkey -= 16;
        }
        to_layer--;
        camellia_add_f(d, d + 8, subkey + 8);
        camellia_add_f(d + 8, d, subkey);
    }
    subkey -= 16;
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = d[i] ^ subkey[i];
    }
}
