#ifndef STEELYARD_PRESENT_SCHEDULE_H
#define STEELYARD_PRESENT_SCHEDULE_H

#include <stdint.h>

#include "rom.h"

extern const ROM uint8_t present_sbox[16];

/* One step of the key schedule, PRESENT paper, section 3 and appendix II, on the key register with
 * its highest byte first: the register after round `round`, counted from 1. */
void present_schedule_next(uint8_t *key, uint8_t round);

#endif
