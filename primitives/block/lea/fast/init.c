#include "block.h"

#include "bytes.h"
#include "delta.h"
#include "rotate.h"

#define KEY_WORDS (PRIMITIVE_KEY_BYTES / 4)

void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t t[KEY_WORDS];
    uint32_t *k = ctx->round_keys;
    uint8_t at = 0;

    for (uint8_t i = 0; i < KEY_WORDS; i++) {
        t[i] = load32_le(key + 4 * i);
    }
    for (uint8_t round = 0; round < PRIMITIVE_ROUNDS; round++) {
        uint32_t constant = rotl32_variable(delta[round % KEY_WORDS], round);
#define NEXT(n)                                                                                    \
    {                                                                                              \
        uint32_t word = rotl32(t[at] + constant, n);                                               \
        constant = rotl32(constant, 1);                                                            \
        t[at] = word;                                                                              \
        *k++ = word;                                                                               \
        at = at == KEY_WORDS - 1 ? 0 : (uint8_t)(at + 1);                                          \
    }
        NEXT(1)
        NEXT(3)
        NEXT(6)
        NEXT(11)
#if KEY_WORDS > 4
        NEXT(13)
        NEXT(17)
#endif
#undef NEXT
    }
}
