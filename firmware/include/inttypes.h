/* The part of <inttypes.h> that needs no library: the types. */
#ifndef STEELYARD_INTTYPES_H
#define STEELYARD_INTTYPES_H

#include <stdint.h>

#endif
