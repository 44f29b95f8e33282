/* The routine of a hash that takes its record by pointer, for callers in C. */
#ifndef STEELYARD_POINTER_H
#define STEELYARD_POINTER_H

#include "context.h"

/* Takes the block in the record into the chaining value in it. */
void hash_block(hash_context *ctx);

#endif
