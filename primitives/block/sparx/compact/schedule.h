#ifndef STEELYARD_SPARX_SCHEDULE_H
#define STEELYARD_SPARX_SCHEDULE_H

#include "context.h"

/* The key state: words in a ring that turns by two instead of moving them, and the number of
 * permutations made. */
typedef struct {
    uint16_t k[8];
    uint8_t at;
    uint8_t counter;
} sparx_schedule;

/* Word i of the key state. */
#define SPARX_KEY(s, i) ((s)->k[((s)->at + (i)) & 7])

void sparx_schedule_start(sparx_schedule *s, const block_context *ctx);

/* SPARX paper, section 4.2, the permutation of the key state. */
void sparx_schedule_next(sparx_schedule *s);

/* The block as four words, and the whitening with the key state at the end. */
void sparx_load_block(uint16_t *x, const uint8_t *in);
void sparx_store_block(uint8_t *out, const uint16_t *x);
void sparx_whiten(const sparx_schedule *s, uint16_t *x);

/* The linear layer without the exchange of the branches, its own inverse. */
void sparx_mix(uint16_t *to, const uint16_t *from);

#endif
