/* places.h: a place in a driver's file as file, line and function. */
#ifndef CHECK_PLACES_H
#define CHECK_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vidmm_place {
    char file[400];     /* of the source; from the working folder, if it is below that; empty: not
                         * known */
    unsigned line;      /* 0: not known */
    char function[128]; /* empty: not known */
    char object[160];   /* "driver.so+0x1a40" */
};

/* Look a place up by means of addr2line. False: address is 0. Without that program, or without
 * debug information, the object alone is known. */
bool vidmm_place_find(const char *driver, uint64_t address, struct vidmm_place *place);

/* "drivers/copy.c:312: build_transfer, driver.so+0x1a40", as editors read it, or the object alone.
 * False: address is 0. */
bool vidmm_place_of(const char *driver, uint64_t address, char *text, size_t size);

#endif
