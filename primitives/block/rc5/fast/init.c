#include "block.h"

#include "bytes.h"
#include "rotate.h"

#define KEY_WORDS ((PRIMITIVE_KEY_BYTES + 3) / 4)
#define MIX_STEPS (3 * (KEY_WORDS > RC5_TABLE_WORDS ? KEY_WORDS : RC5_TABLE_WORDS))

/* The magic constants of RFC 2040, section 5. */
#define P32 UINT32_C(0xB7E15163)
#define Q32 UINT32_C(0x9E3779B9)

/* RFC 2040, section 5. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t words[KEY_WORDS] = {0};
    uint32_t magic = P32;
    uint32_t a = 0;
    uint32_t b = 0;
    uint8_t i;
    uint8_t j = 0;

    for (i = PRIMITIVE_KEY_BYTES; i-- > 0;) {
        words[i / 4] = words[i / 4] << 8 | key[i];
    }
    for (i = 0; i < RC5_TABLE_WORDS; i++) {
        ctx->table[i] = magic;
        magic += Q32;
    }
    i = 0;
    for (uint16_t step = MIX_STEPS; step > 0; step--) {
        a = rotl32(ctx->table[i] + a + b, 3);
        ctx->table[i] = a;
        b = rotl32_variable(words[j] + a + b, (uint8_t)(a + b));
        words[j] = b;
        i = i == RC5_TABLE_WORDS - 1 ? 0 : (uint8_t)(i + 1);
        j = j == KEY_WORDS - 1 ? 0 : (uint8_t)(j + 1);
    }
}
