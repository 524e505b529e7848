/* kit.h: a Windows kernel in user space, for display miniports; the part that its host sees.
 *
 *      driver.so  --- ExAllocatePool2, KeWaitForSingleObject, ... (include/kit) --->  src/kit
 *                                                                                       |
 *      the tool   --- vidmm_kit_start(), vidmm_kit_stop(), findings, bug checks --------+
 *                                                                                       |
 *      a machine  <-- struct vidmm_host: pages, device memory, config space, levels ----+
 *      a device   <-- struct vidmm_device_model: registers and ports -------------------+
 *
 * There is one kernel a process, because the driver's calls name none. It has threads of its own:
 * one that runs deferred calls, one for timers, two for work items, and the driver's. So its
 * machine is of the threaded kind; time is real.
 *
 * A driver's mistake is a finding: a number (K-001 ...), a sentence, the call's address. After a
 * finding the call does the least that keeps the kernel sound, and the run goes on; a call that
 * cannot go on (a lock taken twice) is a bug check.
 *
 * Ownership: the host table, the device model and the callbacks' arguments are the caller's and
 * outlive the kernel. Source: kernel pages of the public driver reference (include/kit names them).
 */
#ifndef VIDMM_KIT_H
#define VIDMM_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vidmm/bus.h>
#include <vidmm/host.h>

/* VIDMM_KIT_IRQL_TOO_HIGH is 1, and is printed K-001. */
enum vidmm_kit_finding_id {
#define KIT_FINDING(number, name, sentence, document, windows, advice) VIDMM_KIT_##name = number,
#include "kit/finding.def"
#undef KIT_FINDING
    VIDMM_KIT_FINDINGS /* one more than the last */
};

struct vidmm_kit_finding {
    enum vidmm_kit_finding_id id;
    const char *sentence; /* the kind */
    const char *text;     /* the event: routine, values; valid during the callback */
    const void *caller;   /* an address in the driver, just after the call; NULL: nobody's */
};

struct vidmm_kit_bug_check {
    uint32_t code;
    uint64_t parameters[4];
};

struct vidmm_kit_options {
    const struct vidmm_host *host;          /* of a threaded machine; needed */
    const struct vidmm_device_model *model; /* for registers and ports; NULL: there are none */

    /* Told of each finding, by the thread that did it, perhaps under a lock: call no kit routine.
     * NULL: it is written to stderr. */
    void (*finding)(void *argument, const struct vidmm_kit_finding *finding);
    /* Told of a bug check, by the thread that raised it. Must not return: longjmp, end the thread
     * or the process. NULL, or if it returns: the process ends with abort(). */
    void (*bug_check)(void *argument, const struct vidmm_kit_bug_check *check);
    /* Told of debug output and traces; no newline is added. NULL: it is dropped. */
    void (*print)(void *argument, const char *text);
    void *argument; /* of the three */

    /* Bytes of a file's text in the form of registry.h; NULL: an empty registry. */
    const char *configuration;
    /* The machine's system memory: its physical address and its bytes (0: 1 GiB), for a driver that
     * asks. */
    uint64_t system_base, system_memory;
    /* Most bytes one contiguous allocation may have; 0: as the machine has. The file may set it. */
    uint64_t contiguous_ceiling;
    /* Have SIGSEGV, SIGBUS and SIGFPE caught for __try (excpt.h) and for freed MDLs. */
    bool catch_faults;
};

/* Start the kernel. error receives a sentence about a refusal, NULL if unwanted. False: it runs
 * already, an option is bad, the configuration is, or there is no memory; nothing has changed. */
bool vidmm_kit_start(const struct vidmm_kit_options *options, char *error, size_t error_size);

/* End it: wait for threads (at most a second), report what is left (K-004 and its kin), give
 * everything back. The driver must not call any more. Answers the number of findings of the run. */
uint64_t vidmm_kit_stop(void);

/* The options' host table, for whoever runs the driver: addresses that are mapped through this one
 * the driver may give to MmGetPhysicalAddress and lock as MDLs. Valid until vidmm_kit_stop(). */
const struct vidmm_host *vidmm_kit_host(void);

/* How often a finding was made since the start. */
uint64_t vidmm_kit_count(enum vidmm_kit_finding_id id);

