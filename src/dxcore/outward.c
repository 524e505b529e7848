/* outward.c: a structure with text is a row: bytes, characters, bytes. */
#include "dxcore/outward.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <wddm/d3dkmddi.h>
#include <wddm/d3dkmthk.h>
#include <wddm/d3dkmthk_query.h>
#include <wddm/ntstatus.h>

#include "thunk/calls.h"
#include "thunk/process.h"

enum { NARROW = 2, WIDE = 4, MOST = 1 << 20 };

/* Value types of a registry that are text: REG_SZ, REG_EXPAND_SZ, REG_MULTI_SZ. */
enum { VALUE_TEXT = 1, VALUE_EXPAND = 2, VALUE_MULTI = 7 };

static const struct shape {
    KMTQUERYADAPTERINFOTYPE type;
    const char *name;
    uint32_t head, characters, tail; /* bytes, characters, bytes */
    uint32_t rest;                   /* bytes that follow at least, and may be more; 0: none do */
} shapes[] = {
    {KMTQAITYPE_UMDRIVERNAME, "UMDRIVERNAME", 4, 260, 0, 0},
    {KMTQAITYPE_UMOPENGLINFO, "UMOPENGLINFO", 0, 260, 8, 0},
    {KMTQAITYPE_ADAPTERREGISTRYINFO, "ADAPTERREGISTRYINFO", 0, 1040, 0, 0},
    {KMTQAITYPE_ADAPTERREGISTRYINFO_RENDER, "ADAPTERREGISTRYINFO_RENDER", 0, 1040, 0, 0},
    {KMTQAITYPE_DLIST_DRIVER_NAME, "DLIST_DRIVER_NAME", 0, 260, 0, 0},
    {KMTQAITYPE_NODEMETADATA, "NODEMETADATA", 8, DXGK_MAX_METADATA_NAME_LENGTH, 6, 0},
    {KMTQAITYPE_CPDRIVERNAME, "CPDRIVERNAME", 0, 260, 0, 0},
    {KMTQAITYPE_QUERYREGISTRY, "QUERYREGISTRY", 8, 260, 16, 8},
    {KMTQAITYPE_QUERY_ADAPTER_UNIQUE_GUID, "QUERY_ADAPTER_UNIQUE_GUID", 0, 40, 0, 0},
    {KMTQUITYPE_GPUVERSION, "GPUVERSION", 4, 64, 0, 0},
    {KMTQAITYPE_DRIVER_DESCRIPTION, "DRIVER_DESCRIPTION", 0, 4096, 0, 0},
    {KMTQAITYPE_DRIVER_DESCRIPTION_RENDER, "DRIVER_DESCRIPTION_RENDER", 0, 4096, 0, 0},
    {KMTQAITYPE_DISPLAY_UMDRIVERNAME, "DISPLAY_UMDRIVERNAME", 4, 260, 0, 0},
};

_Static_assert(sizeof(D3DKMT_UMDFILENAMEINFO) == 4 + 260 * NARROW, "UMDRIVERNAME");
_Static_assert(sizeof(D3DKMT_OPENGLINFO) == 260 * NARROW + 8, "UMOPENGLINFO");
_Static_assert(sizeof(D3DKMT_ADAPTERREGISTRYINFO) == 1040 * NARROW, "ADAPTERREGISTRYINFO");
_Static_assert(sizeof(D3DKMT_NODEMETADATA) == 8 + 32 * NARROW + 6, "NODEMETADATA");
_Static_assert(sizeof(D3DDDI_QUERYREGISTRY_INFO) == 8 + 260 * NARROW + 24, "QUERYREGISTRY");
_Static_assert(sizeof(D3DKMT_GPUVERSION) == 4 + 64 * NARROW, "GPUVERSION");

static uint16_t narrow_at(const void *text, uint32_t index)
{
    uint16_t character;

    memcpy(&character, (const unsigned char *)text + index * NARROW, sizeof(character));
    return character;
}

static void put_narrow(void *text, uint32_t index, uint32_t character)
{
    uint16_t put = (uint16_t)character;

    memcpy((unsigned char *)text + index * NARROW, &put, sizeof(put));
}

void vidmm_outward_widen(void *to, const void *from, uint32_t count)
{
    unsigned char *at = to;
    uint32_t written = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t one = narrow_at(from, i), next = i + 1 < count ? narrow_at(from, i + 1) : 0;

        if (one >= 0xD800 && one < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
            one = 0x10000 + ((one - 0xD800) << 10) + (next - 0xDC00);
            i++;
        }
        memcpy(at + WIDE * written++, &one, sizeof(one));
    }
    memset(at + WIDE * written, 0, WIDE * (count - written));
}

void vidmm_outward_narrow(void *to, const void *from, uint32_t count)
{
    uint32_t written = 0;

    for (uint32_t i = 0; i < count && written < count; i++) {
        uint32_t one;

        memcpy(&one, (const unsigned char *)from + i * WIDE, sizeof(one));
        if (one < 0x10000) {
            put_narrow(to, written++, one);
        } else if (written + 1 < count && one < 0x110000) {
            put_narrow(to, written++, 0xD800 + ((one - 0x10000) >> 10));
            put_narrow(to, written++, 0xDC00 + ((one - 0x10000) & 0x3FF));
        } else {
            put_narrow(to, written++, 0xFFFD);
        }
    }
    while (written < count)
        put_narrow(to, written++, 0);
}

