/* replay.c: runs a fuzz target over a corpus, without a fuzzer.
 *
 *     fuzz_NAME FILE-OR-FOLDER...
 *
 * Every input is run as it is, and cut short at some places: a fault that was found once stays
 * found, in each build kind, and a target compiles whether or not the machine has libFuzzer. No
 * input at all is a failure: a corpus that went missing must not look like a corpus that passed.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CUTS = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* See test/unit/harness.h. */
__attribute__((used, visibility("default"))) const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* Run one input in a block of its exact size, so that a read beyond it is seen. */
static void run_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);

    if (copy == NULL)
        abort();
    if (size > 0)
        memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_cut(const uint8_t *data, size_t size)
{
    run_copy(data, size);
    for (size_t cut = 0; cut < CUTS && cut < size; cut++)
        run_copy(data, size < CUTS ? cut : size * cut / CUTS);
}

static size_t run_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size + 1);

    if (file == NULL || data == NULL || fread(data, 1, size, file) != size) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    run_cut(data, size);
    free(data);
    return 1;
}

/* Run a file, or all files in a folder; answers how many there were. */
static size_t run_path(const char *path)
{
    struct stat about;
    size_t count = 0;

    if (stat(path, &about) != 0) {
        perror(path);
        exit(2);
    }
    if (!S_ISDIR(about.st_mode))
        return run_file(path, (size_t)about.st_size);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char inner[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name);
        count += run_path(inner);
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    size_t count = 0;

    for (int i = 1; i < argc; i++)
        count += run_path(argv[i]);
    printf("%zu passed, 0 failed\n", count);
    return count > 0 ? 0 : 1;
}
