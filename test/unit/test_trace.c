/* The trace reader: the content of the thirteen recorded traces, each rule broken once, and the
 * writer. */
#include "fresh_memory.h"

#include <stdio.h>
#include <unistd.h>

#include <zlib.h>

#include "trace/trace.h"

#define MIB (1024.0 * 1024.0)

/* traces/traces.md, row by row, MiB to one digit. The last column is not there; it is what this
 * says:
 *   zcat F | awk '$2=="A"{p[$3]=$5~/local/?int(($4+4095)/4096):0}
 *                 $2=="S"{s=0; for(i=5;i<=NF;i++){split($i,a,":"); s+=p[a[1]]}; if(s>m)m=s}
 *                 END{print m}' */
static const struct expected {
    const char *name;
    uint64_t frames, submissions, allocations, frees;
    double peak_live, peak_local;
    uint64_t largest_submission_pages;
} table[] = {
    {"chromium_canvas", 360, 391, 96, 29, 41.5, 41.5, 7406},
    {"chromium_webgl", 249, 765, 151, 80, 175.0, 173.8, 26881},
    {"extremetuxracer", 2000, 4812, 147, 72, 145.3, 45.3, 3676},
    {"ffmpeg_vulkan", 1515, 1515, 1838, 1838, 2.8, 2.1, 261},
    {"glmark2", 1140, 2304, 66, 65, 83.4, 53.3, 11010},
    {"glmark2_res", 1140, 2304, 409, 408, 60.4, 38.9, 8440},
    {"mpv_vulkan", 466, 3728, 16, 16, 66.2, 48.8, 10100},
    {"openarena", 1349, 3237, 898, 684, 533.9, 379.9, 58668},
    {"qtquick", 2000, 2000, 12, 4, 99.6, 67.6, 16325},
    {"stk_vk", 219, 709, 12, 3, 148.0, 109.1, 27506},
    {"vkcube", 600, 601, 8, 8, 3.7, 3.5, 381},
    {"vkd3d_gears", 2000, 2001, 12, 0, 1.5, 1.5, 186},
    {"warzone2100", 291, 292, 13, 13, 300.3, 236.3, 59272},
};
#define TRACES (sizeof(table) / sizeof(table[0]))

static void path_of(const char *name, char path[512])
{
    snprintf(path, 512, SOURCE_ROOT "/traces/%s.vmt.gz", name);
}

static struct vidmm_trace *read_recorded(const char *name)
{
    struct vidmm_trace_error error = {""};
    char path[512];

    path_of(name, path);
    struct vidmm_trace *trace = vidmm_trace_read(&memory.table, path, &error);
    if (trace == NULL)
        fail_msg("%s", error.text);
    return trace;
}

static struct vidmm_trace *parse(const char *text, struct vidmm_trace_error *error)
{
    return vidmm_trace_parse(&memory.table, "t", text, strlen(text), error);
}

/* ---- what the recorded traces hold ----------------------------------------------------------- */

static void assert_mib(const char *name, uint64_t bytes, double mib)
{
    if ((double)bytes / MIB < mib - 0.0501 || (double)bytes / MIB > mib + 0.0501)
        fail_msg("%s: %.3f MiB, traces.md says %.1f", name, (double)bytes / MIB, mib);
}

static void recorded_traces_are_as_traces_md_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < TRACES; i++) {
        struct vidmm_trace_statistics s;
        struct vidmm_trace *trace = read_recorded(table[i].name);

        vidmm_trace_measure(trace, &s);
        assert_int_equal(s.frames, table[i].frames);
        assert_int_equal(s.submissions, table[i].submissions);
        assert_int_equal(s.allocations, table[i].allocations);
        assert_int_equal(s.frees, table[i].frees);
        assert_mib(table[i].name, s.peak_live_bytes, table[i].peak_live);
        assert_mib(table[i].name, s.peak_local_bytes, table[i].peak_local);
        assert_int_equal(s.largest_submission_bytes, table[i].largest_submission_pages * 4096);
        assert_int_equal(trace->skipped, 0);
        assert_non_null(vidmm_trace_header(trace, "app"));
        assert_null(vidmm_trace_header(trace, "ap"));
        vidmm_trace_destroy(trace);
    }
}

