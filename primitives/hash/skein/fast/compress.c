#include "hash.h"

#include "skein.h"
#include "word64.h"

#define PARITY UINT64_C(0x1bd11bdaa9fc1a22)

/* The Skein specification: the key's words and their parity repeat, and so do the tweak's. Both
 * places are counted along: clang 22 for AVR goes wrong with step % 5 in this function at -O2. */
typedef struct {
    uint8_t step;
    uint8_t key;
    uint8_t tweak;
} subkey;

static void add_subkey(uint64_t *x, const uint64_t *extended, const uint64_t *tweak, subkey *at) {
    const uint64_t *key = extended + at->key;
    uint8_t next = at->tweak == 2 ? 0 : (uint8_t)(at->tweak + 1);

    for (uint8_t i = 0; i < SKEIN_WORDS; i++) {
        x[i] += key[i];
    }
    x[SKEIN_WORDS - 3] += tweak[at->tweak];
    x[SKEIN_WORDS - 2] += tweak[next];
    x[SKEIN_WORDS - 1] += at->step++;
    at->key = at->key == SKEIN_WORDS ? 0 : (uint8_t)(at->key + 1);
    at->tweak = next;
}

#define MIX(a, b, n)                                                                               \
    do {                                                                                           \
        uint64_t sum = x[a] + x[b];                                                                \
        uint64_t turned = ROTL64(x[b], n);                                                         \
        x[a] = sum;                                                                                \
        x[b] = turned ^ sum;                                                                       \
    } while (0)

/* Threefish on the block, then the block is added; the words stay in place, their permutation is in
 * the pairs. */
void skein_compress(hash_context *ctx, uint8_t length, uint8_t type) {
    uint64_t extended[2 * SKEIN_WORDS + 1];
    uint64_t tweak[3];
    uint64_t x[SKEIN_WORDS];
    uint64_t parity = PARITY;
    subkey at = {0, 0, 0};

    ctx->bytes_low += length;
    if (ctx->bytes_low < length) {
        ctx->bytes_high++;
    }
    tweak[0] = (uint64_t)ctx->bytes_high << 32 | ctx->bytes_low;
    tweak[1] = (uint64_t)(type | ctx->first) << 56;
    tweak[2] = tweak[0] ^ tweak[1];
    ctx->first = 0;
    for (uint8_t i = 0; i < SKEIN_WORDS; i++) {
        uint64_t word = ctx->chain[i];
        parity ^= word;
        extended[i] = word;
        extended[i + SKEIN_WORDS + 1] = word;
        x[i] = load64_le(ctx->block + 8 * i);
    }
    extended[SKEIN_WORDS] = parity;
    add_subkey(x, extended, tweak, &at);
    while (at.step <= PRIMITIVE_ROUNDS / 4) {
#if SKEIN_WORDS == 4
        MIX(0, 1, 14);
        MIX(2, 3, 16);
        MIX(0, 3, 52);
        MIX(2, 1, 57);
        MIX(0, 1, 23);
        MIX(2, 3, 40);
        MIX(0, 3, 5);
        MIX(2, 1, 37);
        add_subkey(x, extended, tweak, &at);
        MIX(0, 1, 25);
        MIX(2, 3, 33);
        MIX(0, 3, 46);
        MIX(2, 1, 12);
        MIX(0, 1, 58);
        MIX(2, 3, 22);
        MIX(0, 3, 32);
        MIX(2, 1, 32);
#else
        MIX(0, 1, 46);
        MIX(2, 3, 36);
        MIX(4, 5, 19);
        MIX(6, 7, 37);
        MIX(2, 1, 33);
        MIX(4, 7, 27);
        MIX(6, 5, 14);
        MIX(0, 3, 42);
        MIX(4, 1, 17);
        MIX(6, 3, 49);
        MIX(0, 5, 36);
        MIX(2, 7, 39);
        MIX(6, 1, 44);
        MIX(0, 7, 9);
        MIX(2, 5, 54);
        MIX(4, 3, 56);
        add_subkey(x, extended, tweak, &at);
        MIX(0, 1, 39);
        MIX(2, 3, 30);
        MIX(4, 5, 34);
        MIX(6, 7, 24);
        MIX(2, 1, 13);
        MIX(4, 7, 50);
        MIX(6, 5, 10);
        MIX(0, 3, 17);
        MIX(4, 1, 25);
        MIX(6, 3, 29);
        MIX(0, 5, 39);
        MIX(2, 7, 43);
        MIX(6, 1, 8);
        MIX(0, 7, 35);
        MIX(2, 5, 56);
        MIX(4, 3, 22);
#endif
        add_subkey(x, extended, tweak, &at);
    }
    for (uint8_t i = 0; i < SKEIN_WORDS; i++) {
        ctx->chain[i] = x[i] ^ load64_le(ctx->block + 8 * i);
    }
}
