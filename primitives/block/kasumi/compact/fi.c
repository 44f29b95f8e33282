#include "kasumi.h"

#include "rom.h"
#include "s7.h"

/* Every bit of S9 is a quadratic polynomial in the bits of x. For each bit of x in turn: what it
 * adds, and what it adds together with each of the bits below. */
static const ROM uint16_t s9_terms[45] = {
    0x048, 0x006, 0x192, 0x120, 0x081, 0x188, 0x081, 0x08c, 0x010, 0x0c2, 0x010, 0x002,
    0x022, 0x008, 0x104, 0x008, 0x016, 0x140, 0x141, 0x002, 0x0e0, 0x002, 0x028, 0x128,
    0x084, 0x0d4, 0x140, 0x045, 0x140, 0x011, 0x003, 0x083, 0x020, 0x02c, 0x084, 0x034,
    0x084, 0x00c, 0x058, 0x110, 0x150, 0x001, 0x063, 0x020, 0x069,
};

static uint16_t s9(uint16_t x) {
    uint16_t result = 0x0a7;
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

uint16_t kasumi_fi(uint16_t in, uint16_t key) {
    uint16_t nine = in >> 7;
    uint8_t seven = in & 0x7F;

    nine = S9(nine) ^ seven;
    seven = (uint8_t)(s7[seven] ^ (nine & 0x7F) ^ key >> 9);
    nine ^= key & 0x1FF;
    nine = S9(nine) ^ seven;
    seven = (uint8_t)(s7[seven] ^ (nine & 0x7F));
    return (uint16_t)((uint16_t)seven << 9 | nine);
}
