/*
 * Theory. Three ways, by the size of the whole: `rep movsb` keeps up with memcpy in the caches and
 * needs no dispatch inside libc for each page; past the caches a store that does not read its line
 * first saves a third of the traffic. Scattered pages stop the processor's own prefetching at each
 * page, so that the next source is touched a page ahead.
 */
#include "softgpu/device_copy.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#define AHEAD 4096u  /* bytes of the next source that are fetched ahead */
#define BLOCK 128u   /* bytes of one round of the loops */
#define SHORT 16384u /* bytes of a run that string instructions are not worth beginning for */

#if defined(__x86_64__)

/* Bytes of the largest cache, 0 if the processor does not say. */
static uint64_t largest_cache(void)
{
    unsigned leaf = (unsigned)__get_cpuid_max(0x80000000, NULL) >= 0x8000001d ? 0x8000001d : 4;
    uint64_t largest = 0;

    for (unsigned index = 0; index < 8; index++) {
        unsigned a, b, c, d;
        uint64_t size;

        if (!__get_cpuid_count(leaf, index, &a, &b, &c, &d) || (a & 31) == 0)
            break;
        size = (uint64_t)((b >> 22) + 1) * ((b >> 12 & 1023) + 1) * ((b & 4095) + 1) *
               ((uint64_t)c + 1);
        largest = size > largest ? size : largest;
    }
    return largest;
}

void softgpu_mover_init(struct softgpu_mover *mover)
{
    unsigned a, b = 0, c, d;
    uint64_t cache = largest_cache();

    mover->strings = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 9 & 1) != 0;
    mover->wide = __builtin_cpu_supports("avx");
    /* Source and destination share the cache, with the rest of the machine. */
    mover->stream_from = cache != 0 ? cache / 16 * 5 : (uint64_t)8 << 20;
    if (mover->stream_from < (uint64_t)1 << 20)
        mover->stream_from = (uint64_t)1 << 20;
    /* A fill has the cache for its destination alone. */
    mover->stream_fills_from = cache / 4 * 3;
    if (mover->stream_fills_from < mover->stream_from)
        mover->stream_fills_from = mover->stream_from;
}

static void copy_strings(void *destination, const void *source, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(destination), "+S"(source), "+c"(bytes) : : "memory");
}

/* Processors are at their best with bytes, where the pattern allows them. */
static void fill_strings(void *destination, uint64_t twice, size_t words)
{
    size_t bytes = words * 8;

    if (twice == (twice & 0xff) * UINT64_C(0x0101010101010101)) {
        __asm__ volatile("rep stosb" : "+D"(destination), "+c"(bytes) : "a"(twice) : "memory");
        return;
    }
    __asm__ volatile("rep stosq" : "+D"(destination), "+c"(words) : "a"(twice) : "memory");
}

/* Whole blocks, of any alignment. String instructions take their time to begin; this does not. */
__attribute__((target("avx"))) static void copy_wide(void *destination, const void *source,
                                                     size_t blocks)
{
    __m256i *to = destination;
    const __m256i *from = source;

    for (; blocks != 0; blocks--, to += 4, from += 4) {
        __m256i a = _mm256_loadu_si256(from), b = _mm256_loadu_si256(from + 1);
        __m256i c = _mm256_loadu_si256(from + 2), d = _mm256_loadu_si256(from + 3);

        _mm256_storeu_si256(to, a);
        _mm256_storeu_si256(to + 1, b);
        _mm256_storeu_si256(to + 2, c);
        _mm256_storeu_si256(to + 3, d);
    }
}

/* Fetch the block at `next`, if there is one; answers the block behind it. */
static inline const char *fetch_ahead(const char *next)
{
    if (next == NULL)
        return NULL;
    _mm_prefetch(next, _MM_HINT_T0);
    _mm_prefetch(next + 64, _MM_HINT_T0);
    return next + BLOCK;
}

/* Whole blocks, to a destination on a 32-byte boundary. */
__attribute__((target("avx"))) static void stream_wide(void *destination, const void *source,
                                                       size_t blocks, const char *next)
{
    __m256i *to = destination;
    const __m256i *from = source;

    for (; blocks != 0; blocks--, to += 4, from += 4) {
        __m256i a = _mm256_loadu_si256(from), b = _mm256_loadu_si256(from + 1);
        __m256i c = _mm256_loadu_si256(from + 2), d = _mm256_loadu_si256(from + 3);

        next = fetch_ahead(next);
        _mm256_stream_si256(to, a);
        _mm256_stream_si256(to + 1, b);
        _mm256_stream_si256(to + 2, c);
        _mm256_stream_si256(to + 3, d);
    }
}

static void stream_narrow(void *destination, const void *source, size_t blocks, const char *next)
{
    __m128i *to = destination;
    const __m128i *from = source;

    for (; blocks != 0; blocks--, to += 8, from += 8) {
        next = fetch_ahead(next);
        for (int i = 0; i < 8; i++)
            _mm_stream_si128(to + i, _mm_loadu_si128(from + i));
    }
}

