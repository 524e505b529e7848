/* heap_file.h: memory of a program that goes into a memory file, so that other processes of the
 * system can share it.
 *
 *     before   [ private pages ]      after   [ pages of the file ]   at the same address, with the
 *                                                                     same bytes
 *
 * Nobody may write to the memory during a call.
 */
#ifndef VIDMM_THUNK_HEAP_FILE_H
#define VIDMM_THUNK_HEAP_FILE_H

#include <stdint.h>

/* Put `size` bytes into a file, which has `more` bytes behind them. -1: they are not whole pages of
 * private memory to read and write, or the system has no file; all is as before. */
int vidmm_heap_file_create(void *address, uint64_t size, const void *more, uint32_t more_size);
/* Make the memory private again, with the bytes it has, and close the file. */
void vidmm_heap_file_undo(void *address, uint64_t size, int file);

#endif
