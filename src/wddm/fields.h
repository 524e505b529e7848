/*
 * fields.h: the members of the interface's records, as tables.
 *
 * One table a struct; print.c walks it for text and for JSON. A member is printed when the call is
 * entered, when it has returned, or both; it is left out where the level of the driver does not
 * have it.
 *
 * Private to src/wddm.
 */
#ifndef VIDMM_WDDM_FIELDS_H
#define VIDMM_WDDM_FIELDS_H

#include <wddm/d3dkmddi_completion.h>
#include <wddm/d3dkmddi_paging.h>

#include "wddm/call.h"

struct vidmm_writer;

enum vidmm_field_kind {
    VIDMM_FIELD_NUMBER, /* unsigned, decimal */
    VIDMM_FIELD_HEX,    /* handle, pointer or address */
    VIDMM_FIELD_MASK,   /* detail: struct vidmm_mask */
    VIDMM_FIELD_ENUM,   /* detail: struct vidmm_enum */
    VIDMM_FIELD_OWN,    /* `print` prints it */
    VIDMM_FIELD_STRUCT, /* detail: struct vidmm_fields of the struct that stands there */
    VIDMM_FIELD_LIST,   /* a pointer to the first element; detail: struct vidmm_fields of one */
};

enum { VIDMM_WHEN_ENTERED = 1, VIDMM_WHEN_RETURNED = 2, VIDMM_WHEN_BOTH = 3 };

struct vidmm_field {
    const char *name;
    uint16_t offset, size; /* bytes */
    uint8_t kind, when;
    uint16_t since, until; /* levels: since <= level < until */
    const void *detail;
    uint16_t count_offset;  /* of a list: where its UINT count stands */
    uint16_t stride_offset; /* of a list: where its SIZE_T stride stands; 0: elements are packed */
    void (*print)(struct vidmm_writer *writer, const char *name, const void *member);
};

struct vidmm_fields {
    const struct vidmm_field *fields;
    size_t count;
    size_t stride; /* sizeof the struct */
};

struct vidmm_enum {
    size_t prefix; /* characters that all names begin with */
    size_t count;
    const struct vidmm_enum_value {
        const char *name;
        int value;
    } * values;
};

/* The argument struct of a call; NULL: it has none, or none that is printed. */
const struct vidmm_fields *vidmm_fields_of_call(enum vidmm_ddi ddi);

/* The members of one operation of DXGKARG_BUILDPAGINGBUFFER; NULL: its members are not
 * printed. */
const struct vidmm_fields *vidmm_fields_of_operation(DXGK_BUILDPAGINGBUFFER_OPERATION operation);

/* The members of DXGKARG_BUILDPAGINGBUFFER that describe the buffer, whatever the operation. */
const struct vidmm_fields *vidmm_fields_of_buffer(void);

/* The members of DXGKARGCB_NOTIFY_INTERRUPT_DATA that belong to a type of interrupt; NULL: only the
 * type is printed. */
const struct vidmm_fields *vidmm_fields_of_interrupt(DXGK_INTERRUPT_TYPE type);

/* The structure that pOutputData points to after a query of this type; NULL: it is not printed. */
const struct vidmm_fields *vidmm_fields_of_query(DXGK_QUERYADAPTERINFOTYPE type);

/* The name of a value without the prefix of its type; NULL: it has none. */
const char *vidmm_enum_name(const struct vidmm_enum *type, int value);

/* Name a paging operation, as "TRANSFER"; NULL: there is none of that number. */
const char *vidmm_paging_operation_name(DXGK_BUILDPAGINGBUFFER_OPERATION operation);

#endif
