/* together.h: resources and standard allocations, for the tests of their rules. */
#ifndef TEST_RULES_TOGETHER_H
#define TEST_RULES_TOGETHER_H

#include "flag_words.h"
#include "rules_rig.h"

#include <vidmm/resource.h>

enum { TOGETHER = 3 };

static struct softgpu_allocation together_wishes[TOGETHER];
static struct vidmm_description together_descriptions[TOGETHER];
static struct vidmm_allocation *together[TOGETHER];

/* Three allocations of so many pages, in the aperture or the memory segment. */
static inline void together_describe(uint32_t pages)
{
    for (uint32_t i = 0; i < TOGETHER; i++) {
        together_wishes[i] = (struct softgpu_allocation){.magic = SOFTGPU_ALLOCATION_MAGIC,
                                                         .flags = CPU_VISIBLE,
                                                         .size = pages * VIDMM_PAGE_SIZE,
                                                         .read_set = 3,
                                                         .write_set = 3,
                                                         .priority = SOFTGPU_PRIORITY_NORMAL};
        together_descriptions[i] =
            (struct vidmm_description){.private_data = &together_wishes[i],
                                       .private_data_size = sizeof(together_wishes[i]),
                                       .vidpn_source = VIDMM_NO_SOURCE};
    }
}

static inline NTSTATUS together_create(struct shown *shown, bool shared,
                                       struct vidmm_resource **resource)
{
    static const uint32_t data = 0x600d;
    const struct vidmm_resource_options options = {
        .private_data = &data, .private_data_size = sizeof(data), .shared = shared};

    together_describe(2);
    return vidmm_resource_create(shown->rig.device, &options, together_descriptions, TOGETHER,
                                 resource, together, &shown->rig.report);
}

static inline NTSTATUS together_standard(struct shown *shown, D3DKMDT_STANDARDALLOCATION_TYPE type,
                                         struct vidmm_resource **resource, uint32_t *pitch)
{
    const struct vidmm_standard standard = {.type = type,
                                            .width = 33,
                                            .height = 20,
                                            .format = D3DDDIFMT_X8R8G8B8,
                                            .size = 9000, /* of a virtual GPU's */
                                            .alignment = 8192};

    return vidmm_standard_create(shown->rig.device, &standard, resource, together, pitch,
                                 &shown->rig.report);
}

/* A device of another process, which opens the resource. */
static inline struct vidmm_device *together_other(struct shown *shown)
{
    struct vidmm_device *other;

    assert_int_equal(vidmm_device_create(shown->rig.adapter, 2, &other, NULL), STATUS_SUCCESS);
    return other;
}

#endif
