/*
 * Theory.
 *
 * k is a bijection of (id, page) for a given (seed, number, sector): mix() has an inverse. So a
 * sector tells whose it is, without a table of who exists: the words are linear in j, their first
 * difference is the stride, the stride must be the one that belongs to k, and k undone is the id
 * and page. A check costs one multiplication or two a sector, and a pass over the words; the rest
 * is the memory's.
 *
 * Invariants of a page that is right after g writes of the GPU and c of the CPU:
 *   C1  GPU sector s holds the largest number n <= g with (n - 1) % 4 == s, or zeros if there is
 *       none
 *   C2  CPU sector 4 + s holds the largest number n <= c with (n - 1) % 4 == s, or zeros
 *   C3  c is the largest word 0 of sectors 4 .. 7
 */
#include "base/content.h"

#define WORDS (VIDMM_CONTENT_SECTOR / 8u)
#define HALF (VIDMM_CONTENT_SECTORS / 2u)

/* Two words at once, laid out alike by every compiler and machine; may_alias: pages have no
 * type. */
typedef uint64_t pair __attribute__((vector_size(16), may_alias));
typedef uint64_t word __attribute__((may_alias));

/* A bijection of 64-bit words whose every output bit depends on every input bit. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

/* The argument for which mix() answered x. The constant is the inverse of its multiplier modulo
 * 2^64. */
static uint64_t unmix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xcfee444d8b59a89bu;
    x ^= x >> 32;
    x *= 0xcfee444d8b59a89bu;
    x ^= x >> 32;
    return x;
}

/* The part of a sector's value that does not depend on whose it is. */
static uint64_t salt(uint64_t seed, uint32_t number, uint32_t sector)
{
    return mix(seed +
               0x9e3779b97f4a7c15u * ((uint64_t)number * VIDMM_CONTENT_SECTORS + sector + 1));
}

static uint64_t owner(struct vidmm_content_key key, uint32_t page_index)
{
    return (uint64_t)key.id << 32 | page_index;
}

static uint64_t stride_of(uint64_t k)
{
    return (k * 0x2545f4914f6cdd1du) | 1;
}

/* C1, C2: the number that sector `index` of four holds after `last` writes. */
static uint32_t number_of(uint32_t last, uint32_t index)
{
    return last > index ? last - (last - 1 - index) % HALF : 0;
}

static bool sector_is(const void *sector, uint32_t number, uint64_t k, uint64_t stride)
{
    const word *words = sector;
    const pair *pairs = sector;
    pair wrong = {words[0] ^ number, words[1] ^ (k + stride)};
    pair expected = {k + 2 * stride, k + 3 * stride};
    pair step = {2 * stride, 2 * stride};

    for (uint32_t i = 1; i < WORDS / 2; i++) {
        wrong |= pairs[i] ^ expected;
        expected += step;
    }
    return (wrong[0] | wrong[1]) == 0;
}

static bool sector_is_zeros(const void *sector)
{
    const pair *pairs = sector;
    pair any = pairs[0];

    for (uint32_t i = 1; i < WORDS / 2; i++)
        any |= pairs[i];
    return (any[0] | any[1]) == 0;
}

static bool sector_holds(const void *sector, uint64_t who, uint64_t seed, uint32_t number,
                         uint32_t index)
{
    uint64_t k;

    if (number == 0)
        return sector_is_zeros(sector);
    k = mix(who ^ salt(seed, number, index));
    return sector_is(sector, number, k, stride_of(k));
}

static void write_sector(void *page, uint64_t who, uint64_t seed, uint32_t number, uint32_t index)
{
    word *words = (word *)page + index * WORDS;
    pair *pairs = (pair *)page + index * (WORDS / 2);
    uint64_t k = mix(who ^ salt(seed, number, index)), stride = stride_of(k);
    pair value = {k + 2 * stride, k + 3 * stride};
    pair step = {2 * stride, 2 * stride};

    words[0] = number;
    words[1] = k + stride;
    for (uint32_t i = 1; i < WORDS / 2; i++) {
        pairs[i] = value;
        value += step;
    }
}

static const void *sector_at(const void *page, uint32_t index)
{
    return (const unsigned char *)page + index * VIDMM_CONTENT_SECTOR;
}

/* C3. A word that no write left counts as no write: the check of its sector then fails. */
uint32_t vidmm_content_cpu_number(const void *page)
{
    const word *words = page;
    uint64_t last = 0;

    for (uint32_t s = HALF; s < VIDMM_CONTENT_SECTORS; s++) {
        uint64_t number = words[s * WORDS];

        if (number > last)
            last = number;
    }
    return last > UINT32_MAX ? 0 : (uint32_t)last;
}

bool vidmm_content_check_page(const void *page, struct vidmm_content_key key, uint32_t page_index,
                              uint32_t generation, uint64_t *digest)
{
    uint64_t who = owner(key, page_index);
    uint32_t written = vidmm_content_cpu_number(page);

    for (uint32_t s = 0; s < VIDMM_CONTENT_SECTORS; s++) {
        uint32_t number = s < HALF ? number_of(generation, s) : number_of(written, s - HALF);

        if (!sector_holds(sector_at(page, s), who, key.seed, number, s))
            return false;
    }
    *digest += vidmm_content_digest(key, page_index, written);
    return true;
}

