#include "block.h"

#include "bytes.h"
#include "rc6.h"

#define KEY_WORDS (PRIMITIVE_KEY_BYTES / 4)

/* Paper, key schedule: P32 and Q32 are the magic constants of RC5. */
#define P32 UINT32_C(0xB7E15163)
#define Q32 UINT32_C(0x9E3779B9)

/* The arithmetic progression is made in the first of the three passes. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t words[KEY_WORDS];
    uint32_t magic = P32;
    uint32_t a = 0;
    uint32_t b = 0;
    uint8_t i = 0;
    uint8_t j = 0;

    for (uint8_t k = 0; k < KEY_WORDS; k++) {
        words[k] = load32_le(key + 4 * k);
    }
    for (uint8_t step = 0; step < 3 * RC6_ROUND_KEYS; step++) {
        uint32_t *s = &ctx->round_keys[i];
        if (step < RC6_ROUND_KEYS) {
            *s = magic;
            magic += Q32;
        }
        a = rc6_rotate(*s + a + b, 3);
        *s = a;
        b += a;
        b = rc6_rotate(words[j] + b, (uint8_t)b);
        words[j] = b;
        i = i == RC6_ROUND_KEYS - 1 ? 0 : (uint8_t)(i + 1);
        j = j == KEY_WORDS - 1 ? 0 : (uint8_t)(j + 1);
    }
}
