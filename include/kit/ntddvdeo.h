/*
 * ntddvdeo.h: interfaces and requests of display devices, as far as miniports answer them.
 *
 * Source: ntddvdeo.h and "Brightness control" pages of the public reference.
 */
#ifndef KIT_NTDDVDEO_H
#define KIT_NTDDVDEO_H

#include "wdm.h"

KIT_BEGIN

/* Interface classes: adapters, monitors, outputs. */
DEFINE_GUID(GUID_DEVINTERFACE_DISPLAY_ADAPTER, 0x5b45201d, 0xf2f2, 0x4f3b, 0x85, 0xbb, 0x30, 0xff,
            0x1f, 0x95, 0x35, 0x99);
DEFINE_GUID(GUID_DEVINTERFACE_MONITOR, 0xe6f07b5f, 0xee97, 0x4a90, 0xb0, 0x76, 0x33, 0xf5, 0x7b,
            0xf4, 0xea, 0xa7);
DEFINE_GUID(GUID_DISPLAY_DEVICE_ARRIVAL, 0x1ca05180, 0xa699, 0x450a, 0x9a, 0x0c, 0xde, 0x4f, 0xbe,
            0x3d, 0xdd, 0x89);

/* A mode, as the interface before this one described it. */
typedef struct _VIDEO_MODE {
    ULONG RequestedMode;
} VIDEO_MODE, *PVIDEO_MODE;

typedef struct _VIDEO_MODE_INFORMATION {
    ULONG Length;
    ULONG ModeIndex;
    ULONG VisScreenWidth;  /* pixels */
    ULONG VisScreenHeight; /* lines */
    ULONG ScreenStride;    /* bytes from a line to the next */
    ULONG NumberOfPlanes;
    ULONG BitsPerPlane;
    ULONG Frequency; /* Hz */
    ULONG XMillimeter;
    ULONG YMillimeter;
    ULONG NumberRedBits;
    ULONG NumberGreenBits;
    ULONG NumberBlueBits;
    ULONG RedMask;
    ULONG GreenMask;
    ULONG BlueMask;
    ULONG AttributeFlags; /* VIDEO_MODE_... */
    ULONG VideoMemoryBitmapWidth;
    ULONG VideoMemoryBitmapHeight;
    ULONG DriverSpecificAttributeFlags;
} VIDEO_MODE_INFORMATION, *PVIDEO_MODE_INFORMATION;
#define VIDEO_MODE_COLOR 0x0001
#define VIDEO_MODE_GRAPHICS 0x0002
#define VIDEO_MODE_PALETTE_DRIVEN 0x0004
#define VIDEO_MODE_MANAGED_PALETTE 0x0008
#define VIDEO_MODE_INTERLACED 0x0010
#define VIDEO_MODE_NO_OFF_SCREEN 0x0020
#define VIDEO_MODE_NO_64_BIT_ACCESS 0x0040

typedef struct _VIDEO_NUM_MODES {
    ULONG NumModes;
    ULONG ModeInformationLength; /* bytes of one */
} VIDEO_NUM_MODES, *PVIDEO_NUM_MODES;

typedef struct _VIDEO_MEMORY {
    PVOID RequestedVirtualAddress;
} VIDEO_MEMORY, *PVIDEO_MEMORY;

typedef struct _VIDEO_MEMORY_INFORMATION {
    PVOID VideoRamBase;
    ULONG VideoRamLength; /* bytes */
    PVOID FrameBufferBase;
    ULONG FrameBufferLength; /* bytes */
} VIDEO_MEMORY_INFORMATION, *PVIDEO_MEMORY_INFORMATION;

/* The pointer on the screen. Pixels begin at Pixels, in a bitmap as the device has them. */
typedef struct _VIDEO_POINTER_POSITION {
    SHORT Column;
    SHORT Row;
} VIDEO_POINTER_POSITION, *PVIDEO_POINTER_POSITION;

typedef struct _VIDEO_POINTER_ATTRIBUTES {
    ULONG Flags; /* VIDEO_MODE_..._POINTER */
    ULONG Width;
    ULONG Height;
    ULONG WidthInBytes;
    ULONG Enable; /* not 0: shown */
    SHORT Column;
    SHORT Row;
    UCHAR Pixels[1];
} VIDEO_POINTER_ATTRIBUTES, *PVIDEO_POINTER_ATTRIBUTES;
#define VIDEO_MODE_ASYNC_POINTER 0x01
#define VIDEO_MODE_MONO_POINTER 0x02
#define VIDEO_MODE_COLOR_POINTER 0x04
#define VIDEO_MODE_ANIMATE_START 0x08
#define VIDEO_MODE_ANIMATE_UPDATE 0x10

typedef struct _VIDEO_POINTER_CAPABILITIES {
    ULONG Flags;
    ULONG MaxWidth;
    ULONG MaxHeight;
    ULONG HWPtrBitmapStart;
    ULONG HWPtrBitmapEnd;
} VIDEO_POINTER_CAPABILITIES, *PVIDEO_POINTER_CAPABILITIES;

typedef struct _DISPLAY_BRIGHTNESS {
    UCHAR ucDisplayPolicy;
    UCHAR ucACBrightness;
    UCHAR ucDCBrightness;
} DISPLAY_BRIGHTNESS, *PDISPLAY_BRIGHTNESS;
#define DISPLAYPOLICY_AC 0x00000001
#define DISPLAYPOLICY_DC 0x00000002
#define DISPLAYPOLICY_BOTH 0x00000003

KIT_END

#endif /* KIT_NTDDVDEO_H */
