/*
 * contract.h: the auditor: is the contract between memory manager and miniport kept?
 *
 *      manager                          tap                              miniport
 *     +---------+   wrapped        +-----------+      DRIVER_            +--------+
 *     |         |----------------->|  record   |----------------------->|        |
 *     |         |  DRIVER_INIT...  |  judge    |   INITIALIZATION_DATA  |        |
 *     |         |<-----------------|  log      |<-----------------------|        |
 *     +---------+ DXGKRNL_INTERFACE+-----------+  wrapped interface     +--------+
 *                                        |
 *                                        +--> violations, text lines, records
 *
 * A tap stands between any manager and any miniport and sees nothing but the calls. It hands the
 * manager a DRIVER_INITIALIZATION_DATA of the same version whose functions call the miniport's, and
 * the miniport a DXGKRNL_INTERFACE whose functions call the manager's; handles and arguments go
 * through unchanged. From what passes it keeps a shadow: segments, devices, contexts, allocations
 * and where they are, aperture mappings, paging buffers, submissions in flight. Every call is
 * judged by the rules of src/wddm/rules against that shadow, written from contract.tsv and from no
 * manager.
 *
 *     struct vidmm_tap *tap = vidmm_tap_create(&config, &driver);
 *     start an adapter with vidmm_tap_driver(tap) in place of &driver; run; stop it
 *     if (vidmm_tap_violations(tap) > 0)
 *         vidmm_tap_report(tap, VIDMM_REPORT_TEXT, write, context);
 *     vidmm_tap_destroy(tap);
 *
 * Threads. Everything may be called from any thread. No lock is held while the miniport, or the
 * manager, is inside a call. Calls at interrupt time (NotifyInterrupt, NotifyDpc, QueueDpc, the
 * interrupt and DPC routines) only append to a list without a lock; the next other call looks at
 * it. Records are numbered in the order in which they are judged.
 *
 * A tap cannot see contents of memory, the CPU's accesses, and the manager's reasons. The one thing
 * that it asks by itself is DxgkCbGetHandleData after OpenAllocation, or DxgkCbAcquireHandleData
 * where the table has it, with its release: it is the only way to learn which allocation a
 * device-specific handle stands for.
 *
 * Out of memory. If the tap's own memory runs out it stops judging and says so in the report and in
 * vidmm_tap_complete(); calls go through as before.
 */
#ifndef VIDMM_CONTRACT_H
#define VIDMM_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wddm/rule.h"

/* Taps that may exist at a time in one process: functions of a driver get no context to find the
 * tap by, so each tap has its own set of them. */
#define VIDMM_TAPS 8

struct _DRIVER_INITIALIZATION_DATA; /* wddm/dispmprt.h */

/* A tap. Private. */
struct vidmm_ddi_record;
struct vidmm_tap;

/* The destination of text; called with whole lines or parts of them. */
typedef void vidmm_tap_write(void *context, const char *text, size_t length);

/* How a tap behaves. All zero is a good default: judge, keep a few violations of each rule. */
struct vidmm_tap_config {
    /* The level that the calling thread runs at, as the manager simulates it: 0 PASSIVE_LEVEL, 2
     * DISPATCH_LEVEL. NULL: not known; then D-313 is not judged. Any thread, any level. */
    uint8_t (*current_irql)(void *context);
    void *irql_context;

    /* Every call as a line of text; NULL: none. Called one at a time, with the tap's lock held: it
     * may call neither the tap nor the driver. A call inside which nothing else happened is one
     * line,
     *       412 BuildPagingBuffer hAdapter=0x10 Operation=FILL ... -> STATUS_SUCCESS wrote=64
     * others have a line at entry and one at return, which names the first:
     *       413 @2 SubmitCommand hAdapter=0x10 ...
     *       414 @5 DxgkCbNotifyInterrupt DeviceHandle=0x20 InterruptType=DMA_COMPLETED ...
     *       415 SubmitCommand of 413 -> STATUS_SUCCESS */
    vidmm_tap_write *log;
    void *log_context;

    /* Every record; NULL: nobody. Called like log; the record is good during the call. */
    void (*record)(void *context, const struct vidmm_ddi_record *record);
    void *record_context;

    unsigned list_limit; /* elements of a list that text shows; 0: 8. UINT_MAX: all */
    unsigned keep;       /* violations of one rule that are kept, the first ones; 0: 4 */

    /* The manager under test does not call Patch for paging buffers, which one page allows
     * (contract.md 8, 15): S4-007 does not ask for it. */
    bool paging_is_not_patched;

    /* Physical adapters of the link that the tap watches; 0, 1: the adapter is not linked. */
    unsigned links;

    /* Only record and log. */
    bool no_audit;
};

/*
 * Make a tap for a driver.
 *
 * config   copied; NULL: all zero
 * driver   what DxgkInitialize would be given; copied. Only the functions that its Version has are
 *          read
 * NULL: Version is no version, there is no memory, or VIDMM_TAPS taps exist. Nothing has changed.
 */
struct vidmm_tap *vidmm_tap_create(const struct vidmm_tap_config *config,
                                   const struct _DRIVER_INITIALIZATION_DATA *driver);

/*
 * The functions to start the manager with: the driver's, wrapped. A function that the driver lacks
 * is missing here too; one without a row in calls.def is the driver's own. Good until destroy.
 *
 * A tap watches one adapter at a time, or the physical adapters of one link: AddDevice for one more
 * before RemoveDevice is answered STATUS_DEVICE_BUSY and not passed on. Make a tap for each.
 */
const struct _DRIVER_INITIALIZATION_DATA *vidmm_tap_driver(const struct vidmm_tap *tap);

/* Free a tap; NULL is none. No call may be inside it, nor come later, of either side. */
void vidmm_tap_destroy(struct vidmm_tap *tap);

/* One breach of a rule. The texts belong to the tap. */
struct vidmm_violation {
    enum vidmm_rule_id rule;
    uint64_t sequence;  /* number of the record that it was seen on */
    const char *detail; /* the fault found and the rule's demand, in numbers */
    const char *record; /* the record, as text */
};

/* How often rules were broken, in all or one of them. */
uint64_t vidmm_tap_violations(struct vidmm_tap *tap);
uint64_t vidmm_tap_violations_of(struct vidmm_tap *tap, enum vidmm_rule_id rule);

/* Give the kept violation number `index` (0 is the first one seen). False: there are not that
 * many. */
bool vidmm_tap_violation(struct vidmm_tap *tap, size_t index, struct vidmm_violation *violation);

/* How many records there were. */
uint64_t vidmm_tap_records(struct vidmm_tap *tap);

/* How many references to allocations could not be judged, because the manager did not answer
 * DxgkCbGetHandleData for the handle that it opened. */
uint64_t vidmm_tap_unknown_references(struct vidmm_tap *tap);

/* True unless the tap ran out of memory and stopped judging. */
bool vidmm_tap_complete(struct vidmm_tap *tap);

enum vidmm_report_style {
    VIDMM_REPORT_TEXT, /* a paragraph a rule; nothing if there is no violation */
    VIDMM_REPORT_JSON, /* an array of objects, one a rule that was broken; [] if none was */
};

/* Write what was found. */
void vidmm_tap_report(struct vidmm_tap *tap, enum vidmm_report_style style, vidmm_tap_write *write,
                      void *context);

/* The place of a rule's checker; NULL: the auditor does not judge it. */
const struct vidmm_source_line *vidmm_contract_checker_at(enum vidmm_rule_id rule);

#endif
