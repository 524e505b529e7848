/*
 * video.h: of the interface of video miniports before this one, the names that are still in use.
 *
 * Source: video.h pages of the public reference.
 */
#ifndef KIT_VIDEO_H
#define KIT_VIDEO_H

#include "dderror.h"
#include "ntddvdeo.h"

KIT_BEGIN

/* NO_ERROR, or an error of dderror.h. */
typedef LONG VP_STATUS, *PVP_STATUS;

/* Runs while nothing else of the driver does. */
typedef BOOLEAN MINIPORT_SYNCHRONIZE_ROUTINE(PVOID Context);
typedef MINIPORT_SYNCHRONIZE_ROUTINE *PMINIPORT_SYNCHRONIZE_ROUTINE;

KIT_END

#endif /* KIT_VIDEO_H */
