/* manual.h: a manual page, made of the text of --help. */
#ifndef VIDMM_TOOL_MANUAL_H
#define VIDMM_TOOL_MANUAL_H

#include <stdio.h>

/*
 * Write `text` as a page for man(1). The text is paragraphs with an empty line between them:
 *
 *     vidmm replay FILE [options]     the first one: how the command is called
 *     Play what ...                   prose
 *       --memory SIZE   size ...      an item, two columns in: its name, and what it is
 *     examples                        a heading: the line below it is indented
 *     exit status: 0 ...              a section of its own
 *
 * name: the page's, such as vidmm-replay; summary: one line; others: what "see also" names,
 * separated by spaces. The text is not kept.
 */
void vidmm_manual_write(FILE *file, const char *name, const char *summary, const char *text,
                        const char *others);

#endif
