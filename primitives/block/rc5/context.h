#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

#define RC5_TABLE_WORDS (2 * (PRIMITIVE_ROUNDS + 1))

/* The expanded key table S of RFC 2040, section 5. */
typedef struct {
    uint32_t table[RC5_TABLE_WORDS];
} block_context;

#endif
