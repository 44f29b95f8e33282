#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The subkeys in the order in which encryption takes them: seven for FO in every round, and two for
 * each FL, of which there are two before every second round and at the end. */
#define MISTY1_FO_KEYS 7

typedef struct {
    uint16_t fo[PRIMITIVE_ROUNDS * MISTY1_FO_KEYS];
    uint16_t fl[2 * (PRIMITIVE_ROUNDS + 2)];
} block_context;

#endif
