/*
 * quote.h: texts of a project as words for sh, and in a file for ninja.
 * Nobody else escapes anything.
 *
 *     it's   --word-->  'it'\''s'   --value-->  'it'\''s'     a word of a command
 *     $(HOME) --word-->  '$(HOME)'  --value-->  '$$(HOME)'
 *     a b$c.o --path-->  a$ b$$c.o                            a path in a build line
 *
 * A project is not trusted: a name that neither of the two can carry is refused before it comes
 * here.
 *
 * Source: "Lexical syntax" of ninja's manual; "Quoting" of POSIX's shell.
 */
#ifndef VIDMM_IMPORT_QUOTE_H
#define VIDMM_IMPORT_QUOTE_H

struct vidmm_arena;
struct vidmm_texts;

/* One word of sh, whatever is in it but control characters. */
char *vidmm_quote_word(struct vidmm_arena *arena, const char *text);
char *vidmm_quote_words(struct vidmm_arena *arena, const struct vidmm_texts *list);

/* Quote the text behind `NAME =` in a file for ninja; a path in one of its build lines. */
char *vidmm_quote_value(struct vidmm_arena *arena, const char *text);
char *vidmm_quote_path(struct vidmm_arena *arena, const char *path);

/* The text with \x0a and the like for control characters, cut to one line. */
char *vidmm_quote_shown(struct vidmm_arena *arena, const char *text);

/* The first control character of a text; 0: it has none. */
unsigned vidmm_quote_control(const char *text);

/* Why a text is no name that a file of the output may have: a sentence's end ("is empty"). NULL: it
 * is one. It is one name, without folders, and no option of a program. */
const char *vidmm_quote_bad_name(const char *name);

#endif
