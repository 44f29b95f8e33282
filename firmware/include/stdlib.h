/* The part of <stdlib.h> that code of others names; the heap lies between statics and stack. */
#ifndef STEELYARD_STDLIB_H
#define STEELYARD_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

#ifdef __cplusplus
extern "C" {
#endif

void *malloc(size_t length);
void *calloc(size_t count, size_t length);
void *realloc(void *old, size_t length);
void free(void *old);
void abort(void) __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
