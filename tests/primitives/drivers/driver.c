/* Answers binary requests on standard input until it ends. Every buffer has its exact size, so that
 * a sanitizer sees one byte too many, and canaries around it where there is none. All numbers are
 * little-endian.
 *
 * Request: operation, mode, in_place, inverse, skew (a byte each), number of cuts (16 bits), the
 * cuts (16 bits each), five fields (32 bits of length, bytes). Answer: two fields and the returned
 * value (a byte). */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define BEHIND 0u
#else
#define BEHIND 16u
#endif
#define CANARY 0xA5

static uint8_t garbage;

static void die(const char *why, const char *what) {
    fprintf(stderr, "%s%s\n", why, what);
    exit(4);
}

uint8_t *reserve(size_t size, size_t skew) {
    uint8_t *raw = malloc(skew + size + BEHIND);
    if (raw == NULL) {
        die("out of ", "memory");
        return NULL;
    }
    memset(raw, CANARY, skew);
    /* A context is never clean: what it holds differs from call to call. */
    memset(raw + skew, garbage++, size);
#if BEHIND > 0
    memset(raw + skew + size, CANARY, BEHIND);
#endif
    return raw + skew;
}

void release(uint8_t *bytes, size_t size, size_t skew) {
    for (size_t i = 0; i < skew; i++) {
        if (bytes[-1 - (ptrdiff_t)i] != CANARY) {
            die("written before a ", "buffer");
        }
    }
#if BEHIND > 0
    for (size_t i = 0; i < BEHIND; i++) {
        if (bytes[size + i] != CANARY) {
            die("written behind a ", "buffer");
        }
    }
#else
    (void)size;
#endif
    free(bytes - skew);
}

void must_equal(const void *a, const void *b, size_t size, const char *what) {
    if (size > 0 && memcmp(a, b, size) != 0) {
        die("a call changed its ", what);
    }
}

void output_like_data(request *r) {
    r->out.size = r->in[DATA].size;
    r->out.bytes =
        r->in_place ? r->in[DATA].bytes : reserve(r->out.size, r->skew ? r->skew % 7u + 1 : 0);
}

size_t cut_start(const request *r, size_t i) {
    return i == 0 ? 0 : i <= r->cuts ? r->cut[i - 1] : r->in[DATA].size;
}

static size_t number(const uint8_t *bytes, size_t size) {
    size_t value = 0;
    while (size > 0) {
        value = value << 8 | bytes[--size];
    }
    return value;
}

static void receive(uint8_t *bytes, size_t size) {
    if (size > 0 && fread(bytes, 1, size, stdin) != size) {
        die("a request ", "is cut off");
    }
}

static void send(const field *one) {
    for (int i = 0; i < 4; i++) {
        putchar((int)(one->size >> 8 * i & 0xFF));
    }
    if (one->size > 0) {
        fwrite(one->bytes, 1, one->size, stdout);
    }
}

int main(void) {
    static const char *const names[FIELDS] = {"key", "IV", "associated data", "input", "tag"};
    uint8_t head[7], cut[2], length[4];
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        uint8_t *kept[FIELDS];
        request r = {
            .operation = (char)head[0], .mode = head[1], .in_place = head[2], .inverse = head[3]};
        r.skew = head[4];
        r.cuts = number(head + 5, 2);
        if (r.cuts > sizeof r.cut / sizeof *r.cut) {
            die("too many ", "cuts");
        }
        for (size_t i = 0; i < r.cuts; i++) {
            receive(cut, sizeof cut);
            r.cut[i] = number(cut, 2);
        }
        for (int i = 0; i < FIELDS; i++) {
            receive(length, sizeof length);
            r.in[i].size = number(length, 4);
            r.in[i].bytes = reserve(r.in[i].size, r.skew);
            receive(r.in[i].bytes, r.in[i].size);
            kept[i] = malloc(r.in[i].size + 1);
            if (kept[i] == NULL) {
                die("out of ", "memory");
            }
            if (r.in[i].size > 0) {
                memcpy(kept[i], r.in[i].bytes, r.in[i].size);
            }
        }
        answer(&r);
        send(&r.out);
        send(&r.tag);
        putchar(r.returned != 0);
        fflush(stdout);
        if (r.out.bytes != r.in[DATA].bytes) {
            release(r.out.bytes, r.out.size, r.skew ? r.skew % 7u + 1 : 0);
        }
        for (int i = 0; i < FIELDS; i++) {
            /* The IV is the chaining value of a mode. */
            if (!(i == DATA && r.in_place) && !(i == IV && r.mode > 0)) {
                must_equal(r.in[i].bytes, kept[i], r.in[i].size, names[i]);
            }
            release(r.in[i].bytes, r.in[i].size, r.skew);
            free(kept[i]);
        }
        if (r.tag.size > 0) {
            release(r.tag.bytes, r.tag.size, r.skew);
        }
    }
    return 0;
}
