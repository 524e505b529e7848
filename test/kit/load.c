/* load.c: load a driver, call its DriverEntry, report what the kernel found.
 *
 *     load driver.so    exit status 0: STATUS_SUCCESS, and nothing was found
 */
#include <dlfcn.h>
#include <stdio.h>

#include "host/machine.h"
#include "kit/kit.h"

static void finding(void *argument, const struct vidmm_kit_finding *finding)
{
    (void)argument;
    printf("K-%03d %s: %s\n", (int)finding->id, finding->sentence, finding->text);
}

static void print(void *argument, const char *text)
{
    (void)argument;
    fputs(text, stdout);
}

static int run(const struct vidmm_host *host, const char *path)
{
    struct vidmm_kit_options options = {
        .host = host, .finding = finding, .print = print, .catch_faults = true};
    char error[200] = "";
    void *driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int32_t (*entry)(void *, void *) = NULL;

    if (driver)
        *(void **)&entry = dlsym(driver, "DriverEntry");
    if (!entry || !vidmm_kit_start(&options, error, sizeof(error))) {
        printf("%s\n", entry ? error : dlerror());
        return 2;
    }
    int32_t status = entry(vidmm_kit_driver(), vidmm_kit_registry_path());
    uint64_t found = vidmm_kit_stop();
    printf("DriverEntry 0x%08x, %llu findings\n", (unsigned)status, (unsigned long long)found);
    dlclose(driver);
    return status == 0 && found == 0 ? 0 : 1;
}

int main(int count, char **arguments)
{
    struct vidmm_machine_options options = {.kind = VIDMM_MACHINE_THREADED,
                                            .system_memory = 64 << 20};
    struct vidmm_machine *machine = vidmm_machine_create(&options, NULL, 0);
    struct vidmm_slot *slot = machine ? vidmm_machine_add_slot(machine) : NULL;
    int answer = slot && count == 2 ? run(vidmm_slot_host(slot), arguments[1]) : 2;

    vidmm_machine_destroy(machine);
    return answer;
}
