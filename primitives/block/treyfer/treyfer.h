#ifndef STEELYARD_TREYFER_H
#define STEELYARD_TREYFER_H

#include <stdint.h>

#include "rom.h"

/* Public implementations differ in the S-box; this is FIPS 197, section 5.1.1, figure 7. */
extern const ROM uint8_t treyfer_sbox[256];

#endif
