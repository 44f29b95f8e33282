/* Requests in hexadecimal, one a line; buffers allocated to the byte, so that a sanitizer sees one too many. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES (1 << 18)

typedef struct {
    char operation;
    unsigned char *key;
    unsigned char *iv;
    unsigned char *data;
    size_t data_bytes;
} request;

static void *exact(size_t size) {
    void *buffer = malloc(size);
    if (buffer == NULL && size > 0) {
        abort();
    }
    if (size > 0) {
        memset(buffer, 0xA5, size);
    }
    return buffer;
}

static unsigned char *from_hex(const char *text, size_t *size) {
    *size = strcmp(text, "-") == 0 ? 0 : strlen(text) / 2;
    unsigned char *bytes = exact(*size);
    for (size_t i = 0; i < *size; i++) {
        unsigned int value;
        if (sscanf(text + 2 * i, "%2x", &value) != 1) {
            abort();
        }
        bytes[i] = (unsigned char)value;
    }
    return bytes;
}

static inline int read_request(request *r) {
    static char key[LINE_BYTES], iv[LINE_BYTES], data[LINE_BYTES];
    size_t ignored;
    if (scanf(" %c %262143s %262143s %262143s", &r->operation, key, iv, data) != 4) {
        return 0;
    }
    r->key = from_hex(key, &ignored);
    r->iv = from_hex(iv, &ignored);
    r->data = from_hex(data, &r->data_bytes);
    return 1;
}

static inline void free_request(request *r) {
    free(r->key);
    free(r->iv);
    free(r->data);
}

static void print_hex(const unsigned char *bytes, size_t size) {
    if (size == 0) {
        printf("-");
    }
    for (size_t i = 0; i < size; i++) {
        printf("%02x", bytes[i]);
    }
    printf("\n");
}

#endif
