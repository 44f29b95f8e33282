/* malloc and its kin for code of others, between the statics and the stack: blocks one behind the
 * other, the first that is large enough is taken. What was in use at most, and what was asked for
 * in vain, is for the bench to read. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WEAK __attribute__((weak))

typedef struct {
    size_t bytes;
    size_t used;
} block;

/* Symbols of the linker script, by the names that it has for C. */
extern uint8_t _end[];
extern uint8_t __stack[];

size_t harness_heap_bytes;
size_t harness_heap_lacking;
static uint8_t *limit;

static uint8_t *behind(block *one) {
    return (uint8_t *)(one + 1) + one->bytes;
}

/* Join a free block with the free ones behind it. */
static void join(block *one) {
    while (behind(one) < limit && !((block *)behind(one))->used) {
        one->bytes += sizeof(block) + ((block *)behind(one))->bytes;
    }
}

static block *taken(block *one, size_t bytes) {
    size_t rest = one->bytes - bytes;
    if (rest > sizeof(block)) {
        one->bytes = bytes;
        block *other = (block *)behind(one);
        other->bytes = rest - sizeof(block);
        other->used = 0;
    }
    one->used = 1;
    return one;
}

/* Return where the stack is; where its highest byte would be if it lies elsewhere. It is that of a
 * local, since clang for the AVR fails on __builtin_frame_address. */
static __attribute__((noinline)) uintptr_t stack(void) {
    volatile uint8_t here = 0;
    uintptr_t place = (uintptr_t)&here;
    (void)here;
    int between = place > (uintptr_t)_end && place < (uintptr_t)__stack;
    return between ? place : (uintptr_t)__stack;
}

WEAK void *malloc(size_t bytes) {
    size_t rounded = (bytes + sizeof(block) - 1) / sizeof(block) * sizeof(block);
    uint8_t *place = _end;
    if (rounded < bytes) {
        return NULL;
    }
    if (limit == NULL) {
        limit = _end;
    }
    while (place < limit) {
        block *one = (block *)place;
        if (!one->used) {
            join(one);
            if (one->bytes >= rounded) {
                return taken(one, rounded) + 1;
            }
        }
        place = behind(one);
    }
    uintptr_t end = stack();
    size_t room = end < (uintptr_t)limit ? 0 : end - (uintptr_t)limit;
    if (room < sizeof(block) || room - sizeof(block) < rounded) {
        harness_heap_lacking = bytes;
        return NULL;
    }
    block *one = (block *)limit;
    one->bytes = rounded;
    one->used = 1;
    limit = behind(one);
    if (harness_heap_bytes < (size_t)(limit - _end)) {
        harness_heap_bytes = (size_t)(limit - _end);
    }
    return one + 1;
}

WEAK void free(void *memory) {
    if (memory != NULL) {
        block *one = (block *)memory - 1;
        one->used = 0;
        join(one);
        if (behind(one) == limit) {
            limit = (uint8_t *)one;
        }
    }
}

WEAK void *calloc(size_t count, size_t bytes) {
    size_t whole = count * bytes;
    if (bytes != 0 && whole / bytes != count) {
        return NULL;
    }
    void *memory = malloc(whole);
    return memory == NULL ? NULL : memset(memory, 0, whole);
}

WEAK void *realloc(void *old, size_t bytes) {
    void *memory = malloc(bytes);
    if (memory != NULL && old != NULL) {
        size_t had = ((block *)old - 1)->bytes;
        memcpy(memory, old, had < bytes ? had : bytes);
        free(old);
    }
    return memory;
}

/* Operators of C++: new and delete, for a size_t that is an unsigned int or an unsigned long. */
WEAK void *_Znwj(size_t bytes) {
    return malloc(bytes);
}

WEAK void *_Znwm(size_t bytes) {
    return malloc(bytes);
}

WEAK void _ZdlPv(void *memory) {
    free(memory);
}

WEAK void _ZdlPvj(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

WEAK void _ZdlPvm(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

WEAK void __cxa_pure_virtual(void) {
    for (;;) {
    }
}
