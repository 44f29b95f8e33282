#include "block.h"

#include "bytes.h"
#include "cast.h"

/* RFC 2144, section 2, from the last round to the first. */
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *masks = ctx->masks + 6 * (PRIMITIVE_ROUNDS / 6);
    const uint8_t *rotations = ctx->rotations + 6 * (PRIMITIVE_ROUNDS / 6);
    uint32_t right = load32_be(in);
    uint32_t left = load32_be(in + 4);

#if PRIMITIVE_ROUNDS % 6 == 4
    right ^= cast_f1(left, masks[3], rotations[3]);
    left ^= cast_f3(right, masks[2], rotations[2]);
    right ^= cast_f2(left, masks[1], rotations[1]);
    left ^= cast_f1(right, masks[0], rotations[0]);
#endif
    for (uint8_t sixes = PRIMITIVE_ROUNDS / 6; sixes > 0; sixes--) {
        masks -= 6;
        rotations -= 6;
        right ^= cast_f3(left, masks[5], rotations[5]);
        left ^= cast_f2(right, masks[4], rotations[4]);
        right ^= cast_f1(left, masks[3], rotations[3]);
        left ^= cast_f3(right, masks[2], rotations[2]);
        right ^= cast_f2(left, masks[1], rotations[1]);
        left ^= cast_f1(right, masks[0], rotations[0]);
    }
    store32_be(out, left);
    store32_be(out + 4, right);
}
