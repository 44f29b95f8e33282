#ifndef STEELYARD_RECTANGLE_ROWS_H
#define STEELYARD_RECTANGLE_ROWS_H

#include <stdint.h>

/* Rows of 16 bits, RECTANGLE paper; bit j of row i is the S-box bit i of column j. */
#define RECTANGLE_LEFT(x, n) ((uint16_t)((x) << (n) | (x) >> (16 - (n))))

/* SubColumn by the twelve operations of section 5.2. */
void rectangle_substitute(uint16_t *x);

void rectangle_load(uint16_t *x, const uint8_t *in);
void rectangle_store(uint8_t *out, const uint16_t *x);

#endif
