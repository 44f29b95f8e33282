#ifndef STEELYARD_TRIVIUM_H
#define STEELYARD_TRIVIUM_H

#include "stream.h"

/* Clocks 32 times and leaves that much key stream in ctx->stream, the first bit lowest. */
void trivium_clock(stream_context *ctx);

#endif
