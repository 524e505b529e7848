/* page.h: the page, by which everything about memory is counted: bytes, and the shift to pages. */
#ifndef VIDMM_PAGE_H
#define VIDMM_PAGE_H

#ifdef __cplusplus
extern "C" {
#endif

#define VIDMM_PAGE_SIZE 4096u
#define VIDMM_PAGE_SHIFT 12u

#ifdef __cplusplus
}
#endif

#endif
