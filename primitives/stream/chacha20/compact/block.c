#include "stream.h"

#include "bytes.h"
#include "chacha20.h"
#include "inline.h"
#include "rotate.h"

/* How the function below is made part of its caller: as the compiler likes, never, or always. */
#define JOINED(one, other) one##other
#define STORAGE(choice)    JOINED(INLINED_, choice)
#define INLINED_auto       static
#define INLINED_never      static __attribute__((noinline))
#define INLINED_always     ALWAYS_INLINE

/* RFC 8439, section 2.1, half of it: the rotations are by 16 and 12 bits, then by 8 and 7. */
STORAGE(HALVES)
void half_quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d, uint8_t first,
                  uint8_t second) {
    *a += *b;
    *d = rotl32_variable(*d ^ *a, first);
    *c += *d;
    *b = rotl32_variable(*b ^ *c, second);
}

/* RFC 8439, section 2.3: four quarter rounds down the columns of x and four along its diagonals. */
void chacha20_block(stream_context *ctx) {
    uint32_t x[16];

    for (uint8_t i = 0; i < 16; i++) {
        x[i] = ctx->input[i];
    }
    for (uint8_t step = 80; step > 0; step--) {
        uint8_t column = (uint8_t)(-step & 3);
        uint8_t slant = (uint8_t)((-step & 4) >> 2);
        uint32_t *a = x + column;
        uint32_t *b = x + 4 + ((column + slant) & 3);
        uint32_t *c = x + 8 + ((column + 2 * slant) & 3);
        uint32_t *d = x + 12 + ((column + 3 * slant) & 3);

        half_quarter(a, b, c, d, 16, 12);
        half_quarter(a, b, c, d, 8, 7);
    }
    for (uint8_t i = 0; i < 16; i++) {
        store32_le(ctx->stream + 4 * i, x[i] + ctx->input[i]);
    }
    ctx->input[12]++;
}
