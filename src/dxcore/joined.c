/* joined.c: a shared object without code, which needs two others.
 *
 * J1  the root says that no stack is to be executable: an object that says nothing has them made so
 * J2  a file in memory has a name of its own, by process and descriptor, and stays open: the loader
 *     takes an object of a name that it knows for the one it has
 */
#include "dxcore/joined.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <fcntl.h>
#include <unistd.h>

enum { LOAD, DYNAMIC, STACK, SEGMENTS };
enum { NEEDS_DRIVER, NEEDS_KIT, HASH, STRINGS, STRINGS_SIZE, SYMBOLS, SYMBOL_SIZE, END, ENTRIES };
enum { LARGEST_PAGE = 65536 };

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#error "which machine is an object for?"
#endif

struct image {
    Elf64_Ehdr header;
    Elf64_Phdr segments[SEGMENTS];
    Elf64_Dyn dynamic[ENTRIES];
    Elf64_Sym symbol; /* the first, which is none */
    uint32_t hash[4]; /* one bucket, one symbol */
    char strings[2 * PATH_MAX + 4];
};

#define AT(Member) offsetof(struct image, Member)

static void put_segment(struct image *image, int which, uint32_t type, size_t at, size_t size)
{
    image->segments[which] = (Elf64_Phdr){.p_type = type,
                                          .p_flags = PF_R | PF_W,
                                          .p_offset = at,
                                          .p_vaddr = at,
                                          .p_paddr = at,
                                          .p_filesz = size,
                                          .p_memsz = size,
                                          .p_align = type == PT_LOAD ? LARGEST_PAGE : 8};
}

static void put_entry(struct image *image, int which, int64_t tag, size_t value)
{
    image->dynamic[which] = (Elf64_Dyn){.d_tag = tag, .d_un.d_val = value};
}

static void make(struct image *image, const char *driver, const char *kit)
{
    size_t driver_at = 1, kit_at = driver_at + strlen(driver) + 1;

    memset(image, 0, sizeof(*image));
    memcpy(image->header.e_ident, ELFMAG, SELFMAG);
    image->header.e_ident[EI_CLASS] = ELFCLASS64;
    image->header.e_ident[EI_DATA] = ELFDATA2LSB;
    image->header.e_ident[EI_VERSION] = EV_CURRENT;
    image->header.e_type = ET_DYN;
    image->header.e_machine = MACHINE;
    image->header.e_version = EV_CURRENT;
    image->header.e_ehsize = sizeof(image->header);
    image->header.e_phoff = AT(segments);
    image->header.e_phentsize = sizeof(Elf64_Phdr);
    image->header.e_phnum = SEGMENTS;
    image->header.e_shentsize = sizeof(Elf64_Shdr);
    put_segment(image, LOAD, PT_LOAD, 0, sizeof(*image));
    put_segment(image, DYNAMIC, PT_DYNAMIC, AT(dynamic), sizeof(image->dynamic));
    put_segment(image, STACK, PT_GNU_STACK, 0, 0); /* J1 */
    put_entry(image, NEEDS_DRIVER, DT_NEEDED, driver_at);
    put_entry(image, NEEDS_KIT, DT_NEEDED, kit_at);
    put_entry(image, HASH, DT_HASH, AT(hash));
    put_entry(image, STRINGS, DT_STRTAB, AT(strings));
    put_entry(image, STRINGS_SIZE, DT_STRSZ, sizeof(image->strings));
    put_entry(image, SYMBOLS, DT_SYMTAB, AT(symbol));
    put_entry(image, SYMBOL_SIZE, DT_SYMENT, sizeof(image->symbol));
    put_entry(image, END, DT_NULL, 0);
    image->hash[0] = image->hash[1] = 1;
    strcpy(&image->strings[driver_at], driver);
    strcpy(&image->strings[kit_at], kit);
}

/* ---- files in memory ------------------------------------------------------------------------- */

/* Its name. J2 */
static int create(char *path, size_t size)
{
    int file = memfd_create("vidmm-joined", MFD_CLOEXEC);

    snprintf(path, size, "/proc/%ld/fd/%d", (long)getpid(), file);
    return file;
}

static bool copy_all(int from, int to)
{
    ssize_t copied;

    do
        copied = sendfile(to, from, NULL, 1u << 30);
    while (copied > 0);
    return copied == 0;
}

/* The path of a copy, or of the file itself. False: errno says why. */
static bool place(const char *file, bool copy, char *path, size_t size)
{
    int from, to;
    bool copied;

    if (!copy)
        return realpath(file, path) != NULL;
    from = open(file, O_RDONLY | O_CLOEXEC);
    to = from >= 0 ? create(path, size) : -1;
    copied = to >= 0 && copy_all(from, to);
    if (from >= 0)
        close(from);
    return copied;
}

static bool write_root(const char *driver, const char *kit, char *path, size_t size)
{
    struct image *image = malloc(sizeof(*image));
    int file = image != NULL ? create(path, size) : -1;
    bool written = false;

    if (file >= 0) {
        make(image, driver, kit);
        written = write(file, image, sizeof(*image)) == (ssize_t)sizeof(*image);
    }
    free(image);
    return written;
}

/* ---- loading --------------------------------------------------------------------------------- */

bool vidmm_joined_open(struct vidmm_joined *joined, const char *driver, const char *kit,
                       bool copies, char *error, size_t error_size)
{
    char driver_path[PATH_MAX], kit_path[PATH_MAX], root_path[64];

    memset(joined, 0, sizeof(*joined));
    if (!place(driver, copies, driver_path, sizeof(driver_path)) ||
        !place(kit, copies, kit_path, sizeof(kit_path)) ||
        !write_root(driver_path, kit_path, root_path, sizeof(root_path))) {
        snprintf(error, error_size, "%s cannot be loaded: %s", driver, strerror(errno));
        return false;
    }
    joined->root = dlopen(root_path, RTLD_NOW | RTLD_LOCAL);
    if (joined->root == NULL) {
        const char *said = dlerror();

        snprintf(error, error_size, "%s does not load: %s%s", driver, said,
                 strstr(said, "undefined symbol") != NULL
                     ? ": neither the driver nor the kit has it; is a source or a library missing?"
                     : "");
        return false;
    }
    joined->driver = dlopen(driver_path, RTLD_NOW | RTLD_NOLOAD);
    joined->kit = dlopen(kit_path, RTLD_NOW | RTLD_NOLOAD);
    return true;
}

void *vidmm_joined_load(const char *path, bool copy)
{
    char there[PATH_MAX];

    return dlopen(place(path, copy, there, sizeof(there)) ? there : path, RTLD_NOW | RTLD_LOCAL);
}
