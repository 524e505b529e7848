/* share.c: one block a share: the record, the list of its allocations' data, all bytes. */
#include "thunk/share.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "thunk/process.h"

static struct vidmm_share_data copy(unsigned char **at, struct vidmm_share_data data)
{
    struct vidmm_share_data copied = {*at, data.size};

    if (data.size > 0)
        memcpy(*at, data.bytes, data.size);
    *at += data.size;
    return copied;
}

struct vidmm_share *vidmm_share_create(struct vidmm_share_data runtime,
                                       struct vidmm_share_data resource,
                                       const struct vidmm_share_data *allocations, uint32_t count)
{
    size_t size = sizeof(struct vidmm_share) + count * sizeof(*allocations) + runtime.size +
                  (size_t)resource.size;
    struct vidmm_share *share;
    unsigned char *at;

    for (uint32_t i = 0; i < count; i++)
        size += allocations[i].size;
    share = calloc(1, size);
    if (share == NULL)
        return NULL;
    share->count = count;
    share->file = -1;
    share->allocations = (struct vidmm_share_data *)(share + 1);
    at = (unsigned char *)(share->allocations + count);
    share->runtime = copy(&at, runtime);
    share->resource = copy(&at, resource);
    for (uint32_t i = 0; i < count; i++)
        share->allocations[i] = copy(&at, allocations[i]);
    return share;
}

void vidmm_share_destroy(struct vidmm_share *share)
{
    if (share != NULL && share->file >= 0)
        close(share->file);
    free(share);
}

void vidmm_share_publish(struct vidmm_thunk_machine *machine, struct vidmm_share *share)
{
    pthread_mutex_lock(&machine->mutex);
    share->openings = 1;
    share->next = machine->shares;
    machine->shares = share;
    pthread_mutex_unlock(&machine->mutex);
}

struct vidmm_share *vidmm_share_open(struct vidmm_thunk_machine *machine,
                                     struct vidmm_adapter *adapter, uint32_t handle)
{
    struct vidmm_share *share;

    pthread_mutex_lock(&machine->mutex);
    for (share = machine->shares; share != NULL; share = share->next)
        if (share->adapter == adapter && share->handle == handle && !share->nt)
            break;
    if (share != NULL)
        share->openings++;
    pthread_mutex_unlock(&machine->mutex);
    return share;
}

void vidmm_share_close(struct vidmm_thunk_machine *machine, struct vidmm_share *share)
{
    struct vidmm_share **link = &machine->shares;

    pthread_mutex_lock(&machine->mutex);
    share->openings--;
    if (share->openings == 0) {
        while (*link != share)
            link = &(*link)->next;
        *link = share->next;
        vidmm_share_destroy(share);
    }
    pthread_mutex_unlock(&machine->mutex);
}

void vidmm_share_forget_all(struct vidmm_thunk_machine *machine)
{
    while (machine->shares != NULL) {
        struct vidmm_share *share = machine->shares;

        machine->shares = share->next;
        vidmm_share_destroy(share);
    }
}

uint32_t vidmm_share_total(const struct vidmm_share *share)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < share->count; i++)
        total += share->allocations[i].size;
    return total;
}
