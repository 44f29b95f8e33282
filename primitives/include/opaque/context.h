/* Contexts for code that only passes them on, so that it is compiled once for all variants. */
#ifndef STEELYARD_OPAQUE_CONTEXT_H
#define STEELYARD_OPAQUE_CONTEXT_H

typedef struct block_context block_context;
typedef struct hash_context hash_context;
typedef struct mac_context mac_context;

#endif
