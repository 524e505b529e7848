/* state.h: declarations that the sources of the kit share.
 *
 * Locks, outermost first. Nobody holds two but in this order; no driver routine is called under
 * any.
 *
 *     dispatcher   everything one can wait for, timers, queues of DPCs and work items (dispatch.c)
 *     objects      handles, references, the registry (object.c)
 *     memory       pool blocks, runs of pages, mappings, MDLs (pages.c)
 */
#ifndef KIT_STATE_H
#define KIT_STATE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

#include <kit/wdm.h>

#define CALLER __builtin_return_address(0)

/* ---- findings (finding.c) ---- */

__attribute__((format(printf, 3, 4))) void
vidmm_kit_find(const void *caller, enum vidmm_kit_finding_id id, const char *format, ...);
/* Find if this thread is above `max`; answers whether it is not. */
bool vidmm_kit_irql_max(const void *caller, KIRQL max, const char *routine);
/* Find if a routine that the driver called runs above `max`; calls that the routine makes until it
 * returns are not found once more. Declares a variable. */
#define IRQL_MAX(max)                                                                              \
    bool irql_right_ __attribute__((cleanup(vidmm_kit_irql_end), unused)) =                        \
        vidmm_kit_irql_begin(CALLER, (max), __func__)
bool vidmm_kit_irql_begin(const void *caller, KIRQL max, const char *routine);
void vidmm_kit_irql_end(bool *right);

extern _Thread_local bool vidmm_kit_in_start; /* this thread is in DxgkDdiStartDevice */

uint64_t vidmm_kit_findings_reset(bool clear); /* answers how many there were */

/* ---- the kernel (kernel.c) ---- */

struct kit_kernel {
    struct vidmm_kit_options options;
    const struct vidmm_host *host;
    bool running;
    pthread_mutex_t dispatcher, objects, memory;
    pthread_cond_t changed; /* of anything under dispatcher */
    ULONG version[3];       /* major, minor, build */
    uint64_t ceiling;
    uint64_t system_base, system_memory;
    DRIVER_OBJECT driver;
    DRIVER_EXTENSION driver_extension;
    DEVICE_OBJECT device;
    _Atomic bool debugger;
};
extern struct kit_kernel vidmm_kit_kernel;

uint64_t vidmm_kit_now_ns(void);      /* since the start */
uint64_t vidmm_kit_system_time(void); /* 100 ns since 1601 */
void vidmm_kit_print(const char *text);

/* ---- threads (thread.c), the processor (processor.c) ---- */

enum { KIT_SHARED_LOCKS = 16 };

/* A spin lock of readers and writers that a thread holds (shared_lock.c). */
struct kit_shared_lock {
    EX_SPIN_LOCK *lock; /* NULL: none */
    LONG step;          /* 1 as a reader, -1 as the writer */
};

struct _KTHREAD {
    DISPATCHER_HEADER Header;
    ULONG id;
    bool system;
    unsigned spin_locks; /* held by it */
    struct kit_shared_lock shared_locks[KIT_SHARED_LOCKS];
    unsigned more_shared_locks; /* than there was room for */
    unsigned critical, guarded; /* regions entered */
    unsigned saved_states;      /* of the processor; processor.c */
    bool irql_told;     /* the routine that it is in was called at a wrong level; finding.c */
    KAFFINITY affinity; /* the one that the driver set; 0: none */
    _Atomic KPRIORITY priority, base_priority;
    const char *routine;       /* of the driver, that it runs, as vidmm_kit_call() names it */
    struct vidmm_kit_seh *seh; /* innermost frame */
    void *signal_stack;        /* the one that is its own; NULL: none. seh.c */
    EXCEPTION_RECORD exception;
    EXCEPTION_POINTERS exception_pointers;
    int exception_kind; /* seh.c */
    struct {
        int kind;
        EXCEPTION_RECORD exception;
    } ending[16]; /* __finally blocks that run, and what goes on behind them */
    unsigned endings;
    PKSTART_ROUTINE start;
    void *context;
    const void *creator; /* where the driver made it */
    struct _KTHREAD *next_running;
    jmp_buf end;
};

struct _KTHREAD *vidmm_kit_thread(void);
bool vidmm_kit_in_try(void); /* is this thread in a __try; safe in a signal handler */
bool vidmm_kit_threads_start(void);
bool vidmm_kit_threads_stop(void); /* false: some of the driver's still run */
/* Run `routine` on a thread of the kernel's own until it answers; NULL: no thread. */
bool vidmm_kit_spawn(pthread_t *thread, void *(*routine)(void *), void *argument);

/* ---- things to wait for (dispatch.c, timer.c) ---- */

