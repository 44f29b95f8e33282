/* What a driver of one kind of primitive gives and gets; driver.c reads the requests. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t *bytes;
    size_t size;
} field;

enum { KEY, IV, AD, DATA, TAG, FIELDS };

typedef struct {
    char operation;
    uint8_t mode;     /* 0 for none, then in the order of their names */
    uint8_t in_place; /* the output is to lie where DATA does */
    uint8_t inverse;  /* the key is set up by block_init_decrypt */
    uint8_t skew;     /* what every buffer's address is off by */
    size_t cuts;      /* where DATA is cut into pieces */
    size_t cut[64];
    field in[FIELDS];
    field out;
    field tag;
    int returned;
} request;

/* Fills out, and tag where there is one. */
void answer(request *r);

/* A buffer of exactly this many bytes; release dies where bytes before or after it were written. */
uint8_t *reserve(size_t size, size_t skew);
void release(uint8_t *bytes, size_t size, size_t skew);
/* DATA with room for as many bytes of output, which is DATA itself for a request in place. */
void output_like_data(request *r);
/* Piece number i of the DATA, from its start to its end. */
size_t cut_start(const request *r, size_t i);
/* Ends the program with the reason on standard error unless the two are alike. */
void must_equal(const void *a, const void *b, size_t size, const char *what);

#endif
