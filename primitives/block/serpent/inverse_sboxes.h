#ifndef STEELYARD_SERPENT_INVERSE_SBOXES_H
#define STEELYARD_SERPENT_INVERSE_SBOXES_H

#include <stdint.h>

#include "inline.h"
#include "sboxes.h"

/* The inverse S-boxes (specification, "The Cipher") as Boolean functions of four words; the
 * circuits were found by a computer search of our own for few operations. */

ALWAYS_INLINE void serpent_inverse_s0(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t0 | t1;
        serpent_lane t5 = (serpent_lane)~t4;
        serpent_lane t6 = t2 ^ t5;
        serpent_lane t7 = t3 ^ t6;
        serpent_lane t8 = t1 & t2;
        serpent_lane t9 = t3 & t6;
        serpent_lane t10 = t0 ^ t8;
        serpent_lane t11 = t7 ^ t10;
        serpent_lane t12 = t9 | t11;
        serpent_lane t13 = t1 ^ t12;
        serpent_lane t14 = t11 | t13;
        serpent_lane t15 = t2 ^ t14;
        serpent_lane t16 = t0 | t3;
        serpent_lane t17 = t15 ^ t16;
        serpent_lane t18 = t13 | t17;
        serpent_lane t19 = t6 ^ t18;
        x[0 * SERPENT_LANES] = t13;
        x[1 * SERPENT_LANES] = t19;
        x[2 * SERPENT_LANES] = t7;
        x[3 * SERPENT_LANES] = t17;
    }
}

ALWAYS_INLINE void serpent_inverse_s1(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t1 ^ t3;
        serpent_lane t5 = t3 & t4;
        serpent_lane t6 = t0 ^ t5;
        serpent_lane t7 = t2 ^ t6;
        serpent_lane t8 = t3 ^ t7;
        serpent_lane t9 = t4 & t6;
        serpent_lane t10 = t8 ^ t9;
        serpent_lane t11 = t7 | t10;
        serpent_lane t12 = t4 ^ t11;
        serpent_lane t13 = t6 ^ t12;
        serpent_lane t14 = (serpent_lane)~t13;
        serpent_lane t15 = t10 ^ t14;
        serpent_lane t16 = t10 | t14;
        serpent_lane t17 = t6 ^ t16;
        x[0 * SERPENT_LANES] = t15;
        x[1 * SERPENT_LANES] = t13;
        x[2 * SERPENT_LANES] = t17;
        x[3 * SERPENT_LANES] = t7;
    }
}

ALWAYS_INLINE void serpent_inverse_s2(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t2 ^ t3;
        serpent_lane t5 = t1 | t4;
        serpent_lane t6 = t0 ^ t3;
        serpent_lane t7 = t5 ^ t6;
        serpent_lane t8 = t1 ^ t4;
        serpent_lane t9 = t3 | t8;
        serpent_lane t10 = t2 ^ t9;
        serpent_lane t11 = t6 & t10;
        serpent_lane t12 = t8 ^ t11;
        serpent_lane t13 = t0 ^ t12;
        serpent_lane t14 = (serpent_lane)~t10;
        serpent_lane t15 = t13 ^ t14;
        serpent_lane t16 = t7 & t15;
        serpent_lane t17 = t14 ^ t16;
        x[0 * SERPENT_LANES] = t7;
        x[1 * SERPENT_LANES] = t12;
        x[2 * SERPENT_LANES] = t15;
        x[3 * SERPENT_LANES] = t17;
    }
}

ALWAYS_INLINE void serpent_inverse_s3(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t1 | t2;
        serpent_lane t5 = t0 ^ t4;
        serpent_lane t6 = t2 ^ t5;
        serpent_lane t7 = t3 | t6;
        serpent_lane t8 = t2 ^ t7;
        serpent_lane t9 = t1 ^ t8;
        serpent_lane t10 = t3 ^ t5;
        serpent_lane t11 = t9 | t10;
        serpent_lane t12 = t0 & t10;
        serpent_lane t13 = t5 ^ t12;
        serpent_lane t14 = t0 & t6;
        serpent_lane t15 = t11 ^ t14;
        serpent_lane t16 = t7 | t9;
        serpent_lane t17 = t9 & t13;
        serpent_lane t18 = t6 ^ t17;
        serpent_lane t19 = t10 ^ t16;
        x[0 * SERPENT_LANES] = t9;
        x[1 * SERPENT_LANES] = t15;
        x[2 * SERPENT_LANES] = t19;
        x[3 * SERPENT_LANES] = t18;
    }
}

