/* flag_words.h: the bits of the flag words that tests write, by name.
 *
 * The masks are those of src/wddm/masks.def, and layout.c shows that each bit-field has its own.
 * Bits that changed their meaning with WDDM 2.0 have two names.
 */
#ifndef TEST_RULES_FLAG_WORDS_H
#define TEST_RULES_FLAG_WORDS_H

/* DXGK_ALLOCATIONINFOFLAGS. */
enum {
    CPU_VISIBLE = 0x1,
    PERMANENT = 0x2, /* PermanentSysMem */
    CACHED = 0x4,
    PROTECTED = 0x8,
    EXISTING = 0x10,        /* ExistingSysMem */
    EXISTING_KERNEL = 0x20, /* ExistingKernelSysMem */
    FROM_END = 0x40,        /* FromEndOfSegment */
    OVERLAY = 0x100,
    CAPTURE = 0x200,
    USE_ALTERNATE_VA = 0x400,
    SYNCHRONOUS_PAGING = 0x800,
    LINK_MIRRORED = 0x1000,
    LINK_INSTANCED = 0x2000,
    HISTORY_BUFFER = 0x4000,
    ACCESSED_PHYSICALLY = 0x8000,
    EXPLICIT_RESIDENCY_NOTIFICATION = 0x10000,
    ALL_NAMED = 0x7ffff, /* all bits that have a name */
};

/* DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, as far as it differs. */
enum {
    CREATE_IN_VPR = 0x400,             /* from 2.1 on */
    MAP_APERTURE_CPU_VISIBLE = 0x2000, /* from 2.9 on */
    UNNAMED_FROM_2_0 = 0x1000 | 0x800, /* SynchronousPaging and LinkMirrored, until then */
};

/* D3DKMT_CREATEALLOCATIONFLAGS. */
enum {
    CREATE_RESOURCE = 0x1,
    CREATE_SHARED = 0x2,
    CREATE_EXISTING_SYS_MEM = 0x20,
    NT_SECURITY_SHARING = 0x40,
    CREATE_CROSS_ADAPTER = 0x800,
    CREATE_STANDARD = 0x10000,
    CREATE_EXISTING_SECTION = 0x20000,
};

#endif