static void the_largest_submission_is_named_by_number_line_and_frame(void **state)
{
    struct vidmm_trace_error error;
    struct vidmm_trace_statistics s;
    struct vidmm_trace *trace = parse("# vidmm-trace 1\n"
                                      "0 A 1 4097 local\n" /* two pages */
                                      "0 A 2 4096 visible\n"
                                      "0 A 3 1 local,visible\n"
                                      "1 S 0 1 1:W\n"
                                      "2 P\n"
                                      "3 S 0 3 1:R 2:R 3:R\n"
                                      "3 S 0 3 3:W 2:R 1:W\n",
                                      &error);

    (void)state;
    assert_non_null(trace);
    vidmm_trace_measure(trace, &s);
    assert_int_equal(s.largest_submission_bytes, 3 * 4096);
    assert_int_equal(s.largest_submission, 1);
    assert_int_equal(s.largest_submission_line, 7);
    assert_int_equal(s.largest_submission_frame, 1);
    assert_int_equal(s.frames, 1);
    assert_int_equal(s.references, 7);
    assert_int_equal(s.peak_local_bytes, 4098);
    vidmm_trace_destroy(trace);
}

static void without_presents_each_submission_is_a_frame(void **state)
{
    struct vidmm_trace_error error;
    struct vidmm_trace_statistics s;
    struct vidmm_trace *trace =
        parse("# vidmm-trace 1\n0 S 0 0\n1 A 1 1 local\n2 S 0 1 1:W\n2 C 0\n", &error);

    (void)state;
    assert_non_null(trace);
    vidmm_trace_measure(trace, &s);
    assert_int_equal(s.frames, 2);
    assert_int_equal(s.largest_submission_frame, 1);
    assert_int_equal(s.completions, 1);
    assert_int_equal(s.duration_us, 2);
    vidmm_trace_destroy(trace);
}

static void records_name_allocations_by_index(void **state)
{
    struct vidmm_trace_error error;
    struct vidmm_trace *trace = parse("# vidmm-trace 1\n"
                                      "5 A 4294967295 100 none\n"
                                      "6 A 7 200 visible,cached,buffer\n"
                                      "6 M 7\n"
                                      "7 D 7 50 150\n"
                                      "8 S 3 2 7:R 4294967295:W\n"
                                      "8 S 3 0\n"
                                      "9 K 3 0\n"
                                      "9 C 3\n"
                                      "9 U 7\n"
                                      "9 F 7\n",
                                      &error);

    (void)state;
    assert_non_null(trace);
    assert_int_equal(trace->record_count, 10);
    assert_int_equal(trace->allocations[1].id, 7);
    assert_int_equal(trace->allocations[1].freed_line, 11);
    assert_int_equal(trace->allocations[0].types, 0);
    assert_int_equal(trace->allocations[1].types,
                     VIDMM_TRACE_VISIBLE | VIDMM_TRACE_CACHED | VIDMM_TRACE_BUFFER);
    assert_int_equal(trace->records[3].allocation, 1);
    assert_int_equal(trace->records[3].write.offset, 50);
    assert_int_equal(trace->records[3].write.size, 150);
    assert_int_equal(trace->records[4].queue, 3);
    assert_int_equal(trace->records[4].submit.count, 2);
    assert_int_equal(trace->references[0].allocation, 1);
    assert_int_equal(trace->references[0].write, 0);
    assert_int_equal(trace->references[1].write, 1);
    assert_int_equal(trace->records[6].complete.submissions, 1);
    assert_int_equal(trace->records[7].complete.submissions, 2);
    vidmm_trace_destroy(trace);
}

static void unknown_events_and_keys_are_skipped(void **state)
{
    struct vidmm_trace_error error;
    struct vidmm_trace *trace = parse("# vidmm-trace 1\n"
                                      "# colour: blue\n"
                                      "# empty:\n"
                                      "1 X 1 2  3 anything \n"
                                      "2 AA 1 4096 local\n"
                                      "3 P\n",
                                      &error);

    (void)state;
    assert_non_null(trace);
    assert_int_equal(trace->skipped, 2);
    assert_int_equal(trace->record_count, 1);
    assert_string_equal(vidmm_trace_header(trace, "colour"), "blue");
    assert_string_equal(vidmm_trace_header(trace, "empty"), "");
    vidmm_trace_destroy(trace);
}

/* ---- refusals -------------------------------------------------------------------------------- */

#define FIRST "# vidmm-trace 1\n"
#define TWO FIRST "1 A 1 8192 visible\n1 A 2 4096 local\n"