ALWAYS_INLINE void serpent_inverse_s4(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t2 | t3;
        serpent_lane t5 = t0 & t4;
        serpent_lane t6 = t1 ^ t5;
        serpent_lane t7 = t0 & t6;
        serpent_lane t8 = t2 ^ t7;
        serpent_lane t9 = t3 ^ t8;
        serpent_lane t10 = (serpent_lane)~t0;
        serpent_lane t11 = t9 | t10;
        serpent_lane t12 = t3 ^ t11;
        serpent_lane t13 = t8 & t9;
        serpent_lane t14 = t6 ^ t13;
        serpent_lane t15 = t12 ^ t14;
        serpent_lane t16 = t6 & t12;
        serpent_lane t17 = t9 ^ t10;
        serpent_lane t18 = t16 ^ t17;
        x[0 * SERPENT_LANES] = t15;
        x[1 * SERPENT_LANES] = t9;
        x[2 * SERPENT_LANES] = t18;
        x[3 * SERPENT_LANES] = t14;
    }
}

ALWAYS_INLINE void serpent_inverse_s5(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t0 & t3;
        serpent_lane t5 = t2 ^ t4;
        serpent_lane t6 = t1 & t5;
        serpent_lane t7 = t3 ^ t6;
        serpent_lane t8 = t0 ^ t7;
        serpent_lane t9 = t0 & t8;
        serpent_lane t10 = (serpent_lane)~t1;
        serpent_lane t11 = t9 | t10;
        serpent_lane t12 = t5 ^ t11;
        serpent_lane t13 = t0 & t12;
        serpent_lane t14 = t7 ^ t13;
        serpent_lane t15 = t1 ^ t14;
        serpent_lane t16 = t8 | t15;
        serpent_lane t17 = t5 ^ t16;
        serpent_lane t18 = t1 ^ t17;
        serpent_lane t19 = t3 ^ t18;
        x[0 * SERPENT_LANES] = t8;
        x[1 * SERPENT_LANES] = t15;
        x[2 * SERPENT_LANES] = t19;
        x[3 * SERPENT_LANES] = t12;
    }
}

ALWAYS_INLINE void serpent_inverse_s6(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t0 ^ t2;
        serpent_lane t5 = t2 & t4;
        serpent_lane t6 = t3 ^ t5;
        serpent_lane t7 = (serpent_lane)~t6;
        serpent_lane t8 = t1 ^ t7;
        serpent_lane t9 = t1 | t2;
        serpent_lane t10 = t4 & t7;
        serpent_lane t11 = t8 | t10;
        serpent_lane t12 = t9 ^ t11;
        serpent_lane t13 = t0 ^ t12;
        serpent_lane t14 = t1 ^ t2;
        serpent_lane t15 = t10 ^ t14;
        serpent_lane t16 = t13 ^ t15;
        serpent_lane t17 = t13 & t16;
        serpent_lane t18 = t6 ^ t17;
        x[0 * SERPENT_LANES] = t13;
        x[1 * SERPENT_LANES] = t8;
        x[2 * SERPENT_LANES] = t18;
        x[3 * SERPENT_LANES] = t16;
    }
}

ALWAYS_INLINE void serpent_inverse_s7(uint32_t *words) {
    serpent_lane *x = (serpent_lane *)words;

    for (uint8_t lane = 0; lane < SERPENT_LANES; lane++, x++) {
        serpent_lane t0 = x[0 * SERPENT_LANES];
        serpent_lane t1 = x[1 * SERPENT_LANES];
        serpent_lane t2 = x[2 * SERPENT_LANES];
        serpent_lane t3 = x[3 * SERPENT_LANES];
        serpent_lane t4 = t0 | t1;
        serpent_lane t5 = t0 & t1;
        serpent_lane t6 = t3 & t4;
        serpent_lane t7 = t1 ^ t3;
        serpent_lane t8 = t0 | t3;
        serpent_lane t9 = t5 | t7;
        serpent_lane t10 = t2 | t5;
        serpent_lane t11 = t1 ^ t6;
        serpent_lane t12 = t10 | t11;
        serpent_lane t13 = t7 ^ t12;
        serpent_lane t14 = (serpent_lane)~t0;
        serpent_lane t15 = t13 ^ t14;
        serpent_lane t16 = t3 | t15;
        serpent_lane t17 = t2 & t8;
        serpent_lane t18 = t11 ^ t16;
        serpent_lane t19 = t6 ^ t10;
        serpent_lane t20 = t9 ^ t17;
        serpent_lane t21 = t2 ^ t18;
        x[0 * SERPENT_LANES] = t21;
        x[1 * SERPENT_LANES] = t15;
        x[2 * SERPENT_LANES] = t20;
        x[3 * SERPENT_LANES] = t19;
    }
}

#endif
