/* document.c: the table of pages, and the way to a row. */
#include "wddm/document.h"

#include <stddef.h>

#include "base/text.h"

#define VIDMM_DOCUMENTS "https://learn.microsoft.com/windows-hardware/drivers/"

static const struct {
    const char *name, *path;
} documents[] = {
#define DOCUMENT(name, path) {name, path},
#include "wddm/documents.def"
#undef DOCUMENT
};

/* Bytes of the name at the head of a source: up to its part, its member, a remark or the next
 * page. */
static size_t name_length(const char *source)
{
    size_t length = 0;

    while (source[length] && source[length] != '/' && source[length] != ',' &&
           source[length] != ';' && source[length] != '(')
        length++;
    while (length > 0 && source[length - 1] == ' ')
        length--;
    return length;
}

static bool has_name(const char *row, const char *name, size_t length)
{
    size_t i = 0;

    for (; i < length && row[i]; i++) {
        char c = name[i];

        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (row[i] != (c == ' ' ? '-' : c))
            return false;
    }
    return i == length && row[i] == 0;
}

bool vidmm_document_address(struct vidmm_text *text, const char *source)
{
    size_t length = name_length(source);

    for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
        if (has_name(documents[i].name, source, length)) {
            vidmm_text_string(text, VIDMM_DOCUMENTS);
            vidmm_text_string(text, documents[i].path);
            return true;
        }
    return false;
}
