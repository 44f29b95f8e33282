/* The source of random bytes that SUPERCOP declares; a tree that has this header uses its own. */
#ifndef STEELYARD_RANDOMBYTES_H
#define STEELYARD_RANDOMBYTES_H

#include <stddef.h>
#include <stdint.h>

int randombytes(uint8_t *out, size_t count);

#endif
