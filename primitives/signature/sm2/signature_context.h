#ifndef SM2_SIGNATURE_CONTEXT_H
#define SM2_SIGNATURE_CONTEXT_H

#include "number.h"

/* 1 / (1 + d) modulo n, in Montgomery form, for the private key d; 0 for none. */
typedef struct {
    limb inverse[LIMBS];
} signature_context;

#endif
