#ifndef STEELYARD_COLUMN_H
#define STEELYARD_COLUMN_H

#include "entries.h"

/* FIPS 197, section 4.2: products of a byte in GF(2^8). */
#define AES_TIMES_2(s) ((s) << 1 ^ ((s) >> 7) * 0x11b)
#define AES_TIMES_4(s) ((s) << 2 ^ ((s) >> 6 & 1) * 0x11b ^ ((s) >> 7) * 0x236)
#define AES_TIMES_8(s)                                                                             \
    ((s) << 3 ^ ((s) >> 5 & 1) * 0x11b ^ ((s) >> 6 & 1) * 0x236 ^ ((s) >> 7) * 0x46c)

/* What a byte adds to a column, row 0 lowest: its products with the coefficients of a column of a
 * matrix. An argument has a one in each row whose coefficient has that power of two. */
#define AES_COLUMN(s, twos, ones) (AES_TIMES_2(s) * twos ^ (s)*ones)
#define AES_INVERSE_COLUMN(s, eights, fours, twos, ones)                                           \
    (AES_TIMES_8(s) * eights ^ AES_TIMES_4(s) * fours ^ AES_COLUMN(s, twos, ones))

#endif