static const struct refusal {
    const char *text, *error;
} refusals[] = {
    {"", "t:0: the file is empty; the first line of a trace is '# vidmm-trace 1'"},
    {"hello\n", "t:1: 'hello'; the first line of a trace is '# vidmm-trace 1'"},
    {"# vidmm-trace 2\n", "t:1: '# vidmm-trace 2'; the first line of a trace is '# vidmm-trace 1'"},
    {FIRST "#app: x\n", "t:2: '#app: x'; a header line is '# key: value'"},
    {FIRST "# : x\n", "t:2: '# : x'; a header line is '# key: value'"},
    {FIRST "# app x\n", "t:2: '# app x'; a header line is '# key: value'"},
    {FIRST "# app:x\n", "t:2: '# app:x'; a header line is '# key: value'"},
    {FIRST "1 P\n# app: x\n", "t:3: a header line after events; headers stand at the top"},
    {FIRST "1 P\r\n",
     "t:2: byte 0x0d in column 4; a trace is printable ASCII text with line ends of "
     "one byte, 0x0a"},
    {FIRST "\n", "t:2: event: the line ends before its time"},
    {FIRST " 1 P\n", "t:2: event: a space too many near its time; fields are parted by one"},
    {FIRST "x P\n", "t:2: event: time 'x'; expected 0 to 18446744073709551615"},
    {FIRST "18446744073709551616 P\n",
     "t:2: event: time '18446744073709551616'; expected 0 to 18446744073709551615"},
    {FIRST "-1 P\n", "t:2: event: time '-1'; expected 0 to 18446744073709551615"},
    {FIRST "5 P\n4 P\n", "t:3: event: time '4'; expected 5 to 18446744073709551615"},
    {FIRST "5\n", "t:2: event: the line ends before its kind"},
    {FIRST "5 P\n6 P", "t:3: the last line has no end; the file is cut short"},
    {FIRST "5 P 1\n", "t:2: P: '1' is too much on the line"},
    {FIRST "5 P \n", "t:2: event: a space too many near its kind; fields are parted by one"},
    {FIRST "1 A\n", "t:2: A: the line ends before its id"},
    {FIRST "1 A 0 1 local\n", "t:2: A: id '0'; expected 1 to 4294967295"},
    {FIRST "1 A 4294967296 1 local\n", "t:2: A: id '4294967296'; expected 1 to 4294967295"},
    {FIRST "1 A 1 0 local\n", "t:2: A: size '0'; expected 1 to 1099511627776"},
    {FIRST "1 A 1 1099511627777 local\n",
     "t:2: A: size '1099511627777'; expected 1 to 1099511627776"},
    {FIRST "1 A 1 99999999999999999999999999999999999999999999999 local\n",
     "t:2: A: size '9999999999999999999999999999999999999999...'; expected 1 to 1099511627776"},
    {FIRST "1 A 1 4k local\n", "t:2: A: size '4k'; expected 1 to 1099511627776"},
    {FIRST "1 A 1 1\n", "t:2: A: the line ends before its types"},
    {FIRST "1 A 1 1 vram\n",
     "t:2: A: type 'vram'; expected none, or some of local, visible, coherent, cached, dedicated, "
     "import, export, buffer, image, swapchain, parted by commas"},
    {FIRST "1 A 1 1 local,\n",
     "t:2: A: type ''; expected none, or some of local, visible, coherent, cached, dedicated, "
     "import, export, buffer, image, swapchain, parted by commas"},
    {FIRST "1 A 1 1 local,local\n", "t:2: A: type 'local' twice"},
    {FIRST "1 A 1 1 local 9\n", "t:2: A: '9' is too much on the line"},
    {TWO "1 A 2 1 local\n", "t:4: A: id 2 was used on line 3; an id is used once"},
    {TWO "1 F 2\n1 A 2 1 local\n", "t:5: A: id 2 was used on line 3; an id is used once"},
    {TWO "1 F 3\n", "t:4: F: no A has made an allocation 3"},
    {FIRST "1 F 3\n", "t:2: F: no A has made an allocation 3"},
    {TWO "1 F 2\n1 F 2\n", "t:5: F: allocation 2 was freed on line 4"},
    {TWO "1 M 2\n", "t:4: M: allocation 2 is not visible to the CPU (line 3)"},
    {TWO "1 M 1\n1 M 1\n", "t:5: M: allocation 1 is mapped already"},
    {TWO "1 U 1\n", "t:4: U: allocation 1 is not mapped"},
    {TWO "1 F 1\n1 M 1\n", "t:5: M: allocation 1 was freed on line 4"},
    {TWO "1 D 2 0 1\n", "t:4: D: allocation 2 is not visible to the CPU (line 3)"},
    {TWO "1 D 1 8192 1\n", "t:4: D: offset '8192'; expected 0 to 8191"},
    {TWO "1 D 1 4096 4097\n", "t:4: D: size '4097'; expected 1 to 4096"},
    {TWO "1 D 1 0 0\n", "t:4: D: size '0'; expected 1 to 8192"},
    {TWO "1 D 1 0 18446744073709551615\n",
     "t:4: D: size '18446744073709551615'; expected 1 to 8192"},
    {TWO "1 S 16 0\n", "t:4: S: queue '16'; expected 0 to 15"},
    {TWO "1 S 0\n", "t:4: S: the line ends before its number of references"},
    {TWO "1 S 0 65537\n", "t:4: S: number of references '65537'; expected 0 to 65536"},
    {TWO "1 S 0 2 1:R\n", "t:4: S: the line ends before its references"},
    {TWO "1 S 0 1 1:R 2:R\n", "t:4: S: '2:R' is too much on the line"},
    {TWO "1 S 0 1 1:X\n", "t:4: S: reference '1:X'; expected ID:R or ID:W"},
    {TWO "1 S 0 1 1\n", "t:4: S: reference '1'; expected ID:R or ID:W"},
    {TWO "1 S 0 1 1:R:W\n", "t:4: S: reference '1:R:W'; expected ID:R or ID:W"},
    {TWO "1 S 0 1 9:R\n", "t:4: S: no A has made an allocation 9"},
    {TWO "1 S 0 1 :R\n", "t:4: S: id ''; expected 1 to 4294967295"},
    {TWO "1 S 0 2 1:R 1:W\n", "t:4: S: allocation 1 is named twice; each is named once"},
    {TWO "1 F 1\n1 S 0 1 1:R\n", "t:5: S: allocation 1 was freed on line 4"},
    {TWO "1 C 16\n", "t:4: C: queue '16'; expected 0 to 15"},
    {TWO "1 K 0 0\n", "t:4: K: nothing was submitted to queue 0"},
    {TWO "1 S 0 0\n1 K 0 1\n", "t:5: K: sequence number '1'; expected 0 to 0"},
    {FIRST "# submits: 2\n1 S 0 0\n",
     "t:3: the header says 'submits: 2', the file has 1; it is cut short, or the header is wrong"},
    {FIRST "# frames: 0\n1 P\n",
     "t:3: the header says 'frames: 0', the file has 1; it is cut short, or the header is wrong"},
    {FIRST "# frames: many\n", "t:2: the header says 'frames: many', the file has 0; it is cut "
                               "short, or the header is wrong"},
};

