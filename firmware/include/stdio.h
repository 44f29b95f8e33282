/* The part of <stdio.h> that code of others names. What it prints by printf, puts and putchar goes
 * nowhere; nothing is behind the other functions, so that code that calls them does not link. */
#ifndef STEELYARD_STDIO_H
#define STEELYARD_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)

typedef struct steelyard_file FILE;

#ifdef __cplusplus
extern "C" {
#endif

extern FILE *stdin, *stdout, *stderr;

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *out, const char *format, ...);
int snprintf(char *out, size_t length, const char *format, ...);
int vsnprintf(char *out, size_t length, const char *format, va_list values);
int puts(const char *text);
int putchar(int character);
int fflush(FILE *file);

#ifdef __cplusplus
}
#endif

#endif
