/* lies.h: switches for a build of the manager that breaks one rule, so that tests can prove that
 * they would see it. A build with none of them is the manager: -DVIDMM_LIE=VIDMM_LIE_... makes one
 * lie.
 */
#ifndef VIDMM_LIES_H
#define VIDMM_LIES_H

#ifndef VIDMM_LIE
#define VIDMM_LIE 0
#endif
#define VIDMM_LIES(which) (VIDMM_LIE == (which))
#define VIDMM_LIE_BARE_OFFSET 1       /* an address in a segment without its BaseAddress */
#define VIDMM_LIE_IDLE_FORGOTTEN 2    /* the retry after BUSY without AllocationIsIdle */
#define VIDMM_LIE_MULTIPASS_TOUCHED 3 /* MultipassOffset reset between the passes */
#define VIDMM_LIE_EARLY_REUSE 4       /* a paging buffer reused before its fence */
#define VIDMM_LIE_EARLY_UNMAP 5       /* the eviction aperture unmapped before the transfer ran */
#define VIDMM_LIE_MDL_BYTES 6         /* MdlOffset in bytes */
#define VIDMM_LIE_SET_BIT 7           /* bit n of a set read as segment n */
#define VIDMM_LIE_MDL_TRANSFER 8      /* TransferOffset applied to the MDL side */
#define VIDMM_LIE_NO_END 9            /* TransferEnd missing */
#define VIDMM_LIE_BUSY_VICTIM 10      /* a victim that a submitted DMA buffer still names */
#define VIDMM_LIE_NO_PATCH 11         /* DxgkDdiPatch skipped */
#define VIDMM_LIE_NO_FLUSH 12         /* what the CPU wrote left in its caches */
#define VIDMM_LIE_CONTEXT_LEAVES 13   /* a context allocation moves while a node runs its context */
#define VIDMM_LIE_NEW_FENCE 14        /* preempted paging submitted again with a new fence */
#define VIDMM_LIE_COPYING_PURGE 15    /* what a reset took is transferred all the same */
#define VIDMM_LIE_NO_SWITCH 16        /* a context not left before what it has used moves */
#define VIDMM_LIE_LEFT_POSTED 17      /* what the GPU wrote to AGP memory left in the bridge */
#define VIDMM_LIE_SHIFTED_READ 18     /* the raw bytes of a segment read one page further on */

#endif
