#ifndef STEELYARD_INITIAL_H
#define STEELYARD_INITIAL_H

#include <stdint.h>

#include "rom.h"

/* FIPS 180-4, sections 5.3.2 and 5.3.3. */
static const ROM uint32_t initial[8] = {
#if PRIMITIVE_DIGEST_BYTES == 28
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
#else
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
#endif
};

#endif
