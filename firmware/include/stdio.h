/* The part of <stdio.h> that code of others names in what it prints for tests. No image holds it. */
#ifndef STEELYARD_STDIO_H
#define STEELYARD_STDIO_H

#include <stddef.h>

typedef struct steelyard_file FILE;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *text, const char *format, ...);
int snprintf(char *text, size_t room, const char *format, ...);
int puts(const char *text);
int putchar(int character);
int fflush(FILE *file);

#endif
