#include "wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"

#define OUTPUT_SHOWN_BYTES 256

static bool is_first = true; /* no member yet in the innermost brackets */
static unsigned depth;

bool wire_read(struct request *request) {
    for (;;) {
        size_t verb;

        if (fgets(request->line, sizeof request->line, stdin) == NULL) {
            return false;
        }
        request->length = strlen(request->line);
        if (request->length == sizeof request->line - 1 &&
            request->line[request->length - 1] != '\n') {
            int c;

            while ((c = getchar()) != EOF && c != '\n') {
            }
            request->line[strcspn(request->line, "\n")] = '\0';
            request->length = 0;
            wire_refuse(request, "failed", "the request is too long");
            continue;
        }
        while (request->length > 0 && strchr("\r\n ", request->line[request->length - 1]) != NULL) {
            request->line[--request->length] = '\0';
        }
        if (request->length == 0) {
            continue;
        }
        /* Words become strings of their own. */
        for (size_t i = 0; i < request->length; i++) {
            if (request->line[i] == ' ') {
                request->line[i] = '\0';
            }
        }
        verb = strlen(request->line);
        if (verb >= sizeof request->verb) {
            verb = sizeof request->verb - 1;
        }
        memcpy(request->verb, request->line, verb);
        request->verb[verb] = '\0';
        return true;
    }
}

const char *wire_text(const struct request *request, const char *key) {
    size_t key_length = strlen(key);

    for (size_t at = 0; at < request->length; at += strlen(request->line + at) + 1) {
        const char *word = request->line + at;

        if (strncmp(word, key, key_length) == 0 && word[key_length] == '=') {
            return word + key_length + 1;
        }
    }
    return NULL;
}

uint64_t wire_number(const struct request *request, const char *key, uint64_t fallback) {
    const char *text = wire_text(request, key);
    char *end;
    uint64_t value;

    if (text == NULL || *text < '0' || *text > '9') {
        return fallback;
    }
    value = strtoull(text, &end, 10);
    return *end == '\0' ? value : fallback;
}

static int nibble(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

long wire_bytes(const struct request *request, const char *key, uint8_t *out, size_t size) {
    const char *text = wire_text(request, key);
    size_t count = 0;

    if (text == NULL) {
        return -1;
    }
    while (*text != '\0') {
        int high = nibble(text[0]);
        int low = high < 0 ? -1 : nibble(text[1]);

        if (low < 0 || count == size) {
            return -1;
        }
        out[count++] = (uint8_t)(high << 4 | low);
        text += 2;
    }
    return (long)count;
}

void wire_message(uint8_t *out, size_t length, uint64_t seed) {
    uint64_t x = 0;

    for (size_t i = 0; i < length; i++) {
        if (i % 8 == 0) {
            seed += UINT64_C(0x9E3779B97F4A7C15);
            x = seed;
            x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
            x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
            x ^= x >> 31;
        }
        out[i] = (uint8_t)(x >> 8 * (i % 8));
    }
}

static void print_quoted(const char *text) {
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20 || c >= 0x7F) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

static void begin(const char *name) {
    if (!is_first) {
        putchar(',');
    }
    is_first = false;
    if (name != NULL) {
        print_quoted(name);
        putchar(':');
    }
}

void wire_open(const char *name, char bracket) {
    begin(name);
    putchar(bracket);
    is_first = true;
    depth++;
}

void wire_close(char bracket) {
    putchar(bracket);
    is_first = false;
    if (--depth == 0) {
        putchar('\n');
        fflush(stdout);
        is_first = true;
    }
}

void wire_print_text(const char *name, const char *text) {
    begin(name);
    print_quoted(text);
}

void wire_print_number(const char *name, int64_t value) {
    if (value == INT64_MIN) {
        wire_print_null(name);
        return;
    }
    begin(name);
    printf("%" PRId64, value);
}

void wire_print_thousandths(const char *name, int64_t value) {
    if (value == INT64_MIN) {
        wire_print_null(name);
        return;
    }
    begin(name);
    printf("%s%" PRId64 ".%03" PRId64, value < 0 ? "-" : "", (value < 0 ? -value : value) / 1000,
           (value < 0 ? -value : value) % 1000);
}

void wire_print_bool(const char *name, bool value) {
    begin(name);
    printf("%s", value ? "true" : "false");
}

void wire_print_null(const char *name) {
    begin(name);
    printf("null");
}

void wire_print_numbers(const char *name, const int64_t *values, size_t count) {
    if (values == NULL) {
        wire_print_null(name);
        return;
    }
    wire_open(name, '[');
    for (size_t i = 0; i < count; i++) {
        wire_print_number(NULL, values[i]);
    }
    wire_close(']');
}

static void print_hexadecimal(const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        printf("%02x", bytes[i]);
    }
}

void wire_print_hexadecimal(const char *name, const uint8_t *bytes, size_t length) {
    begin(name);
    putchar('"');
    print_hexadecimal(bytes, length);
    putchar('"');
}

void wire_print_output(const char *name, const uint8_t *bytes, size_t length) {
    uint8_t digest[CHECKSUM_BYTES];

    begin(name);
    putchar('"');
    if (length <= OUTPUT_SHOWN_BYTES) {
        print_hexadecimal(bytes, length);
    } else {
        checksum(digest, bytes, length);
        printf("sha256:");
        print_hexadecimal(digest, sizeof digest);
    }
    putchar('"');
}

void wire_print_windows(const struct request *request, const uint8_t *bytes, size_t length) {
    const char *next = wire_text(request, "windows");

    wire_open("windows", '[');
    while (next != NULL && *next != '\0') {
        char *end;
        size_t at = strtoull(next, &end, 10);
        size_t count = *end == ':' ? strtoull(end + 1, &end, 10) : 0;

        if (at <= length && count <= length - at) {
            wire_print_hexadecimal(NULL, bytes + at, count);
        } else {
            wire_print_null(NULL);
        }
        next = *end == ',' ? end + 1 : NULL;
    }
    wire_close(']');
}

void wire_refuse(const struct request *request, const char *status, const char *detail) {
    wire_open(NULL, '{');
    wire_print_number("id", (int64_t)wire_number(request, "id", 0));
    wire_print_text("status", status);
    wire_print_text("detail", detail);
    wire_close('}');
}
