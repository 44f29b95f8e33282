#include "wide.h"

uint64_t __muldi3(uint64_t left, uint64_t right) {
    uint64_t product = 0;
    for (uint8_t i = 0; i < 4; i++) {
        for (uint8_t j = 0; i + j < 4; j++) {
            uint32_t part = (uint32_t)(uint16_t)(left >> (16 * i)) * (uint16_t)(right >> (16 * j));
            product += (uint64_t)part << (16 * (i + j));
        }
    }
    return product;
}
