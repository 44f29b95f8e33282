#ifndef STEELYARD_CHACHA20_H
#define STEELYARD_CHACHA20_H

#include "stream.h"

/* Fills ctx->stream with the next block of key stream. */
void chacha20_block(stream_context *ctx);

#endif
