/*
 * call.h: the calls between dxgkrnl and a miniport, by number, and one record of one of them.
 *
 * Each call is recorded twice: when it is entered and when it has returned.
 *
 *     manager                tap or test                 miniport
 *        | SubmitCommand(&arg)   |                          |
 *        |---------------------->| record: entered, arg     |
 *        |                       |------------------------->|
 *        |                       |<-------------------------|
 *        |<----------------------| record: returned, arg,   |
 *        |                       |         as it was, status|
 *
 * A record points at what the caller holds and is good only during the call that hands it out; a
 * reader that wants to keep something copies it or prints it.
 */
#ifndef VIDMM_WDDM_CALL_H
#define VIDMM_WDDM_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_text;

/* The number of each call of calls.def: VIDMM_DDI_BUILD_PAGING_BUFFER ... */
enum vidmm_ddi {
#define DDI_ARGUMENT(ID, Name, handle, TYPE, CLASS, IRQL) VIDMM_DDI_##ID,
#define DDI_OPAQUE(ID, Name, handle, TYPE, CLASS, IRQL) VIDMM_DDI_##ID,
#define DDI_HANDLE(ID, Name, handle, CLASS, IRQL) VIDMM_DDI_##ID,
#define DDI_OTHER(ID, Name, handle, ANSWER, CLASS, IRQL) VIDMM_DDI_##ID,
#define DDI_CALLBACK(ID, Name) VIDMM_DDI_##ID,
#define DDI_REQUEST(ID, Name) VIDMM_DDI_##ID,
#define DDI_ASIDE(ID, Name, ANSWER, parameters, arguments) VIDMM_DDI_##ID,
#include "wddm/calls.def"
    VIDMM_DDI_COUNT
};

/* The callers that may be inside a call at the same time as another. */
enum vidmm_ddi_class {
    VIDMM_CLASS_ZERO,      /* anybody */
    VIDMM_CLASS_SCHEDULER, /* nobody in a call of this class */
    VIDMM_CLASS_SWIZZLING, /* nobody in a call of this class */
    VIDMM_CLASS_TWO,       /* nobody at all */
    VIDMM_CLASS_THREE,     /* nobody at all, and the hardware is idle */
};

#define VIDMM_IRQL_PASSIVE 0
#define VIDMM_IRQL_DISPATCH 2
#define VIDMM_IRQL_DEVICE 5
#define VIDMM_IRQL_ANY (-1) /* of a call: more than one is legal. In a record: not known */

struct vidmm_ddi_call {
    const char *name; /* as the documents abbreviate it: "BuildPagingBuffer" */
    enum vidmm_ddi_class class;
    int irql;           /* VIDMM_IRQL_... */
    bool callback;      /* called by the miniport */
    bool answers;       /* returns an NTSTATUS */
    const char *handle; /* the name of the first argument; "": there is none to name */
};

/* The row of a call. */
const struct vidmm_ddi_call *vidmm_ddi_call(enum vidmm_ddi ddi);

/* A structure in place of the argument struct, for calls whose arguments are not in one. */
struct vidmm_ddi_add_device {
    HANDLE PhysicalDeviceObject;
    HANDLE MiniportDeviceContext; /* out */
};
#define VIDMM_NOT_SET UINT32_MAX /* the value of an output before the driver sets it */
struct vidmm_ddi_start_device {
    ULONG RequiredDmaQueueEntry;       /* DXGK_START_INFO; the driver may change it */
    HANDLE DeviceHandle;               /* DXGKRNL_INTERFACE */
    ULONG NumberOfVideoPresentSources; /* out; or VIDMM_NOT_SET */
    ULONG NumberOfChildren;            /* out; or VIDMM_NOT_SET */
};
struct vidmm_ddi_query_child_relations {
    ULONG ChildRelationsSize;
};
struct vidmm_ddi_set_power_state {
    ULONG DeviceUid;
    INT DevicePowerState;
    INT ActionType;
};
struct vidmm_ddi_destroy_context_allocation {
    HANDLE hAllocation;
};
struct vidmm_ddi_interrupt_routine {
    ULONG MessageNumber;
};
struct vidmm_ddi_destroy_process {
    HANDLE hKmdProcess;
};
struct vidmm_ddi_control_interrupt {
    INT InterruptType; /* DXGK_INTERRUPT_TYPE */
    BOOLEAN EnableInterrupt;
};

struct vidmm_ddi_record {
    uint64_t sequence; /* 1 for the first record of a run, then without gaps */
    enum vidmm_ddi ddi;
    bool returned;  /* false: about to be called */
    uint16_t level; /* of the miniport: VIDMM_LEVEL(...) */
    int irql;       /* of the caller; VIDMM_IRQL_ANY: not known */
    HANDLE handle;  /* the first argument: adapter, device or context */

    /* The argument struct of calls.def, or the struct above; NULL: the call has none. Only the
     * first vidmm_ddi_argument_size() bytes may be read. */
    const void *argument;

    uint64_t run; /* of the interrupt routine that makes the call, from 1 on; 0: another makes it */

    /* returned only */
    NTSTATUS status;    /* the answer, if there is one */
    const void *before; /* the argument as it was when the call was entered */
    uint64_t entered;   /* sequence number of the record of the entry */
};

/*
 * Bytes of the argument struct of a call that a driver of this level has; 0 for calls without one.
 * The struct is the newest one, which grew: the bytes beyond are not part of the older interface.
 */
size_t vidmm_ddi_argument_size(enum vidmm_ddi ddi, uint16_t level);

/*
 * Append a record as text, in one line, or as one JSON object.
 *
 * Entered: name, handle and the arguments that go in. Returned: the status and what came out.
 * list_limit  print so many elements of each list and count the rest; 0: all of them
 *
 *     BuildPagingBuffer hAdapter=0x10 Operation=FILL hAllocation=0x2f FillSize=65536 ...
 *     STATUS_SUCCESS pDmaBuffer=0x7f10 wrote=64 MultipassOffset=0
 */
void vidmm_ddi_print(struct vidmm_text *text, const struct vidmm_ddi_record *record,
                     unsigned list_limit);
void vidmm_ddi_print_json(struct vidmm_text *text, const struct vidmm_ddi_record *record,
                          unsigned list_limit);

#endif
