/* One of gdb's simulators, driven over standard input and output.
 *
 * Linked with the simulator's own library through gdb's interface sim/sim.h. A batch of commands
 * comes in, is carried out as a whole, and its answers go out; nothing is answered in between, so
 * neither side can block the other.
 *
 *   batch and answer    length in bytes (4), then so many bytes
 *
 * All numbers are little-endian. Commands, by their numbers:
 *
 * 1. LAYOUT: big-endian (1), count (2), count x { gdb's register number (2), bytes (1) }: the
 *    registers meant by SET and answered by STEP and RUN, with gdb's numbers of sim-*.h
 * 2. WRITE: address (4), length (4), the bytes
 * 3. SET: index in the layout (2), value (4)
 * 4. STEP: n (4): n instructions, each answered by the state behind it, fewer where the simulator
 *    stops
 * 5. RUN: n (4): the same, answered by the last state alone
 * 6. READ: address (4), length (4): answered by the bytes
 * 7. DIGEST: address (4), length (4): answered by FNV-1a, 64 bits, of the bytes
 * 8. GO: instructions at the simulator's full speed until it stops by itself, answered by the state
 * 11. DISASSEMBLE: address (4), length (4), the bytes, as if they lay there: answered by a length
 *     (4) and so much text, lines of address, bytes and instruction as objdump -d has them (not of
 *     SPARC and ARM)
 *
 * A state is: stop (1: 0 stepped, else what gdb calls the signal, 255 where the program ended),
 * instructions carried out by the command so far (4), clocks since the start (8, 0 where the
 * simulator counts none), the registers of the layout. The answer to STEP begins with the number of
 * states (4).
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bfd.h"
#include "dis-asm.h"
#include "gdb/signals.h"
#include "sim/callback.h"
#include "sim/sim.h"

enum { LAYOUT = 1, WRITE, SET, STEP, RUN, READ, DIGEST, GO, DISASSEMBLE = 11 };
enum { MAX_REGISTERS = 256, ENDED = 255 };

struct buffer {
    uint8_t *bytes;
    size_t length;
    size_t capacity;
};

static SIM_DESC simulator;
static int big_endian;
static unsigned registers;
static struct {
    int number;
    int bytes;
} layout[MAX_REGISTERS];

static struct buffer batch;
static size_t position;
static struct buffer answer;

static void fail(const char *message) {
    fprintf(stderr, "simulator: %s\n", message);
    exit(3);
}

/* What differs between the simulators beyond gdb's interface; the names are those of the libraries.
 */

#if defined(SIMULATOR_SPARC)

/* Its sim_resume ignores the request for a single step. */
extern char sregs[];
extern int run_sim(void *state, uint64_t instructions, int disassemble);
extern uint32_t now(void);

enum { RAN_OUT_OF_INSTRUCTIONS = 1, BREAKPOINT = 2 };

static uint64_t clocks(void) {
    return now();
}

static bfd *program(void) {
    return NULL;
}

static void prepare(void) {
}

static disassembler_ftype instructions(struct disassemble_info *info) {
    (void)info;
    return NULL;
}

static unsigned execute(uint32_t wanted, uint32_t *done) {
    int outcome = run_sim(sregs, wanted, 0);
    *done += wanted;
    if (outcome == RAN_OUT_OF_INSTRUCTIONS)
        return 0;
    return outcome == BREAKPOINT ? GDB_SIGNAL_TRAP : ENDED;
}

#else

#if defined(SIMULATOR_RL78)
extern long long total_clocks;

static uint64_t clocks(void) {
    return (uint64_t)total_clocks;
}
#else
static uint64_t clocks(void) {
    return 0;
}
#endif

/* What it takes for the program: nothing, where it can do without one. */
static bfd *program(void) {
#if defined(SIMULATOR_ARM)
    /* It reads the processor off the program, and finds its byte order nowhere else: an empty one
     * is of any. */
    extern enum bfd_endian current_target_byte_order;
    current_target_byte_order = BFD_ENDIAN_LITTLE;
    bfd_init();
    return bfd_openw("/dev/null", NULL);
#else
    return NULL;
#endif
}

static void prepare(void) {
#if defined(SIMULATOR_M32C)
    /* Without a program file it would be an R8C. bfd's number of the M16C. */
    extern void m32c_set_mach(unsigned long machine);
    m32c_set_mach(0x75);
#endif
}

/* The disassembler, where the distribution has no objdump of the processor. */
static disassembler_ftype instructions(struct disassemble_info *info) {
#if defined(SIMULATOR_MSP430)
    info->arch = bfd_arch_msp430;
#elif defined(SIMULATOR_M32C)
    info->arch = bfd_arch_m32c;
    info->mach = bfd_mach_m16c;
#elif defined(SIMULATOR_RL78)
    extern int g14_multiply;
    extern int print_insn_rl78_g14(bfd_vma address, struct disassemble_info * info);
    info->arch = bfd_arch_rl78;
    if (g14_multiply)
        return print_insn_rl78_g14;
#endif
    return disassembler(info->arch, false, info->mach, NULL);
}

