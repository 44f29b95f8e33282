#ifndef STEELYARD_MAC_CONTEXT_H
#define STEELYARD_MAC_CONTEXT_H

#include "hash.h"

typedef struct {
    hash_context inner;
    hash_context outer;
} mac_context;

#endif
