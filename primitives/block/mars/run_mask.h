#ifndef STEELYARD_RUN_MASK_H
#define STEELYARD_RUN_MASK_H

#include <stdint.h>

/* The bits inside runs of at least ten equal bits of the word, without the runs' ends and without
 * the bits 0, 1 and 31 (paper, "Key expansion", step 4). */
static uint32_t run_mask(uint32_t word) {
    uint32_t equal = ~(word ^ word >> 1) & UINT32_C(0x7FFFFFFF);
    uint32_t begin = equal & equal >> 1;

    begin &= begin >> 2;
    begin &= begin >> 4;
    begin &= equal >> 8;
    uint32_t covered = begin | begin << 1;
    covered |= covered << 2;
    covered |= covered << 4;
    covered |= begin << 8 | begin << 9;
    return covered & equal & equal << 1 & UINT32_C(0x7FFFFFFC);
}

#endif
