#ifndef STEELYARD_PLANS_H
#define STEELYARD_PLANS_H

#include <stdint.h>

#include "rom.h"

/* RFC 2144, section 2.4. The bytes x0 to xF are numbered 0 to 15 here, z0 to zF 16 to 31.
 * For each new word: the word that it begins with and the bytes that go through S5 to S8 and the
 * fifth box; first z from x, then x from z. */
static const ROM uint8_t word_plan[8][6] = {
    {0, 13, 15, 12, 14, 8},  {8, 16, 18, 17, 19, 10},  {12, 23, 22, 21, 20, 9},
    {4, 26, 25, 27, 24, 11}, {24, 21, 23, 20, 22, 16}, {16, 0, 2, 1, 3, 18},
    {20, 7, 6, 5, 4, 17},    {28, 10, 9, 11, 8, 19},
};

/* The bytes for each subkey; four subkeys are taken after either half of the plan above. */
static const ROM uint8_t key_plan[16][5] = {
    {24, 25, 23, 22, 18}, {26, 27, 21, 20, 22}, {28, 29, 19, 18, 25}, {30, 31, 17, 16, 28},
    {3, 2, 12, 13, 8},    {1, 0, 14, 15, 13},   {7, 6, 8, 9, 3},      {5, 4, 10, 11, 7},
    {19, 18, 28, 29, 25}, {17, 16, 30, 31, 28}, {23, 22, 24, 25, 18}, {21, 20, 26, 27, 22},
    {8, 9, 7, 6, 3},      {10, 11, 5, 4, 7},    {12, 13, 3, 2, 8},    {14, 15, 1, 0, 13},
};

#endif
