/* carried.c: messages with a memory file in them. */
#include "thunk/carried.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vidmm/page.h>

#include "thunk/mirror.h"

#define MAGIC 0x6d644956u /* "VIdm" */
#define VERSION 1u
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW)

struct message {
    uint32_t magic, version;
    uint32_t kind, flags, type, runtime;
    uint64_t size;
};

union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

int vidmm_carried_file(uint64_t size)
{
    int file = memfd_create("vidmm-shared", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (file >= 0 && (ftruncate(file, (off_t)size) != 0 || fcntl(file, F_ADD_SEALS, SEALS) != 0)) {
        close(file);
        return -1;
    }
    return file;
}

bool vidmm_carried_put(int end, const struct vidmm_carried *carried)
{
    struct message message = {MAGIC,          VERSION,       (uint32_t)carried->kind,
                              carried->flags, carried->type, carried->runtime,
                              carried->size};
    struct iovec bytes = {&message, sizeof(message)};
    union control control;
    struct msghdr header = {.msg_iov = &bytes,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof(control)};

    memset(&control, 0, sizeof(control));
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &carried->file, sizeof(carried->file));
    return sendmsg(end, &header, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof(message);
}

/* The first message, which stays where it is, and the descriptor in it (-1: none). */
static bool peek(int descriptor, struct message *message, int *file)
{
    struct iovec bytes = {message, sizeof(*message)};
    union control control;
    struct msghdr header = {.msg_iov = &bytes,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof(control)};
    ssize_t got;

    memset(&control, 0, sizeof(control));
    got = recvmsg(descriptor, &header, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    *file = -1;
    if (got >= 0 && header.msg_controllen >= CMSG_LEN(sizeof(int)) &&
        control.header.cmsg_level == SOL_SOCKET && control.header.cmsg_type == SCM_RIGHTS &&
        control.header.cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(file, CMSG_DATA(&control.header), sizeof(*file));
    return got == (ssize_t)sizeof(*message) && (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0 &&
           *file >= 0;
}

static bool is_legal(const struct message *message)
{
    if (message->magic != MAGIC || message->version != VERSION)
        return false;
    if (message->kind == VIDMM_CARRIED_FENCE)
        return message->size == 0 && message->runtime == 0;
    return message->kind == VIDMM_CARRIED_HEAP && message->size > 0 &&
           message->size <= UINT32_MAX && message->size % VIDMM_PAGE_SIZE == 0;
}

static bool is_whole(int file, const struct message *message)
{
    uint64_t size = message->kind == VIDMM_CARRIED_FENCE ? VIDMM_MIRROR_BYTES
                                                         : message->size + message->runtime;
    struct stat status;

    return fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
           (uint64_t)status.st_size >= size &&
           (fcntl(file, F_GET_SEALS) & F_SEAL_SHRINK) != 0; /* -1 is no memory file at all */
}

bool vidmm_carried_look(int descriptor, struct vidmm_carried *carried)
{
    struct message message;
    int file;

    if (!peek(descriptor, &message, &file) || !is_legal(&message) || !is_whole(file, &message)) {
        if (file >= 0)
            close(file);
        return false;
    }
    *carried = (struct vidmm_carried){.kind = (enum vidmm_carried_kind)message.kind,
                                      .flags = message.flags,
                                      .type = message.type,
                                      .runtime = message.runtime,
                                      .size = message.size,
                                      .file = file};
    return true;
}
