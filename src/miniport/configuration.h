/* configuration.h: the machine that a driver runs on, and what is known of its habits, in a file.
 *
 *     # the device
 *     device 0x1234 0x5678             vendor and device id; 0x1234 0x0001
 *     bar 0 memory 64M                 what BAR 0 to 5 are: memory of the device,
 *     bar 1 registers 64K              registers that keep what is written to them,
 *     bar 2 ports 256                  or ports. Default: bar 0 memory 64M, bar 1 registers 64K
 *     config 0x2C 2 0x1234             a register of config space: offset, bytes, value
 *     config 0x50 8 bar0+0x1000        a value may be the address that BAR 0 to 5 has
 *     capability 0x60 0x05 80 00       a capability: offset, id, and bytes behind its link; from
 *                                      0x100 on an extended one, of which the first is there
 *     register 1 0x08 4 0xCAFE         what a register has at first: BAR, offset, bytes, value
 *     plugin ./gpu.so any text         a device model, a user-mode driver (vidmm/plugin.h)
 *     hang 1 0x10 1                    this value in BAR 1 at byte 0x10 (32 bits) stops the GPU
 *                                      before its next packet, until it is reset
 *     memory 256M                      system memory of the machine
 *     # the driver's habits
 *     queue 31                         RequiredDmaQueueEntry: most submissions in flight
 *     private 01 00 00 00              private data of an allocation, where no plug-in has better
 *     split off                        transfers are never split; by_address: in parts whose
 *                                      SegmentAddress is advanced; on
 *     batching off                     one operation a paging buffer; on
 *     through_aperture off             the GPU is not asked to copy between an aperture and memory;
 *                                      on
 *     submit_empty on                  a paging buffer in which nothing was written is submitted;
 *                                      off
 *     patch_paging off                 DxgkDdiPatch is not called for paging buffers; on
 *     system_context on                paging names the system context; off
 *     fence_timeout 2000               milliseconds until a fence counts as lost
 *     alternate 1                      a lock with this PrivateDriverData has UseAlternateVA, which
 *                                      the driver supports: SpecialLockTransfer is asked for
 *     # the kernel: kit/registry.h
 *     windows 10.0.19041
 *     key \Registry\Machine\...
 *
 * Hardware ids (property 1) are those of PCI unless the file has others. Lines `config` stand over
 * capabilities, and both over what a plug-in's device answers; `device` over the plug-in's ids.
 * Lines `bar` and `register` are for a device without a plug-in's.
 * Words of the first two kinds stand before the first `key`; all else is the kernel's.
 */
#ifndef VIDMM_MINIPORT_CONFIGURATION_H
#define VIDMM_MINIPORT_CONFIGURATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vidmm/bus.h>

#include "miniport/bars.h"

#define VIDMM_MINIPORT_CONFIG_WORDS 32u
#define VIDMM_MINIPORT_CAPABILITIES 16u
#define VIDMM_MINIPORT_REGISTER_WORDS 64u

/* How a driver reads a transfer in parts. */
enum vidmm_miniport_split {
    VIDMM_SPLIT_OFF,        /* configured: not to be tried. Seen: not known */
    VIDMM_SPLIT_DOCUMENTED, /* TransferOffset is added to the segment's address */
    VIDMM_SPLIT_BY_ADDRESS, /* it is not: SegmentAddress says it all */
    VIDMM_SPLIT_OTHER,
};

/* A value that a register has, of config space or of a BAR. */
struct vidmm_miniport_value {
    uint32_t offset, bytes;
    bool of_bar; /* `number` is added to the address of BAR `bar` */
    uint32_t bar;
    uint32_t region; /* of a register: the BAR that it is in */
    uint64_t number;
    unsigned line; /* of the file */
};

struct vidmm_miniport_capability {
    uint32_t offset, id, size; /* size: of data */
    uint8_t data[64];          /* behind the link */
};

#define VIDMM_MINIPORT_PROCESS_MEMORY (UINT64_C(4) << 30)

struct vidmm_miniport_configuration {
    bool device_given;
    uint16_t vendor_id, device_id;
    struct vidmm_bar bars[VIDMM_BUS_REGIONS];
    struct vidmm_miniport_value config[VIDMM_MINIPORT_CONFIG_WORDS];
    struct vidmm_miniport_value registers[VIDMM_MINIPORT_REGISTER_WORDS];
    struct vidmm_miniport_capability capabilities[VIDMM_MINIPORT_CAPABILITIES]; /* by offset */
    uint32_t config_count, register_count, capability_count;
    unsigned line, bar_line; /* the line that is read; a line `bar` */
    char file[512];          /* where it stood, for sentences; empty: the defaults */
    char plugin[512], plugin_text[256];
    uint64_t system_memory;
    uint64_t process_memory; /* that the child may take of its own */
    uint32_t queue_limit, fence_timeout_ms;
    uint8_t private_data[256];
    uint32_t private_size;
    enum vidmm_miniport_split split;
    bool split_asked; /* the file says how */
    struct {
        bool asked;
        uint32_t bar, offset, value;
    } hang;
    struct {
        bool asked;
        uint32_t data;
    } alternate;
    uint32_t bars_given; /* bit n: there is a line for BAR n */
    bool batching, through_aperture, submit_empty, patch_paging, system_context;
    char *kernel; /* the text of the kernel's part, each other line empty; malloc()ed */
};

/*
 * Read a file's text; NULL: the defaults.
 *
 * False: a line is wrong; error names it. The configuration then needs no finish.
 */
bool vidmm_miniport_configuration_read(struct vidmm_miniport_configuration *configuration,
                                       const char *text, char *error, size_t error_size);
void vidmm_miniport_configuration_finish(struct vidmm_miniport_configuration *configuration);

/* Is it the first word of a line that a configuration may have? */
bool vidmm_miniport_configuration_knows(const char *word);

#endif
