// courier_umd.h: the words between the user-mode driver and the miniport. A C header: the
// plug-in of `vidmm check` stands in for the user-mode driver.
#ifndef COURIER_UMD_H
#define COURIER_UMD_H

#include <stdint.h>

// Private data of an allocation: a surface of 32-bit pixels.
struct CourierSurface {
    uint32_t Width, Height;
};

// A command buffer is an array of these. An allocation is its index in the allocation list.
enum CourierKind { COURIER_NOTHING, COURIER_READ, COURIER_FILL, COURIER_COPY };

struct CourierRequest {
    uint32_t Kind;
    uint32_t Pattern;     // of COURIER_FILL
    uint32_t Destination; // of COURIER_FILL and COURIER_COPY
    uint32_t Source;      // of COURIER_READ and COURIER_COPY
    uint64_t Size;        // bytes from the start of both
};

#endif
