/* shared_object.c: the headers of a shared object. */
#include "miniport/shared_object.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE
#endif

/* The end of the last segment in the file; UINT64_MAX: the headers are cut short themselves. */
static uint64_t end_of_segments(int file, const Elf64_Ehdr *header)
{
    uint64_t end = 0;

    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr part;

        if (pread(file, &part, sizeof(part), (off_t)(header->e_phoff + i * sizeof(part))) !=
            (ssize_t)sizeof(part))
            return UINT64_MAX;
        if (part.p_type == PT_LOAD && part.p_offset + part.p_filesz > end)
            end = part.p_offset + part.p_filesz;
    }
    return end;
}

static const char *judge(int file, const struct stat *about)
{
    Elf64_Ehdr header;

    if (S_ISDIR(about->st_mode))
        return "it is a folder";
    if (pread(file, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return "it is no shared object; compile the driver with `vidmm kit cc`";
    if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
        (MACHINE != EM_NONE && header.e_machine != MACHINE))
        return "it is for another machine";
    if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
        return "it is no shared object, but an object file or a program; `vidmm kit cc` links it";
    if (end_of_segments(file, &header) > (uint64_t)about->st_size)
        return "it is cut short";
    return NULL;
}

bool vidmm_shared_object_judge(const char *path, char *error, size_t room)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    const char *wrong;

    if (file < 0) {
        snprintf(error, room, "%s: %s", path,
                 errno == ENOENT ? "there is no such file" : strerror(errno));
        return false;
    }
    wrong = fstat(file, &about) == 0 ? judge(file, &about) : strerror(errno);
    close(file);
    if (wrong)
        snprintf(error, room, "%s: %s", path, wrong);
    return wrong == NULL;
}
