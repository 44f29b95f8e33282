#ifndef STEELYARD_HIGHT_H
#define STEELYARD_HIGHT_H

#include <stdint.h>

#include "rom.h"

/* The functions F_0 and F_1 of the HIGHT paper, section 2.4. */
extern const ROM uint8_t hight_f0[256];
extern const ROM uint8_t hight_f1[256];

#endif
