/* The base point. */
#ifndef SM2_GENERATOR_H
#define SM2_GENERATOR_H

#include "point.h"

/* x and y in Montgomery form. */
extern const ROM limb sm2_generator[2][LIMBS];

#endif
