#include "block.h"

#include "bytes.h"
#include "misty1.h"

/* RFC 2994, sections 2.2 and 2.3, with the indices of the subkeys resolved. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint16_t k[8];
    uint16_t mixed[8];
    uint16_t *fo = ctx->fo;
    uint16_t *fl = ctx->fl;

    for (uint8_t i = 0; i < 8; i++) {
        k[i] = load16_be(key + 2 * i);
    }
    for (uint8_t i = 0; i < 8; i++) {
        mixed[i] = misty1_fi(k[i], k[(i + 1) & 7]);
    }
    for (uint8_t i = 0; i < PRIMITIVE_ROUNDS; i++) {
        *fo++ = k[i & 7];
        *fo++ = mixed[(i + 5) & 7];
        *fo++ = k[(i + 2) & 7];
        *fo++ = mixed[(i + 1) & 7];
        *fo++ = k[(i + 7) & 7];
        *fo++ = mixed[(i + 3) & 7];
        *fo++ = k[(i + 4) & 7];
    }
    for (uint8_t i = 0; i <= PRIMITIVE_ROUNDS / 2; i++) {
        *fl++ = k[i & 7];
        *fl++ = mixed[(i + 6) & 7];
        *fl++ = mixed[(i + 2) & 7];
        *fl++ = k[(i + 4) & 7];
    }
}