enum kit_dispatcher_type {
    KIT_NOTIFICATION_EVENT = 0x41,
    KIT_SYNCHRONIZATION_EVENT,
    KIT_MUTEX,
    KIT_SEMAPHORE,
    KIT_NOTIFICATION_TIMER,
    KIT_SYNCHRONIZATION_TIMER,
    KIT_THREAD,
};
void vidmm_kit_header_init(DISPATCHER_HEADER *header, enum kit_dispatcher_type type, LONG state);
void vidmm_kit_lock_dispatcher(void);
void vidmm_kit_unlock_dispatcher(void);
void vidmm_kit_signal(DISPATCHER_HEADER *header, LONG state); /* under dispatcher */
bool vidmm_kit_timers_start(void);
void vidmm_kit_timers_stop(void);
void vidmm_kit_eresources_stop(void); /* eresource.c */
/* Under no lock: is there an active timer or queued DPC in the range? Takes it out. */
const char *vidmm_kit_active_in(const void *start, size_t size);

/* ---- memory (pages.c, pool.c, mdl.c, registers.c) ---- */

/* The host's pages are for DISPATCH_LEVEL at most. A driver that is above it was told so; the call
 * is made at DISPATCH_LEVEL, between these two. */
KIRQL vidmm_kit_begin_pages(void);
void vidmm_kit_end_pages(KIRQL irql);
/* Take `count` frames and map them in a row. NULL: there are none; nothing has changed. */
void *vidmm_kit_take_run(uint64_t count, uint64_t highest_frame, bool contiguous, uint64_t *frames);
void vidmm_kit_give_run(void *address, uint64_t count, const uint64_t *frames);
/* Such a run for paged pool, in no order (paged.c); its pages are watched where they can be. */
void *vidmm_kit_take_paged(uint64_t count, uint64_t *frames);
void vidmm_kit_give_paged(void *address, uint64_t count, const uint64_t *frames);
/* A fault at `address`, an address of paged pool that was taken away: bring the page back, and tell
 * it where the level forbids the touch. False: it is no such page. */
bool vidmm_kit_page_in(const void *address, const void *instruction);
/* From here to the end this thread looks at guards: its touches are the kernel's own. */
void vidmm_kit_page_own(bool begin);
/* Pages stay where they are as long as a list locks them. */
void vidmm_kit_page_lock(const void *address, uint64_t count, bool begin);
void vidmm_kit_paged_start(bool catch_faults);
void vidmm_kit_paged_stop(void);
/* Is one of these pages logical? Then it is told (K-042). */
bool vidmm_kit_is_logical(const void *caller, uint64_t frame, uint64_t count, const char *routine);
/* Map frames that somebody holds; and undo. */
void *vidmm_kit_map_frames(uint64_t count, const uint64_t *frames);
void vidmm_kit_unmap_frames(void *address, uint64_t count);
/* The frame behind an address that the kit mapped. */
bool vidmm_kit_frame_of(const void *address, uint64_t *frame);
void *vidmm_kit_address_of(uint64_t frame);
void vidmm_kit_note_page(const void *address, uint64_t frame);
void vidmm_kit_forget_page(const void *address);
bool vidmm_kit_should_fail(_Atomic uint64_t *countdown);
extern _Atomic uint64_t vidmm_kit_fail_pool_in, vidmm_kit_fail_pages_in, vidmm_kit_fail_mapping_in;
void vidmm_kit_pages_stop(void);
void vidmm_kit_pool_stop(void);
void vidmm_kit_contiguous_stop(void);
void vidmm_kit_mdl_stop(void);
/* Free a list whose pages MmAllocatePagesForMdl took; false: it is none. */
bool vidmm_kit_mdl_free(const void *caller, void *block);
/* Whether a list can be looked at; if not, it is told. */
bool vidmm_kit_is_mdl_usable(const void *caller, const MDL *mdl, const char *routine);
/* Pages for a list that is made with them, from three addresses: lowest, highest, skipped. NULL:
 * none. And give them back; the list stays. */
PMDL vidmm_kit_allocate_pages(const void *caller, const PHYSICAL_ADDRESS at[3], SIZE_T bytes,
                              ULONG flags, const char *routine);
void vidmm_kit_free_pages(const void *caller, PMDL mdl, const char *routine);
/* Contiguous memory of that many bytes, and its end; `size` 0 is any. */
PVOID vidmm_kit_contiguous_take(const void *caller, SIZE_T size, uint64_t lowest, uint64_t highest,
                                uint64_t boundary, const char *routine);
