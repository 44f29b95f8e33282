#include "aes.h"

void aes_rotate_row(uint8_t *row) {
    uint8_t first = row[0];

    row[0] = row[4];
    row[4] = row[8];
    row[8] = row[12];
    row[12] = first;
}
