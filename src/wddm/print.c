/*
 * print.c: a record of a call as one line of text or one JSON object.
 *
 * One walk for both: the tables of fields.c say what there is, the writer how it looks.
 */
#include <string.h>

#include <wddm/d3dkmddi_submit.h>
#include <wddm/ntstatus.h>

#include "base/text.h"
#include "wddm/call.h"
#include "wddm/fields.h"
#include "wddm/status.h"
#include "wddm/writer.h"

/* The members of a record that are due. */
enum moment {
    AT_ENTRY,   /* those that go in */
    AT_SUCCESS, /* those that come out */
    AT_REFUSAL, /* those that go in and out; the others were not written */
};

struct walk {
    struct vidmm_writer writer;
    enum moment moment;
    uint16_t level;
};

static uint64_t read_number(const unsigned char *member, size_t size)
{
    uint64_t number = 0; /* little-endian, as every machine that has this interface */

    memcpy(&number, member, size < sizeof number ? size : sizeof number);
    return number;
}

static bool is_due(const struct walk *walk, const struct vidmm_field *field)
{
    if (walk->level < field->since || walk->level >= field->until)
        return false;
    switch (walk->moment) {
    case AT_ENTRY:
        return (field->when & VIDMM_WHEN_ENTERED) != 0;
    case AT_SUCCESS:
        return (field->when & VIDMM_WHEN_RETURNED) != 0;
    default:
        return field->when == VIDMM_WHEN_BOTH && field->kind != VIDMM_FIELD_LIST;
    }
}

/* "Transfer.Flags" is printed as "Flags": the operation has been named before. */
static const char *last_name(const char *name)
{
    const char *last = name;

    for (; name != NULL && *name != '\0'; name++)
        if (*name == '.')
            last = name + 1;
    return last;
}

static void print_enum(struct vidmm_writer *writer, const char *name, const struct vidmm_enum *type,
                       uint32_t value)
{
    const char *word = vidmm_enum_name(type, (int)value);

    if (word != NULL)
        vidmm_writer_word(writer, name, word);
    else
        vidmm_writer_number(writer, name, value);
}

/* A member that stands in the record itself. */
static void print_plain(struct vidmm_writer *writer, const struct vidmm_field *field,
                        const unsigned char *member)
{
    const char *name = last_name(field->name);
    uint64_t number = field->kind == VIDMM_FIELD_OWN ? 0 : read_number(member, field->size);

    switch (field->kind) {
    case VIDMM_FIELD_NUMBER:
        vidmm_writer_number(writer, name, number);
        break;
    case VIDMM_FIELD_HEX:
        vidmm_writer_hex(writer, name, number);
        break;
    case VIDMM_FIELD_MASK:
        vidmm_writer_mask(writer, name, field->detail, (uint32_t)number);
        break;
    case VIDMM_FIELD_ENUM:
        print_enum(writer, name, field->detail, (uint32_t)number);
        break;
    default:
        field->print(writer, name, member);
        break;
    }
}

static void print_fields(struct walk *walk, const struct vidmm_fields *fields,
                         const unsigned char *record, size_t size);

/* One element of a list: braces around members, nothing around a bare value. */
static void print_element(struct walk *walk, const struct vidmm_fields *fields,
                          const unsigned char *element)
{
    bool bare = fields->fields[0].name == NULL;

    if (!bare)
        vidmm_writer_open(&walk->writer, NULL, '{');
    print_fields(walk, fields, element, fields->stride);
    if (!bare)
        vidmm_writer_close(&walk->writer, '}');
}

static void print_list(struct walk *walk, const struct vidmm_field *field,
                       const unsigned char *record)
{
    const struct vidmm_fields *fields = field->detail;
    const unsigned char *element;
    uint64_t count = read_number(record + field->count_offset, sizeof(UINT));
    uint64_t limit = walk->writer.list_limit == 0 ? count : walk->writer.list_limit;
    uint64_t stride = field->stride_offset == 0
                          ? fields->stride
                          : read_number(record + field->stride_offset, sizeof(SIZE_T));

    memcpy(&element, record + field->offset, sizeof element);
    vidmm_writer_open(&walk->writer, field->name, '[');
    for (uint64_t i = 0; element != NULL && i < count && i < limit; i++)
        print_element(walk, fields, element + i * stride);
    if (element != NULL && count > limit && !walk->writer.json) {
        vidmm_writer_name(&walk->writer, NULL);
        vidmm_text_char(walk->writer.text, '+');
        vidmm_text_number(walk->writer.text, count - limit);
    }
    vidmm_writer_close(&walk->writer, ']');
}

static void print_struct(struct walk *walk, const struct vidmm_field *field,
                         const unsigned char *member)
{
    vidmm_writer_open(&walk->writer, last_name(field->name), '{');
    print_fields(walk, field->detail, member, field->size);
    vidmm_writer_close(&walk->writer, '}');
}

/* The members of a record of which `size` bytes may be read. */
static void print_fields(struct walk *walk, const struct vidmm_fields *fields,
                         const unsigned char *record, size_t size)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct vidmm_field *field = &fields->fields[i];
        if (!is_due(walk, field) || (size_t)field->offset + field->size > size)
            continue;
        if (field->kind == VIDMM_FIELD_LIST)
            print_list(walk, field, record);
        else if (field->kind == VIDMM_FIELD_STRUCT)
            print_struct(walk, field, record + field->offset);
        else
            print_plain(&walk->writer, field, record + field->offset);
    }
}

