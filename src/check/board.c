/* board.c: the child's reports.
 *
 * B1  a finding is ready once its texts are complete; readers skip findings that are not
 */
#include "check/board.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct vidmm_check_row rows[VIDMM_CHECK_FINDINGS] = {
#define CHECK_FINDING(number, name, sentence, document, rules, windows, advice)                    \
    [number] = {#name, sentence, document},
#include "check/finding.def"
#undef CHECK_FINDING
};

const struct vidmm_check_row *vidmm_check_row(unsigned id)
{
    return &rows[id < VIDMM_CHECK_FINDINGS ? id : 0];
}

struct vidmm_board *vidmm_board_create(void)
{
    void *board = mmap(NULL, sizeof(struct vidmm_board), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (board == MAP_FAILED)
        return NULL;
    ((struct vidmm_board *)board)->seals[0] = VIDMM_BOARD_SEAL;
    ((struct vidmm_board *)board)->seals[1] = ~VIDMM_BOARD_SEAL;
    return board;
}

void vidmm_board_destroy(struct vidmm_board *board)
{
    if (board)
        munmap(board, sizeof(*board));
}

static void put(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text ? text : "");
}

/* ---- findings ---- */

static _Thread_local uint64_t next_address;
static vidmm_board_look *look;

void vidmm_board_use(vidmm_board_look *the_look)
{
    look = the_look;
}

static _Thread_local bool is_apart;

void vidmm_board_apart(bool apart)
{
    is_apart = apart;
}

void vidmm_board_at(uint64_t address)
{
    next_address = address;
}

/* The steps that this process has begun, and how many records of calls there were before each. */
static struct begun_step {
    unsigned step;
    uint64_t records;
} begun_steps[VIDMM_BOARD_STEPS];
static unsigned begun_count;
static vidmm_board_count *count_records;
static void *counts;

static _Thread_local unsigned past_step; /* 0: findings are of the one that is under way */

void vidmm_board_record_by(vidmm_board_count *count, void *argument)
{
    count_records = count;
    counts = argument;
}

void vidmm_board_look_back(uint64_t record)
{
    past_step = 0;
    for (unsigned i = 0; i < begun_count && i < VIDMM_BOARD_STEPS; i++)
        if (begun_steps[i].records < record)
            past_step = begun_steps[i].step;
    if (past_step > VIDMM_BOARD_STEPS) /* a wild pointer of the driver's */
        past_step = 0;
}

static void note_begun(unsigned step)
{
    if (begun_count < VIDMM_BOARD_STEPS)
        begun_steps[begun_count++] =
            (struct begun_step){step, count_records ? count_records(counts) : 0};
}

/* The number of the step that a finding of this thread belongs to now. */
static unsigned step_of_finding(struct vidmm_board *board)
{
    return past_step ? past_step : atomic_load(&board->step);
}

/* Whether the list has a finding of that id at this step, or at this address; it is counted once
 * more, unless another child has done the step before. */
static bool counted(struct vidmm_board *board, struct vidmm_board_finding *list, unsigned count,
                    const char *id)
{
    uint32_t step = step_of_finding(board);

    for (unsigned i = 0; i < count && i < VIDMM_BOARD_FINDINGS; i++) {
        bool same = next_address ? list[i].address == next_address : list[i].step == step;

        if (same && atomic_load(&list[i].ready) && strcmp(list[i].id, id) == 0) {
            atomic_fetch_add(&list[i].count, step > board->steps_before);
            next_address = 0;
            return true;
        }
    }
    return false;
}

/* Its place in the driver, and who called that. The recorded address stays: a return address, or
 * one more than the instruction that fell. `call` may be NULL. */
static void find_place(struct vidmm_board_finding *finding, const char *call)
{
    uint64_t places[VIDMM_BOARD_CALLERS + 1] = {0};
    bool kernel = finding->id[0] == 'K'; /* without a call at the end of all things: no last one */
    unsigned count =
        look && !is_apart ? look(kernel && !call ? "" : call, places, VIDMM_BOARD_CALLERS + 1) : 0;
    unsigned next = 0;

    finding->address = next_address ? next_address : places[0];
    while (next < count && places[next] != finding->address && places[next] + 1 != finding->address)
        next++;
    for (unsigned i = 0; next + 1 < count; i++)
        finding->callers[i] = places[++next];
}

/* Write what is being done, and the call that runs, if one does. */
static void put_operation(struct vidmm_board_finding *finding, const char *operation,
                          const char *call)
{
    int length = (int)strcspn(call ? call : "", " ");

    if (length == 0 || strncmp(operation, call, (size_t)length) == 0)
        put(finding->operation, sizeof(finding->operation), operation);
    else
        snprintf(finding->operation, sizeof(finding->operation), "%.100s, in %.*s", operation,
                 length, call);
}

/* The calls of this thread that came back last: the newest, and the one before it. */
static _Thread_local char came_back[2][1200];

/* The call before one that runs, or that has come back. */
static const char *call_before(const char *record)
{
    return strcmp(came_back[0], record) == 0 ? came_back[1] : came_back[0];
}

