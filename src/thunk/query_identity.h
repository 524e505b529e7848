/* query_identity.h: who an adapter is. */
#ifndef VIDMM_THUNK_QUERY_IDENTITY_H
#define VIDMM_THUNK_QUERY_IDENTITY_H

#include <wddm/wddm_types.h>

struct vidmm_thunk_adapter;

/* Answer questions about the adapter's identity, in the structure of the question: its description
 * and registry information (STATUS_NOT_SUPPORTED: it has no description), its GUID, the driver's
 * version (STATUS_NOT_SUPPORTED: nobody knows it), and no to what is a BOOL. */
NTSTATUS vidmm_query_description(const struct vidmm_thunk_adapter *adapter, void *data);
NTSTATUS vidmm_query_registry_info(const struct vidmm_thunk_adapter *adapter, void *data);
NTSTATUS vidmm_query_guid(const struct vidmm_thunk_adapter *adapter, void *data);
NTSTATUS vidmm_query_driver_version(const struct vidmm_thunk_adapter *adapter, void *data);
NTSTATUS vidmm_query_no(const struct vidmm_thunk_adapter *adapter, void *data);

#endif
