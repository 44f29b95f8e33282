/* The types of <unistd.h>; a chip has no operating system. */
#ifndef STEELYARD_UNISTD_H
#define STEELYARD_UNISTD_H

#include <stddef.h>

typedef ptrdiff_t ssize_t;

#endif
