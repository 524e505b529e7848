/*
 * wddm_version.h: the versions of the interface, and which of them this build is for.
 *
 * A driver is compiled for one version and its structs have the size of that version; a newer
 * kernel serves it. DXGKDDI_INTERFACE_VERSION chooses, before the first include; without it the
 * newest is taken, which is what a program that serves drivers wants. The numbers grow with time.
 *
 *     VISTA 1.0   WIN7 1.1   WIN8 1.2   WDDM1_3   WDDM2_0 ... WDDM2_9   WDDM3_0 ... WDDM3_2
 */
#ifndef WDDM_VERSION_H
#define WDDM_VERSION_H

#define DXGKDDI_INTERFACE_VERSION_VISTA 0x1052
#define DXGKDDI_INTERFACE_VERSION_VISTA_SP1 0x1053
#define DXGKDDI_INTERFACE_VERSION_WIN7 0x2005
#define DXGKDDI_INTERFACE_VERSION_WIN8 0x300E
#define DXGKDDI_INTERFACE_VERSION_WDDM1_3 0x4002
#define DXGKDDI_INTERFACE_VERSION_WDDM1_3_PATH_INDEPENDENT_ROTATION 0x4003
#define DXGKDDI_INTERFACE_VERSION_WDDM2_0 0x5023
#define DXGKDDI_INTERFACE_VERSION_WDDM2_1 0x6003
#define DXGKDDI_INTERFACE_VERSION_WDDM2_1_5 0x6010
#define DXGKDDI_INTERFACE_VERSION_WDDM2_1_6 0x6011
#define DXGKDDI_INTERFACE_VERSION_WDDM2_2 0x700A
#define DXGKDDI_INTERFACE_VERSION_WDDM2_3 0x8001
#define DXGKDDI_INTERFACE_VERSION_WDDM2_4 0x9006
#define DXGKDDI_INTERFACE_VERSION_WDDM2_5 0xA00B
#define DXGKDDI_INTERFACE_VERSION_WDDM2_6 0xB004
#define DXGKDDI_INTERFACE_VERSION_WDDM2_7 0xC004
#define DXGKDDI_INTERFACE_VERSION_WDDM2_8 0xD001
#define DXGKDDI_INTERFACE_VERSION_WDDM2_9 0xE003
#define DXGKDDI_INTERFACE_VERSION_WDDM3_0 0xF003
#define DXGKDDI_INTERFACE_VERSION_WDDM3_1 0x10004
#define DXGKDDI_INTERFACE_VERSION_WDDM3_2 0x11007

/* The version that this build is for. */
#ifndef DXGKDDI_INTERFACE_VERSION
#define DXGKDDI_INTERFACE_VERSION DXGKDDI_INTERFACE_VERSION_WDDM3_2
#endif

/*
 * Bits by version. WDDM1_2(Name) is Name in a build for WDDM 1.2 or newer and nothing before it:
 * the bit-field is unnamed there and keeps its place, so that a flag word has the same shape in
 * every version.
 */
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN7
#define WDDM1_1(Name) Name
#else
#define WDDM1_1(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WIN8
#define WDDM1_2(Name) Name
#else
#define WDDM1_2(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM1_3
#define WDDM1_3(Name) Name
#else
#define WDDM1_3(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_0
#define WDDM2_0(Name) Name
#else
#define WDDM2_0(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_1
#define WDDM2_1(Name) Name
#else
#define WDDM2_1(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_2
#define WDDM2_2(Name) Name
#else
#define WDDM2_2(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_3
#define WDDM2_3(Name) Name
#else
#define WDDM2_3(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_4
#define WDDM2_4(Name) Name
#else
#define WDDM2_4(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_5
#define WDDM2_5(Name) Name
#else
#define WDDM2_5(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_6
#define WDDM2_6(Name) Name
#else
#define WDDM2_6(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_7
#define WDDM2_7(Name) Name
#else
#define WDDM2_7(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_8
#define WDDM2_8(Name) Name
#else
#define WDDM2_8(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM2_9
#define WDDM2_9(Name) Name
#else
#define WDDM2_9(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_0
#define WDDM3_0(Name) Name
#else
#define WDDM3_0(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_1
#define WDDM3_1(Name) Name
#else
#define WDDM3_1(Name)
#endif
#if DXGKDDI_INTERFACE_VERSION >= DXGKDDI_INTERFACE_VERSION_WDDM3_2
#define WDDM3_2(Name) Name
#else
#define WDDM3_2(Name)
#endif

#endif /* WDDM_VERSION_H */
