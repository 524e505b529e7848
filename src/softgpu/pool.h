/*
 * pool.h: the kernel's pool, as little of it as the driver half uses, over malloc.
 *
 * Blocks are 16-byte aligned and not cleared. A test can let the n-th allocation fail, and count
 * what has not come back. All drivers of the program share the count; any thread.
 */
#ifndef SOFTGPU_POOL_H
#define SOFTGPU_POOL_H

#include <stddef.h>
#include <stdint.h>

/* The one kind of pool in use: the scheduler's calls come at DISPATCH_LEVEL. */
enum softgpu_pool_type { NonPagedPoolNx = 512 };

/* Take `size` bytes marked with `tag`; NULL: there are none. */
void *softgpu_pool_allocate(enum softgpu_pool_type type, size_t size, uint32_t tag);
/* Give a block back; the tag must be the one it was taken with. */
void softgpu_pool_free(void *block, uint32_t tag);

#define ExAllocatePoolWithTag softgpu_pool_allocate
#define ExFreePoolWithTag softgpu_pool_free

/* Let the n-th allocation from now on fail, once; 0: none does. */
void softgpu_pool_fail_at(uint32_t n);
/* Blocks that have not come back. */
uint64_t softgpu_pool_outstanding(void);

#endif
