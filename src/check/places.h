/* places.h: a place in a driver's file as file, line and function. */
#ifndef CHECK_PLACES_H
#define CHECK_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "driver.c:312 (build_transfer), driver.so+0x1a40" by means of addr2line, or the offset alone if
 * that program or debug information is missing. False: address is 0. */
bool vidmm_place_of(const char *driver, uint64_t address, char *text, size_t size);

#endif
