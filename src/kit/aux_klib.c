/* aux_klib.c: the auxiliary library's modules: the file of whoever asks, and no other. Its other
 * routines are refused (unsupported.c). */
#include <dlfcn.h>
#include <link.h>

#include "kit/state.h"

#include <kit/aux_klib.h>

struct module {
    uintptr_t base;
    uint64_t size;
    const char *path;
};

static int measure(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct module *module = argument;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uint64_t end = start + info->dlpi_phdr[i].p_memsz - module->base;

        if (info->dlpi_phdr[i].p_type == PT_LOAD && start == module->base)
            module->size = 1; /* this file's first part */
        if (info->dlpi_phdr[i].p_type == PT_LOAD && module->size != 0 && end > module->size)
            module->size = end;
    }
    return module->size != 0;
}

static bool find_module(const void *address, struct module *module)
{
    Dl_info info;

    if (!dladdr(address, &info) || !info.dli_fname)
        return false;
    *module = (struct module){.base = (uintptr_t)info.dli_fbase, .path = info.dli_fname};
    dl_iterate_phdr(measure, module);
    return true;
}

static void tell(const struct module *module, AUX_MODULE_EXTENDED_INFO *info)
{
    size_t length = strlen(module->path), room = sizeof(info->FullPathName) - 1;
    const char *path = module->path + (length > room ? length - room : 0); /* its end */
    const char *slash = strrchr(path, '/');

    memset(info, 0, sizeof(*info));
    info->BasicInfo.ImageBase = (PVOID)module->base;
    info->ImageSize = (ULONG)module->size;
    info->FileNameOffset = (USHORT)(slash ? slash + 1 - path : 0);
    memcpy(info->FullPathName, path, strlen(path));
}

NTSTATUS AuxKlibInitialize(VOID)
{
    return STATUS_SUCCESS;
}

NTSTATUS AuxKlibQueryModuleInformation(PULONG size, ULONG element, PVOID to)
{
    AUX_MODULE_EXTENDED_INFO info;
    struct module module;
    ULONG room = *size;

    if (!vidmm_kit_irql_max(CALLER, PASSIVE_LEVEL, __func__))
        return STATUS_UNSUCCESSFUL;
    if (element != sizeof(AUX_MODULE_BASIC_INFO) && element != sizeof(AUX_MODULE_EXTENDED_INFO))
        return STATUS_INVALID_PARAMETER;
    if (!find_module(CALLER, &module))
        return STATUS_UNSUCCESSFUL;
    *size = element;
    if (!to)
        return STATUS_SUCCESS;
    if (room < element)
        return STATUS_BUFFER_TOO_SMALL;
    tell(&module, &info);
    memcpy(to, &info, element);
    return STATUS_SUCCESS;
}