/* Members that another member selects. */
static void print_selected(struct walk *walk, const struct vidmm_ddi_record *record, size_t size)
{
    const struct vidmm_fields *fields = NULL;
    const unsigned char *from = record->argument;

    if (record->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER && walk->moment == AT_ENTRY) {
        const DXGKARG_BUILDPAGINGBUFFER *build = record->argument;
        fields = vidmm_fields_of_operation(build->Operation);
    } else if (record->ddi == VIDMM_DDI_NOTIFY_INTERRUPT) {
        const DXGKARGCB_NOTIFY_INTERRUPT_DATA *data = record->argument;
        fields = vidmm_fields_of_interrupt(data->InterruptType);
    } else if (record->ddi == VIDMM_DDI_QUERY_ADAPTER_INFO && walk->moment == AT_SUCCESS) {
        const DXGKARG_QUERYADAPTERINFO *query = record->argument;
        fields = query->pOutputData == NULL ? NULL : vidmm_fields_of_query(query->Type);
        from = query->pOutputData;
        size = query->OutputDataSize;
    }
    if (fields != NULL)
        print_fields(walk, fields, from, size);
}

/* How far the driver advanced the pointers into the buffers that it writes. */
static void print_written(struct walk *walk, const struct vidmm_ddi_record *record)
{
    const char *before, *after;

    if (record->ddi != VIDMM_DDI_BUILD_PAGING_BUFFER && record->ddi != VIDMM_DDI_RENDER)
        return;
    if (record->ddi == VIDMM_DDI_RENDER) {
        before = ((const DXGKARG_RENDER *)record->before)->pDmaBuffer;
        after = ((const DXGKARG_RENDER *)record->argument)->pDmaBuffer;
    } else {
        before = ((const DXGKARG_BUILDPAGINGBUFFER *)record->before)->pDmaBuffer;
        after = ((const DXGKARG_BUILDPAGINGBUFFER *)record->argument)->pDmaBuffer;
    }
    if (after >= before)
        vidmm_writer_number(&walk->writer, "wrote", (uint64_t)(after - before));
}

static enum moment moment_of(const struct vidmm_ddi_record *record)
{
    if (!record->returned)
        return AT_ENTRY;
    return NT_SUCCESS(record->status) ? AT_SUCCESS : AT_REFUSAL;
}

static void print_arguments(struct walk *walk, const struct vidmm_ddi_record *record)
{
    const struct vidmm_fields *fields = vidmm_fields_of_call(record->ddi);
    size_t size = vidmm_ddi_argument_size(record->ddi, record->level);

    if (record->argument == NULL || fields == NULL)
        return;
    print_fields(walk, fields, record->argument, size);
    print_selected(walk, record, size);
    if (record->ddi == VIDMM_DDI_BUILD_PAGING_BUFFER)
        print_fields(walk, vidmm_fields_of_buffer(), record->argument, size);
    if (record->returned)
        print_written(walk, record);
}

void vidmm_ddi_print(struct vidmm_text *text, const struct vidmm_ddi_record *record,
                     unsigned list_limit)
{
    const struct vidmm_ddi_call *call = vidmm_ddi_call(record->ddi);
    struct walk walk = {.writer = {.text = text, .first = true, .list_limit = list_limit},
                        .moment = moment_of(record),
                        .level = record->level};

    if (!record->returned) {
        vidmm_writer_word(&walk.writer, NULL, call->name);
        if (call->handle[0] != '\0')
            vidmm_writer_hex(&walk.writer, call->handle, (uintptr_t)record->handle);
    } else if (call->answers) {
        vidmm_writer_name(&walk.writer, NULL);
        vidmm_status_print(text, record->status);
    } else {
        vidmm_writer_word(&walk.writer, NULL, "returned");
    }
    print_arguments(&walk, record);
}

void vidmm_ddi_print_json(struct vidmm_text *text, const struct vidmm_ddi_record *record,
                          unsigned list_limit)
{
    const struct vidmm_ddi_call *call = vidmm_ddi_call(record->ddi);
    struct walk walk = {
        .writer = {.text = text, .json = true, .first = true, .list_limit = list_limit},
        .moment = moment_of(record),
        .level = record->level};

    vidmm_writer_open(&walk.writer, NULL, '{');
    vidmm_writer_number(&walk.writer, "sequence", record->sequence);
    vidmm_writer_word(&walk.writer, "call", call->name);
    vidmm_writer_word(&walk.writer, "at", record->returned ? "return" : "entry");
    if (call->handle[0] != '\0')
        vidmm_writer_hex(&walk.writer, call->handle, (uintptr_t)record->handle);
    if (record->irql != VIDMM_IRQL_ANY)
        vidmm_writer_number(&walk.writer, "irql", (uint64_t)record->irql);
    if (record->returned) {
        vidmm_writer_number(&walk.writer, "entered", record->entered);
        if (call->answers) {
            vidmm_writer_name(&walk.writer, "status");
            vidmm_text_char(text, '"');
            vidmm_status_print(text, record->status);
            vidmm_text_char(text, '"');
        }
    }
    print_arguments(&walk, record);
    vidmm_writer_close(&walk.writer, '}');
}
