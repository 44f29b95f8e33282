#ifndef STEELYARD_PLAN_H
#define STEELYARD_PLAN_H

#include <stdint.h>

#include "camellia.h"
#include "rom.h"

/* Where the subkeys come from (RFC 3713, key schedule): the string and the bit at which 64 bits of
 * its rotation begin, in the order of encryption with each FL layer's two in their place. */
static const ROM uint8_t plan[CAMELLIA_SUBKEYS][2] = {
#if PRIMITIVE_KEY_BYTES == 16
    {KL, 0},  {KL, 64}, {KA, 0},   {KA, 64}, {KL, 15},  {KL, 79}, {KA, 15},  {KA, 79}, {KA, 30},
    {KA, 94}, {KL, 45}, {KL, 109}, {KA, 45}, {KL, 124}, {KA, 60}, {KA, 124}, {KL, 77}, {KL, 13},
    {KL, 94}, {KL, 30}, {KA, 94},  {KA, 30}, {KL, 111}, {KL, 47}, {KA, 111}, {KA, 47},
#else
    {KL, 0},  {KL, 64},  {KB, 0},  {KB, 64},  {KR, 15},  {KR, 79},  {KA, 15},  {KA, 79}, {KR, 30},
    {KR, 94}, {KB, 30},  {KB, 94}, {KL, 45},  {KL, 109}, {KA, 45},  {KA, 109}, {KL, 60}, {KL, 124},
    {KR, 60}, {KR, 124}, {KB, 60}, {KB, 124}, {KL, 77},  {KL, 13},  {KA, 77},  {KA, 13}, {KR, 94},
    {KR, 30}, {KA, 94},  {KA, 30}, {KL, 111}, {KL, 47},  {KB, 111}, {KB, 47},
#endif
};

#endif
