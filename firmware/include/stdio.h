/* The part of <stdio.h> that code of others names. What prints writes nothing; what would make a
 * text is not there, so that code that needs it does not link. */
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
int puts(const char *text);
int putchar(int character);
int fputs(const char *text, FILE *file);
int fputc(int character, FILE *file);
size_t fwrite(const void *from, size_t bytes, size_t count, FILE *file);
int fflush(FILE *file);
int snprintf(char *out, size_t length, const char *format, ...);
int vsnprintf(char *out, size_t length, const char *format, va_list values);

#ifdef __cplusplus
}
#endif

#endif
