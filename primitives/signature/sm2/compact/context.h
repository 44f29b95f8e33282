#include "../number.h"

/* 1 / (1 + d) modulo n, in Montgomery form, for the private key d; 0 for none. */
typedef struct {
    limb inverse[LIMBS];
} signature_context;
