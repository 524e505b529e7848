/* shows_start.c: what the manager obeys while an adapter at WDDM 2.x starts. */
#include "unit/test_start_rig.h"

#include "rules.h"

static void stop(void)
{
    script_stop();
    script_finish();
}

/* ---- questions ---- */

/* 104 bytes are more than the structure has; who steps by its size reads the second one wrong. */
void shows_D_027(void **state)
{
    struct vidmm_segment_info info;

    (void)state;
    assert_true(SCRIPT_STRIDE > sizeof(DXGK_SEGMENTDESCRIPTOR4));
    script_init(SCRIPT_GPU_MMU);
    script_starts();
    vidmm_adapter_segment(script.adapter, 2, &info);
    assert_true(info.base_address == 0x80000000);
    assert_true(info.size == 16 << 20);
    stop();
}

static void is_refused(enum script_model model, unsigned virtual, unsigned gpu, unsigned io)
{
    script_init(model);
    script.caps.MemoryManagementCaps.VirtualAddressingSupported = virtual != 0;
    script.caps.MemoryManagementCaps.GpuMmuSupported = gpu != 0;
    script.caps.MemoryManagementCaps.IoMmuSupported = io != 0;
    script_is_refused("MemoryManagementCaps is", "(D-226)");
}

void shows_D_226(void **state)
{
    (void)state;
    is_refused(SCRIPT_GPU_MMU, 0, 1, 0);
    is_refused(SCRIPT_IO_MMU, 0, 0, 1);
    is_refused(SCRIPT_PHYSICAL, 1, 0, 0);
    is_refused(SCRIPT_GPU_MMU, 1, 1, 1);
    is_refused(SCRIPT_GPU_MMU, 0, 1, 1);
    for (enum script_model model = SCRIPT_GPU_MMU; model <= SCRIPT_PHYSICAL; model++) {
        script_init(model);
        script_starts();
        stop();
    }
}

void shows_W_028(void **state)
{
    const DXGK_QUERYADAPTERINFOTYPE types[] = {DXGKQAITYPE_PHYSICALADAPTERCAPS,
                                               DXGKQAITYPE_DISPLAY_DRIVERCAPS_EXTENSION,
                                               DXGKQAITYPE_64BITONLYCAPS};

    (void)state;
    for (size_t index = 0; index < sizeof(types) / sizeof(types[0]); index++) {
        script_init(SCRIPT_GPU_MMU);
        script.query[types[index]] = STATUS_NOT_SUPPORTED;
        script_starts();
        stop();
    }
}

/* ---- the order ---- */

void shows_W_006(void **state)
{
    const char *calls;

    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script_starts();
    calls = script_calls();
    calls = strstr(calls, "CreateDevice");
    assert_non_null(calls);
    assert_ptr_equal(strstr(calls, "CreateDevice flags 1 x2\n"
                                   "CreateContext flags 5, node 0\n"
                                   "UpdatePageTable"),
                     calls);
    calls = strstr(calls, "SetRootPageTable");
    assert_non_null(calls);
    assert_null(strstr(calls, "UpdatePageTable"));
    stop();
}

/* ---- records of UpdatePageTable ---- */

/* The records lead to page tables, which have no handle; the script looks at every one. */
void shows_D_118(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script_starts();
    assert_true(script.updates > 512 + 3);
    assert_non_null(strstr(script_calls(), "UpdatePageTable level 1, 0 + 512\n"));
    stop();
}

/* The CPU writes them in every mode, and they are there when the root is set. */
void shows_D_291(void **state)
{
    (void)state;
    for (uint32_t mode = 0; mode <= DXGK_PAGETABLEUPDATE_GPU_PHYSICAL; mode++) {
        script_init(SCRIPT_GPU_MMU);
        script.mmu.PageTableUpdateMode = (DXGK_PAGETABLEUPDATEMODE)mode;
        for (uint32_t level = 0; level < 4; level++)
            script.levels[level].PageTableSegmentId = mode != DXGK_PAGETABLEUPDATE_CPU_VIRTUAL;
        script_starts();
        assert_null(strstr(script_calls(), "not by the CPU"));
        assert_true(script_translate((UINT64_C(1) << 30) - 4096) == 0);
        stop();
    }
}

void shows_W_005(void **state)
{
    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script_starts();
    assert_non_null(script.dma_buffer);
    assert_int_equal(script.dma_size, script.paging_size);
    assert_int_equal(script.private_size, script.paging_private_size);
    assert_null(strstr(script_calls(), "Submit"));
    stop();
}

/* The segment's page number, of a table in it; the physical one, of a page of system memory. */
void shows_W_011(void **state)
{
    const struct vidmm_bus *bus;
    uint64_t entry;
    uint8_t *page;

    (void)state;
    script_init(SCRIPT_GPU_MMU);
    script.paging_segment = 2; /* its paging buffers have addresses */
    script_starts();
    assert_true(script_read(0, 1, 0) == (1 << 12 | 1 << 1 | 1)); /* the table behind the root */
    entry = script_translate(0x10000);
    assert_int_equal(entry & 0xfff, 1);
    bus = vidmm_slot_bus(script.slot);
    page = bus->memory(bus->context, entry >> 12 << 12, 4096);
    assert_non_null(page);
    page[7] = 0x3c;
    assert_int_equal(((const uint8_t *)script.dma_buffer)[7], 0x3c);
    page[7] = 0x5a;
    assert_int_equal(((const uint8_t *)script.dma_buffer)[7], 0x5a);
    stop();
}
