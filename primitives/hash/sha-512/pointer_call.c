#include "hash.h"
#include "initial.h"
#include "pointer.h"

/* The record: chaining value, block, room to work in. Words lie with their low byte first, so that
 * a byte of a message is at its place with the lowest three bits turned over; the words of the
 * chaining value stand the other way round, the first one last, so that a digest is all its bytes
 * backwards. Only RL78 runs this, whose own words have their low byte first, too. */
#define BLOCK_AT  64
#define LENGTH_AT (PRIMITIVE_BLOCK_BYTES - 16)
#define PLACE(i)  ((uint8_t)(i) ^ 7)

void hash_init(hash_context *ctx) {
    const volatile ROM uint16_t *from = (const volatile ROM uint16_t *)initial;

    for (uint8_t i = 0; i < 32; i++) {
        ctx->record.words[i ^ 28] = *from++;
    }
    ctx->low = 0;
    ctx->high = 0;
    ctx->used = 0;
}

void hash_update(hash_context *ctx, const uint8_t *in, size_t length) {
    uint8_t *block = ctx->record.bytes + BLOCK_AT;
    uint8_t used = ctx->used;

    for (; length > 0; length--) {
        block[PLACE(used)] = *in++;
        if (++used == PRIMITIVE_BLOCK_BYTES) {
            hash_block(ctx);
            used = 0;
            if (++ctx->low == 0) {
                ctx->high++;
            }
        }
    }
    ctx->used = used;
}

/* FIPS 180-4, section 5.1.2. */
void hash_final(hash_context *ctx, uint8_t *out) {
    uint8_t *bytes = ctx->record.bytes;
    uint8_t *block = bytes + BLOCK_AT;
    uint16_t *length = ctx->record.words + (BLOCK_AT + LENGTH_AT) / 2;
    uint8_t used = ctx->used;
    uint32_t low = ctx->low << 10 | (uint16_t)(used << 3);
    uint32_t middle = ctx->high << 10 | ctx->low >> 22;

    block[PLACE(used)] = 0x80;
    while (++used != LENGTH_AT) {
        if (used == PRIMITIVE_BLOCK_BYTES) {
            hash_block(ctx);
            used = 0;
        }
        block[PLACE(used)] = 0;
    }
    length[0] = (uint16_t)(ctx->high >> 22);
    length[1] = length[2] = length[3] = 0;
    length[4] = (uint16_t)low;
    length[5] = (uint16_t)(low >> 16);
    length[6] = (uint16_t)middle;
    length[7] = (uint16_t)(middle >> 16);
    hash_block(ctx);
    for (uint8_t i = 0; i < PRIMITIVE_DIGEST_BYTES; i++) {
        *out++ = bytes[63 - i];
    }
}
