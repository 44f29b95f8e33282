#include "block.h"

#include "bytes.h"
#include "rc5.h"

#define KEY_WORDS (PRIMITIVE_KEY_BYTES / 4)

/* The magic constants of RFC 2040, section 5. */
#define P32 UINT32_C(0xB7E15163)
#define Q32 UINT32_C(0x9E3779B9)

/* RFC 2040, section 5: three passes over the table, which is longer than the key. */
void block_init(block_context *ctx, const uint8_t *key) {
    uint32_t words[KEY_WORDS];
    uint32_t a = P32;
    uint32_t b = 0;
    uint8_t j;

    for (j = 0; j < KEY_WORDS; j++) {
        words[j] = load32_le(key + 4 * j);
    }
    for (uint8_t i = 0; i < RC5_TABLE_WORDS; i++) {
        ctx->table[i] = a;
        a += Q32;
    }
    a = 0;
    for (uint8_t passes = 3; passes > 0; passes--) {
        for (uint8_t i = 0; i < RC5_TABLE_WORDS; i++) {
            if (j == KEY_WORDS) {
                j = 0;
            }
            a = rc5_rotate(ctx->table[i] + a + b, 3);
            ctx->table[i] = a;
            b = rc5_rotate(words[j] + a + b, (uint8_t)(a + b));
            words[j++] = b;
        }
    }
}
