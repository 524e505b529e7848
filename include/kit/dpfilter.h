/* dpfilter.h: the components that DbgPrintEx knows; their numbers select a mask. */
#ifndef KIT_DPFILTER_H
#define KIT_DPFILTER_H

enum {
    DPFLTR_SYSTEM_ID = 0,
    DPFLTR_VIDEO_ID = 20,
    DPFLTR_IHVDRIVER_ID = 77,
    DPFLTR_IHVVIDEO_ID = 78,
    DPFLTR_IHVAUDIO_ID = 79,
    DPFLTR_IHVNETWORK_ID = 80,
    DPFLTR_IHVSTREAMING_ID = 81,
    DPFLTR_IHVBUS_ID = 82,
    DPFLTR_DEFAULT_ID = 101,
    DPFLTR_DXGK_ID = 113
};

#endif /* KIT_DPFILTER_H */
