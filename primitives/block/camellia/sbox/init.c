#include "block.h"

#include "camellia.h"
#include "extract.h"
#include "plan.h"
#include "two_rounds.h"

void block_init(block_context *ctx, const uint8_t *key) {
    uint8_t strings[4][16];

    for (uint8_t i = 0; i < 16; i++) {
        strings[KL][i] = key[i];
        strings[KA][i] = key[i];
#if PRIMITIVE_KEY_BYTES == 16
        strings[KR][i] = 0;
#elif PRIMITIVE_KEY_BYTES == 24
        strings[KR][i] = i < 8 ? key[16 + i] : (uint8_t)~key[8 + i];
#else
        strings[KR][i] = key[16 + i];
#endif
    }
    add(strings[KA], strings[KR]);
    two_rounds(strings[KA], 0);
    add(strings[KA], strings[KL]);
    two_rounds(strings[KA], 2);
#if PRIMITIVE_KEY_BYTES > 16
    for (uint8_t i = 0; i < 16; i++) {
        strings[KB][i] = strings[KA][i];
    }
    add(strings[KB], strings[KR]);
    two_rounds(strings[KB], 4);
#endif
    for (uint8_t i = 0; i < CAMELLIA_SUBKEYS; i++) {
        extract(ctx->subkeys + 8 * i, strings[plan[i][0]], plan[i][1]);
    }
}
