/* remains.c: orphans, ended one generation after the other.
 *
 * R1  this process adopts orphans below it, so each descendant becomes its child once those between
 *     have ended: no child left means no descendant left
 */
#include "check/remains.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check/confine.h"

enum { ROUNDS = 1000 }; /* of a millisecond */

/* Is it a child of this process? Its name as well. */
static bool is_child(pid_t process, char *name, size_t size)
{
    char path[64], line[512] = "", *end;
    int parent = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
    file = fopen(path, "r");
    if (!file)
        return false;
    if (!fgets(line, sizeof(line), file))
        line[0] = 0;
    fclose(file);
    end = strrchr(line, ')'); /* a name may hold brackets itself */
    if (!end || sscanf(end + 1, " %*c %d", &parent) != 1)
        return false;
    *end = 0;
    snprintf(name, size, "%s", strchr(line, '(') ? strchr(line, '(') + 1 : "");
    return parent == (int)getpid();
}

static bool is_spared(const struct vidmm_remains_spared *spared, pid_t process)
{
    for (unsigned i = 0; spared && i < spared->count; i++)
        if (spared->process[i] == process)
            return true;
    return false;
}

/* A sanitizer starts it, to name places. */
static bool is_symbolizer(const char *name)
{
    return vidmm_confine_is_sanitized() &&
           (strstr(name, "symbolizer") != NULL || strstr(name, "addr2line") != NULL);
}

void vidmm_remains_adopt(struct vidmm_remains_spared *spared)
{
    DIR *folder = opendir("/proc");
    char name[64];

    spared->count = 0;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        pid_t process = (pid_t)atoi(entry->d_name);

        if (process > 0 && spared->count < VIDMM_REMAINS_SPARED &&
            is_child(process, name, sizeof(name)))
            spared->process[spared->count++] = process;
    }
    if (folder)
        closedir(folder);
}

/* End the children of now; answers how many, and how many a driver can have made. */
static unsigned end_children(const struct vidmm_remains_spared *spared, unsigned *made, char *name,
                             size_t size)
{
    DIR *folder = opendir("/proc");
    unsigned count = 0;
    char its_name[64];

    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        pid_t process = (pid_t)atoi(entry->d_name);

        if (process <= 0 || !is_child(process, its_name, sizeof(its_name)) ||
            is_spared(spared, process))
            continue;
        kill(process, SIGKILL);
        waitpid(process, NULL, 0); /* what it made is a child of this process from now on */
        count++;
        if (!is_symbolizer(its_name)) {
            ++*made;
            snprintf(name, size, "%s", its_name);
        }
    }
    if (folder)
        closedir(folder);
    return count;
}

unsigned vidmm_remains_end(const struct vidmm_remains_spared *spared, char *name, size_t size)
{
    const struct timespec pause = {0, 1000000};
    unsigned made = 0;

    name[0] = 0;
    for (int round = 0; round < ROUNDS && end_children(spared, &made, name, size) > 0; round++)
        nanosleep(&pause, NULL);
    return made;
}
