#include "serpent.h"

#include "sboxes.h"

void serpent_substitute(uint32_t *x, uint8_t box) {
    switch (box) {
    case 0:
        serpent_s0(x);
        break;
    case 1:
        serpent_s1(x);
        break;
    case 2:
        serpent_s2(x);
        break;
    case 3:
        serpent_s3(x);
        break;
    case 4:
        serpent_s4(x);
        break;
    case 5:
        serpent_s5(x);
        break;
    case 6:
        serpent_s6(x);
        break;
    default:
        serpent_s7(x);
        break;
    }
}
