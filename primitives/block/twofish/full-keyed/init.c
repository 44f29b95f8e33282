#include "block.h"

#include "matrix.h"
#include "twofish.h"

static uint32_t column(uint8_t a0, uint8_t a1, uint8_t a2, uint8_t a3) {
    return (uint32_t)a0 | (uint32_t)a1 << 8 | (uint32_t)a2 << 16 | (uint32_t)a3 << 24;
}

/* Each entry is a permuted byte times its column of the matrix (specification, function h). */
static void make_boxes(uint32_t boxes[4][256], const uint8_t *list) {
    for (uint16_t x = 0; x < 256; x++) {
        uint8_t y[4];
        uint8_t a[4];
        uint8_t b[4];
        for (uint8_t i = 0; i < 4; i++) {
            y[i] = (uint8_t)x;
        }
        twofish_permute(y, list);
        for (uint8_t i = 0; i < 4; i++) {
            a[i] = twofish_times_5b(y[i]);
            b[i] = twofish_times_ef(y[i]);
        }
        boxes[0][x] = column(y[0], a[0], b[0], b[0]);
        boxes[1][x] = column(b[1], b[1], a[1], y[1]);
        boxes[2][x] = column(a[2], b[2], y[2], b[2]);
        boxes[3][x] = column(a[3], y[3], b[3], a[3]);
    }
}

void block_init(block_context *ctx, const uint8_t *key) {
    uint8_t list[4 * TWOFISH_LIST_WORDS];

    twofish_make_list(list, key);
    make_boxes(ctx->boxes, list);
    twofish_make_round_keys(ctx->round_keys, key);
}