static void stream(const struct softgpu_mover *mover, void *destination, const void *source,
                   size_t blocks, const char *next)
{
    if (mover->wide)
        stream_wide(destination, source, blocks, next);
    else
        stream_narrow(destination, source, blocks, next);
}

__attribute__((target("avx"))) static void stream_fill_wide(void *destination, uint64_t twice,
                                                            size_t blocks)
{
    __m256i *to = destination, value = _mm256_set1_epi64x((long long)twice);

    for (; blocks != 0; blocks--, to += 4) {
        _mm256_stream_si256(to, value);
        _mm256_stream_si256(to + 1, value);
        _mm256_stream_si256(to + 2, value);
        _mm256_stream_si256(to + 3, value);
    }
}

static void stream_fill(const struct softgpu_mover *mover, void *destination, uint64_t twice,
                        size_t blocks)
{
    __m128i *to = destination, value = _mm_set1_epi64x((long long)twice);

    if (mover->wide) {
        stream_fill_wide(destination, twice, blocks);
        return;
    }
    for (; blocks != 0; blocks--, to += 8)
        for (int i = 0; i < 8; i++)
            _mm_stream_si128(to + i, value);
}

void softgpu_mover_drain(const struct softgpu_mover *mover)
{
    (void)mover;
    _mm_sfence();
}

#else

void softgpu_mover_init(struct softgpu_mover *mover)
{
    *mover = (struct softgpu_mover){.stream_from = UINT64_MAX, .stream_fills_from = UINT64_MAX};
}

static void copy_strings(void *destination, const void *source, size_t bytes)
{
    memcpy(destination, source, bytes);
}

static void copy_wide(void *destination, const void *source, size_t blocks)
{
    memcpy(destination, source, blocks * BLOCK);
}

static void fill_strings(void *destination, uint64_t twice, size_t words)
{
    char *to = destination;

    for (; words != 0; words--, to += 8)
        memcpy(to, &twice, 8);
}

static void stream(const struct softgpu_mover *mover, void *destination, const void *source,
                   size_t blocks, const char *next)
{
    (void)mover;
    (void)next;
    memcpy(destination, source, blocks * BLOCK);
}

static void stream_fill(const struct softgpu_mover *mover, void *destination, uint64_t twice,
                        size_t blocks)
{
    (void)mover;
    fill_strings(destination, twice, blocks * (BLOCK / 8));
}

void softgpu_mover_drain(const struct softgpu_mover *mover)
{
    (void)mover;
}

#endif

/* Bytes up to the next 32-byte boundary, or all. */
static size_t ragged(const void *destination, size_t bytes)
{
    size_t head = (size_t)(-(uintptr_t)destination & 31);

    return head < bytes ? head : bytes;
}

/* The last AHEAD bytes fetch `next`; within a run the processor looks ahead better by itself. */
static void copy_streaming(const struct softgpu_mover *mover, char *to, const char *from,
                           size_t bytes, const char *next)
{
    size_t head = ragged(to, bytes), body;

    memcpy(to, from, head);
    to += head, from += head, bytes -= head;
    body = bytes > AHEAD ? (bytes - AHEAD) / BLOCK * BLOCK : 0;
    stream(mover, to, from, body / BLOCK, NULL);
    to += body, from += body, bytes -= body;
    body = bytes / BLOCK * BLOCK;
    stream(mover, to, from, body / BLOCK, next);
    memcpy(to + body, from + body, bytes - body);
}

void softgpu_copy(const struct softgpu_mover *mover, void *destination, const void *source,
                  size_t bytes, const void *next, uint64_t total)
{
    if (total >= mover->stream_from)
        copy_streaming(mover, destination, source, bytes, next);
    else if (mover->wide && bytes <= SHORT && bytes % BLOCK == 0)
        copy_wide(destination, source, bytes / BLOCK);
    else if (mover->strings)
        copy_strings(destination, source, bytes);
    else
        memcpy(destination, source, bytes);
}

void softgpu_fill(const struct softgpu_mover *mover, void *destination, uint32_t pattern,
                  unsigned phase, size_t bytes, uint64_t total)
{
    size_t head = ragged(destination, bytes), words;
    unsigned char *to = destination;
    uint32_t turned;
    uint64_t twice;

    for (size_t i = 0; i < head; i++, phase++)
        *to++ = (unsigned char)(pattern >> 8 * (phase & 3));
    bytes -= head;
    phase &= 3;
    turned = phase != 0 ? pattern >> 8 * phase | pattern << (32 - 8 * phase) : pattern;
    twice = (uint64_t)turned << 32 | turned;
    words = bytes / 8;
    if (total >= mover->stream_fills_from) {
        stream_fill(mover, to, twice, bytes / BLOCK);
        fill_strings(to + bytes / BLOCK * BLOCK, twice, words % (BLOCK / 8));
    } else {
        fill_strings(to, twice, words);
    }
    memcpy(to + words * 8, &twice, bytes % 8);
}
