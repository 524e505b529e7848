/* lookup.h: the meaning of a word of the field: rules, findings, statuses, bug checks, calls,
 * operations.
 *
 *     S4-002          a rule            STATUS_NO_MEMORY, 0xC0000017     a status
 *     C-007           a finding         0x10E 0xB                        a bug check
 *     DxgkDdiPatch    a call            DXGK_OPERATION_FILL              a paging operation
 *     DXGKARG_PATCH   a structure       DXGKARG_PATCH.Flags, Flags       a member
 *
 * Words that name nothing are looked for in all of these: an entry that has every one of them, in
 * its name or in what it says, is an answer.
 */
#ifndef VIDMM_TOOL_LOOKUP_H
#define VIDMM_TOOL_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>

struct vidmm_words;

/* One answer. `says`, `source` and `more` may be empty, and are never
 * NULL. */
struct vidmm_entry {
    const char *kind; /* "rule", "finding", "status", "bug check", "call", "operation",
                       * "structure", "member" */
    char name[96];
    const char *says;
    const char *source; /* the document */
    char address[160];  /* of that document; empty: not known */
    char more[160];     /* the party, the source of the finding, Windows's reaction */
    char windows[160];  /* of a finding: what Windows does; empty: of something else */
    char advice[480];   /* of a finding: the change that ends it; empty */
};

/* Hand all answers to `tell`, those of a kind together. `named`: an answer is what the words name,
 * or a rule that speaks of it; false: they were found by searching. Answers how many there were. */
size_t vidmm_lookup(const struct vidmm_words *words,
                    void (*tell)(void *context, const struct vidmm_entry *entry), void *context,
                    bool *named);

/* The finding with that id, of `vidmm check` or of the kit's kernel: "C-007". False: there is
 * none. */
bool vidmm_lookup_finding(const char *id, struct vidmm_entry *entry);

/* The name that a word was meant to be. NULL: there is none near. */
const char *vidmm_lookup_nearest(const char *word);

#endif
