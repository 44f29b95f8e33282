/* What code of others names of <stdio.h> and <stdlib.h> where it would report something: a chip has
 * nobody to report to. What prints writes nothing, what ends a program stays where it is. */
#include <stddef.h>

#define WEAK __attribute__((weak))

typedef struct steelyard_file FILE;

WEAK FILE *stdin, *stdout, *stderr;

WEAK int printf(const char *format, ...) {
    (void)format;
    return 0;
}

WEAK int fprintf(FILE *file, const char *format, ...) {
    (void)file;
    (void)format;
    return 0;
}

WEAK int puts(const char *text) {
    (void)text;
    return 0;
}

WEAK int putchar(int character) {
    return character;
}

/* What compilers make of a constant format. */
WEAK size_t fwrite(const void *from, size_t bytes, size_t count, FILE *file) {
    (void)from;
    (void)bytes;
    (void)file;
    return count;
}

WEAK int fputs(const char *text, FILE *file) {
    (void)text;
    (void)file;
    return 0;
}

WEAK int fputc(int character, FILE *file) {
    (void)file;
    return character;
}

WEAK int fflush(FILE *file) {
    (void)file;
    return 0;
}

/* What SUPERCOP's test of secrets asks for. */
WEAK void crypto_declassify(void *secret, unsigned long long bytes) {
    (void)secret;
    (void)bytes;
}

WEAK void abort(void) {
    for (;;) {
    }
}

WEAK void exit(int status) {
    (void)status;
    abort();
}
