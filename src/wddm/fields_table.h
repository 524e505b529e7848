/* fields_table.h: how a table of members is written: fields.c, fields_paging.c. */
#ifndef VIDMM_WDDM_FIELDS_TABLE_H
#define VIDMM_WDDM_FIELDS_TABLE_H

#include "wddm/fields.h"
#include "wddm/mask.h"

#define ENTERED VIDMM_WHEN_ENTERED
#define RETURNED VIDMM_WHEN_RETURNED
#define BOTH VIDMM_WHEN_BOTH

/* A member of any kind, from one level to another. */
#define FIELD(type, member, kind_, when_, since_, until_, detail_)                                 \
    {                                                                                              \
        .name = #member, .offset = offsetof(type, member), .size = sizeof(((type *)0)->member),    \
        .kind = kind_, .when = when_, .since = since_, .until = until_, .detail = detail_          \
    }
#define NUMBER(type, member, when)                                                                 \
    FIELD(type, member, VIDMM_FIELD_NUMBER, when, 0, UINT16_MAX, NULL)
#define HEX(type, member, when) FIELD(type, member, VIDMM_FIELD_HEX, when, 0, UINT16_MAX, NULL)
#define MASK(type, member, when, word)                                                             \
    FIELD(type, member, VIDMM_FIELD_MASK, when, 0, UINT16_MAX, &vidmm_mask_##word)
#define NAME(type, member, when, names)                                                            \
    FIELD(type, member, VIDMM_FIELD_ENUM, when, 0, UINT16_MAX, &names##_names)
#define STRUCT(type, member, when, fields_)                                                        \
    FIELD(type, member, VIDMM_FIELD_STRUCT, when, 0, UINT16_MAX, &fields_)
#define OWN(type, member, when_, function)                                                         \
    {                                                                                              \
        .name = #member, .offset = offsetof(type, member), .size = sizeof(((type *)0)->member),    \
        .kind = VIDMM_FIELD_OWN, .when = when_, .until = UINT16_MAX, .print = function             \
    }
#define LIST(type, member, count_, when_, fields_)                                                 \
    {                                                                                              \
        .name = #member, .offset = offsetof(type, member), .size = sizeof(((type *)0)->member),    \
        .kind = VIDMM_FIELD_LIST, .when = when_, .until = UINT16_MAX, .detail = &fields_,          \
        .count_offset = offsetof(type, count_)                                                     \
    }
#define FIELDS(name, type)                                                                         \
    static const struct vidmm_fields name##_fields = {name, sizeof name / sizeof name[0],          \
                                                      sizeof(type)}

#endif
