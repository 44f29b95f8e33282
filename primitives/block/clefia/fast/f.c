#include "clefia.h"

#include "sboxes.h"

/* The matrices M0 and M1 with their common factors taken out. */
void clefia_add_f0(uint8_t *y, const uint8_t *x, const uint8_t *key) {
    uint8_t t0 = s0[x[0] ^ key[0]];
    uint8_t t1 = s1[x[1] ^ key[1]];
    uint8_t t2 = s0[x[2] ^ key[2]];
    uint8_t t3 = s1[x[3] ^ key[3]];
    uint8_t low = xtime(t2 ^ t3);
    uint8_t high = xtime(t0 ^ t1);
    uint8_t odd = t1 ^ t3;
    uint8_t even = t0 ^ t2;

    y[0] ^= (uint8_t)(t0 ^ xtime(odd ^ low));
    y[1] ^= (uint8_t)(t1 ^ xtime(even ^ low));
    y[2] ^= (uint8_t)(t2 ^ xtime(odd ^ high));
    y[3] ^= (uint8_t)(t3 ^ xtime(even ^ high));
}

void clefia_add_f1(uint8_t *y, const uint8_t *x, const uint8_t *key) {
    uint8_t t0 = s1[x[0] ^ key[0]];
    uint8_t t1 = s0[x[1] ^ key[1]];
    uint8_t t2 = s1[x[2] ^ key[2]];
    uint8_t t3 = s0[x[3] ^ key[3]];
    uint8_t odd = xtime(xtime(t1 ^ t3));
    uint8_t even = xtime(xtime(t0 ^ t2));
    uint8_t low = t2 ^ t3;
    uint8_t high = t0 ^ t1;

    y[0] ^= (uint8_t)(t0 ^ xtime(odd ^ low));
    y[1] ^= (uint8_t)(t1 ^ xtime(even ^ low));
    y[2] ^= (uint8_t)(t2 ^ xtime(odd ^ high));
    y[3] ^= (uint8_t)(t3 ^ xtime(even ^ high));
}
