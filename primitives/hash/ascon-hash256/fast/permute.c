#include "hash.h"

#include "ascon.h"
/* n is a constant, 1 to 63. */
#define ROTR64(x, n) ((x) >> (n) | (x) << (64 - (n)))

/* NIST SP 800-232, section 3.4: x turned right by two distances and added to itself. */
#define DIFFUSE(x, n, m) ((x) ^ ROTR64(x, n) ^ ROTR64(x, m))

/* NIST SP 800-232, sections 3.2 to 3.4; the constant goes from f0 to 4b in steps of 0f. */
void ascon_permute(uint64_t *words) {
    uint64_t x0 = words[0];
    uint64_t x1 = words[1];
    uint64_t x2 = words[2];
    uint64_t x3 = words[3];
    uint64_t x4 = words[4];

    for (uint8_t constant = 0xf0; constant != 0x3c; constant = (uint8_t)(constant - 0x0f)) {
        x2 ^= constant;
        x0 ^= x4;
        x4 ^= x3;
        x2 ^= x1;
        uint64_t t0 = x0 ^ (~x1 & x2);
        uint64_t t1 = x1 ^ (~x2 & x3);
        uint64_t t2 = x2 ^ (~x3 & x4);
        uint64_t t3 = x3 ^ (~x4 & x0);
        uint64_t t4 = x4 ^ (~x0 & x1);
        t1 ^= t0;
        t0 ^= t4;
        t3 ^= t2;
        t2 = ~t2;
        x0 = DIFFUSE(t0, 19, 28);
        x1 = DIFFUSE(t1, 61, 39);
        x2 = DIFFUSE(t2, 1, 6);
        x3 = DIFFUSE(t3, 10, 17);
        x4 = DIFFUSE(t4, 7, 41);
    }
    words[0] = x0;
    words[1] = x1;
    words[2] = x2;
    words[3] = x3;
    words[4] = x4;
}
