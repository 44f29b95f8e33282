#ifndef STEELYARD_TRIVIUM_H
#define STEELYARD_TRIVIUM_H

#include "stream.h"

#define TRIVIUM_A 0
#define TRIVIUM_B 12
#define TRIVIUM_C 24

/* Clocks eight times and returns that much key stream, the first bit lowest. */
uint8_t trivium_clock(stream_context *ctx);

#endif