static void every_broken_rule_is_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        struct vidmm_trace_error error = {""};

        assert_null(parse(refusals[i].text, &error));
        assert_string_equal(error.text, refusals[i].error);
    }
}

static void the_first_two_lines_of_the_refusals_are_a_trace(void **state)
{
    struct vidmm_trace_error error;
    struct vidmm_trace *trace = parse(TWO "1 C 0\n", &error);

    (void)state;
    assert_non_null(trace);
    assert_int_equal(trace->records[2].complete.submissions, 0);
    vidmm_trace_destroy(trace);
}

static void a_line_without_end_is_refused_before_it_fills_memory(void **state)
{
    struct vidmm_trace_error error = {""};
    size_t size = VIDMM_TRACE_LINE_MAX + 100;
    char *text = malloc(size);

    (void)state;
    assert_non_null(text);
    memset(text, '1', size);
    assert_null(vidmm_trace_parse(&memory.table, "t", text, size, &error));
    assert_string_equal(error.text, "t:1: a line of more than 1048576 bytes");
    text[size - 1] = '\n';
    assert_null(vidmm_trace_parse(&memory.table, "t", text, size, &error));
    assert_string_equal(error.text, "t:1: a line of more than 1048576 bytes");
    free(text);
}

static void too_many_headers_are_refused(void **state)
{
    struct vidmm_trace_error error = {""};
    char text[8192];
    int length = snprintf(text, sizeof(text), FIRST);

    (void)state;
    for (uint32_t i = 0; i <= VIDMM_TRACE_HEADERS_MAX; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "# k: v\n");
    assert_null(parse(text, &error));
    assert_string_equal(error.text, "t:258: more than 256 header lines");
}

