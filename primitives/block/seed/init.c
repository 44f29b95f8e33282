#include "block.h"

#include "bytes.h"
#include "rotate.h"
#include "seed.h"

/* RFC 4269, key schedule: KC0, of which each next constant is the rotation by one bit. */
#define KC0 UINT32_C(0x9E3779B9)

void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t *round_key = ctx->round_keys;
    uint32_t a = load32_be(key);
    uint32_t b = load32_be(key + 4);
    uint32_t c = load32_be(key + 8);
    uint32_t d = load32_be(key + 12);
    uint32_t constant = KC0;

    for (uint8_t pairs = PRIMITIVE_ROUNDS / 2; pairs > 0; pairs--) {
        uint32_t last;
        *round_key++ = seed_g(a + c - constant);
        *round_key++ = seed_g(b - d + constant);
        constant = rotl32(constant, 1);
        last = b << 24;
        b = a << 24 | b >> 8;
        a = last | a >> 8;
        *round_key++ = seed_g(a + c - constant);
        *round_key++ = seed_g(b - d + constant);
        constant = rotl32(constant, 1);
        last = c >> 24;
        c = c << 8 | d >> 24;
        d = d << 8 | last;
    }
}