static unsigned stopped(void) {
    enum sim_stop reason;
    int detail = 0;
    sim_stop_reason(simulator, &reason, &detail);
    if (reason != sim_stopped)
        return ENDED;
    return (unsigned)detail;
}

static unsigned execute(uint32_t wanted, uint32_t *done) {
    while (wanted-- != 0) {
        unsigned signal;
        sim_resume(simulator, 1, 0);
        *done += 1;
        signal = stopped();
        if (signal != GDB_SIGNAL_TRAP)
            return signal;
    }
    return 0;
}

#endif

/* Buffers. */

static void reserve(struct buffer *buffer, size_t more) {
    if (buffer->length + more <= buffer->capacity)
        return;
    buffer->capacity = 2 * (buffer->length + more);
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    if (buffer->bytes == NULL)
        fail("out of memory");
}

static uint8_t *take(size_t length) {
    uint8_t *bytes = batch.bytes + position;
    if (length > batch.length - position)
        fail("the batch ends within a command");
    position += length;
    return bytes;
}

static uint32_t number(unsigned bytes) {
    uint8_t *from = take(bytes);
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static void put(uint64_t value, unsigned bytes) {
    reserve(&answer, bytes);
    for (unsigned i = 0; i < bytes; i++)
        answer.bytes[answer.length++] = (uint8_t)(value >> 8 * i);
}

static void put_state(unsigned stop, uint32_t instructions) {
    put(stop, 1);
    put(instructions, 4);
    put(clocks(), 8);
    for (unsigned i = 0; i < registers; i++) {
        uint8_t raw[8] = {0};
        int bytes = layout[i].bytes;
        sim_fetch_register(simulator, layout[i].number, raw, bytes);
        for (int at = 0; at < bytes; at++)
            put(raw[big_endian ? bytes - 1 - at : at], 1);
    }
}

/* Commands. */

static void set_layout(void) {
    big_endian = (int)number(1);
    registers = number(2);
    if (registers > MAX_REGISTERS)
        fail("too many registers in the layout");
    for (unsigned i = 0; i < registers; i++) {
        layout[i].number = (int)number(2);
        layout[i].bytes = (int)number(1);
        if (layout[i].bytes < 1 || layout[i].bytes > 4)
            fail("a register has one to four bytes");
    }
}

static void set_register(void) {
    uint32_t index = number(2);
    uint32_t value = number(4);
    uint8_t raw[4];
    int bytes;
    if (index >= registers)
        fail("the layout has no such register");
    bytes = layout[index].bytes;
    for (int at = 0; at < bytes; at++)
        raw[big_endian ? bytes - 1 - at : at] = (uint8_t)(value >> 8 * at);
    sim_store_register(simulator, layout[index].number, raw, bytes);
}

static void step_each(void) {
    uint32_t wanted = number(4);
    uint32_t done = 0;
    size_t count_at = answer.length;
    unsigned stop = 0;
    put(0, 4);
    while (done < wanted && stop == 0) {
        stop = execute(1, &done);
        put_state(stop, done);
    }
    for (unsigned i = 0; i < 4; i++)
        answer.bytes[count_at + i] = (uint8_t)(done >> 8 * i);
}

static void run(void) {
    uint32_t done = 0;
    unsigned stop = execute(number(4), &done);
    put_state(stop, done);
}

static void go(void) {
    enum sim_stop reason;
    int detail = 0;
    sim_resume(simulator, 0, 0);
    sim_stop_reason(simulator, &reason, &detail);
    put_state(reason == sim_stopped ? (unsigned)detail : ENDED, 0);
}

static void read_memory(void) {
    uint32_t address = number(4);
    uint32_t length = number(4);
    reserve(&answer, length);
    memset(answer.bytes + answer.length, 0, length);
    sim_read(simulator, address, answer.bytes + answer.length, (int)length);
    answer.length += length;
}

static void digest(void) {
    size_t start = answer.length;
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    read_memory();
    for (size_t at = start; at < answer.length; at++)
        hash = (hash ^ answer.bytes[at]) * UINT64_C(0x100000001B3);
    answer.length = start;
    put(hash, 8);
}

static int print_styled(void *stream, enum disassembler_style style, const char *format, ...) {
    va_list values;
    int length;
    (void)style;
    va_start(values, format);
    length = vfprintf(stream, format, values);
    va_end(values);
    return length;
}

static void print_address(bfd_vma address, struct disassemble_info *info) {
    info->fprintf_func(info->stream, "0x%lx", (unsigned long)address);
}

static FILE *open_text(char **text, size_t *length) {
    FILE *stream = open_memstream(text, length);
    if (stream == NULL)
        fail("out of memory");
    return stream;
}

/* One line; returns the bytes of the instruction. */
static int disassemble_one(disassembler_ftype print, struct disassemble_info *info, uint32_t at,
                           FILE *listing) {
    char *text;
    size_t length;
    uint32_t address = (uint32_t)info->buffer_vma + at;
    FILE *instruction = open_text(&text, &length);
    int bytes;
    info->stream = instruction;
    bytes = print(address, info);
    fclose(instruction);
    if (bytes > 0 && (size_t)bytes <= info->buffer_length - at) {
        fprintf(listing, "%x:\t", (unsigned)address);
        for (int i = 0; i < bytes; i++)
            fprintf(listing, "%02x ", info->buffer[at + (uint32_t)i]);
        fprintf(listing, "\t%s\n", text);
    }
    free(text);
    return bytes;
}

static void disassemble(void) {
    uint32_t address = number(4);
    uint32_t length = number(4);
    disassembler_ftype print;
    struct disassemble_info info;
    char *text;
    size_t text_length;
    FILE *listing = open_text(&text, &text_length);

    init_disassemble_info(&info, NULL, (fprintf_ftype)fprintf, print_styled);
    info.endian = BFD_ENDIAN_LITTLE;
    info.print_address_func = print_address;
    info.buffer = take(length);
    info.buffer_vma = address;
    info.buffer_length = length;
    print = instructions(&info);
    if (print == NULL)
        fail("there is no disassembler here");
    disassemble_init_for_target(&info);
    /* The M16C's opcodes are described as big-endian numbers. */
    info.endian_code = info.endian;
    for (uint32_t at = 0; at < length;) {
        int bytes = disassemble_one(print, &info, at, listing);
        if (bytes <= 0)
            break;
        at += (uint32_t)bytes;
    }
    disassemble_free_target(&info);

    fclose(listing);
    put(text_length, 4);
    for (size_t i = 0; i < text_length; i++)
        put((uint8_t)text[i], 1);
    free(text);
}

static void carry_out(void) {
    uint32_t address;
    uint32_t length;
    switch (number(1)) {
    case LAYOUT:
        set_layout();
        break;
    case WRITE:
        address = number(4);
        length = number(4);
        sim_write(simulator, address, take(length), (int)length);
        break;
    case SET:
        set_register();
        break;
    case STEP:
        step_each();
        break;
    case RUN:
        run();
        break;
    case READ:
        read_memory();
        break;
    case DIGEST:
        digest();
        break;
    case GO:
        go();
        break;
    case DISASSEMBLE:
        disassemble();
        break;
    default:
        fail("no such command");
    }
}

/* 0 at the end of the input. */
static int read_exactly(int file, uint8_t *bytes, size_t length) {
    size_t done = 0;
    while (done < length) {
        ssize_t count = read(file, bytes + done, length - done);
        if (count <= 0)
            return 0;
        done += (size_t)count;
    }
    return 1;
}

static void write_exactly(int file, const uint8_t *bytes, size_t length) {
    size_t done = 0;
    while (done < length) {
        ssize_t count = write(file, bytes + done, length - done);
        if (count <= 0)
            exit(0);
        done += (size_t)count;
    }
}

int main(int count, char **arguments) {
    /* A simulator may print on standard output and read a terminal's input: neither may meet the
     * commands. */
    int commands = dup(STDIN_FILENO);
    int answers = dup(STDOUT_FILENO);
    bfd *image;
    (void)count;
    if (freopen("/dev/null", "r", stdin) == NULL || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        fail("the standard files cannot be moved");
    signal(SIGPIPE, SIG_IGN);

    default_callback.init(&default_callback);
    image = program();
    simulator = sim_open(SIM_OPEN_DEBUG, &default_callback, NULL, arguments);
    if (simulator == NULL)
        fail("the simulator does not open");
    prepare();
    sim_create_inferior(simulator, image, NULL, NULL);

    for (;;) {
        uint8_t header[4];
        if (!read_exactly(commands, header, sizeof header))
            return 0;
        batch.length =
            header[0] | (size_t)header[1] << 8 | (size_t)header[2] << 16 | (size_t)header[3] << 24;
        if (batch.length > batch.capacity) {
            batch.capacity = batch.length;
            batch.bytes = realloc(batch.bytes, batch.capacity);
            if (batch.bytes == NULL)
                fail("out of memory");
        }
        if (!read_exactly(commands, batch.bytes, batch.length))
            return 0;
        position = 0;
        answer.length = 0;
        put(0, 4);
        while (position < batch.length)
            carry_out();
        for (unsigned i = 0; i < 4; i++)
            answer.bytes[i] = (uint8_t)((answer.length - 4) >> 8 * i);
        write_exactly(answers, answer.bytes, answer.length);
    }
}
