/* <string.h> for C++: its functions have names of C. */
#ifndef STEELYARD_CPLUSPLUS_STRING_H
#define STEELYARD_CPLUSPLUS_STRING_H

extern "C" {
#include "../string.h"
}

#endif
