/* SHA-256 (FIPS 180-4) of an output, so that a long one need not travel. */
#ifndef STEELYARD_CHECKSUM_H
#define STEELYARD_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_BYTES 32

void checksum(uint8_t digest[CHECKSUM_BYTES], const uint8_t *bytes, size_t length);

#endif
