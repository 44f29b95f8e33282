/* The part of <stdlib.h> that code of others names. There is no heap, so that code that allocates
 * does not link; what gives up stays where it is. */
#ifndef STEELYARD_STDLIB_H
#define STEELYARD_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX     32767

#ifdef __cplusplus
extern "C" {
#endif

void *malloc(size_t length);
void *calloc(size_t count, size_t length);
void *realloc(void *old, size_t length);
void free(void *old);
int abs(int value);
int atoi(const char *text);
int rand(void);
void srand(unsigned int seed);

static inline void abort(void) {
    for (;;) {
    }
}

static inline void exit(int status) {
    (void)status;
    abort();
}

#ifdef __cplusplus
}
#endif

#endif
