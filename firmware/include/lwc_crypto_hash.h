/* What files lwc_crypto_hash.c of NIST's benchmarking tree include: a hash as a table. */
#ifndef STEELYARD_LWC_CRYPTO_HASH_H
#define STEELYARD_LWC_CRYPTO_HASH_H

#include "crypto_hash.h"

typedef struct {
    const char *variant_name;
    const char *impl_name;
    int DigestSize;
    __typeof__(&crypto_hash) hash;
} hash_ctx;

extern hash_ctx lwc_hash_ctx;

#endif
