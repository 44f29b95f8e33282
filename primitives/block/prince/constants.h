#ifndef STEELYARD_PRINCE_CONSTANTS_H
#define STEELYARD_PRINCE_CONSTANTS_H

#include <stdint.h>

#include "rom.h"

/* PRINCE paper: RC_0 to RC_11; the last is alpha, and RC_i + RC_(11-i) = alpha. */
extern const ROM uint8_t prince_constants[12][8];

#endif
