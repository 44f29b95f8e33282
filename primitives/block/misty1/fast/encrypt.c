#include "block.h"

#include "bytes.h"
#include "misty1.h"

/* RFC 2994, section 2.3. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint16_t *fo = ctx->fo;
    const uint16_t *fl = ctx->fl;
    uint16_t left[2] = {load16_be(in), load16_be(in + 2)};
    uint16_t right[2] = {load16_be(in + 4), load16_be(in + 6)};

    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2;; pairs--) {
        MISTY1_FL(left, fl)
        MISTY1_FL(right, fl + 2)
        if (pairs == 0) {
            break;
        }
        fl += 4;
        misty1_add_fo(right, left, fo);
        misty1_add_fo(left, right, fo + MISTY1_FO_KEYS);
        fo += 2 * MISTY1_FO_KEYS;
    }
    store16_be(out, right[0]);
    store16_be(out + 2, right[1]);
    store16_be(out + 4, left[0]);
    store16_be(out + 6, left[1]);
}
