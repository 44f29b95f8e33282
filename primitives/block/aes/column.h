#ifndef STEELYARD_COLUMN_H
#define STEELYARD_COLUMN_H

#include "entries.h"

/* FIPS 197, section 4.2: products in GF(2^8) with x and with k below 16. */
#define AES_XTIME(s) ((s) << 1 ^ ((s) >> 7) * 0x11b)
#define AES_TIMES(k, s)                                                                            \
    (((k)&1 ? (s) : 0) ^ ((k)&2 ? AES_XTIME(s) : 0) ^ ((k)&4 ? AES_XTIME(AES_XTIME(s)) : 0) ^      \
     ((k)&8 ? AES_XTIME(AES_XTIME(AES_XTIME(s))) : 0))

/* What a byte adds to a column, row 0 lowest: the products with a column of a matrix. */
#define AES_COLUMN(s, k0, k1, k2, k3)                                                              \
    ((uint32_t)AES_TIMES(k0, s) | (uint32_t)AES_TIMES(k1, s) << 8 |                                \
     (uint32_t)AES_TIMES(k2, s) << 16 | (uint32_t)AES_TIMES(k3, s) << 24)

#endif