/* ---- files ----------------------------------------------------------------------------------- */

static char temporary[HARNESS_PATH];

static void write_temporary(const void *bytes, size_t size)
{
    FILE *file = fopen(temporary, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static size_t read_whole(const char *path, char **bytes)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, got;

    assert_non_null(file);
    *bytes = malloc(1 << 20);
    assert_non_null(*bytes);
    while ((got = fread(*bytes + size, 1, (1 << 20) - size, file)) > 0)
        size += got;
    fclose(file);
    return size;
}

static void assert_file_refused(const char *ending)
{
    struct vidmm_trace_error error = {""};
    size_t length, wanted = strlen(ending);

    assert_null(vidmm_trace_read(&memory.table, temporary, &error));
    length = strlen(error.text);
    assert_memory_equal(error.text, temporary, strlen(temporary));
    assert_true(length > wanted);
    assert_string_equal(error.text + length - wanted, ending);
}

static void a_compressed_file_cut_anywhere_is_refused(void **state)
{
    char path[512], *bytes;

    (void)state;
    path_of("vkcube", path);
    size_t size = read_whole(path, &bytes);
    for (size_t cut = 0; cut < size; cut += 997) {
        struct vidmm_trace_error error = {""};

        write_temporary(bytes, cut);
        assert_null(vidmm_trace_read(&memory.table, temporary, &error));
        assert_true(strlen(error.text) > 0);
    }
    write_temporary(bytes, size - 4);
    assert_file_refused(":2446: after this line the compressed data end; the file is cut short");
    write_temporary(bytes, size);
    struct vidmm_trace_error error;
    vidmm_trace_destroy(vidmm_trace_read(&memory.table, temporary, &error));
    free(bytes);
}

/* In front stands the name of the file, which has no checksum; right before the closing 8 bytes may
 * be unused bits. All of those 8 are tried. */
enum { first_checked = 24 };

static size_t next_damage(size_t at, size_t size)
{
    if (at >= size - 8)
        return at + 1;
    return at + 211 < size - 9 ? at + 211 : size - 8;
}

static void a_damaged_compressed_file_is_refused(void **state)
{
    char path[512], *bytes;

    (void)state;
    path_of("vkcube", path);
    size_t size = read_whole(path, &bytes);
    for (size_t at = first_checked; at < size; at = next_damage(at, size)) {
        struct vidmm_trace_error error = {""};

        bytes[at] = (char)(bytes[at] ^ 0x20);
        write_temporary(bytes, size);
        assert_null(vidmm_trace_read(&memory.table, temporary, &error));
        assert_memory_equal(error.text, temporary, strlen(temporary));
        assert_null(strstr(error.text, "fd:")); /* the file's name, and no descriptor */
        bytes[at] = (char)(bytes[at] ^ 0x20);
    }
    free(bytes);
}

static void a_file_of_plain_text_is_read_too(void **state)
{
    struct vidmm_trace_error error;

    (void)state;
    write_temporary(TWO, strlen(TWO));
    struct vidmm_trace *trace = vidmm_trace_read(&memory.table, temporary, &error);
    assert_non_null(trace);
    assert_int_equal(trace->allocation_count, 2);
    vidmm_trace_destroy(trace);
}

static void what_is_no_file_is_refused(void **state)
{
    struct vidmm_trace_error error;

    (void)state;
    assert_null(vidmm_trace_read(&memory.table, "/nonexistent/x", &error));
    assert_string_equal(error.text, "/nonexistent/x: No such file or directory");
    assert_null(vidmm_trace_read(&memory.table, "/", &error));
    assert_string_equal(error.text, "/: is a folder, not a trace");
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The text of a file, compressed or not. */
static size_t text_of(const char *path, char **text)
{
    size_t room = 4u << 20, size = 0;
    gzFile file = gzopen(path, "rb");
    int got;

    assert_non_null(file);
    *text = malloc(room);
    assert_non_null(*text);
    while ((got = gzread(file, *text + size, (unsigned)(room - size))) > 0)
        size += (size_t)got;
    assert_int_equal(got, 0);
    gzclose(file);
    return size;
}

static void a_trace_is_written_as_it_was_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < TRACES; i++) {
        struct vidmm_trace *trace = read_recorded(table[i].name);
        char path[512], *read, *written;
        FILE *file = fopen(temporary, "wb");

        assert_non_null(file);
        assert_true(vidmm_trace_write(trace, file));
        fclose(file);
        path_of(table[i].name, path);
        size_t size = text_of(path, &read), written_size = text_of(temporary, &written);
        assert_int_equal(size, written_size);
        assert_memory_equal(read, written, size);
        vidmm_trace_destroy(trace);
        free(read);
        free(written);
    }
}

