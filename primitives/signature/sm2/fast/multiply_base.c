#include "comb.h"

#include <string.h>

/* No sum meets equal or opposite points: before the addition the multiple is even in each of its
 * four parts, and with the summand it is below n. */
void sm2_multiply_base(sm2_point *r, const limb *k) {
    sm2_affine multiple;
    uint8_t i;
    memset(r, 0, sizeof *r);
    for (i = 64; i-- > 0;) {
        uint8_t digit = sm2_comb_digit(k, i);
        sm2_double(r);
        sm2_comb_look_up(&multiple, digit);
        sm2_add_point(r, &multiple, (limb)(0u - (uint8_t)((uint8_t)(digit + 15) >> 4)));
    }
}
