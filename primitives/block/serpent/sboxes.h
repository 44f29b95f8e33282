#ifndef STEELYARD_SERPENT_SBOXES_H
#define STEELYARD_SERPENT_SBOXES_H

#include <limits.h>
#include <stdint.h>

#include "inline.h"

/* The S-boxes (specification, "The Cipher") as Boolean functions of four words; the circuits were
 * found by a computer search of our own for few operations. */

/* What one step of a bitwise S-box works on: a whole word where that is one operation, else a byte
 * of each word, which lets the four bytes and the intermediate results stay in registers. */
#if UINT_MAX == 0xFFFFu
typedef uint8_t serpent_lane;
#else
typedef uint32_t serpent_lane;
#endif
#define SERPENT_LANES (sizeof(uint32_t) / sizeof(serpent_lane))

ALWAYS_INLINE void serpent_s0(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t1 ^ t2;
        serpent_lane t5 = t0 ^ t3;
        serpent_lane t6 = t1 & t5;
        serpent_lane t7 = t0 ^ t6;
        serpent_lane t8 = t0 | t3;
        serpent_lane t9 = t4 ^ t8;
        serpent_lane t10 = t2 ^ t7;
        serpent_lane t11 = t5 ^ t10;
        serpent_lane t12 = t9 & t11;
        serpent_lane t13 = t7 ^ t12;
        serpent_lane t14 = (serpent_lane)~t13;
        serpent_lane t15 = t9 ^ t10;
        serpent_lane t16 = t11 ^ t14;
        serpent_lane t17 = t7 & t11;
        serpent_lane t18 = t15 ^ t17;
        x[0 * SERPENT_LANES] = t14;
        x[1 * SERPENT_LANES] = t16;
        x[2 * SERPENT_LANES] = t18;
        x[3 * SERPENT_LANES] = t9;
    }
}

ALWAYS_INLINE void serpent_s1(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = (serpent_lane)~t0;
        serpent_lane t5 = t1 ^ t4;
        serpent_lane t6 = t0 | t5;
        serpent_lane t7 = t2 ^ t6;
        serpent_lane t8 = t3 ^ t7;
        serpent_lane t9 = t5 | t8;
        serpent_lane t10 = t1 ^ t9;
        serpent_lane t11 = t7 | t10;
        serpent_lane t12 = t8 ^ t11;
        serpent_lane t13 = t5 ^ t12;
        serpent_lane t14 = t5 & t7;
        serpent_lane t15 = t10 ^ t14;
        serpent_lane t16 = t13 ^ t15;
        serpent_lane t17 = t15 & t16;
        serpent_lane t18 = t7 ^ t17;
        x[0 * SERPENT_LANES] = t18;
        x[1 * SERPENT_LANES] = t13;
        x[2 * SERPENT_LANES] = t8;
        x[3 * SERPENT_LANES] = t16;
    }
}

ALWAYS_INLINE void serpent_s2(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t0 | t2;
        serpent_lane t5 = t3 ^ t4;
        serpent_lane t6 = t1 ^ t5;
        serpent_lane t7 = t0 ^ t6;
        serpent_lane t8 = t2 ^ t7;
        serpent_lane t9 = t0 & t5;
        serpent_lane t10 = t4 ^ t9;
        serpent_lane t11 = t6 & t10;
        serpent_lane t12 = t5 ^ t11;
        serpent_lane t13 = t1 & t8;
        serpent_lane t14 = t12 ^ t13;
        serpent_lane t15 = t0 ^ t2;
        serpent_lane t16 = (serpent_lane)~t13;
        serpent_lane t17 = t10 ^ t12;
        serpent_lane t18 = t8 ^ t17;
        serpent_lane t19 = t15 ^ t16;
        x[0 * SERPENT_LANES] = t7;
        x[1 * SERPENT_LANES] = t18;
        x[2 * SERPENT_LANES] = t14;
        x[3 * SERPENT_LANES] = t19;
    }
}

ALWAYS_INLINE void serpent_s3(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t2 ^ t3;
        serpent_lane t5 = t0 & t1;
        serpent_lane t6 = t4 | t5;
        serpent_lane t7 = t0 | t3;
        serpent_lane t8 = t5 ^ t7;
        serpent_lane t9 = t2 | t8;
        serpent_lane t10 = t1 ^ t9;
        serpent_lane t11 = t0 & t3;
        serpent_lane t12 = t10 ^ t11;
        serpent_lane t13 = t6 ^ t10;
        serpent_lane t14 = t8 | t12;
        serpent_lane t15 = t0 ^ t14;
        serpent_lane t16 = t13 & t15;
        serpent_lane t17 = t8 ^ t16;
        serpent_lane t18 = t13 ^ t15;
        x[0 * SERPENT_LANES] = t17;
        x[1 * SERPENT_LANES] = t13;
        x[2 * SERPENT_LANES] = t18;
        x[3 * SERPENT_LANES] = t12;
    }
}