static bool add(struct vidmm_board *board, bool note, const char *id, const char *sentence,
                const char *document, const char *record, const char *text)
{
    struct vidmm_board_finding *list = note ? board->notes : board->findings, *finding;
    atomic_uint *total = note ? &board->note_count : &board->finding_count;

    if (counted(board, list, atomic_load(total), id))
        return false;
    unsigned index = atomic_fetch_add(total, 1);
    if (index >= VIDMM_BOARD_FINDINGS) /* B2 */
        return true;
    finding = &list[index];
    put(finding->id, sizeof(finding->id), id);
    put(finding->sentence, sizeof(finding->sentence), sentence);
    put(finding->document, sizeof(finding->document), document);
    put_operation(finding, past_step ? board->steps[past_step - 1].name : board->operation,
                  past_step ? record : vidmm_board_current(board));
    put(finding->text, sizeof(finding->text), text);
    put(finding->record, sizeof(finding->record), record ? record : vidmm_board_current(board));
    put(finding->before, sizeof(finding->before),
        is_apart || past_step ? "" : call_before(finding->record));
    find_place(finding, finding->record[0] ? finding->record : NULL);
    finding->step = step_of_finding(board);
    next_address = 0;
    atomic_store(&finding->count, 1);
    atomic_store(&finding->ready, true); /* B1 */
    return true;
}

void vidmm_board_find(struct vidmm_board *board, const char *id, const char *sentence,
                      const char *document, const char *record, const char *text)
{
    unsigned number = step_of_finding(board);
    bool is_step = number >= 1 && number <= VIDMM_BOARD_STEPS; /* else a wild pointer's doing */

    if (add(board, false, id, sentence, document, record, text) && is_step)
        board->steps[number - 1].findings++;
}

void vidmm_board_note(struct vidmm_board *board, const char *id, const char *sentence,
                      const char *document, const char *record, const char *text)
{
    add(board, true, id, sentence, document, record, text);
}

/* ---- what the kit does not have ---- */

static _Thread_local unsigned inside;  /* calls that this thread makes, each in the other */
static _Thread_local char missing[96]; /* ... was called in the last of them */

void vidmm_board_missed(struct vidmm_board *board, const char *name)
{
    (void)board;
    if (inside > 0)
        put(missing, sizeof(missing), name);
}

const char *vidmm_board_missing(void)
{
    return missing[0] ? missing : NULL;
}

static char refused[96]; /* ... in a DxgkDdiStartDevice that then failed */

void vidmm_board_refused(void)
{
    put(refused, sizeof(refused), missing);
}

const char *vidmm_board_refused_by(void)
{
    return refused[0] ? refused : NULL;
}

static void add_name(char *text, size_t size, const char *name)
{
    size_t length = strlen(text);

    if (name)
        snprintf(text + length, size - length,
                 "; in that call the driver called %s, which the kit "
                 "does not have",
                 name);
}

static void add_missing(char *text, size_t size)
{
    add_name(text, size, vidmm_board_missing());
}

void vidmm_board_judge(struct vidmm_board *board, const char *name, const char *id,
                       const char *sentence, const char *document, const char *record,
                       const char *text)
{
    char why[600];

    put(why, sizeof(why), text);
    add_name(why, sizeof(why), name);
    (name ? vidmm_board_note : vidmm_board_find)(board, id, sentence, document, record, why);
}

void vidmm_check_find(struct vidmm_board *board, enum vidmm_check_finding_id id, const char *record,
                      const char *format, ...)
{
    char name[16], text[480];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    snprintf(name, sizeof(name), "C-%03u", (unsigned)id);
    /* A crash, a hang, a bug check are no answer, whatever was tried; nor is a deed. */
    bool note = (board->lenient && id > VIDMM_CHECK_BUG_CHECK && id < VIDMM_CHECK_REACH &&
                 id != VIDMM_CHECK_WRONG_FENCE) ||
                id == VIDMM_CHECK_UNASKED || /* no answer to it is wrong */
                (missing[0] && id < VIDMM_CHECK_REACH);
    add_missing(text, sizeof(text));
    (note ? vidmm_board_note : vidmm_board_find)(board, name, rows[id].sentence, rows[id].document,
                                                 record, text);
}

/* ---- progress ---- */

void vidmm_board_fact(struct vidmm_board *board, const char *format, ...)
{
    unsigned index = atomic_load(&board->fact_count);
    va_list arguments;

    if (index == VIDMM_BOARD_FACTS)
        return;
    va_start(arguments, format);
    vsnprintf(board->facts[index], sizeof(board->facts[index]), format, arguments);
    va_end(arguments);
    for (unsigned i = 0; i < index; i++)
        if (strcmp(board->facts[i], board->facts[index]) == 0)
            return; /* a child before this one has seen it, too */
    atomic_store(&board->fact_count, index + 1);
}

void vidmm_board_confined(struct vidmm_board *board, int error)
{
    int none = 0;

    atomic_compare_exchange_strong(&board->unconfined, &none, error);
}

