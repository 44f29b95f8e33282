#ifndef STEELYARD_TWOFISH_H
#define STEELYARD_TWOFISH_H

#include <stdint.h>

#include "rom.h"

/* Words in a list of key material: k of the specification. */
#define TWOFISH_LIST_WORDS (PRIMITIVE_KEY_BYTES / 8)

extern const ROM uint8_t twofish_q0[256];
extern const ROM uint8_t twofish_q1[256];

/* The function h up to its matrix, on y in place; list has the words of the key
 * material as bytes, lowest first. */
void twofish_permute(uint8_t *y, const uint8_t *list);

/* h, whole. */
uint32_t twofish_h(uint32_t x, const uint8_t *list);

/* The vector S, in the order in which g takes it. */
void twofish_make_list(uint8_t *list, const uint8_t *key);

/* The 40 words K. */
void twofish_make_round_keys(uint32_t *round_keys, const uint8_t *key);

#endif
