/* heap_file.c: private pages put into a memory file, and back. */
#include "thunk/heap_file.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vidmm/page.h>

#include "thunk/carried.h"

/* Whether no page is of a shared mapping, which a remapping of 0 bytes would map once more. Those
 * are somebody's already: of the program with another, or of the machine. */
static bool is_private(const char *address, uint64_t size)
{
    for (uint64_t at = 0; at < size; at += VIDMM_PAGE_SIZE) {
        void *again = mremap((void *)(uintptr_t)(address + at), 0, VIDMM_PAGE_SIZE, MREMAP_MAYMOVE);

        if (again != MAP_FAILED) {
            munmap(again, VIDMM_PAGE_SIZE);
            return false;
        }
    }
    return true;
}

/* The system copies, so that memory which is not there is an answer and no fault. */
static bool copy(int file, const char *from, uint64_t size, uint64_t offset)
{
    ssize_t copied;

    for (uint64_t at = 0; at < size; at += (uint64_t)copied) {
        copied = pwrite(file, from + at, size - at, (off_t)(offset + at));
        if (copied <= 0)
            return false;
    }
    return true;
}

/* ... and back: memory that cannot be written is found by it. */
static bool fetch(int file, char *to, uint64_t size)
{
    ssize_t copied;

    for (uint64_t at = 0; at < size; at += (uint64_t)copied) {
        copied = pread(file, to + at, size - at, (off_t)at);
        if (copied <= 0)
            return false;
    }
    return true;
}

int vidmm_heap_file_create(void *address, uint64_t size, const void *more, uint32_t more_size)
{
    int file;

    if (address == NULL || size == 0 || size % VIDMM_PAGE_SIZE != 0 ||
        (uintptr_t)address % VIDMM_PAGE_SIZE != 0 || !is_private(address, size))
        return -1;
    file = vidmm_carried_file(size + more_size);
    if (file < 0)
        return -1;
    if (!copy(file, address, size, 0) || !fetch(file, address, size) ||
        !copy(file, more, more_size, size) ||
        mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED) {
        close(file);
        return -1;
    }
    return file;
}

void vidmm_heap_file_undo(void *address, uint64_t size, int file)
{
    char *at =
        mmap(address, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

    if (at != MAP_FAILED)
        fetch(file, at, size);
    close(file);
}
