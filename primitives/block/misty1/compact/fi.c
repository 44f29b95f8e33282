#include "misty1.h"

#include "rom.h"
#include "s7.h"

/* Every bit of S9 is a quadratic polynomial in the bits of x. For each bit of x in turn: what it
 * adds, and what it adds together with each of the bits below. */
static const ROM uint16_t s9_terms[45] = {
    0x108, 0x090, 0x1c4, 0x020, 0x002, 0x188, 0x042, 0x030, 0x006, 0x092, 0x104, 0x085,
    0x060, 0x00c, 0x026, 0x088, 0x111, 0x009, 0x140, 0x018, 0x04e, 0x010, 0x006, 0x0a1,
    0x013, 0x180, 0x030, 0x11c, 0x022, 0x180, 0x00c, 0x041, 0x025, 0x080, 0x060, 0x0b8,
    0x044, 0x162, 0x080, 0x018, 0x103, 0x049, 0x002, 0x140, 0x070,
};

static uint16_t s9(uint16_t x) {
    uint16_t result = 0x1c3;
    uint8_t term = 0;

    for (uint8_t i = 0; i < 9; i++) {
        if (x >> i & 1) {
            uint16_t below = x;
            result ^= s9_terms[term];
            for (uint8_t j = 1; j <= i; j++) {
                if (below & 1) {
                    result ^= s9_terms[term + j];
                }
                below >>= 1;
            }
        }
        term = (uint8_t)(term + i + 1);
    }
    return result;
}

#define S9(x) s9(x)

uint16_t misty1_fi(uint16_t in, uint16_t key) {
    uint16_t nine = in >> 7;
    uint8_t seven = in & 0x7F;

    nine = S9(nine) ^ seven;
    seven = (uint8_t)(s7[seven] ^ (nine & 0x7F) ^ key >> 9);
    nine ^= key & 0x1FF;
    nine = S9(nine) ^ seven;
    return (uint16_t)((uint16_t)seven << 9 | nine);
}