struct vidmm_board_step *vidmm_board_step(struct vidmm_board *board)
{
    unsigned number = atomic_load(&board->step);

    if (number > VIDMM_BOARD_STEPS) /* a wild pointer of the driver's */
        number = VIDMM_BOARD_STEPS;
    return number == 0 ? NULL : &board->steps[number - 1];
}

void vidmm_board_go_on(struct vidmm_board *board)
{
    board->steps_before = atomic_load(&board->step_count);
    board->findings_before = atomic_load(&board->finding_count);
    board->traces_before = atomic_load(&board->trace_count);
    memset(board->calls, 0, sizeof(board->calls));
    board->operation[0] = 0;
    board->lenient = false;
    atomic_store(&board->step, 0);
    atomic_store(&board->end, VIDMM_BOARD_UNDER_WAY);
}

struct vidmm_board_step *vidmm_board_begin(struct vidmm_board *board, const char *name)
{
    struct vidmm_board_step *step = vidmm_board_step(board);
    unsigned index = 0;

    if (step)
        step->done = true;
    while (index < board->steps_before && strcmp(board->steps[index].name, name) != 0)
        index++;
    if (index == board->steps_before)
        index = atomic_load(&board->step_count);
    if (index == VIDMM_BOARD_STEPS)
        return step;
    put(board->steps[index].name, sizeof(board->steps[index].name), name);
    put(board->operation, sizeof(board->operation), name);
    if (index == atomic_load(&board->step_count))
        atomic_store(&board->step_count, index + 1);
    atomic_store(&board->step, index + 1);
    note_begun(index + 1);
    return &board->steps[index];
}

bool vidmm_board_had(const struct vidmm_board *board, const char *prefix)
{
    for (unsigned i = 0; i < board->steps_before; i++)
        if (strncmp(board->steps[i].name, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

bool vidmm_board_wants(const struct vidmm_board *board, const char *name)
{
    for (unsigned i = 0; i < board->steps_before; i++)
        if (strcmp(board->steps[i].name, name) == 0)
            return false;
    return strcasestr(name, board->only) != NULL || strcasestr(board->only, name) != NULL;
}

bool vidmm_board_try(struct vidmm_board *board, const char *format, ...)
{
    char name[96];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(name, sizeof(name), format, arguments);
    va_end(arguments);
    if (vidmm_board_wants(board, name)) {
        vidmm_board_begin(board, name);
        return true;
    }
    if (board->steps_before > 0) /* they have been tried */
        return false;
    size_t length = strlen(board->passed);
    snprintf(board->passed + length, sizeof(board->passed) - length, "%s'%s'", length ? ", " : "",
             name);
    return false;
}

void vidmm_board_skip(struct vidmm_board *board, const char *format, ...)
{
    struct vidmm_board_step *step = vidmm_board_step(board);
    va_list arguments;

    if (!step)
        return;
    va_start(arguments, format);
    vsnprintf(step->skipped, sizeof(step->skipped), format, arguments);
    va_end(arguments);
}

void vidmm_board_operation(struct vidmm_board *board, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(board->operation, sizeof(board->operation), format, arguments);
    va_end(arguments);
}

bool vidmm_board_problem(struct vidmm_board *board, const char *format, ...)
{
    va_list arguments;

    if (board->problem[0] == 0) {
        va_start(arguments, format);
        vsnprintf(board->problem, sizeof(board->problem), format, arguments);
        va_end(arguments);
        add_missing(board->problem, sizeof(board->problem));
    }
    return false;
}

struct vidmm_board_trace *vidmm_board_trace(struct vidmm_board *board)
{
    unsigned index = atomic_fetch_add(&board->trace_count, 1);

    return index < VIDMM_BOARD_TRACES ? &board->traces[index] : NULL;
}

/* ---- calls ---- */

struct vidmm_board_call *vidmm_board_enter(struct vidmm_board *board)
{
    unsigned thread = (unsigned)gettid();

    atomic_fetch_add(&board->beats, 1);
    if (inside++ == 0)
        missing[0] = 0;
    for (unsigned i = 0; i < VIDMM_BOARD_CALLS; i++) {
        unsigned none = 0;

        if (atomic_compare_exchange_strong(&board->calls[i].thread, &none, thread)) {
            board->calls[i].text[0] = 0;
            return &board->calls[i];
        }
    }
    return NULL;
}

void vidmm_board_leave(struct vidmm_board_call *call)
{
    inside -= inside > 0;
    if (!call)
        return;
    memcpy(came_back[1], came_back[0], sizeof(came_back[0]));
    put(came_back[0], sizeof(came_back[0]), call->text);
    atomic_store(&call->thread, 0);
}

const char *vidmm_board_current(struct vidmm_board *board)
{
    unsigned thread = (unsigned)gettid();

    for (unsigned i = VIDMM_BOARD_CALLS; i > 0; i--)
        if (atomic_load(&board->calls[i - 1].thread) == thread && board->calls[i - 1].text[0])
            return board->calls[i - 1].text;
    return NULL;
}
