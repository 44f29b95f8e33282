#ifndef IMITATION_TYPES_H
#define IMITATION_TYPES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef uint32_t word32;

#endif
