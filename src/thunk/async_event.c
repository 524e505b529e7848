/* async_event.c: eventfd. The descriptor of a notice is its argument, so a notice needs no memory.
 */
#include "thunk/async_event.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vidmm/fence.h>

#include "thunk/process.h"

/* An event has no type of file. Pipes, sockets and files have one, and a write to them could
 * block. */
static bool is_event(int descriptor)
{
    struct stat status;

    return fstat(descriptor, &status) == 0 && (status.st_mode & S_IFMT) == 0;
}

int vidmm_async_event_take(HANDLE handle, const char *member)
{
    intptr_t descriptor = (intptr_t)handle;
    int event = -1;

    if (descriptor > 0 && descriptor <= INT32_MAX && is_event((int)descriptor))
        event = fcntl((int)descriptor, F_DUPFD_CLOEXEC, 1);
    if (event < 0)
        vidmm_thunk_refuse("%s is %lld; expected a descriptor of an eventfd", member,
                           (long long)descriptor);
    return event;
}

void vidmm_async_event_set(int event)
{
    const uint64_t once = 1;
    struct pollfd room = {.fd = event, .events = POLLOUT};

    /* An event that has no room has been set already. */
    if (poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) != 0 &&
        write(event, &once, sizeof(once)) < 0)
        return;
}

void vidmm_async_event_release(int event)
{
    if (event >= 0)
        close(event);
}

static void over(void *argument, NTSTATUS status)
{
    int event = (int)(intptr_t)argument;

    (void)status;
    vidmm_async_event_set(event);
    vidmm_async_event_release(event);
}

struct vidmm_fence_notice vidmm_async_event_notice(int event)
{
    return (struct vidmm_fence_notice){over, (void *)(intptr_t)event};
}
