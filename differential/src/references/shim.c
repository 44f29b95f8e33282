/* The few accesses to simavr's structures the comparison needs, so that Rust never mirrors their
 * layout. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <sim_avr.h>
#include <sim_core.h>

/* NULL for a chip simavr does not know. `ram_end` 0 keeps the chip's own; a larger one adds plain
 * RAM behind it, which is how simavr gets the lab memory. */
avr_t *shim_create(const char *chip, uint16_t ram_end) {
    avr_t *avr = avr_make_mcu_by_name(chip);
    if (avr == NULL)
        return NULL;
    if (ram_end > avr->ramend)
        avr->ramend = ram_end;
    avr_init(avr);
    return avr;
}

void shim_destroy(avr_t *avr) {
    avr_terminate(avr);
    free(avr);
}

#define READ(type, name, value)                                                                    \
    type shim_##name(avr_t *avr) {                                                                 \
        return value;                                                                              \
    }
READ(uint8_t *, data, avr->data)
READ(uint8_t *, flash, avr->flash)
READ(uint32_t, flash_bytes, avr->flashend + 1)
READ(uint32_t, data_bytes, (uint32_t)avr->ramend + 1)
READ(uint32_t, eeprom_bytes, avr->e2end + 1)
READ(uint32_t, io_end, avr->ioend)
READ(uint32_t, pc, avr->pc)
READ(uint64_t, cycles, avr->cycle)
READ(uint32_t, rampz, avr->rampz)

void shim_set_pc(avr_t *avr, uint32_t pc) {
    avr->pc = pc;
}

/* Brings data[SREG] up to date: simavr keeps the flags apart and joins them only when read. */
uint8_t shim_sreg(avr_t *avr) {
    READ_SREG_INTO(avr, avr->data[R_SREG]);
    return avr->data[R_SREG];
}

void shim_set_sreg(avr_t *avr, uint8_t value) {
    avr->data[R_SREG] = value;
    for (int bit = 0; bit < 8; bit++)
        avr->sreg[bit] = (value >> bit) & 1;
}

/* Plain storage: neither a peripheral's callback nor a signal hangs on the register at this data
 * address. */
int shim_io_is_plain(const avr_t *avr, uint16_t address) {
    if (address < 32 || address - 32 >= MAX_IOs)
        return 0;
    uint16_t io = AVR_DATA_TO_IO(address);
    return avr->io[io].r.c == NULL && avr->io[io].w.c == NULL && avr->io[io].irq == NULL;
}

/* One instruction, no timers and no interrupts. */
void shim_step(avr_t *avr) {
    avr->state = cpu_Running;
    avr->run_cycle_count = 0;
    avr->pc = avr_run_one(avr);
}

/* simavr's own run loop until it stops by itself (SLEEP with interrupts off, or a crash); 1 where
 * it slept. `burst_cycles` is how long it may run between looks at its timers. */
int shim_run(avr_t *avr, uint64_t burst_cycles) {
    avr->state = cpu_Running;
    avr->run_cycle_limit = burst_cycles;
    for (;;) {
        int state = avr_run(avr);
        if (state == cpu_Done)
            return 1;
        if (state == cpu_Crashed || state == cpu_Stopped)
            return 0;
    }
}
