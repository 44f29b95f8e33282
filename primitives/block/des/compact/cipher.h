#ifndef STEELYARD_DES_CIPHER_H
#define STEELYARD_DES_CIPHER_H

#include <stdint.h>

/* FIPS 46-3: DES with a key of eight bytes on the block x, its inverse if backwards is not 0. */
void des_pass(uint8_t *x, const uint8_t *key, uint8_t backwards);

#endif
