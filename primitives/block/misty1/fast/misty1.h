#ifndef STEELYARD_MISTY1_H
#define STEELYARD_MISTY1_H

#include "context.h"

/* RFC 2994, section 2.3, on a half block as two words, the left one first. */
uint16_t misty1_fi(uint16_t in, uint16_t key);

/* FO for round k, with its result added to to. */
void misty1_add_fo(uint16_t *to, const uint16_t *from, const uint16_t *k);

#define MISTY1_FL(x, k)                                                                            \
    {                                                                                              \
        (x)[1] ^= (x)[0] & (k)[0];                                                                 \
        (x)[0] ^= (x)[1] | (k)[1];                                                                 \
    }

#define MISTY1_UNFL(x, k)                                                                          \
    {                                                                                              \
        (x)[0] ^= (x)[1] | (k)[1];                                                                 \
        (x)[1] ^= (x)[0] & (k)[0];                                                                 \
    }

#endif