ALWAYS_INLINE void serpent_s4(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t0 ^ t3;
        serpent_lane t5 = t3 & t4;
        serpent_lane t6 = t2 ^ t5;
        serpent_lane t7 = t1 | t6;
        serpent_lane t8 = t4 ^ t7;
        serpent_lane t9 = t1 & t8;
        serpent_lane t10 = t6 ^ t9;
        serpent_lane t11 = t3 ^ t6;
        serpent_lane t12 = t10 | t11;
        serpent_lane t13 = t1 ^ t12;
        serpent_lane t14 = t8 | t13;
        serpent_lane t15 = t3 ^ t14;
        serpent_lane t16 = (serpent_lane)~t10;
        serpent_lane t17 = t4 ^ t13;
        serpent_lane t18 = t10 ^ t15;
        x[0 * SERPENT_LANES] = t16;
        x[1 * SERPENT_LANES] = t18;
        x[2 * SERPENT_LANES] = t17;
        x[3 * SERPENT_LANES] = t8;
    }
}

ALWAYS_INLINE void serpent_s5(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t0 ^ t1;
        serpent_lane t5 = t1 & t4;
        serpent_lane t6 = (serpent_lane)~t3;
        serpent_lane t7 = t2 ^ t5;
        serpent_lane t8 = t4 | t6;
        serpent_lane t9 = t7 ^ t8;
        serpent_lane t10 = t0 ^ t7;
        serpent_lane t11 = t4 ^ t6;
        serpent_lane t12 = t9 & t10;
        serpent_lane t13 = t11 ^ t12;
        serpent_lane t14 = t11 & t13;
        serpent_lane t15 = t4 ^ t14;
        serpent_lane t16 = t10 ^ t15;
        serpent_lane t17 = t6 & t7;
        serpent_lane t18 = t11 ^ t17;
        x[0 * SERPENT_LANES] = t9;
        x[1 * SERPENT_LANES] = t18;
        x[2 * SERPENT_LANES] = t13;
        x[3 * SERPENT_LANES] = t16;
    }
}

ALWAYS_INLINE void serpent_s6(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t0 & t3;
        serpent_lane t5 = t2 ^ t4;
        serpent_lane t6 = (serpent_lane)~t5;
        serpent_lane t7 = t1 ^ t6;
        serpent_lane t8 = t0 & t6;
        serpent_lane t9 = t6 & t7;
        serpent_lane t10 = t0 ^ t3;
        serpent_lane t11 = t9 | t10;
        serpent_lane t12 = t3 ^ t6;
        serpent_lane t13 = t1 ^ t8;
        serpent_lane t14 = t11 ^ t13;
        serpent_lane t15 = t7 | t10;
        serpent_lane t16 = t12 ^ t15;
        serpent_lane t17 = t14 ^ t16;
        serpent_lane t18 = t14 & t16;
        serpent_lane t19 = t5 ^ t18;
        x[0 * SERPENT_LANES] = t17;
        x[1 * SERPENT_LANES] = t7;
        x[2 * SERPENT_LANES] = t14;
        x[3 * SERPENT_LANES] = t19;
    }
}

ALWAYS_INLINE void serpent_s7(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t1 ^ t2;
        serpent_lane t5 = t2 & t4;
        serpent_lane t6 = t3 ^ t5;
        serpent_lane t7 = t0 ^ t6;
        serpent_lane t8 = t0 & t7;
        serpent_lane t9 = t4 ^ t8;
        serpent_lane t10 = t1 ^ t7;
        serpent_lane t11 = t3 & t6;
        serpent_lane t12 = t9 & t10;
        serpent_lane t13 = t11 ^ t12;
        serpent_lane t14 = t8 & t9;
        serpent_lane t15 = t10 ^ t14;
        serpent_lane t16 = t8 ^ t13;
        serpent_lane t17 = (serpent_lane)~t15;
        serpent_lane t18 = t16 ^ t17;
        serpent_lane t19 = t2 & t6;
        serpent_lane t20 = t18 ^ t19;
        x[0 * SERPENT_LANES] = t20;
        x[1 * SERPENT_LANES] = t15;
        x[2 * SERPENT_LANES] = t13;
        x[3 * SERPENT_LANES] = t9;
    }
}

#endif
