#include "block.h"

#include "bytes.h"
#include "misty1.h"

/* RFC 2994, section 2.3. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *fo = ctx->fo + PRIMITIVE_ROUNDS * MISTY1_FO_KEYS;
    const uint16_t *fl = ctx->fl + 2 * PRIMITIVE_ROUNDS;
    uint16_t right[2] = {load16_be(in), load16_be(in + 2)};
    uint16_t left[2] = {load16_be(in + 4), load16_be(in + 6)};

    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2;; pairs--) {
        MISTY1_UNFL(left, fl)
        MISTY1_UNFL(right, fl + 2)
        if (pairs == 0) {
            break;
        }
        fl -= 4;
        fo -= 2 * MISTY1_FO_KEYS;
        misty1_add_fo(left, right, fo + MISTY1_FO_KEYS);
        misty1_add_fo(right, left, fo);
    }
    store16_be(out, left[0]);
    store16_be(out + 2, left[1]);
    store16_be(out + 4, right[0]);
    store16_be(out + 6, right[1]);
}
