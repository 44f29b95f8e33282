#ifndef STEELYARD_SALSA20_H
#define STEELYARD_SALSA20_H

#include "stream.h"

/* Fills ctx->stream with the next block of key stream. */
void salsa20_block(stream_context *ctx);

#endif
