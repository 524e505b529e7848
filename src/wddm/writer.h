/*
 * writer.h: named values in one line, as text or as JSON, from one walk over a record.
 *
 *     text   Flags=TransferStart|TransferEnd Source={SegmentId=2 SegmentAddress=0x10000}
 *     JSON   "Flags":"TransferStart|TransferEnd","Source":{"SegmentId":2, ...}
 *
 * Private to src/wddm.
 */
#ifndef VIDMM_WDDM_WRITER_H
#define VIDMM_WDDM_WRITER_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_mask;

struct vidmm_writer {
    struct vidmm_text *text;
    bool json;
    bool first; /* nothing stands before the next value inside these braces */
    unsigned list_limit;
};

/* Append a separator if one is due, and the name unless it is NULL. A value must follow. */
void vidmm_writer_name(struct vidmm_writer *writer, const char *name);

/* Append a name and a value. Numbers are decimal; addresses and handles are hexadecimal, in JSON as
 * strings, since 64 bits do not fit a JSON number. */
void vidmm_writer_number(struct vidmm_writer *writer, const char *name, uint64_t number);
void vidmm_writer_hex(struct vidmm_writer *writer, const char *name, uint64_t number);
void vidmm_writer_word(struct vidmm_writer *writer, const char *name, const char *word);
void vidmm_writer_mask(struct vidmm_writer *writer, const char *name, const struct vidmm_mask *mask,
                       uint32_t value);

/* Begin a group, of named values with '{' or of values without name with '[', and end it, with '}'
 * or ']'. */
void vidmm_writer_open(struct vidmm_writer *writer, const char *name, char bracket);
void vidmm_writer_close(struct vidmm_writer *writer, char bracket);

#endif
