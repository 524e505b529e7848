/*
 * message.h: `vidmm kit mc`: the header that the message compiler makes.
 *
 *     messages.mc   message text: #define SYMBOL ((NTSTATUS)0xC0040001L)
 *     events.man    a manifest of events: EventRegisterPROVIDER(), EventWriteEVENT(...), which take
 *                   their arguments and log nothing, and the descriptors and identifiers
 *
 * Resources (.rc, .bin) are not made: nothing reads them here.
 *
 * Source: "Message Compiler (MC.exe)", "Message Text Files", "Writing an Instrumentation Manifest"
 * of the public documentation.
 */
#ifndef VIDMM_IMPORT_MESSAGE_H
#define VIDMM_IMPORT_MESSAGE_H

#include <stdbool.h>

struct vidmm_arena;

/* The header of a message text; NULL: *error says in which line what is wrong. customer: bit 29 is
 * set in each message. */
char *vidmm_kit_message_header(struct vidmm_arena *arena, const char *name, const char *text,
                               bool customer, const char **error);

/* The header of a manifest. prefix: what names of logging macros begin with ("EventWrite"). */
char *vidmm_kit_manifest_header(struct vidmm_arena *arena, const char *path, const char *prefix,
                                const char **error);

/* The command line: mc's own words, `-h FOLDER`, `-z NAME`, `-p PREFIX`, `-c`; those that concern
 * resources are taken and change nothing. */
int vidmm_kit_mc(int count, char *const *arguments);

#endif
