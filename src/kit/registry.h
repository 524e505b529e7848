/* registry.h: the settings of a machine, in a file.
 *
 *     # a comment
 *     windows 10.0.19041                      what RtlGetVersion says
 *     contiguous_ceiling 64M                  most bytes one contiguous allocation gets
 *     driver_key \Registry\Machine\System\CurrentControlSet\Services\gpu
 *     property 1 "PCI\VEN_1234&DEV_5678"      DEVICE_REGISTRY_PROPERTY 1: hardware ids; may repeat
 *     key \Registry\Machine\System\CurrentControlSet\Services\gpu
 *       RenderOnly dword 1
 *       Path string "a b"
 *       Blob binary 00 11 22
 *       Size qword 0x100000000
 *
 * A name with spaces is quoted. Text is ASCII. A key exists with all the keys above it.
 * IoOpenDevice- RegistryKey opens driver_key's key (PLUGPLAY_REGKEY_DRIVER) or \Device below it.
 */
#ifndef KIT_REGISTRY_H
#define KIT_REGISTRY_H

#include "kit/state.h"

struct kit_value {
    struct kit_value *next;
    char *name;
    ULONG type, size;
    unsigned char *data;
};

struct kit_key {
    struct kit_key *next;
    char *path; /* ASCII, as written */
    struct kit_value *values;
};

/* Under vidmm_kit_kernel.objects: find, or make; NULL: there is none, or no memory. Names are
 * compared without regard to case. */
struct kit_key *vidmm_kit_key_find(const char *path, bool make);
struct kit_value *vidmm_kit_value_find(struct kit_key *key, const char *name);
/* Set, replacing; false: no memory. */
bool vidmm_kit_value_set(struct kit_key *key, const char *name, ULONG type, const void *data,
                         ULONG size);
bool vidmm_kit_value_delete(struct kit_key *key, const char *name);
/* ASCII of a counted wide text, in fresh memory. */
char *vidmm_kit_narrow(const WCHAR *text, size_t characters);

/* The bytes of a configured property, NULL if it is not; and the driver's key. */
const void *vidmm_kit_property(unsigned which, ULONG *size);
const char *vidmm_kit_driver_key(void);

/* The path that RTL_REGISTRY_SERVICES and its kin begin with, "" for RTL_REGISTRY_ABSOLUTE; NULL:
 * it is none of them. These keys are always there. */
const char *vidmm_kit_registry_root(ULONG relative_to);

#endif
