/* journal.h: each paging operation as a line of a file, as it is built: whose, which addresses,
 * which allocation, which places, and the fence of the submission that carries it.
 *
 *      17 UPDATE_PAGE_TABLE success process=0x20 va=0x10000..0x20000 ... fence=0x0000002a
 *
 * A line is there at once, and its fence is filled in when the buffer is submitted: what a driver
 * does before it falls is told all the same. docs/check.md lists the words of a line.
 */
#ifndef CHECK_JOURNAL_H
#define CHECK_JOURNAL_H

#include <stdbool.h>

#include <wddm/dispmprt.h>

struct vidmm_board;

/* Begin the file; in the child, once it has its descriptors. NULL: there is none. False: the board
 * says why. */
bool vidmm_journal_open(struct vidmm_board *board, const char *path);
void vidmm_journal_close(void);

/* BuildPagingBuffer was called with `asked` and came back with `answered`. One thread at a time. */
void vidmm_journal_built(const DXGKARG_BUILDPAGINGBUFFER *asked,
                         const DXGKARG_BUILDPAGINGBUFFER *answered, NTSTATUS status);
/* A paging buffer of so many bytes is submitted; any thread. */
void vidmm_journal_submitted(uint32_t bytes, uint32_t fence);

#endif
