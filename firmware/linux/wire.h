/* How a program on the device talks with its driver: a request is a line of words `key=value` on
 * standard input, a reply a line of JSON on standard output, flushed at its end. */
#ifndef STEELYARD_WIRE_H
#define STEELYARD_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_LINE_BYTES 65536

struct request {
    char verb[32]; /* the first word, such as cell */
    char line[WIRE_LINE_BYTES];
    size_t length;
};

/* The next request that is not an empty line; false at the end of input. A line that is too long is
 * answered with a failure and skipped. */
bool wire_read(struct request *request);

/* The value of a word, or NULL. It stays valid until the next wire_read. */
const char *wire_text(const struct request *request, const char *key);

/* The value as a decimal number; `fallback` where there is none or it is none. */
uint64_t wire_number(const struct request *request, const char *key, uint64_t fallback);

/* The value as hexadecimal bytes: how many were written, or -1 where the word is missing, is not
 * hexadecimal or has more than `size` bytes. `key=` is 0 bytes. */
long wire_bytes(const struct request *request, const char *key, uint8_t *out, size_t size);

/* A message that driver and device both make from its seed: byte i is byte i mod 8, lowest first,
 * of the output i / 8 of SplitMix64 (Steele, Lea, Flood 2014) begun at the seed. */
void wire_message(uint8_t *out, size_t length, uint64_t seed);

/* JSON. Between wire_open and wire_close there are members; a name of NULL is for elements of an
 * array. The outermost wire_close ends the line and flushes it. */
void wire_open(const char *name, char bracket); /* bracket: '{' or '[' */
void wire_close(char bracket);                  /* '}' or ']' */
void wire_print_text(const char *name, const char *text);
void wire_print_number(const char *name, int64_t value);      /* INT64_MIN is null */
void wire_print_thousandths(const char *name, int64_t value); /* as a decimal fraction */
void wire_print_bool(const char *name, bool value);
void wire_print_null(const char *name);
void wire_print_numbers(const char *name, const int64_t *values, size_t count);

void wire_print_hexadecimal(const char *name, const uint8_t *bytes, size_t length);

/* The output of a cell: hexadecimal up to 256 bytes; longer, "sha256:" and its digest. */
void wire_print_output(const char *name, const uint8_t *bytes, size_t length);

/* Prints the member "windows": the parts of the bytes that the word windows=at:count,at:count,...
 * of the request asks for, each in hexadecimal, null where it lies outside. */
void wire_print_windows(const struct request *request, const uint8_t *bytes, size_t length);

/* A whole reply of a request that could not be done; status is "unsupported" or "failed". */
void wire_refuse(const struct request *request, const char *status, const char *detail);

#endif
