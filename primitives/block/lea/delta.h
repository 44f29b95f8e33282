#ifndef STEELYARD_DELTA_H
#define STEELYARD_DELTA_H

#include <stdint.h>

#include "rom.h"

/* LEA paper, section 2.3. */
static const ROM uint32_t delta[8] = {
    UINT32_C(0xC3EFE9DB), UINT32_C(0x44626B02), UINT32_C(0x79E27C8A), UINT32_C(0x78DF30EC),
    UINT32_C(0x715EA49E), UINT32_C(0xC785DA0A), UINT32_C(0xE04EF22A), UINT32_C(0xE5C40957),
};

#endif