void vidmm_content_write_gpu(void *page, struct vidmm_content_key key, uint32_t page_index,
                             uint32_t generation)
{
    write_sector(page, owner(key, page_index), key.seed, generation, (generation - 1) % HALF);
}

void vidmm_content_write_cpu(void *page, struct vidmm_content_key key, uint32_t page_index,
                             uint32_t number)
{
    write_sector(page, owner(key, page_index), key.seed, number, HALF + (number - 1) % HALF);
}

uint64_t vidmm_content_digest(struct vidmm_content_key key, uint32_t page_index, uint32_t number)
{
    if (number == 0)
        return 0;
    return mix(owner(key, page_index) ^ salt(~key.seed, number, VIDMM_CONTENT_SECTORS - 1));
}

static bool sector_is_uniform(const void *sector)
{
    const word *words = sector;

    for (uint32_t i = 1; i < WORDS; i++)
        if (words[i] != words[0])
            return false;
    return true;
}

/* Find the write that a sector holds, if it holds one of this run at all. */
static bool identify(const void *sector, uint64_t seed, uint32_t index, uint32_t *number,
                     uint32_t *id, uint32_t *page_index)
{
    const word *words = sector;
    uint64_t stride = words[2] - words[1], k = words[1] - stride, who;

    if (words[0] == 0 || words[0] > UINT32_MAX || stride != stride_of(k))
        return false;
    *number = (uint32_t)words[0];
    if (!sector_is(sector, *number, k, stride))
        return false;
    who = unmix(k) ^ salt(seed, *number, index);
    *id = (uint32_t)(who >> 32);
    *page_index = (uint32_t)who;
    return true;
}

static uint64_t first_wrong_word(const void *sector, uint64_t who, uint64_t seed, uint32_t number,
                                 uint32_t index)
{
    const word *words = sector;
    uint64_t k = number != 0 ? mix(who ^ salt(seed, number, index)) : 0;
    uint64_t stride = number != 0 ? stride_of(k) : 0;

    if (words[0] != number)
        return words[0];
    for (uint32_t i = 1; i < WORDS; i++)
        if (words[i] != k + i * stride)
            return words[i];
    return 0;
}

static void classify(struct vidmm_content_finding *finding, const void *sector,
                     struct vidmm_content_key key, uint32_t page_index)
{
    uint32_t id, page, number;

    if (sector_is_zeros(sector)) {
        finding->kind = VIDMM_CONTENT_ZEROS;
    } else if (sector_is_uniform(sector)) {
        finding->kind = VIDMM_CONTENT_UNIFORM;
    } else if (!identify(sector, key.seed, finding->sector, &number, &id, &page)) {
        finding->kind = VIDMM_CONTENT_GARBAGE;
    } else {
        finding->number = number;
        finding->id = id;
        finding->page = page;
        if (id != key.id)
            finding->kind = VIDMM_CONTENT_FOREIGN;
        else if (page != page_index)
            finding->kind = VIDMM_CONTENT_SHIFTED;
        else
            finding->kind = number < finding->expected ? VIDMM_CONTENT_STALE : VIDMM_CONTENT_NEWER;
    }
}

struct vidmm_content_finding vidmm_content_examine(const void *page, struct vidmm_content_key key,
                                                   uint32_t page_index, uint32_t generation)
{
    struct vidmm_content_finding finding = {.kind = VIDMM_CONTENT_RIGHT};
    uint64_t who = owner(key, page_index);
    uint32_t written = vidmm_content_cpu_number(page);

    for (uint32_t s = 0; s < VIDMM_CONTENT_SECTORS; s++) {
        const void *sector = sector_at(page, s);
        uint32_t number = s < HALF ? number_of(generation, s) : number_of(written, s - HALF);

        if (sector_holds(sector, who, key.seed, number, s))
            continue;
        finding.sector = s;
        finding.expected = number;
        finding.word = first_wrong_word(sector, who, key.seed, number, s);
        classify(&finding, sector, key, page_index);
        return finding;
    }
    return finding;
}

const char *vidmm_content_kind_name(enum vidmm_content_kind kind)
{
    static const char *const names[] = {
        [VIDMM_CONTENT_RIGHT] = "right",
        [VIDMM_CONTENT_STALE] = "an earlier write",
        [VIDMM_CONTENT_NEWER] = "a later write",
        [VIDMM_CONTENT_SHIFTED] = "another page of the allocation",
        [VIDMM_CONTENT_FOREIGN] = "another allocation",
        [VIDMM_CONTENT_ZEROS] = "zeros",
        [VIDMM_CONTENT_UNIFORM] = "one value all over",
        [VIDMM_CONTENT_GARBAGE] = "garbage",
        [VIDMM_CONTENT_LOST_CPU] = "a CPU write lost",
    };

    return names[kind];
}
