/* Whole files. */
#include "harness.h"

#include <stdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/posix_file.h"

static char folder[HARNESS_PATH];
static char path[HARNESS_PATH + 8];

static int make_folder(void **state)
{
    (void)state;
    harness_temporary(folder, "vidmm-test-file");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails if a file was left beside it */
}

static void what_is_written_is_read_whatever_its_size(void **state)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000};
    static char bytes[300000];

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 7 + i / 251);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        size_t size = 99;
        assert_true(vidmm_file_write(path, bytes, sizes[i], NULL, 0));
        char *read = vidmm_file_read(path, sizes[i], &size, NULL, 0);
        assert_non_null(read);
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(read, bytes, size);
        assert_int_equal(read[size], 0);
        free(read);
    }
}

static void a_file_larger_than_the_limit_is_refused(void **state)
{
    char error[2 * HARNESS_PATH] = "", expected[2 * HARNESS_PATH];
    size_t size;

    (void)state;
    assert_true(vidmm_file_write(path, "abcdef", 6, NULL, 0));
    assert_null(vidmm_file_read(path, 5, &size, error, sizeof(error)));
    snprintf(expected, sizeof(expected), "%s: larger than 5 bytes", path);
    assert_string_equal(error, expected);
    assert_null(vidmm_file_read("/dev/zero", 1 << 20, &size, error, sizeof(error)));
    assert_string_equal(error, "/dev/zero: larger than 1048576 bytes");
}

static void what_is_not_there_is_refused_by_name(void **state)
{
    char error[2 * HARNESS_PATH] = "", nowhere[HARNESS_PATH + 8], expected[2 * HARNESS_PATH];
    size_t size;

    (void)state;
    snprintf(nowhere, sizeof(nowhere), "%s/no/file", folder);
    snprintf(expected, sizeof(expected), "%s: No such file or directory", nowhere);
    assert_null(vidmm_file_read(nowhere, 10, &size, error, sizeof(error)));
    assert_string_equal(error, expected);
    memset(error, 0, sizeof(error));
    assert_false(vidmm_file_write(nowhere, "", 0, error, sizeof(error)));
    assert_string_equal(error, expected);
    assert_null(vidmm_file_read(folder, 10, &size, error, sizeof(error)));
    assert_non_null(strstr(error, "Is a directory"));
}

static void a_write_that_fails_leaves_the_old_file(void **state)
{
    char error[100] = "";
    size_t size = 0;

    (void)state;
    assert_true(vidmm_file_write(path, "old", 3, NULL, 0));
    assert_false(vidmm_file_write("/dev/full", "new", 3, error, sizeof(error)));
    assert_string_equal(error, "/dev/full: No space left on device");
    assert_false(vidmm_file_write(folder, "new", 3, error, sizeof(error)));
    struct rlimit before, one_byte;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    one_byte = before;
    one_byte.rlim_cur = 1;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &one_byte), 0);
    bool written = vidmm_file_write(path, "new", 3, error, sizeof(error));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(written);
    assert_non_null(strstr(error, "File too large"));
    char *read = vidmm_file_read(path, 10, &size, NULL, 0);
    assert_non_null(read);
    assert_string_equal(read, "old");
    free(read);
}

static void devices_are_written_to_and_not_replaced(void **state)
{
    struct stat status;

    (void)state;
    assert_true(vidmm_file_write("/dev/null", "abc", 3, NULL, 0));
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_whatever_its_size),
        cmocka_unit_test(a_file_larger_than_the_limit_is_refused),
        cmocka_unit_test(what_is_not_there_is_refused_by_name),
        cmocka_unit_test(a_write_that_fails_leaves_the_old_file),
        cmocka_unit_test(devices_are_written_to_and_not_replaced),
    };
    return cmocka_run_group_tests_name("host_file", tests, make_folder, remove_folder);
}
