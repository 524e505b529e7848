/* address.h: a change of addresses, as it is judged at once and made later. */
#ifndef VIDMM_CLIENT_ADDRESS_H
#define VIDMM_CLIENT_ADDRESS_H

#include <wddm/wddm_types.h>

struct vidmm_address_operation;
struct vidmm_device;
struct vidmm_event;
struct vidmm_report;

/* Judge a change by its arguments, for the process of a device, and make the event of it; the
 * paging queue that tells of it is the caller's to name. It does not look at what is there now. The
 * mutex is not held. STATUS_INVALID_PARAMETER, STATUS_NOT_SUPPORTED: the report says why. */
NTSTATUS vidmm_address_operation_judge(const struct vidmm_device *device,
                                       const struct vidmm_address_operation *operation,
                                       struct vidmm_event *event, struct vidmm_report *report);

#endif
