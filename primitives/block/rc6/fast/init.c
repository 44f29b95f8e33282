#include "block.h"

#include "bytes.h"
#include "rotate.h"

#define KEY_WORDS (PRIMITIVE_KEY_BYTES / 4)

/* Paper, key schedule: P32 and Q32 are the magic constants of RC5. */
#define P32 UINT32_C(0xB7E15163)
#define Q32 UINT32_C(0x9E3779B9)

void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t words[KEY_WORDS];
    uint32_t magic = P32;
    uint32_t a = 0;
    uint32_t b = 0;
    uint8_t i;
    uint8_t j = 0;

    for (i = 0; i < KEY_WORDS; i++) {
        words[i] = load32_le(key + 4 * i);
    }
    for (i = 0; i < RC6_ROUND_KEYS; i++) {
        ctx->round_keys[i] = magic;
        magic += Q32;
    }
    for (uint8_t passes = 3; passes > 0; passes--) {
        for (i = 0; i < RC6_ROUND_KEYS; i++) {
            a = rotl32(ctx->round_keys[i] + a + b, 3);
            ctx->round_keys[i] = a;
            b += a;
            b = rotl32_variable(words[j] + b, (uint8_t)b);
            words[j] = b;
            j = j == KEY_WORDS - 1 ? 0 : (uint8_t)(j + 1);
        }
    }
}
