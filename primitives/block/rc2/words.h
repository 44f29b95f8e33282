#ifndef STEELYARD_RC2_WORDS_H
#define STEELYARD_RC2_WORDS_H

#include <stdint.h>

/* RFC 2268, section 3: four words, the low byte of each first. */
static inline void rc2_load(uint16_t *r, const uint8_t *in) {
    for (uint8_t i = 0; i < 4; i++) {
        r[i] = (uint16_t)((uint16_t)in[2 * i + 1] << 8 | in[2 * i]);
    }
}

static inline void rc2_store(uint8_t *out, const uint16_t *r) {
    for (uint8_t i = 0; i < 4; i++) {
        out[2 * i] = (uint8_t)r[i];
        out[2 * i + 1] = (uint8_t)(r[i] >> 8);
    }
}

/* The rounds are mixing rounds; after the fifth and the eleventh comes a mashing round. */
#define RC2_MASH_AFTER(mixed) ((mixed) == 5 || (mixed) == 11)

#endif