static void a_file_that_takes_no_more_is_reported(void **state)
{
    struct vidmm_trace *trace = read_recorded("vkcube");
    FILE *full = fopen("/dev/full", "w");

    (void)state;
    if (full != NULL) { /* a machine without it has no other full file at hand */
        assert_false(vidmm_trace_write(trace, full));
        fclose(full);
    }
    vidmm_trace_destroy(trace);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void a_trace_cut_into_pieces_anywhere_reads_the_same(void **state)
{
    struct vidmm_trace_error error;
    char *text, path[512];

    (void)state;
    path_of("vkcube", path);
    size_t size = text_of(path, &text);
    struct vidmm_trace *whole = vidmm_trace_parse(&memory.table, "t", text, size, &error);
    assert_non_null(whole);
    /* The reader takes pieces of 128 KiB; a file that is longer by n bytes is cut elsewhere. */
    for (size_t n = 0; n < 40; n++) {
        char *longer = malloc(size + 131100 + n);
        size_t head = strlen(FIRST), pad = 131072 - 20 + n - head;

        assert_non_null(longer);
        memcpy(longer, FIRST, head);
        for (size_t at = head; at < head + pad; at++)
            longer[at] = 'x';
        memcpy(longer + head, "# pad: ", 7);
        longer[head + pad - 1] = '\n';
        memcpy(longer + head + pad, text + head, size - head);
        write_temporary(longer, size + pad);
        struct vidmm_trace *trace = vidmm_trace_read(&memory.table, temporary, &error);
        assert_non_null(trace);
        assert_int_equal(trace->record_count, whole->record_count);
        for (uint32_t i = 0; i < whole->record_count; i++)
            assert_int_equal(trace->records[i].time_us, whole->records[i].time_us);
        vidmm_trace_destroy(trace);
        free(longer);
    }
    vidmm_trace_destroy(whole);
    free(text);
}

static void every_failing_allocation_of_host_memory_is_a_clean_refusal(void **state)
{
    char path[512];
    size_t failures = 0;

    (void)state;
    path_of("vkcube", path);
    for (size_t n = 1;; n++) {
        struct vidmm_trace_error error = {""};

        counted_memory_fail_at(&memory, n);
        struct vidmm_trace *trace = vidmm_trace_read(&memory.table, path, &error);
        if (!counted_memory_refused(&memory)) {
            assert_non_null(trace);
            vidmm_trace_destroy(trace);
            break;
        }
        assert_null(trace);
        assert_non_null(strstr(error.text, "no memory"));
        assert_true(counted_memory_all_back(&memory));
        failures++;
    }
    assert_true(failures > 20);
}

static int make_temporary(void **state)
{
    int descriptor;

    (void)state;
    harness_temporary(temporary, "vidmm-test-trace");
    descriptor = mkstemp(temporary);
    if (descriptor < 0)
        return -1;
    return close(descriptor);
}

static int remove_temporary(void **state)
{
    (void)state;
    return unlink(temporary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(recorded_traces_are_as_traces_md_says, setup, teardown),
        cmocka_unit_test_setup_teardown(the_largest_submission_is_named_by_number_line_and_frame,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(without_presents_each_submission_is_a_frame, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(records_name_allocations_by_index, setup, teardown),
        cmocka_unit_test_setup_teardown(unknown_events_and_keys_are_skipped, setup, teardown),
        cmocka_unit_test_setup_teardown(every_broken_rule_is_refused_by_name, setup, teardown),
        cmocka_unit_test_setup_teardown(the_first_two_lines_of_the_refusals_are_a_trace, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_line_without_end_is_refused_before_it_fills_memory, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(too_many_headers_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_compressed_file_cut_anywhere_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_damaged_compressed_file_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_of_plain_text_is_read_too, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_trace_is_written_as_it_was_read, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_that_takes_no_more_is_reported, setup, teardown),
        cmocka_unit_test_setup_teardown(a_trace_cut_into_pieces_anywhere_reads_the_same, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(every_failing_allocation_of_host_memory_is_a_clean_refusal,
                                        setup, teardown),
    };

    return cmocka_run_group_tests_name("trace", tests, make_temporary, remove_temporary);
}
