#ifndef STEELYARD_SBOXES_H
#define STEELYARD_SBOXES_H

#include <stdint.h>

#include "rom.h"

static const ROM uint8_t s1[256] = {
#define ROW(...) __VA_ARGS__,
#include "s1.inc"
};

static const ROM uint8_t s2[256] = {
#include "s2.inc"
#undef ROW
};

#endif
