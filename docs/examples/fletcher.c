#include <stdint.h>

/* Fletcher's checksum of length bytes, both sums modulo 255, the second one in the high byte. */
uint16_t fletcher(const uint8_t *bytes, uint8_t length) {
    uint16_t first = 0;
    uint16_t second = 0;

    while (length-- > 0) {
        first += *bytes++;
        if (first >= 255) {
            first -= 255;
        }
        second += first;
        if (second >= 255) {
            second -= 255;
        }
    }
    return (uint16_t)(second << 8 | first);
}
