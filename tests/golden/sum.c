/* avr-gcc -mmcu=avr51 -Os -ffreestanding -nostdlib -Wl,-T,sum.ld -Wl,-e,sum sum.c -o sum.elf */
#include <stdint.h>

uint16_t sum(const uint8_t *bytes, uint16_t count) {
    uint16_t total = 0;
    while (count--) {
        total += *bytes++;
    }
    return total;
}

void reverse(uint8_t *bytes, uint16_t count) {
    for (uint16_t i = 0; i < count / 2; i++) {
        uint8_t byte = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = byte;
    }
}