uint64_t vidmm_kit_contiguous_bytes(void); /* that are taken */
uint64_t vidmm_kit_list_bytes(void);       /* of pages that belong to lists (mdl.c) */
void vidmm_kit_contiguous_give(const void *caller, void *address, SIZE_T size, const char *routine);
/* The driver takes or locks memory by a routine of the kernel's own (dxgk.c). */
void vidmm_kit_note_direct(const void *caller, const char *routine);
/* A list ends, or its pages are unlocked or given back: is it mapped to the IOMMU still? */
void vidmm_kit_iommu_let_go(const void *caller, const void *mdl, const char *routine);
void vidmm_kit_iommu_stop(void);
/* Memory or registers of the device are mapped, or not any more (resources.c). */
bool vidmm_kit_is_of_device(uint64_t start, uint64_t size); /* its memory */
void vidmm_kit_device_mapped(const void *caller, const void *address, bool by_callback);
void vidmm_kit_device_unmapped(const void *address, bool by_callback);
void vidmm_kit_device_mappings_stop(void);
/* A fault at `address`: was it a freed MDL? */
bool vidmm_kit_mdl_fault(const void *address);
bool vidmm_kit_registers_start(void);
void vidmm_kit_registers_stop(void);
void vidmm_kit_resources_stop(void);
/* The addresses that the BAR at an offset of config space decodes: a physical address, or a port,
 * and bytes. `kind` is IS_PORTS, or of IS_64_BITS and IS_PREFETCHABLE. False: there is no BAR, or
 * it decodes nothing. A second half is not told from a BAR. */
enum { IS_PORTS = 1, IS_64_BITS = 4, IS_PREFETCHABLE = 8 };
bool vidmm_kit_bar(uint32_t offset, uint64_t *start, uint64_t *size, unsigned *kind);
void *vidmm_kit_register_window(uint64_t physical_address, uint64_t size);
bool vidmm_kit_in_register_window(const void *address);
/* Ask the model for 1, 2, 4 or 8 bytes at an address in a window, or hand them to it. */
void vidmm_kit_register_plain(const void *caller, void *address, void *value, uint32_t length,
                              bool write);
/* Do the instruction that faulted at `address` in a window of registers: `context` is the fault's
 * ucontext_t, and stands behind the instruction then. False: it is not known, nothing happened. */
bool vidmm_kit_plain_access(void *address, void *context);
void vidmm_kit_plain_start(void);

/* ---- objects (object.c), registry (registry.c) ---- */

enum kit_object_type {
    KIT_OBJECT_THREAD = 1,
    KIT_OBJECT_EVENT,
    KIT_OBJECT_KEY,
    KIT_OBJECT_PROCESS,
    KIT_OBJECT_TYPES
};
/* Make an object with one reference; body is zeroed, 16-byte aligned. */
void *vidmm_kit_object_create(enum kit_object_type type, size_t size, void (*destroy)(void *body));
/* The kernel's own reference: nobody else can drop it, and it is no leak; and its end. */
void vidmm_kit_object_keep(void *body);
void vidmm_kit_object_release(void *body);
void vidmm_kit_object_ref(void *body);
void vidmm_kit_object_unref(const void *caller, void *body);
bool vidmm_kit_is_object(const void *body, enum kit_object_type type);
/* Open a handle, which holds a reference; 0: no room. */
HANDLE vidmm_kit_handle_open(const void *caller, void *body);
/* The body of a handle, referenced; NULL: it names nothing of that type (0: any). */
void *vidmm_kit_handle_body(HANDLE handle, enum kit_object_type type);
void vidmm_kit_objects_stop(void);
void vidmm_kit_extensions_stop(void);
bool vidmm_kit_registry_start(const char *configuration, char *error, size_t error_size);
void vidmm_kit_registry_stop(void);

/* ---- text (format.c), exceptions (seh.c), end (kernel.c) ---- */

/* Format into `size` characters of 1 or 2 bytes; always terminated if size is not 0. Answers what
 * all of it needs. */
size_t vidmm_kit_format(void *to, size_t size, bool wide, const void *format, va_list arguments);
void vidmm_kit_seh_start(bool catch_faults);
void vidmm_kit_seh_stop(void);
/* A thread comes, and goes: if faults are caught, it has a stack for signals. On that thread. */
void vidmm_kit_seh_begin_thread(struct _KTHREAD *thread);
void vidmm_kit_seh_end_thread(struct _KTHREAD *thread);
DECLSPEC_NORETURN void vidmm_kit_raise(NTSTATUS code, const void *address);
DECLSPEC_NORETURN void vidmm_kit_bug_check(uint32_t code, uint64_t p1, uint64_t p2, uint64_t p3,
                                           uint64_t p4);

#endif
