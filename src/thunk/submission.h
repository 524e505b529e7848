/* submission.h: commands that a program has written at a GPU virtual address, for a context or a
 * hardware queue. */
#ifndef VIDMM_THUNK_SUBMISSION_H
#define VIDMM_THUNK_SUBMISSION_H

#include <stdint.h>

#include <wddm/d3dukmdt_types.h>

#include "thunk/object.h"

struct vidmm_thunk_submission {
    const D3DKMT_HANDLE *queues; /* that they go to, `queue_count`: each gets all of them */
    UINT queue_count;            /* 1 to D3DDDI_MAX_BROADCAST_CONTEXT */
    enum vidmm_thunk_type type;  /* contexts, or a hardware queue */
    const char *member;          /* that names them */
    uint64_t id;                 /* of a hardware queue: its progress fence when they are done */
    D3DGPU_VIRTUAL_ADDRESS address;
    UINT length;
    const void *private_data;
    UINT private_data_size;
    const D3DKMT_HANDLE *primaries; /* that they write */
    UINT primary_count;
};

/* Queue them, and wait for a place if there is none. STATUS_INVALID_PARAMETER: a handle, queues of
 * several devices, the number of primaries, private data without an address; and what the manager
 * answers, which it does queue by queue: those before the one that refuses have the commands. */
NTSTATUS vidmm_thunk_submit(struct vidmm_thunk_process *process,
                            const struct vidmm_thunk_submission *submission);

#endif
