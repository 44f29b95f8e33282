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

uint8_t *shim_data(avr_t *avr) {
    return avr->data;
}
uint8_t *shim_flash(avr_t *avr) {
    return avr->flash;
}
uint32_t shim_flash_bytes(const avr_t *avr) {
    return avr->flashend + 1;
}
uint32_t shim_data_bytes(const avr_t *avr) {
    return (uint32_t)avr->ramend + 1;
}
uint32_t shim_eeprom_bytes(const avr_t *avr) {
    return avr->e2end + 1;
}
uint32_t shim_io_end(const avr_t *avr) {
    return avr->ioend;
}
uint32_t shim_pc(const avr_t *avr) {
    return avr->pc;
}
void shim_set_pc(avr_t *avr, uint32_t pc) {
    avr->pc = pc;
}
uint64_t shim_cycles(const avr_t *avr) {
    return avr->cycle;
}
uint32_t shim_rampz(const avr_t *avr) {
    return avr->rampz;
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
