/*
 * TraceLoggingProvider.h: events that describe themselves. The kit takes the names and drops the
 * events: registering succeeds, nothing is enabled, the arguments are not evaluated.
 *
 * Source: TraceLoggingProvider.h pages of the public reference.
 */
#ifndef KIT_TRACELOGGINGPROVIDER_H
#define KIT_TRACELOGGINGPROVIDER_H

#include "wdm.h"

typedef const struct _tlgProvider_t *TraceLoggingHProvider;

#define TRACELOGGING_DECLARE_PROVIDER(Name) EXTERN_C const TraceLoggingHProvider Name
#define TRACELOGGING_DEFINE_PROVIDER(Name, ...)                                                    \
    EXTERN_C const TraceLoggingHProvider Name;                                                     \
    const TraceLoggingHProvider Name = 0
#define TRACELOGGING_DEFINE_PROVIDER_STORAGE(Name, ...) static const TraceLoggingHProvider Name = 0

#define TraceLoggingRegister(Provider) ((void)(Provider), STATUS_SUCCESS)
#define TraceLoggingRegisterEx(Provider, ...) ((void)(Provider), STATUS_SUCCESS)
#define TraceLoggingUnregister(Provider) ((void)(Provider))
#define TraceLoggingProviderEnabled(Provider, Level, Keyword) ((void)(Provider), FALSE)
#define TraceLoggingWrite(Provider, Name, ...) ((void)(Provider))
#define TraceLoggingWriteEx(Provider, Name, ...) ((void)(Provider))
#define TraceLoggingWriteActivity(Provider, Name, ...) ((void)(Provider))
#define TraceLoggingWriteStart(Activity, Name, ...) ((void)(Activity))
#define TraceLoggingWriteStop(Activity, Name, ...) ((void)(Activity))

#endif /* KIT_TRACELOGGINGPROVIDER_H */
