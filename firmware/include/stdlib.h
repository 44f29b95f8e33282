/* The part of <stdlib.h> that code of others may name. Nothing of it is in an image. */
#ifndef STEELYARD_STDLIB_H
#define STEELYARD_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 32767

void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *block, size_t bytes);
void free(void *block);
void exit(int status);
int abs(int value);
int atoi(const char *text);
int rand(void);
void srand(unsigned int seed);

static inline void abort(void) {
    for (;;) {
    }
}

#endif
