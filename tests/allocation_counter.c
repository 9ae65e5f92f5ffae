/* Counts what a process asks of the C heap: put before the C library by LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_llong calls;
static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);

/* dlsym itself may call calloc before it has found it. */
static char early[65536];
static size_t early_used;

__attribute__((constructor)) static void find(void) {
    real_malloc = dlsym(RTLD_NEXT, "malloc");
    real_realloc = dlsym(RTLD_NEXT, "realloc");
    real_calloc = dlsym(RTLD_NEXT, "calloc");
}

long long allocation_count(void) { return atomic_load(&calls); }

void *malloc(size_t size) {
    if (!real_malloc) find();
    atomic_fetch_add(&calls, 1);
    return real_malloc(size);
}

void *realloc(void *block, size_t size) {
    if (!real_realloc) find();
    atomic_fetch_add(&calls, 1);
    return real_realloc(block, size);
}

void *calloc(size_t count, size_t size) {
    if (!real_calloc) {
        void *block = early + early_used;
        early_used += (count * size + 15) & ~(size_t)15;
        return early_used <= sizeof early ? block : NULL;
    }
    atomic_fetch_add(&calls, 1);
    return real_calloc(count, size);
}
