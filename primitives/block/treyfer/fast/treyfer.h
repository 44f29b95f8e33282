#ifndef STEELYARD_TREYFER_H
#define STEELYARD_TREYFER_H

#include <stdint.h>

#include "rom.h"

/* The cipher's author left the S-box open: FIPS 197, section 5.1.1, table 4. */
extern const ROM uint8_t treyfer_sbox[256];

#endif
