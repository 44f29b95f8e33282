#include "block.h"

#include "bytes.h"
#include "cast.h"

/* RFC 2144, section 2: the types of the rounds take turns, and so do the halves. */
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    const uint32_t *masks = ctx->masks;
    const uint8_t *rotations = ctx->rotations;
    uint32_t left = load32_be(in);
    uint32_t right = load32_be(in + 4);

    for (uint8_t sixes = PRIMITIVE_ROUNDS / 6; sixes > 0; sixes--) {
        left ^= cast_f1(right, masks[0], rotations[0]);
        right ^= cast_f2(left, masks[1], rotations[1]);
        left ^= cast_f3(right, masks[2], rotations[2]);
        right ^= cast_f1(left, masks[3], rotations[3]);
        left ^= cast_f2(right, masks[4], rotations[4]);
        right ^= cast_f3(left, masks[5], rotations[5]);
        masks += 6;
        rotations += 6;
    }
#if PRIMITIVE_ROUNDS % 6 == 4
    left ^= cast_f1(right, masks[0], rotations[0]);
    right ^= cast_f2(left, masks[1], rotations[1]);
    left ^= cast_f3(right, masks[2], rotations[2]);
    right ^= cast_f1(left, masks[3], rotations[3]);
#endif
    store32_be(out, right);
    store32_be(out + 4, left);
}
