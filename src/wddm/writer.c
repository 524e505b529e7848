/* writer.c: named values in one line, as text or as JSON. */
#include "wddm/writer.h"

#include "base/text.h"
#include "wddm/mask.h"

void vidmm_writer_name(struct vidmm_writer *writer, const char *name)
{
    if (!writer->first)
        vidmm_text_char(writer->text, writer->json ? ',' : ' ');
    writer->first = false;
    if (name == NULL)
        return;
    if (writer->json)
        vidmm_text_quoted(writer->text, name);
    else
        vidmm_text_string(writer->text, name);
    vidmm_text_char(writer->text, writer->json ? ':' : '=');
}

static void quote(struct vidmm_writer *writer)
{
    if (writer->json)
        vidmm_text_char(writer->text, '"');
}

void vidmm_writer_number(struct vidmm_writer *writer, const char *name, uint64_t number)
{
    vidmm_writer_name(writer, name);
    vidmm_text_number(writer->text, number);
}

void vidmm_writer_hex(struct vidmm_writer *writer, const char *name, uint64_t number)
{
    vidmm_writer_name(writer, name);
    quote(writer);
    vidmm_text_hex(writer->text, number);
    quote(writer);
}

void vidmm_writer_word(struct vidmm_writer *writer, const char *name, const char *word)
{
    vidmm_writer_name(writer, name);
    if (writer->json)
        vidmm_text_quoted(writer->text, word);
    else
        vidmm_text_string(writer->text, word);
}

void vidmm_writer_mask(struct vidmm_writer *writer, const char *name, const struct vidmm_mask *mask,
                       uint32_t value)
{
    vidmm_writer_name(writer, name);
    quote(writer);
    vidmm_mask_print(writer->text, mask, value);
    quote(writer);
}

void vidmm_writer_open(struct vidmm_writer *writer, const char *name, char bracket)
{
    vidmm_writer_name(writer, name);
    vidmm_text_char(writer->text, bracket);
    writer->first = true;
}

void vidmm_writer_close(struct vidmm_writer *writer, char bracket)
{
    vidmm_text_char(writer->text, bracket);
    writer->first = false;
}