/* The sentence of a finding; "?" for a number that there is none of. */
const char *vidmm_kit_sentence(enum vidmm_kit_finding_id id);

/* Let the n-th pool allocation from now fail, of any tag; those after it succeed. 1 is the next; 0:
 * none. vidmm_kit_fail_pages() does so to contiguous memory and pages for an MDL,
 * vidmm_kit_fail_mapping() to mappings. */
void vidmm_kit_fail_pool(uint64_t n);
void vidmm_kit_fail_pages(uint64_t n);
void vidmm_kit_fail_mapping(uint64_t n);

/* Page numbers [first, first + count) are logical: memory to the device, and nothing to the
 * processor. A driver that maps one is found (K-042), and gets no address. count 0: there are none,
 * as at the start. Not while the driver runs. */
void vidmm_kit_logical_pages(uint64_t first, uint64_t count);

/* The driver has said IoMmuSecureModeSupported: memory for its GPU comes by callbacks. Memory that
 * it takes or locks by routines of the kernel's own is found, also if it was since the start
 * (K-045). */
void vidmm_kit_isolate(void);

/* Bytes and blocks of pool that are live, by tag; tag 0: of all. */
struct vidmm_kit_pool_use {
    uint64_t blocks, bytes;
};
struct vidmm_kit_pool_use vidmm_kit_pool_use(uint32_t tag);

/* Bytes of system memory that the driver holds: pool, contiguous memory, pages of its lists. */
uint64_t vidmm_kit_held_bytes(void);

/* Check every live and lately freed pool block now (K-008 to K-010). Answers how many are bad. */
unsigned vidmm_kit_check_pool(void);

/* The first address of register region `region` of the model, and its bytes: a physical address, or
 * a port. False: there is none. For translated resource lists. */
bool vidmm_kit_register_region(unsigned region, uint64_t *start, uint64_t *size, bool *ports);

/* The translated resources of the device: its memory BARs (from config space), its register
 * regions, and one message interrupt, as a CM_RESOURCE_LIST; valid until vidmm_kit_stop(). */
void *vidmm_kit_resources(void);

/* Mappings that the driver has of the device's memory and registers: by DxgkCbMapMemory, or by
 * MmMapIoSpace. *caller receives the place that made the newest, and stays if there is none. */
unsigned vidmm_kit_device_mappings(bool by_callback, const void **caller);

/* Whether this thread is in DxgkDdiStartDevice: memory that it takes meanwhile is the start's. At
 * first it is not. */
void vidmm_kit_device_starts(bool starts);
/* How much of the start's memory is not given back: blocks of pool, runs of contiguous memory,
 * memory descriptor lists. *caller as above. */
unsigned vidmm_kit_start_blocks(const void **caller);
unsigned vidmm_kit_start_runs(const void **caller);
unsigned vidmm_kit_start_lists(const void **caller);

/* The device's physical device object (DEVICE_OBJECT), for DxgkDdiAddDevice; the driver object
 * (DRIVER_OBJECT) and registry path (UNICODE_STRING) for DriverEntry. */
void *vidmm_kit_device(void);
void *vidmm_kit_driver(void);
void *vidmm_kit_registry_path(void);

/* Call a routine of the driver at a level, and report if it comes back at another, or with a
 * lock. */
void vidmm_kit_call(uint8_t irql, void (*routine)(void *argument), void *argument,
                    const char *name);

/* The name of the driver's routine that this thread runs, as vidmm_kit_call() has it; NULL: none,
 * or a system thread of the driver's own. In a signal handler, too. */
const char *vidmm_kit_routine(void);

/* A routine of the driver begins at DISPATCH_LEVEL or above, other than by vidmm_kit_call(): pages
 * of paged pool go, and a touch at that level is found (K-046). */
void vidmm_kit_page_out(void);

/* This thread enters a routine of the kernel, or of the tool, that the driver called; called by
 * those that use more than a little of the stack. */
void vidmm_kit_stack_enter(void);
/* The end of the stack at the deepest of those since the last call, which begins anew. UINTPTR_MAX:
 * there was none. */
uintptr_t vidmm_kit_stack_deepest(void);

#endif
