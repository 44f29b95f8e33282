/* What SUPERCOP calls a compression function; a tree that has this header uses its own. */
#ifndef STEELYARD_CRYPTO_HASHBLOCKS_H
#define STEELYARD_CRYPTO_HASHBLOCKS_H

#ifdef __cplusplus
extern "C" {
#endif

int crypto_hashblocks(unsigned char *state, const unsigned char *blocks, unsigned long long bytes);

#ifdef __cplusplus
}
#endif

#endif