static const struct shape *shape_of(KMTQUERYADAPTERINFOTYPE type)
{
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        if (shapes[i].type == type)
            return &shapes[i];
    return NULL;
}

/* ---- a value of the registry ----------------------------------------------------------------- */

/* Behind the name: ValueType, PhysicalAdapterIndex, OutputValueSize, Status. */
enum { VALUE_TYPE = 0, VALUE_SIZE = 8 };

static uint32_t word_at(const unsigned char *bytes)
{
    uint32_t word;

    memcpy(&word, bytes, sizeof(word));
    return word;
}

/* Is the output text? `tail` is behind the name. */
static bool is_text(const unsigned char *bytes, const unsigned char *tail)
{
    uint32_t type = word_at(bytes), value = word_at(tail + VALUE_TYPE);

    if (type != D3DDDI_QUERYREGISTRY_SERVICEKEY && type != D3DDDI_QUERYREGISTRY_ADAPTERKEY)
        return true; /* a path */
    return value == VALUE_TEXT || value == VALUE_EXPAND || value == VALUE_MULTI;
}

/* ---- the two forms --------------------------------------------------------------------------- */

/* A question in both forms. */
struct forms {
    const struct shape *shape;
    unsigned char *wide, *narrow;    /* the program's; ours */
    uint32_t rest_wide, rest_narrow; /* bytes behind the tail */
};

static uint32_t size_of(const struct shape *shape, uint32_t character)
{
    return shape->head + shape->characters * character + shape->tail;
}

static void narrow(const struct forms *forms)
{
    const struct shape *shape = forms->shape;

    memcpy(forms->narrow, forms->wide, shape->head);
    vidmm_outward_narrow(forms->narrow + shape->head, forms->wide + shape->head, shape->characters);
    memcpy(forms->narrow + size_of(shape, NARROW) - shape->tail,
           forms->wide + size_of(shape, WIDE) - shape->tail, shape->tail);
}

static void widen(const struct forms *forms)
{
    const struct shape *shape = forms->shape;
    unsigned char *tail = forms->wide + size_of(shape, WIDE) - shape->tail;
    unsigned char *rest = forms->narrow + size_of(shape, NARROW);
    uint32_t size;

    memcpy(forms->wide, forms->narrow, shape->head);
    vidmm_outward_widen(forms->wide + shape->head, forms->narrow + shape->head, shape->characters);
    memcpy(tail, forms->narrow + size_of(shape, NARROW) - shape->tail, shape->tail);
    if (forms->rest_wide == forms->rest_narrow) {
        memcpy(tail + shape->tail, rest, forms->rest_wide);
        return;
    }
    vidmm_outward_widen(tail + shape->tail, rest, forms->rest_narrow / NARROW);
    size = word_at(tail + VALUE_SIZE) * (WIDE / NARROW);
    memcpy(tail + VALUE_SIZE, &size, sizeof(size));
}

/* The sizes of a question. Its structure is as large as its type says, or larger where that has a
 * rest. */
static NTSTATUS measure(struct forms *forms, const D3DKMT_QUERYADAPTERINFO *arguments)
{
    const struct shape *shape = forms->shape;
    uint32_t size = arguments->PrivateDriverDataSize, expected = size_of(shape, WIDE);
    bool has_rest = shape->rest > 0;

    if (size < expected + shape->rest || (!has_rest && size != expected) || size > MOST)
        return vidmm_thunk_refuse("PrivateDriverDataSize of %s is %u; expected %u%s: characters "
                                  "have 4 bytes",
                                  shape->name, size, expected + shape->rest,
                                  has_rest ? " or more" : "");
    forms->rest_wide = forms->rest_narrow = size - expected;
    if (has_rest && is_text(forms->wide, forms->wide + expected - shape->tail)) {
        forms->rest_narrow = forms->rest_wide / WIDE * NARROW;
        forms->rest_wide = forms->rest_narrow * (WIDE / NARROW);
    }
    return STATUS_SUCCESS;
}

NTSTATUS vidmm_outward_query_adapter_info(struct vidmm_thunk_process *process,
                                          D3DKMT_QUERYADAPTERINFO *arguments)
{
    D3DKMT_QUERYADAPTERINFO inner;
    struct forms forms = {0};
    NTSTATUS status;

    if (arguments == NULL || arguments->pPrivateDriverData == NULL)
        return vidmm_thunk_QueryAdapterInfo(process, arguments);
    forms.shape = shape_of(arguments->Type);
    if (forms.shape == NULL)
        return vidmm_thunk_QueryAdapterInfo(process, arguments);
    forms.wide = arguments->pPrivateDriverData;
    status = measure(&forms, arguments);
    if (status != STATUS_SUCCESS)
        return status;
    inner = *arguments;
    inner.PrivateDriverDataSize = size_of(forms.shape, NARROW) + forms.rest_narrow;
    forms.narrow = calloc(1, inner.PrivateDriverDataSize);
    if (forms.narrow == NULL)
        return STATUS_NO_MEMORY;
    inner.pPrivateDriverData = forms.narrow;
    narrow(&forms);
    status = vidmm_thunk_QueryAdapterInfo(process, &inner);
    if (status == STATUS_SUCCESS)
        widen(&forms);
    free(forms.narrow);
    return status;
}
